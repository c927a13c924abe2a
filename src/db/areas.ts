/** The areas of a place, from region to neighbourhood. */
/** Names of the area fields. The location in the field at index `i` must have level `i + 1`. */
export const AREAS = ['area_level1', 'area_level2', 'area_level3'] as const

/** A location that a body names as an area. */
export interface NamedArea {
  id: number
  level: number
}

/**
 * Refuses in `draft` each area whose level does not fit its field, and each that `findProblem` returns a problem for.
 * @param prefix dotted group of the body that contains the areas, with its final dot
 * @param findProblem checks an area of the right level; returns the end of the error message
 */
export function checkAreas<Area extends NamedArea>(
  draft: { refuse: (field: string, message: string) => void; isRefused: (field: string) => boolean },
  prefix: string,
  areas: readonly (Area | null | undefined)[],
  findProblem?: (area: Area, index: number) => string | undefined,
): void {
  for (const [index, field] of AREAS.entries()) {
    const name = prefix + field
    const area = areas[index]
    if (!area || draft.isRefused(name)) continue
    const level = index + 1
    const message = area.level === level ? findProblem?.(area, index) : `must be a location of level ${level}`
    if (message) draft.refuse(name, `Invalid ${name}: ${message}`)
  }
}
