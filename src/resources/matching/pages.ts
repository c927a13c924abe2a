/**
 * The pages of matches. Of a request the listings are stored; of a listing the requests are found when they are
 * asked for, as a request that hundreds of others fit better does not keep it.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { offsetOf, type Page } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import { PAGE_SIZE } from '../../http/reply/envelope.ts'
import { requestPages, selectRequestPage } from './find.ts'
import { readCandidates, selectCandidates } from './listing-view.ts'
import { selectMatchingRequests } from './request.ts'
import { compareCriteria, type Match, requestedCriteria, scoreMatch } from './score.ts'

/** A match as it is answered. */
export interface MatchRow extends Match {
  request_id: number
  listing_id: number
}

/**
 * The listings that meet a request, on one page, best first, and how many there are; null when there is no such
 * request. One round trip.
 */
export async function findListings(db: Database, id: number, page: number): Promise<Page<MatchRow> | null> {
  const onPage = sql`select listing_id from request_matches where request_id = ${id}
    order by score desc, listing_id desc limit ${PAGE_SIZE} offset ${offsetOf(page)}`
  const {
    wanted: matchingRequests,
    order,
    rows,
    counted,
  } = await batch(db, {
    wanted: selectMatchingRequests(sql`where requests.id = ${id} and ${isNotDeleted}`),
    order: sqlStatement<{ listing_id: number }>(onPage),
    rows: selectCandidates(onPage),
    counted: sqlStatement<{ total: number }>(
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
  return { rows: matches, total: counted[0]?.total ?? 0 }
}

/**
 * The requests that a listing meets, on one page, best first, and how many there are; null when there is no such
 * listing. One round trip for up to 1000 requests for its kind and place, one more for each further 1000.
 */
export async function findRequests(db: Database, id: number, page: number): Promise<Page<MatchRow> | null> {
  const { rows, firstPage } = await batch(db, {
    rows: selectCandidates(sql`${id}`),
    firstPage: selectRequestPage([id]),
  })
  const [listing] = readCandidates(rows)
  if (!listing) return null
  const found = []
  for await (const matchingRequests of requestPages(db, [id], firstPage)) {
    for (const request of matchingRequests) {
      const score = scoreMatch(request, listing)
      if (score !== null) found.push({ request, score })
    }
  }
  const sorted = found.toSorted((a, b) => b.score - a.score || b.request.id - a.request.id)
  const shown = sorted.slice(offsetOf(page), offsetOf(page) + PAGE_SIZE)
  return {
    rows: shown.map(({ request }) => ({
      request_id: request.id,
      listing_id: id,
      ...compareCriteria(requestedCriteria(request), listing),
    })),
    total: found.length,
  }
}
