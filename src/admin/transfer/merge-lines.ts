/**
 * Merging a line into the record that it names, by the rules of PUT: keys that are not sent keep their value, null
 * clears, lists are replaced whole. A value that the record has already counts as not sent, so that a line of an export
 * is never judged by what it does not change; unless what follows from the other keys would change it (`overridden`).
 */
import type { z } from 'zod'
import { checkObject, type Draft } from '../../http/request/check.ts'
import { hasTooManyKeys, isObject } from '../../http/request/object-keys.ts'
import type { Entity, ImportedLine } from './entity.ts'
import type { Line } from './write-lines.ts'

type Data = Record<string, unknown>

/** A line's draft, and the record that it meets. */
// biome-ignore lint/suspicious/noExplicitAny: lines of any entity
export interface PreparedLine extends Omit<ImportedLine<any, any>, 'values'> {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  draft: Draft<any>
}

/** Checks a line's data alone, merged into `stored` where there is such a record and its mode says so. */
export function prepareLine(
  declared: Entity,
  { data, mode, forcedKeys: insisted }: Line,
  stored: object | null,
): PreparedLine {
  const schema: z.ZodObject = declared.schema
  const current = mode === 'merge' ? stored : null
  if (!current) {
    return { draft: checkObject(schema, data), stored, current, sent: new Set(Object.keys(data)) }
  }
  const presented = declared.present(current)
  const changes = changesIn(declared, data, presented, insisted)
  const draft = declared.mergesChanges
    ? checkObject(partialOf(schema), { id: data.id, ...changes })
    : checkObject(schema, mergeChanges(presented, changes, declared.groups ?? []))
  return { draft, stored, current, sent: new Set(Object.keys(changes)) }
}

/** Keys of a line, dotted within groups, that are as in `current` and that its other keys make otherwise in `row`. */
export function overriddenKeys(
  declared: Entity,
  { data, forcedKeys: insisted }: Line,
  current: object,
  row: object,
): string[] {
  const before = new Set(pathsOf(declared, changesIn(declared, data, declared.present(current), insisted)))
  return pathsOf(declared, changesIn(declared, data, declared.present(row))).filter(
    (path) => !before.has(path),
  )
}

/** Whether two JSON values are the same; `b` says how deep to look. */
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

/** The keys of `data` that `presented` has not, or has otherwise, and the `insisted` ones; of groups their keys. */
function changesIn(
  { toCanonical: canonical, groups = [] }: Entity,
  data: Data,
  presented: Data,
  insisted?: ReadonlySet<string>,
): Data {
  const before = (record: Data, key: string) => (Object.hasOwn(record, key) ? record[key] : undefined)
  const isChange = (path: string, value: unknown, stored: unknown) =>
    insisted?.has(path) || !isSameJson(value, stored)
  const changed = Object.entries(canonical?.(data) ?? data).flatMap(([key, value]): [string, unknown][] => {
    const stored = before(presented, key)
    // What is too wide is refused whole, so nothing of it is merged.
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

/** The keys of `changes`, those of groups dotted. */
function pathsOf({ groups = [] }: Entity, changes: Data): string[] {
  return Object.entries(changes).flatMap(([key, value]) =>
    groups.includes(key) && isObject(value) ? Object.keys(value).map((name) => `${key}.${name}`) : [key],
  )
}

/** The whole record with `changes` over it; null for a group is null for each of its keys. */
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

/** `schema` with every key optional: only of a new record some are required. */
function partialOf(schema: z.ZodObject): z.ZodObject {
  const known = partials.get(schema)
  if (known) return known
  const partial = schema.partial()
  partials.set(schema, partial)
  return partial
}
