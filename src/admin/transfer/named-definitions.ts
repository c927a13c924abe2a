/** Finds out which definitions the values of a line depend on: places, subtypes and custom fields. */
import { AREAS } from '../../db/areas.ts'
import { isObject } from '../../http/request/object-keys.ts'

/** Whether the values of a line name a definition. Definitions that a stored record uses cannot change meanwhile. */
export function namesDefinition(values: Record<string, unknown>): boolean {
  return definitionsIn(values).length > 0 || namesInJson(values)
}

/**
 * Whether values name an entry of a lookup where no foreign key keeps it: in criteria, in what visitors seek, in captions, in a
 * setting.
 */
function namesInJson(values: Record<string, unknown>): boolean {
  const { extra_fields, search, photos, panorama_photos, key, value } = values
  const { special_locations, listing_tags } = isObject(extra_fields) ? extra_fields : {}
  const isNamed = [special_locations, listing_tags].flat().some((id) => id != null)
  return (
    isNamed ||
    [photos, panorama_photos].flat().some((picture) => isObject(picture) && picture.captions != null) ||
    (isObject(search) && namesDefinition(search)) ||
    (key !== undefined && Number.isInteger(value))
  )
}

/** The definitions that the values of a line name, as `Dependences` names them. */
export function definitionsIn(values: Record<string, unknown>): string[] {
  const group = (name: string) => (isObject(values[name]) ? values[name] : {})
  const places = [group('location'), group('listing')].flatMap((place) => AREAS.map((area) => place[area]))
  return [
    ...namesOf('custom_fields', Object.keys(customValues(values))),
    ...namesOf('listing_subtypes', [values.subtype, values.subtypes]),
    ...namesOf('locations', [values.locations, ...places]),
  ]
}

/** Those records that values of custom fields may name. Only the definitions say which of the integers are ids. */
export function recordsInCustomValues(
  values: Record<string, unknown>,
  isRecord: (name: string) => boolean,
): string[] {
  const integers = Object.values(customValues(values)).flat().filter(Number.isSafeInteger)
  return ['users', 'contacts'].flatMap((table) =>
    integers.flatMap((id) => (isRecord(`${table} ${id}`) ? `${table} ${id}` : [])),
  )
}

function customValues({ custom_fields, extra_fields }: Record<string, unknown>): Record<string, unknown> {
  // Requests hold custom fields, whose keys are ids, among their criteria, whose keys are names.
  const inCriteria = Object.entries(isObject(extra_fields) ? extra_fields : {}).filter(([key]) =>
    Number.isInteger(Number(key)),
  )
  return { ...(isObject(custom_fields) ? custom_fields : {}), ...Object.fromEntries(inCriteria) }
}

function namesOf(table: string, ids: unknown[]): string[] {
  return ids
    .flat()
    .filter((id) => id != null)
    .map((id) => `${table} ${id}`)
}
