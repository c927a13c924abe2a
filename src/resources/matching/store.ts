/**
 * Storing matches. Each function gives statements for one transaction that finds or writes pairs and takes the mark
 * off what they were found for, and does nothing where that has changed since it was read: then the mark stays.
 */
import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { jsonParts } from '../../db/bulk.ts'
import { recordMatchChanges } from '../../db/changes.ts'
import type { Results } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { prepared, type Statement, sqlStatement } from '../../db/statements.ts'
import { UNMATCHED } from '../../db/tables/listings.ts'
import { hasInterestedRequests, MAX_MATCHES, selectBestListings, selectRequestPage } from './find.ts'
import { selectCandidates } from './listing-view.ts'
import type { MatchingRequest, PointOfInterest } from './request.ts'

/** A record as it was read. */
export interface ReadVersion {
  id: number
  version: number
}

/** A request and a listing as they were read, and their score; null: they are no match (any more). */
export interface Pair {
  request: ReadVersion
  listing: ReadVersion
  score: number | null
}

/** A stored match, with the version that its request has now. */
export interface StoredMatch {
  request_id: number
  request_version: number
  listing_id: number
  score: number
}

/**
 * Makes the best listings the matches of `request`. They are found and stored in one transaction, so nothing can
 * change in between. Those no longer among them are given a score below any, so that finding runs but once.
 */
export function matchRequest(request: MatchingRequest): Statement[] {
  const { id, version } = request
  const unchanged = sql`exists (select 1 from requests where id = ${id} and version = ${version})`
  const found = sqlStatement(sql`with best as materialized (${selectBestListings(request)})
    insert into request_matches (request_id, listing_id, score, deviations)
      select ${id}, id, score, '[]' from best where ${unchanged}
      union all
      select ${id}, listing_id, -1, '[]' from request_matches
      where request_id = ${id} and listing_id not in (select id from best) and ${unchanged}
    on conflict do update set score = excluded.score where request_matches.score <> excluded.score`)
  return [
    // `changes()` counts the rows that the statement before it wrote.
    ...(request.is_deleted ? [] : [found, recordMatchChanges(sql`select ${id} where changes() > 0`)]),
    sqlStatement(sql`delete from request_matches where request_id = ${id}
      and ${request.is_deleted ? unchanged : sql`score < 0`}`),
    sqlStatement(sql`update requests set matched_version = version
      where id = ${id} and version = ${version} and ${UNMATCHED}`),
  ]
}

/** Marks the requests for which points of interest move; to be run before the points are stored. */
export function markRequestsNear(points: PointOfInterest[]): Statement {
  return sqlStatement(sql`update requests set version = version + 1 where is_deleted = 0 and exists (
    select 1 from json_each(requests.criteria, '$.special_locations') wanted
    join json_each(${JSON.stringify(points)}) moved on moved.value ->> 'id' = wanted.value
    left join special_locations stored on stored.id = wanted.value
    where stored.latitude is not moved.value ->> 'latitude' or stored.longitude is not moved.value ->> 'longitude')`)
}

/**
 * The last statements of the batch that writes a listing. Most listings have no matches and no request can want them:
 * these lose their mark. Of any other they read what finding its matches begins with.
 */
export function beginMatching(id: number) {
  const ids = JSON.stringify([id])
  return { settled: clearListingMark({ id, ids }), ...selectMatching({ ids }) }
}

/** What finding the matches of listings begins with: those of them that are marked, their matches, the first requests. */
function selectMatching(ids: { ids: string }) {
  return {
    listings: selectMarked(ids),
    stored: selectStoredOf(ids),
    wanted: selectFirstPage(ids),
  }
}

/** What they give. */
export type BegunMatching = Results<ReturnType<typeof selectMatching>>

const IDS = sql.placeholder('ids')

const clearListingMark = prepared(() =>
  sqlStatement(sql`update listings set matched_version = version
    where id = ${sql.placeholder('id')} and ${UNMATCHED}
      and not exists (select 1 from request_matches where listing_id = ${sql.placeholder('id')})
      and not ${hasInterestedRequests(IDS)}`),
)

