/**
 * Whether what a body refers to exists: one statement for all its references, to go into the batch that reads
 * the record anyway.
 *
 *     const refs = [{ field: 'store_id', table: 'stores', ids: [3] }, …]
 *     const [[found]] = await db.batch([selectMissing(db, refs), …])
 *     refuseMissing(draft, refs, found)          // Unknown store_id 3
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from './client.ts'

/** Ids in `field` of a body that must exist in `table`. */
export interface Reference {
  /** Dotted name of the body's field. */
  field: string
  table: string
  ids: readonly number[]
  /** A further condition on the referenced row, e.g. that a contact is not deleted. */
  where?: SQL
}

/** For each reference a JSON list of the ids that do not exist. */
export type Missing = Record<string, string>

/** Not deleted: what a contact must be to be referred to. */
export const notDeleted = sql.raw('is_deleted = 0')

/** `ids` as a list: an absent or null value refers to nothing. */
export function idList(ids: number | readonly number[] | null | undefined): readonly number[] {
  if (ids === null || ids === undefined) return []
  return typeof ids === 'number' ? [ids] : ids
}

/** The statement that finds the missing ids of `references`. */
export function selectMissing(db: Database, references: Reference[]) {
  const asked = references.filter((reference) => reference.ids.length > 0)
  const columns = asked.map(
    ({ field, table, ids, where = sql.raw('true') }) => sql`(
      select json_group_array(value) from json_each(${JSON.stringify(ids)})
      where value not in (select id from ${sql.identifier(table)} where id = value and ${where})
    ) as ${sql.identifier(field)}`,
  )
  return db.all<Missing>(sql`select ${sql.join([sql.raw('1 as found'), ...columns], sql.raw(', '))}`)
}

/** Refuses every reference to a missing id: `Unknown <field> <id>`. */
export function refuseMissing(
  draft: { refuse: (field: string, message: string) => void },
  references: Reference[],
  missing: Missing | undefined,
): void {
  for (const { field } of references) {
    for (const id of JSON.parse(missing?.[field] ?? '[]')) draft.refuse(field, `Unknown ${field} ${id}`)
  }
}
