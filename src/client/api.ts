/**
 * Placeholder for the types of the API. `npm run build` generates them from the OpenAPI document and replaces this file
 * (`scripts/build/client.ts`), so the types use the names of the document.
 */
export type paths = Record<never, never>
/** The calls of visitors. */
export type visitorPaths = Record<never, never>
export interface components {
  schemas: Record<never, never>
}
