/**
 * Storing matches. Each function gives statements for one transaction that finds or writes pairs and takes the mark
 * off what they were found for, and does nothing where that has changed since it was read: then the mark stays.
 */
import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { enterMatches } from '../../db/changes.ts'
import type { Database, Statement } from '../../db/client.ts'
import { fixed } from '../../db/statements.ts'
import { UNMATCHED } from '../../db/tables/listings.ts'
import { type ListingJson, selectCandidates } from './candidate.ts'
import { areWanted, bestListings, MAX_MATCHES, selectWantedPage } from './candidates.ts'
import type { PointOfInterest, Wanted } from './queries.ts'

/** A record as it was read. */
export interface Seen {
  id: number
  version: number
}

/** A request and a listing as they were read, and their score; null: they are no match (any more). */
export interface Pair {
  request: Seen
  listing: Seen
  score: number | null
}

/** A stored match, with the version that its request has now. */
export interface StoredMatch {
  request_id: number
  request_version: number
  listing_id: number
  score: number
}

/** Characters of JSON in one parameter; D1 takes 2 MB. */
const MAX_PARAMETER = 500_000

/**
 * Makes the best listings the matches of `request`. They are found and stored in one transaction, so nothing can
 * change in between. Those no longer among them are given a score below any, so that finding runs but once.
 */
export function matchRequest(db: Database, request: Wanted): Statement[] {
  const { id, version } = request
  const unchanged = sql`exists (select 1 from requests where id = ${id} and version = ${version})`
  const found = db.run(sql`with best as materialized (${bestListings(request)})
    insert into request_matches (request_id, listing_id, score, deviations)
      select ${id}, id, score, '[]' from best where ${unchanged}
      union all
      select ${id}, listing_id, -1, '[]' from request_matches
      where request_id = ${id} and listing_id not in (select id from best) and ${unchanged}
    on conflict do update set score = excluded.score where request_matches.score <> excluded.score`)
  return [
    // `changes()` counts the rows that the statement before it wrote.
    ...(request.is_deleted ? [] : [found, enterMatches(db, sql`select ${id} where changes() > 0`)]),
    db.run(sql`delete from request_matches where request_id = ${id}
      and ${request.is_deleted ? unchanged : sql`score < 0`}`),
    db.run(sql`update requests set matched_version = version
      where id = ${id} and version = ${version} and ${UNMATCHED}`),
  ]
}

/** Marks the requests for which points of interest move; to be run before the points are stored. */
export function markForPoints(db: Database, points: PointOfInterest[]): Statement {
  return db.run(sql`update requests set version = version + 1 where is_deleted = 0 and exists (
    select 1 from json_each(requests.criteria, '$.special_locations') wanted
    join json_each(${JSON.stringify(points)}) moved on moved.value ->> 'id' = wanted.value
    left join special_locations stored on stored.id = wanted.value
    where stored.latitude is not moved.value ->> 'latitude' or stored.longitude is not moved.value ->> 'longitude')`)
}

/**
 * The last statements of the batch that writes a listing: they take the mark off one that no request can want and that has
 * no matches, as most that are written; of any other they read what finding its matches begins with.
 */
export function beginMatching(id: number) {
  const ids = JSON.stringify([id])
  return [
    settleListing({ id, ids }),
    selectMarked({ ids }),
    selectStoredOf({ ids }),
    selectFirstPage({ ids }),
  ] as const
}

/** What the last three of them give: the listing if it is still marked, its matches, the first requests it may meet. */
export type Begun = [marked: ListingJson[], stored: StoredMatch[], wanted: Wanted[]]

const IDS = sql.placeholder('ids')

const settleListing = fixed((db) =>
  db.run(sql`update listings set matched_version = version
    where id = ${sql.placeholder('id')} and ${UNMATCHED}
      and not exists (select 1 from request_matches where listing_id = ${sql.placeholder('id')})
      and not ${areWanted(IDS)}`),
)

const selectMarked = fixed((db) =>
  selectCandidates(
    db,
    sql`select id from listings where id in (select value from json_each(${IDS})) and ${UNMATCHED}`,
  ),
)

const selectStoredOf = fixed((db) => selectStored(db, IDS))

const selectFirstPage = fixed((db) => selectWantedPage(db, IDS))

/** The statement for those of the listings with `ids` whose matches are still to be found. */
export function selectUnmatched(db: Database, ids: number[]) {
  return db.all<{ id: number }>(sql`select id from listings
    where id in (select value from json_each(${JSON.stringify(ids)})) and ${UNMATCHED}`)
}

/** The statement for the stored matches of the listings with `ids`, which is JSON. */
export function selectStored(db: Database, ids: string | Placeholder) {
  return db.all<StoredMatch>(sql`
    select m.request_id, r.version as request_version, m.listing_id, m.score
    from request_matches m join requests r on r.id = m.request_id
    where m.listing_id in (select value from json_each(${ids}))`)
}

/** Those of `pairs` that are not `stored` as they are, and the stored ones that are none any more. */
export function changesIn(pairs: Pair[], stored: StoredMatch[], listings: Seen[]): Pair[] {
  const key = (request: number, listing: number) => `${request} ${listing}`
  const before = new Map(stored.map((row) => [key(row.request_id, row.listing_id), row]))
  const versions = new Map(listings.map(({ id, version }) => [id, version]))
  const changed = pairs.filter(({ request, listing, score }) => {
    const row = before.get(key(request.id, listing.id))
    before.delete(key(request.id, listing.id))
    return row?.score !== score
  })
  const gone = [...before.values()].map(
    ({ request_id, request_version, listing_id }): Pair => ({
      request: { id: request_id, version: request_version },
      listing: { id: listing_id, version: versions.get(listing_id) ?? 0 },
      score: null,
    }),
  )
  return [...changed, ...gone]
}

