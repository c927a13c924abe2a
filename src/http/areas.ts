/**
 * The areas of the service, which are the first segments of its paths. What the interface only reads under `/api/` is written
 * through the door `/office/`, under the same path: to calls, both are one area.
 */

/** Those whose calls need an API key. */
export const KEYED_AREAS = ['api', 'office'] as const

/** Whether calls of a path, or of a pattern of paths, need an API key. */
export function needsKey(path: string): boolean {
  return KEYED_AREAS.some((area) => path.startsWith(`/${area}/`))
}
