/**
 * Chooses the index that a search reads: that of the map for a small part of it, else that of the areas, else that of
 * the kinds. SQLite has no statistics to choose by. A search by ids starts with the ids.
 */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { AVAILABILITIES, CATEGORIES } from '../../../catalogue/enums.ts'
import { valuesOf } from '../../../db/conditions.ts'
import { isSmall, stripsOf } from './cells.ts'
import { boxAround } from './conditions.ts'
import type { SearchFilters } from './filters.ts'

/** A table that is searched, and the indexes that it has. */
export interface SearchTable {
  table: SQLiteTable
  /** By the lowest area. */
  byArea: string
  /** By the cell of the point. */
  byCell?: string
  /** By availability, category and price. */
  byKind?: string
}

/** What of the filters decides about the index. */
export interface IndexFilters extends Partial<SearchFilters> {
  availability?: unknown
  category?: unknown
  search?: unknown
}

/** Where the rows of a search come from: SQL behind `from`, and the condition that its index needs. */
export interface Source {
  from: SQL
  where: SQL | undefined
}

export function sourceOf({ table, byArea, byCell, byKind }: SearchTable, filters: IndexFilters): Source {
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
