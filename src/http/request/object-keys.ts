/** The keys of JSON objects: which a schema knows, and how many there may be. */
import { z } from 'zod'

/** Unknown keys that are named; the others are only counted. */
export const MAX_NAMED = 20
/** Most keys of an object that takes any: one with more is refused before they are looked at. */
export const MAX_KEYS = 2000

/** Whether `value` is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether `value` is an object of more keys than any body has need of. */
export function hasTooManyKeys(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > MAX_KEYS
}

/** Whether `schema` takes keys that it does not name. */
export function takesAnyKey(schema: unknown): boolean {
  if (schema instanceof z.ZodObject) return schema.def.catchall instanceof z.ZodUnknown
  return schema instanceof z.ZodRecord
}

/**
 * What of `raw` its schema knows, the keys of groups included, and the first names of the rest. For what is checked
 * again and again: however many unknown keys there are, they are looked at once.
 */
export function pickKnownKeys(schema: z.ZodObject, raw: Record<string, unknown>) {
  const unknown: string[] = []
  return { known: knownKeys(schema, raw, '', unknown), unknown }
}

function knownKeys(
  schema: z.ZodObject,
  raw: Record<string, unknown>,
  prefix: string,
  unknown: string[],
): Record<string, unknown> {
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

/** The object schema inside `field`, when it is a plain group of keys. */
export function toGroup(field: z.ZodType): z.ZodObject | null {
  let inner: unknown = field
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
  return inner instanceof z.ZodObject ? inner : null
}

/** What `field` takes in, without what may stand instead of it or comes of it. */
export function unwrapSchema(field: unknown): unknown {
  let inner = field
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
    else if (inner instanceof z.ZodPipe) inner = inner.in
    else return inner
  }
}
