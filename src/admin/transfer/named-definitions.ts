/** Finds out whether a line names definitions (places, subtypes, custom fields), so that it depends on them. */
import { AREAS } from '../../db/areas.ts'
import { isObject } from '../../http/request/object-keys.ts'

/** Whether the values of a line name a definition. What the record already uses protects its definitions by itself. */
export function namesDefinition(values: Record<string, unknown>): boolean {
  const group = (name: string) => (isObject(values[name]) ? values[name] : {})
  const places = [group('location'), group('listing')]
  return (
    Object.keys(group('custom_fields')).length > 0 ||
    // Custom fields of requests are among the criteria: their keys are ids, those of criteria are names.
    Object.keys(group('extra_fields')).some((key) => Number.isInteger(Number(key))) ||
    [values.subtype, values.subtypes, values.locations].some(isFilled) ||
    places.some((place) => AREAS.some((area) => isFilled(place[area])))
  )
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value != null
}
