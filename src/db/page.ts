/**
 * What every list shares: a page of whole records and the exact total in one round trip, and the lists that belong
 * to a record as sub-selects.
 *
 *     const selectPage = preparedAround((ofPage) => selectContacts(newestFirst(contacts.id, ofPage)))
 *     const { rows, total } = await readPage(db, 'contacts', pageWhere('contacts', where, page), selectPage)
 */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Fields } from '../fields/field.ts'
import { PAGE_SIZE } from '../http/reply/envelope.ts'
import { batch, type Database } from './client.ts'
import { JsonField, type Statement, sqlStatement } from './statements.ts'
import { type LinkTable, linkColumns } from './tables/links.ts'

export interface Page<Row> {
  rows: Row[]
  /** Matches on all pages. */
  total: number
}

/** The statements that know a page's ids, newest first, and the total. */
export interface PageQuery {
  ids: SQL
  total: SQL
}

/** How many matches come before page `page`, which counts from 1. */
export function offsetOf(page: number | null | undefined): number {
  return ((page ?? 1) - 1) * PAGE_SIZE
}

/** The page of the rows of `table` that meet `where`. An index of the columns in `where` serves both statements. */
export function pageWhere(table: string, where: SQL | undefined, page: number | null | undefined): PageQuery {
  const from = sql`${sql.identifier(table)} where ${where ?? sql`true`}`
  return {
    ids: sql`select id from ${from} order by id desc limit ${PAGE_SIZE} offset ${offsetOf(page)}`,
    total: sql`select count(*) as total from ${from}`,
  }
}

/** The end of a select of the records that meet `where`, newest first. */
export function newestFirst(id: SQLiteColumn, where: SQL): SQL {
  return sql`where ${where} order by ${id} desc`
}

/** The end of a select of the first `limit` records that meet `where`, in the order of their ids. */
export function inIdOrder(id: SQLiteColumn, where: SQL, limit: number): SQL {
  return sql`where ${where} order by ${id} limit ${limit}`
}

/**
 * The records of a page, and the total.
 * @param select the statement for the whole records that meet a condition, newest first
 */
export async function readPage<Row>(
  db: Database,
  table: string,
  { ids, total }: PageQuery,
  select: (ofPage: SQL) => Statement<Row>,
): Promise<Page<Row>> {
  const { rows, counted } = await batch(db, {
    rows: select(sql`${sql.identifier(table)}.id in (${ids})`),
    counted: sqlStatement<{ total: number }>(total),
  })
  return { rows, total: counted[0]?.total ?? 0 }
}

/**
 * `value` of each of a record's rows in `table`, as a list. The inner select follows the primary key, so nothing is
 * sorted.
 * @param link how the rows belong to the record: `contact_id = contacts.id`
 */
export function jsonList<T>(table: string, value: string, link: string, order = 'position'): JsonField<T[]> {
  return jsonOf(
    `select json_group_array(${value}) from (select * from ${table} where ${link} order by ${order})`,
  )
}

/** The ids that `links` has of a record of `owner`, in their order. */
export function linkedIds(owner: SQLiteTable, links: LinkTable): JsonField<number[]> {
  const columns = linkColumns(links)
  return jsonList(getTableName(links), columns.target, `${columns.owner} = ${getTableName(owner)}.id`)
}

/** A sub-select that gives JSON. */
export function jsonOf<T>(subselect: string): JsonField<T> {
  return new JsonField<T>(sql`(${sql.raw(subselect)})`, JSON.parse)
}

/** The columns of `fields`, and `more`, as a JSON object in SQL. */
export function jsonObject(fields: Fields, ...more: string[]): string {
  const names = Object.entries(fields).map(([name, { storedAs = name }]) => storedAs)
  return `json_object(${[...names, ...more].map((name) => `'${name}', ${name}`).join(', ')})`
}
