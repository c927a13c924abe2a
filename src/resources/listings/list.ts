/** Lists of all listings, for keys that see what is stored. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { valuesOf } from '../../db/conditions.ts'
import { type Page, readPage } from '../../db/page.ts'
import { preparedAround } from '../../db/statements.ts'
import { listings } from '../../db/tables/listings.ts'
import { isKindQuery, pageOfKinds } from './kinds.ts'
import { type ListingRow, selectListings } from './queries.ts'
import type { Filters } from './schema.ts'
import { findPage, type Search } from './search/search.ts'

/** The search of keys that see everything. */
export const ALL_STORED: Search = { view: 'stored', stores: null, mayLag: false }

const selectPage = preparedAround(selectListings)

/** The listings of one page, and how many match in all; one round trip. */
export async function findListings(db: Database, filters: Filters): Promise<Page<ListingRow>> {
  if (isKindQuery(filters)) return readPage(db, listings, pageOfKinds(filters), selectPage)
  const { ids, total, results } = await findPage(db, ALL_STORED, filters, (chosen) => ({
    rows: selectPage(sql`where id in (${valuesOf(chosen)})`),
  }))
  return { rows: inOrder(ids, results.rows), total }
}

/** The records with these ids, in their order. Those that are gone meanwhile are left out. */
export function inOrder<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
