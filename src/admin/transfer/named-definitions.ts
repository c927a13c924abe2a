/** Finds out whether the values of a line depend on definitions: places, subtypes or custom fields. */
import { AREAS } from '../../db/areas.ts'
import { isObject } from '../../http/request/object-keys.ts'

/** Whether the values of a line name a definition. Definitions that a stored record uses cannot change meanwhile. */
export function namesDefinition(values: Record<string, unknown>): boolean {
  const group = (name: string) => (isObject(values[name]) ? values[name] : {})
  const places = [group('location'), group('listing')]
  return (
    Object.keys(group('custom_fields')).length > 0 ||
    // Requests hold custom fields, whose keys are ids, among their criteria, whose keys are names.
    Object.keys(group('extra_fields')).some((key) => Number.isInteger(Number(key))) ||
    [values.subtype, values.subtypes, values.locations].some(isFilled) ||
    places.some((place) => AREAS.some((area) => isFilled(place[area])))
  )
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value != null
}
