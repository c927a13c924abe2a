/** The areas that a place lies in, from its region to its neighbourhood. */

/** Their names; each is a location of the level of its place in this list. */
export const AREAS = ['area_level1', 'area_level2', 'area_level3'] as const

/** A location that a body names as an area. */
export interface NamedArea {
  id: number
  level: number
}

/**
 * Notes in `draft` each of `areas` that is not of its level, and what `misfit` says of one that is.
 * @param prefix the dotted group of the body that the areas stand in
 */
export function checkAreas<Area extends NamedArea>(
  draft: { refuse: (field: string, message: string) => void; isRefused: (field: string) => boolean },
  prefix: string,
  areas: readonly (Area | null | undefined)[],
  misfit?: (area: Area, index: number) => string | undefined,
): void {
  for (const [index, field] of AREAS.entries()) {
    const name = prefix + field
    const area = areas[index]
    if (!area || draft.isRefused(name)) continue
    const level = index + 1
    const message = area.level === level ? misfit?.(area, index) : `must be a location of level ${level}`
    if (message) draft.refuse(name, `Invalid ${name}: ${message}`)
  }
}
