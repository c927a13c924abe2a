/**
 * Statements that store matches. Each function returns statements for one transaction, which writes pairs and removes
 * the mark of the records they were found for. Records that have changed since they were read are left alone and stay
 * marked.
 */
import { type SQL, sql } from 'drizzle-orm'
import { jsonParts } from '../../db/bulk.ts'
import { recordMatchChanges } from '../../db/changes.ts'
import { isOneOf } from '../../db/conditions.ts'
import { prepared, type Statement, sqlStatement } from '../../db/statements.ts'
import { UNMATCHED } from '../../db/tables/listings.ts'
import { MAX_MATCHES, selectBestListings } from './find.ts'
import type { MatchingRequest, PointOfInterest } from './request.ts'

/** A record in the version that was read. */
export interface ReadVersion {
  id: number
  version: number
}

/** A request and a listing in the versions that were read, and their score. Null means that they do not match. */
export interface Pair {
  /** With how many matches it has; null if they are not counted yet. */
  request: ReadVersion & { match_count: number | null }
  listing: ReadVersion
  score: number | null
}

/** A stored match, with the current version of its request. */
export interface StoredMatch {
  request_id: number
  request_version: number
  match_count: number | null
  listing_id: number
  score: number
}

/**
 * Statements that make the best listings the matches of `request`. One transaction finds and stores them, so nothing
 * can change in between. Matches that are no longer among the best first get a score of -1, so that the search runs
 * only once.
 */
export function matchRequest(request: MatchingRequest): Statement[] {
  const { id, version } = request
  const unchanged = sql`exists (select 1 from requests where id = ${id} and version = ${version})`
  const isMarked = sql`id = ${id} and version = ${version} and ${UNMATCHED}`
  const stored = sqlStatement(sql`with best as materialized (${selectBestListings(request)})
    insert into request_matches (request_id, listing_id, score, deviations)
      select ${id}, id, score, '[]' from best where ${unchanged}
      union all
      select ${id}, listing_id, -1, '[]' from request_matches
      where request_id = ${id} and listing_id not in (select id from best) and ${unchanged}
    on conflict do update set score = excluded.score where request_matches.score <> excluded.score`)
  return [
    // The last statement counts anew, so the triggers need not count each match.
    sqlStatement(sql`update requests set match_count = null where ${isMarked} and match_count is not null`),
    // `changes()` is the number of rows that the previous statement wrote.
    ...(request.is_deleted ? [] : [stored, recordMatchChanges(sql`select ${id} where changes() > 0`)]),
    sqlStatement(sql`delete from request_matches where request_id = ${id}
      and ${request.is_deleted ? unchanged : sql`score < 0`}`),
    sqlStatement(sql`update requests set matched_version = version,
      match_count = (select count(*) from request_matches where request_id = ${id}) where ${isMarked}`),
  ]
}

/**
 * The statement that marks the requests with points of interest that move. It must run before the points are stored.
 */
export function markRequestsNear(points: PointOfInterest[]): Statement {
  return sqlStatement(sql`update requests set version = version + 1 where is_deleted = 0 and exists (
    select 1 from json_each(requests.criteria, '$.special_locations') wanted
    join json_each(${JSON.stringify(points)}) moved on moved.value ->> 'id' = wanted.value
    left join special_locations stored on stored.id = wanted.value
    where stored.latitude is not moved.value ->> 'latitude' or stored.longitude is not moved.value ->> 'longitude')`)
}

/** The statement for the ids of those listings that are still to be matched. */
export const selectUnmatched = (ids: number[]): Statement<{ id: number }> =>
  selectMarked({ ids: JSON.stringify(ids) })

const selectMarked = prepared(() =>
  sqlStatement<{ id: number }>(
    sql`select id from listings where ${isOneOf(sql`id`, sql.placeholder('ids'))} and ${UNMATCHED}`,
  ),
)

/**
 * The statement for the stored matches of the listings with `ids`.
 * @param ids a select of them
 */
export function selectStoredMatches(ids: SQL): Statement<StoredMatch> {
  return sqlStatement(sql`
    select m.request_id, r.version as request_version, r.match_count, m.listing_id, m.score
    from request_matches m join requests r on r.id = m.request_id
    where m.listing_id in (${ids})`)
}

/**
 * The changes to store: those of `pairs` that are new or have another score, and stored matches that no longer match,
 * with the score null.
 */
export function changedPairs(pairs: Pair[], stored: StoredMatch[], listings: ReadVersion[]): Pair[] {
  const key = (request: number, listing: number) => `${request} ${listing}`
  const before = new Map(stored.map((row) => [key(row.request_id, row.listing_id), row]))
  const versions = new Map(listings.map(({ id, version }) => [id, version]))
  const changed = pairs.filter(({ request, listing, score }) => {
    const row = before.get(key(request.id, listing.id))
    before.delete(key(request.id, listing.id))
    return row?.score !== score
  })
  const unmatched = [...before.values()].map(
    ({ request_id, request_version, match_count, listing_id }): Pair => ({
      request: { id: request_id, version: request_version, match_count },
      listing: { id: listing_id, version: versions.get(listing_id) ?? 0 },
      score: null,
    }),
  )
  return [...changed, ...unmatched]
}

/**
 * Statements that store the changed pairs of `listings`. A pair whose request has changed since it was read is skipped,
 * because that request is marked and finds the pair itself. A request that loses a match from a full set is marked, as
 * another listing may take the place.
 */
