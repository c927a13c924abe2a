/** Schemas of stores, languages and places. */
import { eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import * as catalogue from '../../catalogue/agency.ts'
import { type Conditions, whereClause } from '../../db/conditions.ts'
import { foldText } from '../../db/fold.ts'
import { locations } from '../../db/tables/agency.ts'
import { outputs } from '../../fields/derive.ts'
import { int, named } from '../../fields/values.ts'
import { idFilter, textFilter } from '../../http/request/filters.ts'

export const store = named('Store', 'An office of the agency', outputs(catalogue.store))

const PUBLIC_STORE = ['id', 'name', 'phone', 'email', 'address', 'url']

/** The fields of a store that visitors see. */
export const publicStoreFields = Object.fromEntries(
  Object.entries(catalogue.store).filter(([name]) => PUBLIC_STORE.includes(name)),
)

export const publicStore = named(
  'PublicStore',
  'An office of the agency, as visitors see it',
  outputs(publicStoreFields),
)

export const language = named(
  'Language',
  'A language that listings have texts in',
  outputs(catalogue.language),
)

export const place = named(
  'Place',
  'A region, municipality, district or neighbourhood',
  outputs(catalogue.place),
)

export const placeFilters = named('PlaceFilters', 'Filters of places; a place must meet all of them', {
  level: int().min(1).max(3).nullish().describe('1 region, 2 municipality or district, 3 neighbourhood'),
  parent_id: idFilter().describe('The place directly above it'),
  search: textFilter().describe('Part of a Greek or English name; case and accents do not matter'),
})

export type PlaceFilters = z.output<typeof placeFilters>

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
