/**
 * Merges a line into the record that it names, by the rules of PUT: keys that are not sent keep their value, null
 * clears, lists are replaced. A value that the record already has counts as not sent, so that unchanged values of an
 * export are not validated again. A value that other keys of the line change still counts (`overriddenKeys`).
 */
import type { z } from 'zod'
import { checkObject, type Draft } from '../../http/request/check.ts'
import { hasTooManyKeys, isObject } from '../../http/request/object-keys.ts'
import type { Entity, ImportedLine } from './entity.ts'
import type { Line } from './line.ts'

type Data = Record<string, unknown>

/** The draft of a line, and the stored record that has its id. */
// biome-ignore lint/suspicious/noExplicitAny: lines of any entity
export interface PreparedLine extends Omit<ImportedLine<any, any>, 'values'> {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  draft: Draft<any>
}

/** Checks the data of a line against its schema, in merge mode over the `stored` record. */
export function prepareLine(
  declared: Entity,
  { data, mode, forcedKeys }: Line,
  stored: object | null,
): PreparedLine {
  const schema: z.ZodObject = declared.schema
  const current = mode === 'merge' ? stored : null
  if (!current) {
    return { draft: checkObject(schema, data), stored, current, changedKeys: new Set(Object.keys(data)) }
  }
  const presented = declared.present(current)
  const changes = changesIn(declared, data, presented, forcedKeys)
  const draft = declared.mergesChanges
    ? checkObject(partialOf(schema), { id: data.id, ...changes })
    : checkObject(schema, mergeChanges(presented, changes, declared.groups ?? []))
  return { draft, stored, current, changedKeys: new Set(Object.keys(changes)) }
}

/** Keys of a line (dotted within groups) that equal `current`, but that its other keys change in `row`. */
export function overriddenKeys(
  declared: Entity,
  { data, forcedKeys }: Line,
  current: object,
  row: object,
): string[] {
  const before = new Set(pathsOf(declared, changesIn(declared, data, declared.present(current), forcedKeys)))
  return pathsOf(declared, changesIn(declared, data, declared.present(row))).filter(
    (path) => !before.has(path),
  )
}

/** Whether two JSON values are equal. The depth of `b` limits the comparison. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && b.every((value, index) => isSameJson(a[index], value))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(b)
  return (
    Object.keys(a).length === keys.length &&
    keys.every((key) => Object.hasOwn(a, key) && isSameJson(a[key], b[key]))
  )
}

/** The entries of `data` that differ from `presented`, and those in `forcedKeys`. Groups are compared key by key. */
function changesIn(
  { toCanonical: canonical, groups = [] }: Entity,
  data: Data,
  presented: Data,
  forcedKeys?: ReadonlySet<string>,
): Data {
  const before = (record: Data, key: string) => (Object.hasOwn(record, key) ? record[key] : undefined)
  const isChange = (path: string, value: unknown, stored: unknown) =>
    forcedKeys?.has(path) || !isSameJson(value, stored)
  const changed = Object.entries(canonical?.(data) ?? data).flatMap(([key, value]): [string, unknown][] => {
    const stored = before(presented, key)
    // A group with too many keys is refused as a whole, so it is not merged.
    if (!groups.includes(key) || !isObject(value) || !isObject(stored) || hasTooManyKeys(value)) {
      return isChange(key, value, stored) ? [[key, value]] : []
    }
    const inner = Object.entries(value).filter(([name, part]) =>
      isChange(`${key}.${name}`, part, before(stored, name)),
    )
    return inner.length > 0 ? [[key, Object.fromEntries(inner)]] : []
  })
  return Object.fromEntries(changed)
}

/** The keys of `changes`, dotted within groups. */
function pathsOf({ groups = [] }: Entity, changes: Data): string[] {
  return Object.entries(changes).flatMap(([key, value]) =>
    groups.includes(key) && isObject(value) ? Object.keys(value).map((name) => `${key}.${name}`) : [key],
  )
}

/** The record with `changes` merged over it. Null for a group clears each of its keys. */
function mergeChanges(presented: Data, changes: Data, groups: readonly string[]): Data {
  const merged = Object.entries(changes).map(([key, value]): [string, unknown] => {
    const stored = presented[key]
    if (!groups.includes(key) || !isObject(stored)) return [key, value]
    if (isObject(value)) return [key, { ...stored, ...value }]
    return [key, value === null ? Object.fromEntries(Object.keys(stored).map((name) => [name, null])) : value]
  })
  return { ...presented, ...Object.fromEntries(merged) }
}

const partials = new Map<z.ZodObject, z.ZodObject>()

/** `schema` with every key optional, because only new records have required keys. Cached. */
function partialOf(schema: z.ZodObject): z.ZodObject {
  const known = partials.get(schema)
  if (known) return known
  const partial = schema.partial()
  partials.set(schema, partial)
  return partial
}
