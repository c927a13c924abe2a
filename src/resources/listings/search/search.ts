/** Searches of listings: lists, facets, the map, and all ids. */
import { type SQL, sql } from 'drizzle-orm'
import { type Database, type NamedStatements, type Results, runStatement } from '../../../db/client.ts'
import { boundsOf } from '../../../db/page.ts'
import { sqlStatement } from '../../../db/statements.ts'
import type { Counted, PageFilters } from '../../../http/reply/envelope.ts'
import { countRows, listRows } from './bits.ts'
import { chooseIds } from './choose.ts'
import { countFacets } from './facets.ts'
import type { FieldName } from './fields.ts'
import { DEFAULT_ZOOM, type SearchFilters } from './filters.ts'
import type { ListingIndex } from './listing-index.ts'
import { gatherCells } from './map.ts'
import { type Criteria, findRows, type Searcher } from './matching.ts'
import type { Places } from './places.ts'
import { type Choice, freshIndex, MAX_AGE, readChosen } from './shared-index.ts'

/** A search: whose it is, and whether it may miss the writes of the last seconds. */
export interface Search extends Searcher {
  mayLag: boolean
}

/** The filters of a search, and the order of its list. */
export type Filters = Partial<SearchFilters> & { sort?: string | null | undefined }

/** The ids of a page, and what was read of its listings. */
interface FoundPage<S> {
  ids: number[]
  total: number
  results: Results<S>
  places: Places
}

const maxAge = ({ mayLag }: Search) => (mayLag ? MAX_AGE.visitors : 0)

/**
 * Finds a page, and reads its listings in the same round trip.
 * @param select makes the statements that read the listings of the page
 */
export async function findPage<S>(
  db: Database,
  search: Search,
  filters: Filters & PageFilters,
  select: (ids: readonly number[]) => S & NamedStatements,
): Promise<FoundPage<S>> {
  const criteria = await criteriaOf(db, filters)
  const choose = (index: ListingIndex): Choice => {
    const rows = findRows(index, search, criteria)
    const order = { sort: filters.sort ?? '-id', near: filters.near, ...boundsOf(filters) }
    return { ids: chooseIds(index, search.view, rows, order), total: countRows(rows) }
  }
  const { choice, results, places } = await readChosen(db, maxAge(search), choose, select)
  return { ...choice, results, places }
}

export type FacetFilters = Filters & { facets?: readonly FieldName[] | null | undefined }

/** How many listings each value has. */
export async function findFacets(db: Database, search: Search, filters: FacetFilters): Promise<Counted> {
  const criteria = await criteriaOf(db, filters)
  return countFacets(await freshIndex(db, maxAge(search)), search, criteria, filters.facets)
}

export type MapFilters = Filters & { zoom?: number | null | undefined }

/** Where the listings are, and how many there are. */
export async function findCells(db: Database, search: Search, filters: MapFilters): Promise<Counted> {
  const criteria = await criteriaOf(db, filters)
  const index = await freshIndex(db, maxAge(search))
  const rows = findRows(index, search, criteria)
  return {
    total: countRows(rows),
    data: gatherCells(index, search.view, rows, filters.zoom ?? DEFAULT_ZOOM),
  }
}

/** The ids of all listings that are found, ascending. */
export async function findIds(db: Database, search: Search, filters: Filters): Promise<number[]> {
  const criteria = await criteriaOf(db, filters)
  const index = await freshIndex(db, maxAge(search))
  const ids = Array.from(listRows(findRows(index, search, criteria)), (row) => index.idOf(row))
  return index.isAscending ? ids : ids.sort((a, b) => a - b)
}

/** Finds the listings that `search` names, as the index has no codes. */
async function criteriaOf(db: Database, { search, sort, ...filters }: Filters): Promise<Criteria> {
  if (!search) return filters
  const withCode = sqlStatement<{ id: number }>(sql`select id from listings where ${hasCode(search)}`)
  const found = (await runStatement(db, withCode)).map(({ id }) => id)
  return { ...filters, found: /^[1-9]\d{0,14}$/.test(search) ? [...found, Number(search)] : found }
}

/**
 * The condition that a listing has a code, whatever its case. SQLite folds that of ASCII only, so a code in Greek is found if
 * its letters have one case.
 */
export function hasCode(code: string): SQL {
  const spellings = [code, code.toUpperCase(), code.toLowerCase()].map((one) => sql`lower(${one})`)
  return sql`(code is not null and lower(code) in (${sql.join(spellings, sql`, `)}))`
}
