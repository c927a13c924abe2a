/**
 * Keeps the stored matches up to date. Every write of a request or an active listing raises its `version`, which marks
 * the record: the version now differs from `matched_version`. The transaction that stores the matches removes the mark.
 * Matching runs right after the write. If it fails, the failure is logged and cron finishes the work.
 *
 * The best `MAX_MATCHES` of a request are stored. A request that loses a match from a full set is marked again.
 */
import { sql } from 'drizzle-orm'
import { portionsOf } from '../../db/bulk.ts'
import { batch, type Database, mayCall, runStatement } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import { sqlStatement } from '../../db/statements.ts'
import { UNMATCHED } from '../../db/tables/listings.ts'
import { yieldToEventLoop } from '../../http/concurrency/queue.ts'
import { describeFailure, log } from '../../http/log.ts'
import { requestPages, selectRequestPage } from './find.ts'
import { type CandidateListing, readCandidates, selectCandidates } from './listing-view.ts'
import { type MatchingRequest, selectMatchingRequests } from './request.ts'
import { requestedCriteria, scoreMatch } from './score.ts'
import {
  type BegunMatching,
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
/** Maximum portions of each kind of record in one cron run, and the time after which it starts no new one, in ms. */
const CHUNKS_PER_RUN = 50
const TIME_PER_RUN = 20_000

/** Stores the matches of requests that were just stored. One round trip for each 10. Never throws. */
export async function matchWrittenRequests(db: Database, written: MatchingRequest[]): Promise<void> {
  for (const portion of portionsOf(written, { entries: REQUESTS_AT_ONCE })) {
    const ids = portion.map(({ id }) => id)
    await tryMatching('requests', ids, () => storeRequestMatches(db, portion))
  }
}

/** Stores the matches of the requests with `ids`. Two round trips for each 10. Never throws. */
export async function matchRequests(db: Database, ids: number[]): Promise<void> {
  for (const portion of portionsOf(ids, { entries: REQUESTS_AT_ONCE })) await matchByIds.requests(db, portion)
}

/**
 * Stores the matches of the listings with `ids`. Two round trips for each 20 listings with up to 1000 requests, and one
 * more if requests lose a match from a full set. Never throws.
 */
export async function matchListings(db: Database, ids: number[]): Promise<void> {
  for (const portion of portionsOf(ids, { entries: LISTINGS_AT_ONCE })) await matchByIds.listings(db, portion)
}

/**
 * Stores the matches of a listing whose write read `begun` in its batch. Most listings need no further work. Never
 * throws.
 */
export async function finishBegunMatching(db: Database, begun: BegunMatching): Promise<void> {
  const ids = begun.listings.map(({ id }) => id)
  if (ids.length > 0) await tryMatching('listings', ids, () => storeMatchesOfListings(db, ids, begun))
}

/**
 * The work of cron: matches the records that are still marked, oldest first, within the limits of one run. Several runs
 * may work at the same time.
 */
export async function matchUnmatched(db: Database): Promise<void> {
  const end = Date.now() + TIME_PER_RUN
  const failures: unknown[] = []
  for (const kind of ['listings', 'requests'] as const)
    await matchPages(db, kind, end).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function matchPages(db: Database, kind: keyof typeof matchByIds, end: number): Promise<void> {
  const mayGoOn = () => Date.now() < end && mayCall(db, CALLS_PER_CHUNK)
  let ids = await findUnmatched(db, kind, 0)
  for (let chunk = 0; ids.length > 0 && chunk < CHUNKS_PER_RUN && mayGoOn(); chunk++) {
    await yieldToEventLoop()
    const isDone = await matchByIds[kind](db, ids)
    // Retried one by one, so that a record that always fails does not block the others.
    if (!isDone && ids.length > 1) for (const id of ids) if (mayGoOn()) await matchByIds[kind](db, [id])
    ids = await findUnmatched(db, kind, ids.at(-1) ?? 0)
  }
}

/** Matches one portion of records by id. Returns false if that failed. */
const matchByIds = {
  requests: (db: Database, ids: number[]) =>
    tryMatching('requests', ids, async () => {
      const statement = selectMatchingRequests(sql`where ${isOneOf(sql`requests.id`, ids)}`)
      await storeRequestMatches(db, await runStatement(db, statement))
    }),
  listings: (db: Database, ids: number[]) =>
    tryMatching('listings', ids, () => storeMatchesOfListings(db, ids)),
}

/** Whether `work` succeeded. A failure is logged, and the records stay marked for cron. */
async function tryMatching(kind: string, ids: number[], work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    log('error', { work: 'matching', [kind]: ids, ...describeFailure(error) })
    return false
  }
}

/** The ids of the next portion of marked records after the id `after`. */
async function findUnmatched(db: Database, kind: keyof typeof matchByIds, after: number): Promise<number[]> {
  const limit = kind === 'listings' ? LISTINGS_AT_ONCE : REQUESTS_AT_ONCE
  const statement = sqlStatement<{ id: number }>(sql`select id from ${sql.identifier(kind)}
    where id > ${after} and ${UNMATCHED} order by id limit ${limit}`)
  const rows = await runStatement(db, statement)
  return rows.map(({ id }) => id)
}

/** Stores the matches of requests. A request that has changed since it was read stays marked. */
async function storeRequestMatches(db: Database, matchingRequests: MatchingRequest[]): Promise<void> {
  await batch(db, { matches: matchingRequests.map(matchRequest) })
}

async function storeMatchesOfListings(db: Database, ids: number[], begun?: BegunMatching): Promise<void> {
  let unmatched = begun ? await storeListingMatches(db, ids, begun) : ids
  for (let tries = begun ? 2 : 1; unmatched.length > 0 && tries <= ATTEMPTS; tries++) {
    const results = await batch(db, {
      listings: selectCandidates(valuesOf(unmatched)),
      stored: selectStoredMatches(unmatched),
      requests: selectRequestPage(unmatched),
    })
    unmatched = await storeListingMatches(db, unmatched, results)
  }
  if (unmatched.length > 0) throw new Error('Listings kept changing while they were matched')
}

/**
 * Stores the matches of listings. Returns the ids of the listings that have changed since they were read and stay
 * marked.
 */
async function storeListingMatches(
  db: Database,
  ids: number[],
  { listings, stored, requests }: BegunMatching,
): Promise<number[]> {
  const candidates = readCandidates(listings)
  const pairs: Pair[] = []
  for await (const page of requestPages(db, ids, requests)) {
    pairs.push(...page.flatMap((request) => pairsOf(request, candidates)))
  }
  const { unmatched, displaced } = await batch(db, {
    changes: storeChanges(candidates, changedPairs(pairs, stored, candidates)),
    unmatched: selectUnmatched(ids),
    // Requests that lost a match from a full set; usually none.
    displaced: selectMatchingRequests(sql`where ${UNMATCHED} order by requests.id limit ${REQUESTS_AT_ONCE}`),
  })
  await matchWrittenRequests(db, displaced)
  return unmatched.map(({ id }) => id)
}

function pairsOf(request: MatchingRequest, candidates: CandidateListing[]): Pair[] {
  const criteria = requestedCriteria(request)
  return candidates.flatMap((listing) => {
    const score = scoreMatch(request, listing, criteria)
    return score === null ? [] : [{ request, listing, score }]
  })
}
