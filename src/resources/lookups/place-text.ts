import { foldText } from '../../db/fold.ts'

/** The text by which a place is searched. */
export function placeSearch({ name_el, name_en }: { name_el: string; name_en: string }): string {
  return foldText(`${name_el}\n${name_en}`)
}
