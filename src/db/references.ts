/**
 * Whether what a body refers to exists: one statement for all its references, to go into the batch that reads
 * the record anyway.
 *
 *     const references = [{ field: 'store_id', table: 'stores', ids: [3] }, …]
 *     const [found] = await batch(db, [selectMissing(db, references), …])
 *     refuseMissing(draft, references, readMissing(found))          // Unknown store_id 3
 */
import { type SQL, sql } from 'drizzle-orm'
import { type Fields, pick, type Values } from '../fields/kinds.ts'
import type { Database } from './client.ts'

/** Ids in `field` of a body that must exist in `table`. */
export interface Reference {
  /** Dotted name of the body's field. */
  field: string
  table: string
  ids: readonly number[]
  /** A further condition on the row referred to; the same for every reference to a table. */
  where?: SQL
}

/** By table, the ids asked for that do not exist. */
export type Missing = Map<string, Set<number>>

/** Not deleted: what a contact must be to be referred to. */
export const notDeleted = sql.raw('is_deleted = 0')

/** `ids` as a list: an absent or null value refers to nothing. */
export function idList(ids: number | readonly number[] | null | undefined): readonly number[] {
  if (ids === null || ids === undefined) return []
  return typeof ids === 'number' ? [ids] : ids
}

/** What `sent` says of those of `fields` that refer to a table; `prefix` is the dotted group that they stand in. */
export function fieldReferences<F extends Fields>(
  fields: F,
  sent: Partial<Values<F>> | null | undefined,
  prefix = '',
): Reference[] {
  return Object.entries(pick(fields, sent ?? {})).flatMap(([name, value]) => {
    const table = fields[name]?.to
    return table && typeof value === 'number' ? [{ field: prefix + name, table, ids: [value] }] : []
  })
}

/** The statement that finds the missing ids of `references`. */
export function selectMissing(db: Database, references: Reference[]) {
  const asked = Object.entries(Object.groupBy(references, ({ table }) => table))
  const columns = asked.flatMap(([table, group = []]) => {
    const ids = group.flatMap((reference) => reference.ids)
    const where = group[0]?.where ?? sql.raw('true')
    if (ids.length === 0) return []
    return sql`(
      select json_group_array(value) from json_each(${JSON.stringify(ids)})
      where not exists (select 1 from ${sql.identifier(table)} where id = value and ${where})
    ) as ${sql.identifier(table)}`
  })
  return db.all<Record<string, string>>(sql`select ${sql.join([sql.raw('1'), ...columns], sql.raw(', '))}`)
}

/** The answer of `selectMissing`. */
export function readMissing([row]: Record<string, string>[]): Missing {
  const lists = Object.entries(row ?? {}).filter(([, ids]) => typeof ids === 'string')
  return new Map(lists.map(([table, ids]) => [table, new Set<number>(JSON.parse(ids))]))
}

/** Refuses every reference to a missing id: `Unknown <field> <id>`. */
export function refuseMissing(
  draft: { refuse: (field: string, message: string) => void },
  references: Reference[],
  missing: Missing,
): void {
  for (const { field, table, ids } of references) {
    for (const id of ids) if (missing.get(table)?.has(id)) draft.refuse(field, `Unknown ${field} ${id}`)
  }
}
