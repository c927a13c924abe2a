/** Known and unknown keys of JSON objects, and limits on their number. */
import { z } from 'zod'

/** Maximum number of unknown keys that are named; the others are only counted. */
export const MAX_NAMED = 20
/** Maximum number of keys in an object with arbitrary keys. A larger object is refused before its keys are checked. */
export const MAX_KEYS = 2000

/** Whether `value` is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether `value` is an object with more than `MAX_KEYS` keys. */
export function hasTooManyKeys(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > MAX_KEYS
}

/** Whether `schema` accepts keys that it does not declare. */
export function takesAnyKey(schema: unknown): boolean {
  if (schema instanceof z.ZodObject) return schema.def.catchall instanceof z.ZodUnknown
  return schema instanceof z.ZodRecord
}

/**
 * The keys of `raw` that its schema declares, including those in groups, and the names of the first others. For input
 * that is checked several times: later checks no longer see the unknown keys.
 */
export function pickKnownKeys(schema: z.ZodObject, raw: Record<string, unknown>) {
  const unknown: string[] = []
  return { known: knownKeys(schema, raw, '', unknown), unknown }
}

function knownKeys(
  schema: z.ZodObject,
  sent: Record<string, unknown>,
  prefix: string,
  unknown: string[],
): Record<string, unknown> {
  const raw = withEmptyObjects(schema, sent)
  if (takesAnyKey(schema)) return raw
  for (const key of Object.keys(raw)) {
    if (unknown.length >= MAX_NAMED) break
    if (!Object.hasOwn(schema.shape, key)) unknown.push(prefix + key)
  }
  const known = (Object.entries(schema.shape) as [string, z.ZodType][]).flatMap(
    ([key, field]): [string, unknown][] => {
      if (!Object.hasOwn(raw, key)) return []
      const value = raw[key]
      const group = toGroup(field)
      return [[key, group && isObject(value) ? knownKeys(group, value, `${prefix}${key}.`, unknown) : value]]
    },
  )
  return Object.fromEntries(known)
}

/**
 * `raw` with `{}` for each `[]` where `schema` takes an object without keys. PHP writes its empty arrays as lists, so what it
 * sends back of a reply has lists for the empty objects.
 */
export function withEmptyObjects(schema: z.ZodObject, raw: Record<string, unknown>): Record<string, unknown> {
  const meant = Object.entries(raw).flatMap(([key, value]) => {
    const isEmptyList = Array.isArray(value) && value.length === 0
    return isEmptyList && Object.hasOwn(schema.shape, key) && takesEmptyObject(schema.shape[key])
      ? [[key, {}]]
      : []
  })
  return meant.length > 0 ? { ...raw, ...Object.fromEntries(meant) } : raw
}

function takesEmptyObject(field: z.ZodType): boolean {
  const inner = unwrapSchema(field)
  return (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) && field.safeParse({}).success
}

/** The object schema of `field`, if the field is a group of keys. */
export function toGroup(field: z.ZodType): z.ZodObject | null {
  let inner: unknown = field
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
  return inner instanceof z.ZodObject ? inner : null
}

/** The input schema of `field`, without optional, nullable and pipe wrappers. */
export function unwrapSchema(field: unknown): unknown {
  let inner = field
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
    else if (inner instanceof z.ZodPipe) inner = inner.in
    else return inner
  }
}
