/**
 * Stands for the types of the API: `npm run build` makes them from the OpenAPI document and puts them in the place of
 * this file (`scripts/build/client.ts`), so whatever the document calls things is what they are called here.
 */
export type paths = Record<never, never>
export interface components {
  schemas: Record<never, never>
}
