/**
 * Keeps the stored matches up to date. Every write of a request or an active listing raises its `version`, which marks
 * the record: the version now differs from `matched_version`. The transaction that stores the matches removes the mark.
 * Matching runs right after the write. If it fails, the failure is logged and cron finishes the work.
 *
 * The best `MAX_MATCHES` of a request are stored. A request that loses a match from a full set is marked again. To find what
 * takes the place may read thousands of listings, so a call that writes one listing leaves that to cron.
 */
import { sql } from 'drizzle-orm'
import { portionsOf } from '../../db/bulk.ts'
import { batch, type Database, mayCall, runStatement } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { UNMATCHED } from '../../db/tables/listings.ts'
import { workThrough } from '../../db/work-through.ts'
import { describeFailure, log } from '../../http/log.ts'
import type { BegunMatching, ReadMatching } from './begin.ts'
import { requestPages, selectRequestPage } from './find.ts'
import { type CandidateListing, readCandidates, selectCandidates } from './listing-view.ts'
import { type MatchingRequest, selectMatchingRequests } from './request.ts'
import { requestedCriteria, scoreMatch } from './score.ts'
import {
  changedPairs,
  matchRequest,
  type Pair,
  selectStoredMatches,
  selectUnmatched,
  storeChanges,
} from './store.ts'

/** How many times a listing is matched while it keeps changing. The call that changes it also matches it. */
const ATTEMPTS = 2
/** Maximum requests matched in one transaction, each with up to tens of thousands of listings. */
const REQUESTS_AT_ONCE = 10
/** Maximum listings matched in one transaction, each with any number of requests. */
const LISTINGS_AT_ONCE = 20
/** Calls to D1 for a portion: to find it, to read it, to store it, and for the requests that it displaces. */
const CALLS_PER_CHUNK = 5
/** Maximum portions of each kind of record in one cron run. */
const CHUNKS_PER_RUN = 50

/** Stores the matches of requests that were just stored. One round trip for each 10. Never throws. */
export async function matchWrittenRequests(db: Database, written: MatchingRequest[]): Promise<void> {
  for (const portion of portionsOf(written, { entries: REQUESTS_AT_ONCE })) {
    const ids = portion.map(({ id }) => id)
    await tryMatching('requests', ids, () => storeRequestMatches(db, portion))
  }
}

/**
 * Stores the matches of the requests with `ids`. Two round trips for each 10. Leaves to cron what is beyond the calls that an
 * import may make. Never throws.
 */
export async function matchRequests(db: Database, ids: number[]): Promise<void> {
  for (const portion of portionsOf(ids, { entries: REQUESTS_AT_ONCE }))
    if (mayCall(db, CALLS_PER_CHUNK))
      await tryMatching('requests', portion, () => storeMatchesOfRequests(db, portion))
}

/**
 * Stores the matches of the listings with `ids`. Two round trips for each 20 listings with up to 1000 requests, and one
 * more if requests lose a match from a full set. Leaves to cron what is beyond the calls that an import may make. Never throws.
 */
export async function matchListings(db: Database, ids: number[]): Promise<void> {
  for (const portion of portionsOf(ids, { entries: LISTINGS_AT_ONCE }))
    if (mayCall(db, CALLS_PER_CHUNK))
      await tryMatching('listings', portion, () => storeMatchesOfListings(db, portion))
}

/**
 * Stores the matches of a listing whose write has begun it in its batch. Most listings need no further work. Never throws.
 */
export async function finishBegunMatching(db: Database, { marked, read }: BegunMatching): Promise<void> {
  const ids = marked.map(({ id }) => id)
  if (ids.length > 0) await tryMatching('listings', ids, () => storeMatchesOfListings(db, ids, [], read))
}

/**
 * The work of cron: matches the records that are still marked, oldest first, within the limits of one run. Both kinds at
 * once, so that none waits for the other where D1 is slow. Several runs may work at the same time.
 */