const selectMarked = prepared(() =>
  selectCandidates(sql`select id from listings where ${isOneOf(sql`id`, IDS)} and ${UNMATCHED}`),
)

const selectStoredOf = prepared(() => selectStoredMatches(IDS))

const selectFirstPage = prepared(() => selectRequestPage(IDS))

/** The statement for those of the listings with `ids` whose matches are still to be found. */
export function selectUnmatched(ids: number[]): Statement<{ id: number }> {
  return sqlStatement(sql`select id from listings where ${isOneOf(sql`id`, ids)} and ${UNMATCHED}`)
}

/** The statement for the stored matches of the listings with `ids`. */
export function selectStoredMatches(ids: readonly number[] | Placeholder): Statement<StoredMatch> {
  return sqlStatement(sql`
    select m.request_id, r.version as request_version, m.listing_id, m.score
    from request_matches m join requests r on r.id = m.request_id
    where ${isOneOf(sql`m.listing_id`, ids)}`)
}

/** Those of `pairs` that are not `stored` as they are, and the stored ones that are none any more. */
export function changedPairs(pairs: Pair[], stored: StoredMatch[], listings: ReadVersion[]): Pair[] {
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
export function storeChanges(listings: ReadVersion[], changes: Pair[]): Statement[] {
  const found = changes.filter(({ score }) => score !== null)
  const gone = changes.filter(({ score }) => score === null)
  const touched = [...new Set(found.map(({ request }) => request.id))]
  return [
    ...partsOf(changes).map(markDisplacedRequests),
    ...partsOf(gone).flatMap((part) => [recordDisplaced(part), removeStatement(part)]),
    ...partsOf(found).flatMap((part) => [enterFinders(part), insertStatement(part)]),
    ...(touched.length > 0 ? [trimStatement(touched)] : []),
    sqlStatement(sql`update listings set matched_version = version
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
function partsOf(pairs: Pair[]): string[] {
  return jsonParts(
    pairs.map(({ request, listing, score }) => [
      request.id,
      request.version,
      listing.id,
      listing.version,
      score,
    ]),
  ).parts
}

/** Marks the requests with a full set from which a pair goes, or to the end of which it falls. */
function markDisplacedRequests(pairs: string): Statement {
  return sqlStatement(sql`update requests set matched_version = 0 where is_deleted = 0 and matched_version <> 0 and id in (
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
function recordDisplaced(pairs: string): Statement {
  return recordMatchChanges(
    sql`select ${REQUEST_ID} from json_each(${pairs}) pair where ${UNCHANGED} and ${IS_STORED}`,
  )
}

/** The same for those that get a match, or another score of one. */
function enterFinders(pairs: string): Statement {
  return recordMatchChanges(
    sql`select ${REQUEST_ID} from json_each(${pairs}) pair where ${UNCHANGED} and ${IS_AMONG_BEST}
      and not exists (select 1 from request_matches
        where request_id = ${REQUEST_ID} and listing_id = ${LISTING_ID} and score = ${SCORE})`,
  )
}

function removeStatement(pairs: string): Statement {
  return sqlStatement(sql`delete from request_matches where (request_id, listing_id) in (
    select ${REQUEST_ID}, ${LISTING_ID} from json_each(${pairs}) pair where ${UNCHANGED})`)
}

function insertStatement(pairs: string): Statement {
  return sqlStatement(sql`insert into request_matches (request_id, listing_id, score, deviations)
    select ${REQUEST_ID}, ${LISTING_ID}, ${SCORE}, '[]' from json_each(${pairs}) pair
    where ${UNCHANGED} and ${IS_AMONG_BEST}
    on conflict do update set score = excluded.score`)
}

/** Removes what is worse than the best `MAX_MATCHES` of each of the requests. */
function trimStatement(requestIds: number[]): Statement {
  return sqlStatement(sql`delete from request_matches where rowid in (
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