/**
 * Writes what changes for `listings`. A request that changed since is passed over: its own mark finds the pair. One
 * that loses a match of a full set is marked, as the best of those left out takes the place.
 */
export function storeChanges(db: Database, listings: Seen[], changes: Pair[]): Statement[] {
  const found = changes.filter(({ score }) => score !== null)
  const gone = changes.filter(({ score }) => score === null)
  const touched = [...new Set(found.map(({ request }) => request.id))]
  return [
    ...inParameters(changes).map((part) => markLosers(db, part)),
    ...inParameters(gone).flatMap((part) => [enterLosers(db, part), removeStatement(db, part)]),
    ...inParameters(found).flatMap((part) => [enterFinders(db, part), insertStatement(db, part)]),
    ...(touched.length > 0 ? [trimStatement(db, touched)] : []),
    db.run(sql`update listings set matched_version = version
      where ${UNMATCHED} and (id, version) in (select value ->> 0, value ->> 1
        from json_each(${JSON.stringify(listings.map(({ id, version }) => [id, version]))}))`),
  ]
}

/** How a pair stands in a JSON parameter. */
const REQUEST_ID = sql.raw('pair.value ->> 0')
const LISTING_ID = sql.raw('pair.value ->> 2')
const SCORE = sql.raw('pair.value ->> 4')
const UNCHANGED = sql.raw(`exists (select 1 from requests
    where id = pair.value ->> 0 and version = pair.value ->> 1)
  and exists (select 1 from listings where id = pair.value ->> 2 and version = pair.value ->> 3)`)

/** Pairs as JSON, in parts that a parameter holds. */
function inParameters(pairs: Pair[]): string[] {
  const parts: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const { request, listing, score } of pairs) {
    const json = JSON.stringify([request.id, request.version, listing.id, listing.version, score])
    length += json.length + 1
    if (length > MAX_PARAMETER) {
      parts.push([])
      length = json.length
    }
    parts.at(-1)?.push(json)
  }
  return parts.map((part) => `[${part.join(',')}]`)
}

/** Marks the requests with a full set from which a pair goes, or to the end of which it falls. */
function markLosers(db: Database, pairs: string): Statement {
  return db.run(sql`update requests set matched_version = 0 where is_deleted = 0 and matched_version <> 0 and id in (
    select ${REQUEST_ID} from json_each(${pairs}) pair
    cross join request_matches m on m.request_id = ${REQUEST_ID} and m.listing_id = ${LISTING_ID}
    cross join request_matches worst on worst.rowid = ${worstOf(REQUEST_ID)}
    where ${UNCHANGED} and (${SCORE} is null or (${SCORE}, ${LISTING_ID}) < (worst.score, worst.listing_id)))`)
}

const IS_STORED = sql`exists (select 1 from request_matches
    where request_id = ${REQUEST_ID} and listing_id = ${LISTING_ID})`

/** A match that ranks below the best is not even inserted; one that is there already is always brought up to date. */
const IS_AMONG_BEST = sql`(${IS_STORED}
    or not exists (select 1 from request_matches worst where worst.rowid = ${worstOf(REQUEST_ID)}
      and (${SCORE}, ${LISTING_ID}) < (worst.score, worst.listing_id)))`

/** Enters the requests that lose a match into the feed of changes; to be run before they do. */
function enterLosers(db: Database, pairs: string): Statement {
  return enterMatches(
    db,
    sql`select ${REQUEST_ID} from json_each(${pairs}) pair where ${UNCHANGED} and ${IS_STORED}`,
  )
}

/** The same for those that get a match, or another score of one. */
function enterFinders(db: Database, pairs: string): Statement {
  return enterMatches(
    db,
    sql`select ${REQUEST_ID} from json_each(${pairs}) pair where ${UNCHANGED} and ${IS_AMONG_BEST}
      and not exists (select 1 from request_matches
        where request_id = ${REQUEST_ID} and listing_id = ${LISTING_ID} and score = ${SCORE})`,
  )
}

function removeStatement(db: Database, pairs: string): Statement {
  return db.run(sql`delete from request_matches where (request_id, listing_id) in (
    select ${REQUEST_ID}, ${LISTING_ID} from json_each(${pairs}) pair where ${UNCHANGED})`)
}

function insertStatement(db: Database, pairs: string): Statement {
  return db.run(sql`insert into request_matches (request_id, listing_id, score, deviations)
    select ${REQUEST_ID}, ${LISTING_ID}, ${SCORE}, '[]' from json_each(${pairs}) pair
    where ${UNCHANGED} and ${IS_AMONG_BEST}
    on conflict do update set score = excluded.score`)
}

/** Removes what is worse than the best `MAX_MATCHES` of each of the requests. */
function trimStatement(db: Database, requestIds: number[]): Statement {
  return db.run(sql`delete from request_matches where rowid in (
    select m.rowid from json_each(${JSON.stringify(requestIds)}) touched
    cross join request_matches worst on worst.rowid = ${worstOf(sql.raw('touched.value'))}
    cross join request_matches m on m.request_id = touched.value
      and (m.score, m.listing_id) < (worst.score, worst.listing_id))`)
}

/** The rowid of the last match that is kept of a request; null while there are fewer. */
function worstOf(requestId: SQL): SQL {
  return sql`(select rowid from request_matches where request_id = ${requestId}
    order by score desc, listing_id desc limit 1 offset ${MAX_MATCHES - 1})`
}