export function storeChanges(listings: ReadVersion[], changes: Pair[]): Statement[] {
  const matching = changes.filter(({ score }) => score !== null)
  const unmatched = changes.filter(({ score }) => score === null)
  const uncounted = changes.filter(({ request }) => request.match_count === null)
  return [
    ...partsOf(uncounted).map(countUncounted),
    ...partsOf(changes).map(markDisplacedRequests),
    ...partsOf(unmatched).flatMap((part) => [recordDisplaced(part), removeStatement(part)]),
    ...partsOf(matching).flatMap((part) => [recordFinders(part), insertStatement(part)]),
    ...partsOf(matching).map((part) => trimStatement(part, listings.length)),
    sqlStatement(sql`update listings set matched_version = version
      where ${UNMATCHED} and (id, version) in (select value ->> 0, value ->> 1
        from json_each(${JSON.stringify(listings.map(({ id, version }) => [id, version]))}))`),
  ]
}

/** SQL for the parts of a pair in a JSON parameter. */
const REQUEST_ID = sql.raw('pair.value ->> 0')
const LISTING_ID = sql.raw('pair.value ->> 2')
const SCORE = sql.raw('pair.value ->> 4')
const UNCHANGED = sql.raw(`exists (select 1 from requests
    where id = pair.value ->> 0 and version = pair.value ->> 1)
  and exists (select 1 from listings where id = pair.value ->> 2 and version = pair.value ->> 3)`)

/** Pairs as JSON, in parts that each fit into a parameter. */
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

/** Marks the requests with a full set that lose one of the pairs, or in which it falls to the end. */
function markDisplacedRequests(pairs: string): Statement {
  return sqlStatement(sql`update requests set matched_version = 0 where is_deleted = 0 and matched_version <> 0 and id in (
    select ${REQUEST_ID} from json_each(${pairs}) pair
    cross join request_matches m on m.request_id = ${REQUEST_ID} and m.listing_id = ${LISTING_ID}
    cross join request_matches worst on worst.rowid = ${worstOf(REQUEST_ID)}
    where ${UNCHANGED} and (${SCORE} is null or (${SCORE}, ${LISTING_ID}) < (worst.score, worst.listing_id)))`)
}

const IS_STORED = sql`exists (select 1 from request_matches
    where request_id = ${REQUEST_ID} and listing_id = ${LISTING_ID})`

/** Whether a pair is stored: a new one only if it ranks among the best, an existing one always. */
const IS_AMONG_BEST = sql`(${IS_STORED}
    or not exists (select 1 from request_matches worst where worst.rowid = ${worstOf(REQUEST_ID)}
      and (${SCORE}, ${LISTING_ID}) < (worst.score, worst.listing_id)))`

/** Records a change for the requests that lose a match. It must run before the matches are removed. */
function recordDisplaced(pairs: string): Statement {
  return recordMatchChanges(
    sql`select ${REQUEST_ID} from json_each(${pairs}) pair where ${UNCHANGED} and ${IS_STORED}`,
  )
}

/**
 * Records a change for the requests that get a match, or another score for one. It must run before the matches are
 * stored.
 */
function recordFinders(pairs: string): Statement {
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

/**
 * Removes the matches that rank after the best `MAX_MATCHES` of each request.
 * @param most the most that a request can have beyond: one for each listing of the transaction
 */
function trimStatement(pairs: string, most: number): Statement {
  const last = sql`select json_group_array(rowid) from (select rowid from request_matches
    where request_id = requests.id order by score, listing_id limit ${most})`
  return sqlStatement(sql`delete from request_matches where rowid in (
    select last.value from json_each(${pairs}) pair
    cross join requests on requests.id = ${REQUEST_ID} and match_count > ${MAX_MATCHES}
    cross join json_each((${last})) last where last.key < match_count - ${MAX_MATCHES})`)
}

/** SQL for the rowid of the last match in a full set; null if the set is not full. */
function worstOf(requestId: SQL): SQL {
  // As a condition of the select, it would be asked of each match of a set that is not full.
  return sql`(case when (select match_count from requests where id = ${requestId}) >= ${MAX_MATCHES} then
    (select rowid from request_matches where request_id = ${requestId} order by score, listing_id limit 1) end)`
}

/** Counts the matches of requests that were matched before they were counted. Triggers do so from then on. */
function countUncounted(pairs: string): Statement {
  return sqlStatement(sql`update requests
    set match_count = (select count(*) from request_matches where request_id = requests.id)
    where match_count is null and id in (select ${REQUEST_ID} from json_each(${pairs}) pair)`)
}

const countTrigger = (event: string, row: 'new' | 'old', sign: '+' | '-') =>
  `CREATE TRIGGER match_count_${event} AFTER ${event.toUpperCase()} ON request_matches
BEGIN
  UPDATE requests SET match_count = match_count ${sign} 1 WHERE id = ${row}.request_id AND match_count IS NOT NULL;
END;`

/**
 * The SQL of the triggers that count the matches of each request, whichever version of the service writes them: to find the
 * last of a full set would read all of it.
 */
export const MATCH_COUNT_TRIGGERS: readonly string[] = [
  countTrigger('insert', 'new', '+'),
  countTrigger('delete', 'old', '-'),
]