export async function matchUnmatched(db: Database): Promise<void> {
  const outcomes = await Promise.allSettled([
    matchAll(db, 'listings', LISTINGS_AT_ONCE, (ids) => storeMatchesOfListings(db, ids)),
    matchAll(db, 'requests', REQUESTS_AT_ONCE, (ids) => storeMatchesOfRequests(db, ids)),
  ])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function matchAll(
  db: Database,
  resource: 'listings' | 'requests',
  limit: number,
  match: (ids: number[]) => Promise<void>,
): Promise<void> {
  let last = 0
  await workThrough(db, {
    job: 'matching',
    resource,
    portions: CHUNKS_PER_RUN,
    calls: CALLS_PER_CHUNK,
    next: async (failed) => {
      const statement = sqlStatement<{ id: number }>(sql`select id from ${sql.identifier(resource)}
        where id > ${last} and ${UNMATCHED} and not ${isOneOf(sql`id`, failed)} order by id limit ${limit}`)
      const ids = (await runStatement(db, statement)).map(({ id }) => id)
      last = ids.at(-1) ?? last
      return ids
    },
    work: async (ids) => {
      await match(ids)
      return []
    },
  })
}

/** Never throws: a failure is logged, and the records stay marked for cron. */
async function tryMatching(kind: string, ids: number[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('error', { work: 'matching', [kind]: ids, ...describeFailure(error) })
  }
}

async function storeMatchesOfRequests(db: Database, ids: number[]): Promise<void> {
  const statement = selectMatchingRequests(sql`where ${isOneOf(sql`requests.id`, ids)}`)
  await storeRequestMatches(db, await runStatement(db, statement))
}

/** Stores the matches of requests. A request that has changed since it was read stays marked. */
async function storeRequestMatches(db: Database, matchingRequests: MatchingRequest[]): Promise<void> {
  await batch(db, { matches: matchingRequests.map(matchRequest) })
}

/**
 * Stores the matches of listings.
 * @param lost reads the requests that have lost a match from a full set, if they are matched, too
 * @param begun what was read of the listings already
 */
async function storeMatchesOfListings(
  db: Database,
  ids: number[],
  lost = [selectMatchingRequests(sql`where ${UNMATCHED} order by requests.id limit ${REQUESTS_AT_ONCE}`)],
  begun: ReadMatching | null = null,
): Promise<void> {
  let unmatched = begun ? await storeListingMatches(db, ids, begun, lost) : ids
  for (let tries = begun ? 2 : 1; unmatched.length > 0 && tries <= ATTEMPTS; tries++) {
    const results = await batch(db, {
      listings: selectCandidates(valuesOf(unmatched)),
      stored: selectStoredMatches(valuesOf(unmatched)),
      requests: selectRequestPage(unmatched),
    })
    unmatched = await storeListingMatches(db, unmatched, results, lost)
  }
  // Not their fault, so it is not thrown: they stay marked for the next run.
  if (unmatched.length > 0)
    log('error', {
      work: 'matching',
      listings: unmatched,
      ...describeFailure(new Error('Listings kept changing while they were matched')),
    })
}

/**
 * Stores the matches of listings. Returns the ids of the listings that have changed since they were read and stay
 * marked.
 */
async function storeListingMatches(
  db: Database,
  ids: number[],
  { listings, stored, requests }: ReadMatching,
  lost: Statement<MatchingRequest>[],
): Promise<number[]> {
  const candidates = readCandidates(listings)
  const pairs: Pair[] = []
  for await (const page of requestPages(db, ids, requests)) {
    pairs.push(...page.flatMap((request) => pairsOf(request, candidates)))
  }
  const { unmatched, displaced } = await batch(db, {
    changes: storeChanges(candidates, changedPairs(pairs, stored, candidates)),
    unmatched: selectUnmatched(ids),
    displaced: lost,
  })
  await matchWrittenRequests(db, displaced.flat())
  return unmatched.map(({ id }) => id)
}

function pairsOf(request: MatchingRequest, candidates: CandidateListing[]): Pair[] {
  const criteria = requestedCriteria(request)
  return candidates.flatMap((listing) => {
    const score = scoreMatch(request, listing, criteria)
    return score === null ? [] : [{ request, listing, score }]
  })
}
