/**
 * Pages of matches. For a request, its stored matches are read. For a listing, the requests are searched on each call:
 * its match may not be stored if hundreds of other listings fit the request better.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { boundsOf } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import type { PageFilters } from '../../http/reply/envelope.ts'
import { requestPages, selectRequestPage } from './find.ts'
import { readCandidates, selectCandidates } from './listing-view.ts'
import { selectMatchingRequests } from './request.ts'
import { compareCriteria, type Match, requestedCriteria, scoreMatch } from './score.ts'

/** A match as a reply shows it. */
export interface MatchRow extends Match {
  request_id: number
  listing_id: number
}

/**
 * One page of the listings that match a request, best first, and their total. Null if the request does not exist. One
 * round trip.
 */
export async function findListings(db: Database, id: number, filters: PageFilters) {
  const { limit, offset } = boundsOf(filters)
  const onPage = sql`select listing_id from request_matches where request_id = ${id}
    order by score desc, listing_id desc limit ${limit} offset ${offset}`
  const { matchingRequests, order, rows, counts } = await batch(db, {
    matchingRequests: selectMatchingRequests(sql`where requests.id = ${id} and ${isNotDeleted}`),
    order: sqlStatement<{ listing_id: number }>(onPage),
    rows: selectCandidates(onPage),
    counts: sqlStatement<{ total: number }>(
      sql`select count(*) as total from request_matches where request_id = ${id}`,
    ),
  })
  const [request] = matchingRequests
  if (!request) return null
  const criteria = requestedCriteria(request)
  const listings = new Map(readCandidates(rows).map((listing) => [listing.id, listing]))
  const matches = order.flatMap(({ listing_id }) => {
    const listing = listings.get(listing_id)
    return listing ? [{ request_id: id, listing_id, ...compareCriteria(criteria, listing) }] : []
  })
  return { rows: matches, total: counts[0]?.total ?? 0 }
}

/**
 * One page of the requests that a listing matches, best first, and their total. Null if the listing does not exist. One
 * round trip for up to 1000 requests of its kind and place, and one for each further 1000.
 */
export async function findRequests(db: Database, id: number, filters: PageFilters) {
  const { rows, firstPage } = await batch(db, {
    rows: selectCandidates(sql`${id}`),
    firstPage: selectRequestPage([id]),
  })
  const [listing] = readCandidates(rows)
  if (!listing) return null
  const matches = []
  for await (const matchingRequests of requestPages(db, [id], firstPage)) {
    for (const request of matchingRequests) {
      const score = scoreMatch(request, listing)
      if (score !== null) matches.push({ request, score })
    }
  }
  const sorted = matches.toSorted((a, b) => b.score - a.score || b.request.id - a.request.id)
  const { limit, offset } = boundsOf(filters)
  const rowsOnPage = sorted.slice(offset, offset + limit)
  return {
    rows: rowsOnPage.map(({ request }) => ({
      request_id: request.id,
      listing_id: id,
      ...compareCriteria(requestedCriteria(request), listing),
    })),
    total: matches.length,
  }
}
