/** Entries of lookups, which are no more than a name: ids count from 1. */

/** As they are served. */
export function numbered(...names: string[]): { id: number; name: string }[] {
  return names.map((name, index) => ({ id: index + 1, name }))
}

/** As lines to import. */
export function named(entity: string, ...names: string[]): [entity: string, data: Record<string, unknown>][] {
  return numbered(...names).map((data) => [entity, data])
}
