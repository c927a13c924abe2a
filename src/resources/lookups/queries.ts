/** Reads places. */
import { eq, type SQL, sql } from 'drizzle-orm'
import { type Conditions, whereClause } from '../../db/conditions.ts'
import { foldText } from '../../db/fold.ts'
import { locations } from '../../db/tables/agency.ts'
import type { PlaceFilters } from './schema.ts'

const PLACE_CONDITIONS = {
  level: (level) => eq(locations.level, level),
  parent_id: (id) => eq(locations.parent_id, id),
  // `instr` accepts text of any length, and `%` and `_` literally. LIKE on D1 does not.
  search: (search) => sql`instr(${locations.search}, ${foldText(search)}) > 0`,
} satisfies Conditions<PlaceFilters>

/** The `where` clause by which a place meets all filters; empty without any. */
export function wherePlace(filters: PlaceFilters): SQL {
  const condition = whereClause(PLACE_CONDITIONS, filters)
  return condition ? sql`where ${condition}` : sql``
}
