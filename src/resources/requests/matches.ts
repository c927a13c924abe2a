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
import { describeFailure, log } from '../../http/log.ts'
import { letOthersIn } from '../../http/turns.ts'
import { type Listing, readCandidates, selectCandidates } from './candidate.ts'
import { selectWantedPage, wantedPages } from './candidates.ts'
import {
  type Begun,
  changesIn,
  matchRequest,
  type Pair,
  selectStored,
  selectUnmatched,
  storeChanges,
} from './match-store.ts'
import { askedBy, scoreMatch } from './matching.ts'
import { selectWanted, type Wanted } from './queries.ts'

/** How often the matches of a listing are looked for while it changes: whoever changed it looks for them, too. */
const ATTEMPTS = 2
/** Requests matched in one transaction, each with up to tens of thousands of listings. */
const REQUESTS_AT_ONCE = 10
/** Listings matched in one transaction, each with any number of requests. */
const LISTINGS_AT_ONCE = 20
/** Most portions that one run of the clock matches, of requests and of listings, and how long it begins new ones, in ms. */
const PORTIONS_PER_RUN = 50
const TIME_PER_RUN = 20_000

/** Finds the listings that meet `written`, requests as just stored; one round trip for up to 10. Never throws. */
export async function matchWritten(db: Database, written: Wanted[]): Promise<void> {
  for (const some of portionsOf(written, { entries: REQUESTS_AT_ONCE })) {
    const ids = some.map(({ id }) => id)
    await succeeds('requests', ids, () => storeRequests(db, some))
  }
}

/** Finds the listings that meet the requests with `ids`; two round trips for up to 10. Never throws. */
export async function matchRequests(db: Database, ids: number[]): Promise<void> {
  for (const some of portionsOf(ids, { entries: REQUESTS_AT_ONCE })) await matches.requests(db, some)
}

/**
 * Finds the requests that the listings with `ids` meet; two round trips for up to 20 and 1000 requests, one more
 * when requests lose one of their best. Never throws.
 */
export async function matchListings(db: Database, ids: number[]): Promise<void> {
  for (const some of portionsOf(ids, { entries: LISTINGS_AT_ONCE })) await matches.listings(db, some)
}

/** Finds the requests that a listing just written meets, as `begun` in its batch; none of it is left for most. Never throws. */
export async function matchBegun(db: Database, begun: Begun): Promise<void> {
  const ids = begun.listings.map(({ id }) => id)
  if (ids.length > 0) await succeeds('listings', ids, () => storeListings(db, ids, begun))
}

/**
 * The work of the clock: finds the matches that are still to be found, the oldest records first, as many as one run
 * may. Any number of runs may be at it at once. Never throws.
 */
export async function finishMatching(db: Database): Promise<void> {
  const end = Date.now() + TIME_PER_RUN
  await succeeds('listings', [], () => finish(db, 'listings', end))
  await succeeds('requests', [], () => finish(db, 'requests', end))
}

async function finish(db: Database, kind: keyof typeof matches, end: number): Promise<void> {
  let ids = await findUnmatched(db, kind, 0)
  for (let portion = 0; ids.length > 0 && portion < PORTIONS_PER_RUN && Date.now() < end; portion++) {
    await letOthersIn()
    const isDone = await matches[kind](db, ids)
    // One that always fails must not keep the others from being matched.
    if (!isDone && ids.length > 1) for (const id of ids) await matches[kind](db, [id])
    ids = await findUnmatched(db, kind, ids.at(-1) ?? 0)
  }
}

/** One portion of records by id; false when it failed. */
const matches = {
  requests: (db: Database, ids: number[]) =>
    succeeds('requests', ids, async () => {
      const selecting = selectWanted(sql`where ${isOneOf(sql`requests.id`, ids)}`)
      await storeRequests(db, await runStatement(db, selecting))
    }),
  listings: (db: Database, ids: number[]) => succeeds('listings', ids, () => storeListings(db, ids)),
}

/** Whether `work` got done; what stopped it is logged, and the marks of the records are left to the clock. */
async function succeeds(kind: string, ids: number[], work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    log('error', { work: 'matching', [kind]: ids, ...describeFailure(error) })
    return false
  }
}

/** The ids of the next portion of marked records above the id `after`. */
async function findUnmatched(db: Database, kind: keyof typeof matches, after: number): Promise<number[]> {
  const limit = kind === 'listings' ? LISTINGS_AT_ONCE : REQUESTS_AT_ONCE
  const selecting = sqlStatement<{ id: number }>(sql`select id from ${sql.identifier(kind)}
    where id > ${after} and ${UNMATCHED} order by id limit ${limit}`)
  const rows = await runStatement(db, selecting)
  return rows.map(({ id }) => id)
}

/** Finds and stores the matches of `wanted`; what has changed since it was read keeps its mark. */
async function storeRequests(db: Database, wanted: Wanted[]): Promise<void> {
  await batch(db, { matches: wanted.map(matchRequest) })
}

async function storeListings(db: Database, ids: number[], begun?: Begun): Promise<void> {
  let left = begun ? await storeFound(db, ids, begun) : ids
  for (let tries = begun ? 2 : 1; left.length > 0 && tries <= ATTEMPTS; tries++) {
    const read = await batch(db, {
      listings: selectCandidates(valuesOf(left)),
      stored: selectStored(left),
      wanted: selectWantedPage(left),
    })
    left = await storeFound(db, left, read)
  }
  if (left.length > 0) throw new Error('Listings kept changing while they were matched')
}

/** Those of the listings with `ids` that changed since they were read, and so are still to be matched. */
async function storeFound(
  db: Database,
  ids: number[],
  { listings, stored, wanted }: Begun,
): Promise<number[]> {
  const found = readCandidates(listings)
  const pairs: Pair[] = []
  for await (const page of wantedPages(db, ids, wanted)) {
    pairs.push(...page.flatMap((request) => pairsOf(request, found)))
  }
  const { left, losers } = await batch(db, {
    changes: storeChanges(found, changesIn(pairs, stored, found)),
    left: selectUnmatched(ids),
    // Requests that lost one of their best, as a rule none.
    losers: selectWanted(sql`where ${UNMATCHED} order by requests.id limit ${REQUESTS_AT_ONCE}`),
  })
  await matchWritten(db, losers)
  return left.map(({ id }) => id)
}

function pairsOf(request: Wanted, found: Listing[]): Pair[] {
  const asked = askedBy(request)
  return found.flatMap((listing) => {
    const score = scoreMatch(request, listing, asked)
    return score === null ? [] : [{ request, listing, score }]
  })
}
