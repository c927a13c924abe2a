/** Pages of records: whole records and the exact total in one round trip. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { PageFilters } from '../http/reply/envelope.ts'
import type { Sort } from '../http/request/filters.ts'
import { PAGE_SIZE } from '../http/request/page-size.ts'
import { batch, type Database } from './client.ts'
import { type Statement, sqlStatement } from './statements.ts'

export interface Page<Row> {
  rows: Row[]
  /** Number of records on all pages. */
  total: number
}

/** The order of a list. Records without a value come last, those with the same value newest first. */
export interface Order {
  /** The column or expression to sort by; null for the id. */
  by: SQLWrapper | null
  direction: 'asc' | 'desc'
}

export const NEWEST_FIRST: Order = { by: null, direction: 'desc' }

/** Selects of the ids of a page and of the total, and the order of the page. */
export interface PageQuery {
  ids: SQL
  total: SQL
  order: Order
}

export type TableWithId = SQLiteTable & { id: SQLiteColumn }

/** How many records a page has at most, and how many precede it. */
export function boundsOf({ page, per_page }: PageFilters): { limit: number; offset: number } {
  const limit = per_page ?? PAGE_SIZE
  return { limit, offset: ((page ?? 1) - 1) * limit }
}

/** The order that `sort` asks for; newest first by default. `columns` has what each name stands for. */
export function orderOf<Name extends string>(
  columns: Record<Name, SQLWrapper>,
  sort: Sort<Name> | null | undefined,
): Order {
  if (!sort) return NEWEST_FIRST
  // What is left without the sign is one of the names.
  const name = sort.replace(/^-/, '') as Name
  return { by: name === 'id' ? null : columns[name], direction: sort.startsWith('-') ? 'desc' : 'asc' }
}

/**
 * The page of the records of `table` that meet `where`, in an order. One index on the columns in `where` serves both
 * selects. An index on those columns and that of the order leaves nothing to sort but the records of one value.
 */
export function orderedPage(
  table: TableWithId | SQL,
  where: SQL | undefined,
  filters: PageFilters,
  order: Order,
): PageQuery {
  const { limit, offset } = boundsOf(filters)
  const from = sql`${table} where ${where ?? sql`true`}`
  return {
    ids: sql`select id from ${from} ${orderBy(sql.raw('id'), order)} limit ${limit} offset ${offset}`,
    total: sql`select count(*) as total from ${from}`,
    order,
  }
}

/** The `order by` of a select. An index serves `nulls last` as well: SQLite then reads its nulls after the others. */
function orderBy(id: SQLWrapper, { by, direction }: Order): SQL {
  return by
    ? sql`order by ${by} ${sql.raw(direction)} nulls last, ${id} desc`
    : sql`order by ${id} ${sql.raw(direction)}`
}

/**
 * Reads the records of a page, and the total.
 * @param select makes the statement that reads whole records; it is given the SQL after the table
 */
export async function readPage<Row>(
  db: Database,
  table: TableWithId,
  { ids, total, order }: PageQuery,
  select: (rest: SQL) => Statement<Row>,
): Promise<Page<Row>> {
  const { rows, counts } = await batch(db, {
    rows: select(sql`where ${table.id} in (${ids}) ${orderBy(table.id, order)}`),
    counts: sqlStatement<{ total: number }>(total),
  })
  return { rows, total: counts[0]?.total ?? 0 }
}
