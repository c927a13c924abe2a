/** Whether lines name definitions (places, subtypes, custom fields), and so are judged by them. */
import { AREAS } from '../../db/areas.ts'
import { isObject } from '../../http/request/object-keys.ts'

/** Whether a line's values name a definition. What its record has already keeps its definitions by being there. */
export function namesDefinition(values: Record<string, unknown>): boolean {
  const group = (name: string) => (isObject(values[name]) ? values[name] : {})
  const places = [group('location'), group('listing')]
  return (
    Object.keys(group('custom_fields')).length > 0 ||
    // Those of requests stand among criteria, which have names.
    Object.keys(group('extra_fields')).some((key) => Number.isInteger(Number(key))) ||
    [values.subtype, values.subtypes, values.locations].some(isFilled) ||
    places.some((place) => AREAS.some((area) => isFilled(place[area])))
  )
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value != null
}
