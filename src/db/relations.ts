/** Sub-selects for what belongs to a record, as fields of its select. */
import { getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Fields } from '../fields/field.ts'
import { JsonField } from './statements.ts'
import { type LinkTable, linkColumns } from './tables/links.ts'

/**
 * The `value` of each row of a record in `table`, as a list. The inner select reads in the order of the primary key, so
 * SQLite does not sort.
 * @param link SQL condition that joins the rows to the record, such as `contact_id = contacts.id`
 */
export function jsonList<T>(table: string, value: string, link: string, order = 'position'): JsonField<T[]> {
  return jsonOf(
    `select json_group_array(${value}) from (select * from ${table} where ${link} order by ${order})`,
  )
}

/** The ids in `links` of a record of `owner`, in their order. */
export function linkedIds(owner: SQLiteTable, links: LinkTable): JsonField<number[]> {
  const columns = linkColumns(links)
  return jsonList(getTableName(links), columns.target, `${columns.owner} = ${getTableName(owner)}.id`)
}

/** A field that a sub-select returns as JSON. */
export function jsonOf<T>(subselect: string): JsonField<T> {
  return new JsonField<T>(sql`(${sql.raw(subselect)})`, JSON.parse)
}

/** SQL for a JSON object of the columns of `fields` and `more`. */
export function jsonObject(fields: Fields, ...more: string[]): string {
  const names = Object.entries(fields).map(([name, { storedAs = name }]) => storedAs)
  return `json_object(${[...names, ...more].map((name) => `'${name}', ${name}`).join(', ')})`
}
