/**
 * Keeping the stored matches true: found anew for a request when it is written, and for a listing when it is.
 * Whoever writes last reads what all others wrote before, and so finds every pair.
 *
 * Of a request the best `MAX_MATCHES` are kept. A place that becomes free among them is taken by the next listing
 * that is written and qualifies, or when the request is written again.
 */
import { inArray, sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { requests } from '../../db/tables/requests.ts'
import { bestListings, type Listing, readListings, requestsFor, selectListings } from './candidates.ts'
import { changesIn, type Pair, selectStored, storePairs } from './match-store.ts'
import { askedBy, match } from './matching.ts'
import { selectWanted, type Wanted } from './queries.ts'

/** How often matches are looked for while the records change. */
const ATTEMPTS = 4
/** Requests matched at once, each with hundreds of listings. */
const REQUESTS_AT_ONCE = 10
/** Listings matched at once, each with up to `REQUEST_PAGE` requests at a time. */
const LISTINGS_AT_ONCE = 20
const REQUEST_PAGE = 1000

/** Finds the listings that meet `wanted`, requests as just written; two round trips for up to 10 of them. */
export async function matchRequests(db: Database, wanted: Wanted[]): Promise<void> {
  for (let first = 0; first < wanted.length; first += REQUESTS_AT_ONCE) {
    let current = wanted.slice(first, first + REQUESTS_AT_ONCE)
    const ids = current.map(({ id }) => id)
    for (let tries = 1; !(await tryRequests(db, current)) && tries < ATTEMPTS; tries++) {
      current = await selectWanted(db).where(inArray(requests.id, ids))
    }
  }
}

/** Finds the requests that the listings with `ids` meet; two round trips for up to 20 of them and 1000 requests. */
export async function matchListings(db: Database, ids: number[]): Promise<void> {
  for (let first = 0; first < ids.length; first += LISTINGS_AT_ONCE) {
    const some = ids.slice(first, first + LISTINGS_AT_ONCE)
    for (let tries = 1; !(await tryListings(db, some)) && tries < ATTEMPTS; tries++);
  }
}

/** False when a record changed meanwhile. */
async function tryRequests(db: Database, wanted: Wanted[]): Promise<boolean> {
  const ids = JSON.stringify(wanted.map(({ id }) => id))
  const [stored, ...found] = await batch(db, [
    selectStored(db, sql`m.request_id in (select value from json_each(${ids}))`),
    ...wanted.map((request) => selectListings(db, request.is_deleted ? sql`null` : bestListings(request))),
  ] as const)
  const pairs = wanted.flatMap((request, index) => pairsOf(request, readListings(found[index] ?? [])))
  return storePairs(db, changesIn(pairs, stored))
}

/** False when a record changed meanwhile. */
async function tryListings(db: Database, ids: number[]): Promise<boolean> {
  const all = JSON.stringify(ids)
  const requestPage = (after: number) =>
    selectWanted(db)
      .where(sql`requests.id in (${requestsFor(all, after, REQUEST_PAGE)})`)
      .orderBy(requests.id)
  const [rows, stored, firstPage] = await batch(db, [
    selectListings(db, sql`select value from json_each(${all})`),
    selectStored(db, sql`m.listing_id in (select value from json_each(${all}))`),
    requestPage(0),
  ])
  const listings = readListings(rows)
  const pairs: Pair[] = []
  for (let page: Wanted[] = firstPage; page.length > 0; ) {
    pairs.push(...page.flatMap((request) => pairsOf(request, listings)))
    page = page.length < REQUEST_PAGE ? [] : await requestPage(page.at(-1)?.id ?? 0)
  }
  return storePairs(db, changesIn(pairs, stored))
}

function pairsOf(request: Wanted, listings: Listing[]): Pair[] {
  const asked = askedBy(request)
  return listings.flatMap((listing) => {
    const found = match(request, listing, asked)
    return found ? [{ request, listing, match: found }] : []
  })
}
