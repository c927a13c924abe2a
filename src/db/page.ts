/**
 * Pages of records: whole records and the exact total in one round trip. Also sub-selects for the lists of a record.
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
  /** Number of records on all pages. */
  total: number
}

/** Selects of the ids of a page, newest first, and of the total. */
export interface PageQuery {
  ids: SQL
  total: SQL
}

/** How many records precede `page`, which counts from 1. */
export function offsetOf(page: number | null | undefined): number {
  return ((page ?? 1) - 1) * PAGE_SIZE
}

/** The page of the rows of `table` that meet `where`. One index on the columns in `where` serves both selects. */
export function pageWhere(table: string, where: SQL | undefined, page: number | null | undefined): PageQuery {
  const from = sql`${sql.identifier(table)} where ${where ?? sql`true`}`
  return {
    ids: sql`select id from ${from} order by id desc limit ${PAGE_SIZE} offset ${offsetOf(page)}`,
    total: sql`select count(*) as total from ${from}`,
  }
}

/** The end of a select: the records that meet `where`, newest first. */
export function newestFirst(id: SQLiteColumn, where: SQL): SQL {
  return sql`where ${where} order by ${id} desc`
}

/** The end of a select: the first `limit` records that meet `where`, in the order of their ids. */
export function inIdOrder(id: SQLiteColumn, where: SQL, limit: number): SQL {
  return sql`where ${where} order by ${id} limit ${limit}`
}

/**
 * Reads the records of a page, and the total.
 * @param select makes the statement that reads the whole records that meet a condition, newest first
 */
export async function readPage<Row>(
  db: Database,
  table: string,
  { ids, total }: PageQuery,
  select: (ofPage: SQL) => Statement<Row>,
): Promise<Page<Row>> {
  const { rows, counts } = await batch(db, {
    rows: select(sql`${sql.identifier(table)}.id in (${ids})`),
    counts: sqlStatement<{ total: number }>(total),
  })
  return { rows, total: counts[0]?.total ?? 0 }
}

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
