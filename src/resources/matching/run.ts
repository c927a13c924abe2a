/**
 * Keeping the stored matches true. Every write of a request or an active listing marks it, as its version then
 * differs from its `matched_version`; whoever finds the matches takes the mark off in the same transaction. That is
 * the write itself, right after it is stored. What fails there is logged, and the clock finishes it.
 *
 * Of a request the best `MAX_MATCHES` are kept. One that loses a match of a full set is marked again.
 */
import { sql } from 'drizzle-orm'
import { portionsOf } from '../../db/bulk.ts'
import { batch, type Database, runStatement } from '../../db/client.ts'
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

/** How often the matches of a listing are looked for while it changes: whoever changed it looks for them, too. */
const ATTEMPTS = 2
/** Requests matched in one transaction, each with up to tens of thousands of listings. */
const REQUESTS_AT_ONCE = 10
/** Listings matched in one transaction, each with any number of requests. */
const LISTINGS_AT_ONCE = 20
/** Most portions that one run of the clock matches, of requests and of listings, and how long it begins new ones, in ms. */
const CHUNKS_PER_RUN = 50
const TIME_PER_RUN = 20_000

/** Finds the listings that meet `written`, requests as just stored; one round trip for up to 10. Never throws. */
export async function matchWrittenRequests(db: Database, written: MatchingRequest[]): Promise<void> {
  for (const some of portionsOf(written, { entries: REQUESTS_AT_ONCE })) {
    const ids = some.map(({ id }) => id)
    await tryMatching('requests', ids, () => storeRequestMatches(db, some))
  }
}

/** Finds the listings that meet the requests with `ids`; two round trips for up to 10. Never throws. */
export async function matchRequests(db: Database, ids: number[]): Promise<void> {
  for (const some of portionsOf(ids, { entries: REQUESTS_AT_ONCE })) await matchByIds.requests(db, some)
}

/**
 * Finds the requests that the listings with `ids` meet; two round trips for up to 20 and 1000 requests, one more
 * when requests lose one of their best. Never throws.
 */
export async function matchListings(db: Database, ids: number[]): Promise<void> {
  for (const some of portionsOf(ids, { entries: LISTINGS_AT_ONCE })) await matchByIds.listings(db, some)
}

/** Finds the requests that a listing just written meets, as `begun` in its batch; none of it is left for most. Never throws. */
export async function finishBegunMatching(db: Database, begun: BegunMatching): Promise<void> {
  const ids = begun.listings.map(({ id }) => id)
  if (ids.length > 0) await tryMatching('listings', ids, () => storeMatchesOfListings(db, ids, begun))
}

/**
 * The work of the clock: finds the matches that are still to be found, the oldest records first, as many as one run
 * may. Any number of runs may be at it at once. Never throws.
 */
export async function matchUnmatched(db: Database): Promise<void> {
  const end = Date.now() + TIME_PER_RUN
  await tryMatching('listings', [], () => matchPages(db, 'listings', end))
  await tryMatching('requests', [], () => matchPages(db, 'requests', end))
}

async function matchPages(db: Database, kind: keyof typeof matchByIds, end: number): Promise<void> {
  let ids = await findUnmatched(db, kind, 0)
  for (let chunk = 0; ids.length > 0 && chunk < CHUNKS_PER_RUN && Date.now() < end; chunk++) {
    await yieldToEventLoop()
    const isDone = await matchByIds[kind](db, ids)
    // One that always fails must not keep the others from being matched.
    if (!isDone && ids.length > 1) for (const id of ids) await matchByIds[kind](db, [id])
    ids = await findUnmatched(db, kind, ids.at(-1) ?? 0)
  }
}

/** One portion of records by id; false when it failed. */
const matchByIds = {
  requests: (db: Database, ids: number[]) =>
    tryMatching('requests', ids, async () => {
      const selecting = selectMatchingRequests(sql`where ${isOneOf(sql`requests.id`, ids)}`)
      await storeRequestMatches(db, await runStatement(db, selecting))
    }),
  listings: (db: Database, ids: number[]) =>
    tryMatching('listings', ids, () => storeMatchesOfListings(db, ids)),
}

/** Whether `work` got done; what stopped it is logged, and the marks of the records are left to the clock. */
async function tryMatching(kind: string, ids: number[], work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    log('error', { work: 'matching', [kind]: ids, ...describeFailure(error) })
    return false
  }
}

/** The ids of the next portion of marked records above the id `after`. */
async function findUnmatched(db: Database, kind: keyof typeof matchByIds, after: number): Promise<number[]> {
  const limit = kind === 'listings' ? LISTINGS_AT_ONCE : REQUESTS_AT_ONCE
  const selecting = sqlStatement<{ id: number }>(sql`select id from ${sql.identifier(kind)}
    where id > ${after} and ${UNMATCHED} order by id limit ${limit}`)
  const rows = await runStatement(db, selecting)
  return rows.map(({ id }) => id)
}

/** Finds and stores the matches of `wanted`; what has changed since it was read keeps its mark. */
async function storeRequestMatches(db: Database, matchingRequests: MatchingRequest[]): Promise<void> {
  await batch(db, { matches: matchingRequests.map(matchRequest) })
}

async function storeMatchesOfListings(db: Database, ids: number[], begun?: BegunMatching): Promise<void> {
  let left = begun ? await storeListingMatches(db, ids, begun) : ids
  for (let tries = begun ? 2 : 1; left.length > 0 && tries <= ATTEMPTS; tries++) {
    const read = await batch(db, {
      listings: selectCandidates(valuesOf(left)),
      stored: selectStoredMatches(left),
      wanted: selectRequestPage(left),
    })
    left = await storeListingMatches(db, left, read)
  }
  if (left.length > 0) throw new Error('Listings kept changing while they were matched')
}

/** Those of the listings with `ids` that changed since they were read, and so are still to be matched. */
async function storeListingMatches(
  db: Database,
  ids: number[],
  { listings, stored, wanted: matchingRequests }: BegunMatching,
): Promise<number[]> {
  const candidates = readCandidates(listings)
  const pairs: Pair[] = []
  for await (const page of requestPages(db, ids, matchingRequests)) {
    pairs.push(...page.flatMap((request) => pairsOf(request, candidates)))
  }
  const { left, losers: displaced } = await batch(db, {
    changes: storeChanges(candidates, changedPairs(pairs, stored, candidates)),
    left: selectUnmatched(ids),
    // Requests that lost one of their best, as a rule none.
    losers: selectMatchingRequests(sql`where ${UNMATCHED} order by requests.id limit ${REQUESTS_AT_ONCE}`),
  })
  await matchWrittenRequests(db, displaced)
  return left.map(({ id }) => id)
}

function pairsOf(request: MatchingRequest, candidates: CandidateListing[]): Pair[] {
  const criteria = requestedCriteria(request)
  return candidates.flatMap((listing) => {
    const score = scoreMatch(request, listing, criteria)
    return score === null ? [] : [{ request, listing, score }]
  })
}
