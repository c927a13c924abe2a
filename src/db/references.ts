/**
 * Checks that the records that a body refers to exist: one statement for all references, to run in the batch that reads
 * the record anyway.
 *
 *     const references = [{ field: 'store_id', table: 'stores', ids: [3] }, …]
 *     const { missing } = await batch(db, { missing: selectMissing(references), … })
 *     draft.refuseAll(missing)          // Unknown store_id 3
 */
import { sql } from 'drizzle-orm'
import type { Body, Fields } from '../fields/field.ts'
import { type SqlFragment, Statement } from './statements.ts'

/** Ids in `field` of a body that must exist in `table`. */
export interface Reference {
  /** Dotted name of the field in the body. */
  field: string
  table: string
  ids: readonly number[]
  /** A further SQL condition on the referenced row. It must be the same for every reference to a table. */
  where?: string
}

/** An id in a body that does not exist. */
export interface MissingReference {
  field: string
  table: string
  id: number
  message: string
}

/** The condition on a contact that is referred to: it is not deleted. */
export const NOT_DELETED = 'is_deleted = 0'
export const isNotDeleted = sql.raw(NOT_DELETED)

/** `ids` as a list; empty for an absent or null value. */
export function idList(ids: number | readonly number[] | null | undefined): readonly number[] {
  if (ids === null || ids === undefined) return []
  return typeof ids === 'number' ? [ids] : ids
}

/**
 * The references in `input`, for those of `fields` that refer to a table.
 * @param prefix dotted group of the fields, with its final dot
 */
export function fieldReferences<F extends Fields>(
  fields: F,
  input: Partial<Body<F>> | null | undefined,
  prefix = '',
): Reference[] {
  return Object.entries(input ?? {}).flatMap(([name, value]) => {
    const table = fields[name]?.to
    return table && typeof value === 'number' ? [{ field: prefix + name, table, ids: [value] }] : []
  })
}

/**
 * The references in `input` of keys that are no fields, with an id or a list of ids; `tables` says to which table each refers.
 * @param prefix dotted group of the keys, with its final dot
 */
export function idReferences<Name extends string>(
  input: { [Key in NoInfer<Name>]?: unknown } | null | undefined,
  tables: Readonly<Record<Name, string>>,
  prefix = '',
): Reference[] {
  return Object.entries<string>(tables).map(([name, table]) => {
    const value: unknown = input?.[name as Name]
    return { field: prefix + name, table, ids: [value].flat().filter((id) => typeof id === 'number') }
  })
}

/** The statement that finds the missing ids of `references`, in their order. */
export function selectMissing(references: Reference[]): Statement<MissingReference> {
  const lookups = idsByTable(references)
  const columns = lookups.map(
    ({ table, where }) => `(select json_group_array(value) from ${missingIdsSql(table, where)}) as ${table}`,
  )
  return new Statement(
    `select ${['1', ...columns].join(', ')}`,
    lookups.map(({ ids }) => ids),
    ([row]) => {
      const missing = new Map(
        lookups.map(({ table }) => [table, new Set<number>(JSON.parse(String(row?.[table] ?? '[]')))]),
      )
      return references.flatMap(({ field, table, ids }) =>
        ids
          .filter((id) => missing.get(table)?.has(id))
          .map((id) => ({ field, table, id, message: `Unknown ${field} ${id}` })),
      )
    },
  )
}

/** Whether `record` refers already to `id` in `field`, which may be within a group. */
export function refersTo(record: object | null, { field, id }: { field: string; id: number }): boolean {
  const held = field.split('.').reduce<unknown>((value, key) => {
    const group = Object(value)
    return Object.hasOwn(group, key) ? group[key] : undefined
  }, record)
  return held === id || (Array.isArray(held) && held.includes(id))
}

/**
 * Those of `missing` that `current` does not refer to already. What a read gives can be sent back, although others have deleted
 * since what it refers to.
 */
export const newlyMissing = (missing: readonly MissingReference[], current: object | null) =>
  missing.filter((reference) => !refersTo(current, reference))

/** The guard that holds while all `references` exist. */
export function referencesExist(references: Reference[]): SqlFragment {
  const lookups = idsByTable(references)
  const conditions = lookups.map(
    ({ table, where }) => `not exists (select 1 from ${missingIdsSql(table, where)})`,
  )
  return { text: ['1', ...conditions].join(' and '), params: lookups.map(({ ids }) => ids) }
}

/**
 * The guard that what a check has found is still there; null if nothing needs one. A row that goes raises a foreign key, but
 * not one that a deletion hides.
 */
export function staysFound(
  references: Reference[],
  missing: readonly MissingReference[],
): SqlFragment | null {
  const found = references.map((reference) => ({
    ...reference,
    ids: reference.ids.filter((id) => !missing.some((one) => one.table === reference.table && one.id === id)),
  }))
  const hiding = found.filter(({ where, ids }) => where !== undefined && ids.length > 0)
  return hiding.length > 0 ? referencesExist(hiding) : null
}

/** The ids to check in each table, as JSON. */
function idsByTable(references: Reference[]): { table: string; where: string; ids: string }[] {
  const lookups = Object.entries(Object.groupBy(references, ({ table }) => table))
  return lookups.flatMap(([table, group = []]) => {
    const ids = group.flatMap((reference) => reference.ids)
    return ids.length === 0 ? [] : [{ table, where: group[0]?.where ?? 'true', ids: JSON.stringify(ids) }]
  })
}

function missingIdsSql(table: string, where: string): string {
  return `json_each(?) where not exists (select 1 from ${table} where id = value and ${where})`
}
