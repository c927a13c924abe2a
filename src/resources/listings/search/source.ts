/**
 * Chooses the index that a search reads, as SQLite has no statistics to choose by: that of the map for a small part of
 * it, that of the areas for places, else the first that holds every column which the search needs.
 */
import { and, getTableColumns, getTableName, is, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { AVAILABILITIES, CATEGORIES } from '../../../catalogue/enums.ts'
import { AREAS, placesBelow } from '../../../db/areas.ts'
import { type Conditions, valuesOf, whereClause } from '../../../db/conditions.ts'
import {
  foundPage,
  type Order,
  orderedPage,
  type PageQuery,
  type Requirement,
  type TableWithId,
} from '../../../db/page.ts'
import type { PageFilters } from '../../../http/reply/envelope.ts'
import { WORDS_ARE_STORED } from '../text/search.ts'
import { isSmall, stripsOf } from './cells.ts'
import { boxAround } from './conditions.ts'
import type { SearchFilters } from './filters.ts'

/** The listings as a kind of key sees them. */
export interface SearchView<Filters> {
  table: SQLiteTable
  conditions: Conditions<Filters>
  /** SQL for what is known of the point of the listing `cells.id`: `exact` or `circle`. */
  precision: string
  indexes: {
    /** By the lowest area. It holds every column, unless there is no index by kind. */
    area: string
    /** By the cell of the point. */
    cell?: string
    /** By availability, category and subcategory. */
    kind?: CoveringIndex
  }
}

/** An index, and the columns that it holds. */
interface CoveringIndex {
  name: string
  columns: ReadonlySet<string>
}

/** The index `name` of a table. */
export function coveringIndex(table: SQLiteTable, name: string): CoveringIndex {
  const { config } = getTableConfig(table).indexes.find(({ config }) => config.name === name) ?? {}
  const columns = config?.columns.flatMap((column) => (is(column, SQLiteColumn) ? [column.name] : [])) ?? []
  return { name, columns: new Set(['id', ...columns]) }
}

/** What of the filters decides about the index. */
export type IndexFilters = Partial<SearchFilters> & {
  availability?: unknown
  category?: unknown
  subcategory?: unknown
  search?: unknown
}

/** SQL behind `from` and behind `where`. */
export interface Rows {
  from: SQL
  /** Undefined means all. */
  where: SQL | undefined
  /** Whether reading them twice costs less than keeping what was found: few entries are read in vain. */
  isCheap: boolean
  requirement: Requirement | null
}

/** What else a search reads. */
export interface Needs {
  /** A condition beside the filters. */
  condition?: SQL | undefined
  /** Columns beside those of the filters. */
  columns?: string[]
}

/** The rows of a view that meet the filters. */
export function searchRows<Filters extends IndexFilters>(
  view: SearchView<Filters>,
  filters: Filters,
  { condition, columns = [] }: Needs = {},
): Rows {
  const { from, where, isCheap = false } = sourceOf(view, filters, columns)
  return {
    from,
    where: and(where, whereClause(view.conditions, filters), condition),
    isCheap,
    requirement: filters.text ? WORDS_ARE_STORED : null,
  }
}

/** The page of rows, and how many there are. */
export function pageOfRows(table: TableWithId, rows: Rows, filters: PageFilters, order: Order): PageQuery {
  const { from, where, isCheap, requirement } = rows
  if (!isCheap) return { ...foundPage(from, where ?? sql`true`, filters, order), requirement }
  const query = { ...orderedPage(from, where, filters, order), requirement }
  // All of them are in the order of their ids already, and only counted in the index.
  return where || order.by ? query : { ...query, ids: orderedPage(table, where, filters, order).ids }
}

/** The index to read, and the condition that it needs. */
function sourceOf<Filters extends IndexFilters>(
  { table, indexes }: SearchView<Filters>,
  filters: Filters,
  columns: string[],
): Partial<Rows> & { from: SQL } {
  const { ids, search, text, near, bounds } = filters
  if (ids || search || text) return { from: sql`${table}` }
  const box = near ? boxAround(near) : bounds
  if (indexes.cell && box && isSmall(box)) {
    const strips = sql`(select value ->> 0 as first, value ->> 1 as last from json_each(${JSON.stringify(stripsOf(box))}))`
    return {
      from: sql`${strips} strip cross join ${indexed(table, indexes.cell)}`,
      where: sql`cell between strip.first and strip.last`,
    }
  }
  const areas = areasWithin(filters)
  if (areas) return { from: indexed(table, indexes.area), where: sql`area in (${areas})` }
  if (!indexes.kind) return { from: sql`${table}` }
  const needed = new Set([...columnsOf(filters), ...columns])
  const isCovering = Object.keys(getTableColumns(table)).every(
    (name) => !needed.has(name) || indexes.kind?.columns.has(name),
  )
  if (!isCovering) return { from: indexed(table, indexes.area) }
  const isCheap = columnsOf(filters).every((name) => !(name in getTableColumns(table)) || KIND.has(name))
  return { from: indexed(table, indexes.kind.name), where: wholeKind(filters), isCheap }
}

/** The first columns of the index by kind: what they select is a part of the index without gaps. */
const KIND = new Set(['availability', 'category', 'subcategory'])

const indexed = (table: SQLiteTable, name: string) =>
  sql`${sql.raw(getTableName(table))} indexed by ${sql.raw(name)}`

/** The columns of filters that have another name. */
const COLUMNS: Partial<Record<string, string[]>> = {
  areas: [...AREAS],
  bounds: ['latitude', 'longitude'],
  near: ['latitude', 'longitude'],
}

function columnsOf(filters: object): string[] {
  return Object.entries(filters).flatMap(([name, value]) => (value == null ? [] : (COLUMNS[name] ?? [name])))
}

/** Every value of the columns before the one that is asked for, so that the index is searched, not scanned. */
function wholeKind({ availability, category, subcategory }: IndexFilters): SQL | undefined {
  return and(
    availability || !(category || subcategory) ? undefined : isAny('availability', AVAILABILITIES),
    category || !subcategory ? undefined : isAny('category', CATEGORIES),
  )
}

const isAny = (column: string, values: readonly string[]) =>
  sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

/**
 * The lowest areas that listings within the areas of the filters can have: these and those below. A place keeps its
 * level and parent while something uses it. The conditions of the filters hold besides.
 */
function areasWithin({ areas, area_level1, area_level2, area_level3 }: IndexFilters): SQL | null {
  if (area_level3) return valuesOf(area_level3)
  const wanted = area_level2 ?? areas ?? area_level1
  if (!wanted) return null
  return placesBelow(valuesOf(wanted))
}
