/**
 * Chooses the index that a search reads: that of the map for a small part of it, else that of the areas, else that of
 * the kinds. SQLite has no statistics to choose by. A search by ids starts with the ids.
 */
import { and, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { AVAILABILITIES, CATEGORIES } from '../../../catalogue/enums.ts'
import { type Conditions, valuesOf, whereClause } from '../../../db/conditions.ts'
import { isSmall, stripsOf } from './cells.ts'
import { boxAround } from './conditions.ts'
import type { SearchFilters } from './filters.ts'

/** A table that is searched, and the indexes that it has. */
interface SearchTable {
  table: SQLiteTable
  /** By the lowest area. */
  byArea: string
  /** By the cell of the point. */
  byCell?: string
  /** By availability, category and price. */
  byKind?: string
}

/** The listings as a kind of key sees them. */
export interface SearchView<Filters> extends SearchTable {
  conditions: Conditions<Filters>
}

/** What of the filters decides about the index. */
interface IndexFilters extends Partial<SearchFilters> {
  availability?: unknown
  category?: unknown
  search?: unknown
}

/** SQL behind `from` and behind `where`. */
export interface Rows {
  from: SQL
  where: SQL
}

/** The rows of a view that meet the filters, and the condition `also`. */
export function searchRows<Filters extends IndexFilters>(
  view: SearchView<Filters>,
  filters: Filters,
  also?: SQL,
): Rows {
  const { from, where } = sourceOf(view, filters)
  return { from, where: and(where, whereClause(view.conditions, filters), also) ?? sql`true` }
}

/** The index to read, and the condition that it needs. */
function sourceOf(
  { table, byArea, byCell, byKind }: SearchTable,
  filters: IndexFilters,
): { from: SQL; where: SQL | undefined } {
  const { ids, search, near, bounds, availability, category, price } = filters
  if (ids || search) return { from: sql`${table}`, where: undefined }
  const box = near ? boxAround(near) : bounds
  if (byCell && box && isSmall(box)) {
    const strips = sql`(select value ->> 0 as first, value ->> 1 as last from json_each(${JSON.stringify(stripsOf(box))}))`
    const cells = sql`cell between strip.first and strip.last`
    return { from: sql`${strips} strip cross join ${indexed(table, byCell)}`, where: cells }
  }
  const areas = areasWithin(filters)
  if (areas) return { from: indexed(table, byArea), where: sql`area in (${areas})` }
  if (!byKind) return { from: sql`${table}`, where: undefined }
  // Every value of the columns before the one that is asked for, so that the index is searched, not scanned.
  const parts = [
    availability || !(category || price) ? undefined : sql.raw(`availability in (${quoted(AVAILABILITIES)})`),
    category || !price ? undefined : sql.raw(`category in (${quoted(CATEGORIES)})`),
  ].filter((part) => part !== undefined)
  return { from: indexed(table, byKind), where: parts.length > 0 ? sql.join(parts, sql` and `) : undefined }
}

const indexed = (table: SQLiteTable, name: string) =>
  sql`${sql.raw(getTableName(table))} indexed by ${sql.raw(name)}`

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')

/**
 * The lowest areas that listings within the areas of the filters can have: these and those below. A place keeps its
 * level and parent while something uses it. The conditions of the filters hold besides.
 */
function areasWithin({ areas, area_level1, area_level2, area_level3 }: IndexFilters): SQL | null {
  if (area_level3) return valuesOf(area_level3)
  const wanted = area_level2 ?? areas ?? area_level1
  if (!wanted) return null
  const ids = valuesOf(wanted)
  return sql`${ids}
    union select id from locations where parent_id in (${ids})
    union select part.id from locations part join locations whole on whole.id = part.parent_id
      where whole.parent_id in (${ids})`
}
