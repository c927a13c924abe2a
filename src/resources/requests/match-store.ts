/**
 * Stored matches: what of them changes, and writing it. Pairs found from records that changed meanwhile are not
 * written: whoever changed a record finds its matches anew.
 */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database, type Statement } from '../../db/client.ts'
import { MAX_MATCHES } from './candidates.ts'
import type { Match } from './matching.ts'

/** A request and a listing as they were read, and their match; null: they are none (any more). */
export interface Pair {
  request: { id: number; version: number }
  listing: { id: number; version: number }
  match: Match | null
}

/** A stored match, with the versions that its records have now. */
export interface StoredMatch {
  request_id: number
  request_version: number
  listing_id: number
  listing_version: number
  score: number
  deviations: string
}

/** Characters of JSON in one parameter; D1 takes 2 MB. */
const MAX_PARAMETER = 500_000

/** The statement for the matches `m` that meet a condition. */
export function selectStored(db: Database, where: SQL) {
  return db.all<StoredMatch>(sql`
    select m.request_id, r.version as request_version, m.listing_id, l.version as listing_version,
      m.score, m.deviations
    from request_matches m join requests r on r.id = m.request_id join listings l on l.id = m.listing_id
    where ${where}`)
}

/** Those of `pairs` that are not `stored` as they are, and the stored ones that are none any more. */
export function changesIn(pairs: Pair[], stored: StoredMatch[]): Pair[] {
  const key = (request: number, listing: number) => `${request} ${listing}`
  const before = new Map(stored.map((row) => [key(row.request_id, row.listing_id), row]))
  const changed = pairs.filter(({ request, listing, match }) => {
    if (!match) return false
    const row = before.get(key(request.id, listing.id))
    before.delete(key(request.id, listing.id))
    return row?.score !== match.score || row.deviations !== JSON.stringify(match.deviations)
  })
  const gone = [...before.values()].map((row) => ({
    request: { id: row.request_id, version: row.request_version },
    listing: { id: row.listing_id, version: row.listing_version },
    match: null,
  }))
  return [...changed, ...gone]
}

/**
 * Writes pairs whose records are still as they were read; false when some are not. Of each request no more than the
 * best `MAX_MATCHES` remain.
 */
export async function storePairs(db: Database, pairs: Pair[]): Promise<boolean> {
  if (pairs.length === 0) return true
  const found = pairs.filter(({ match }) => match)
  const gone = pairs.filter(({ match }) => !match)
  const checks = inParameters(pairs).map((part) => countStale(db, part))
  const results = await batch(db, [
    ...checks,
    ...inParameters(gone).map((part) => removeStatement(db, part)),
    ...inParameters(found).map((part) => insertStatement(db, part)),
    ...(found.length > 0 ? [trimStatement(db, [...new Set(found.map(({ request }) => request.id))])] : []),
  ])
  const stale = results.slice(0, checks.length).flat() as { stale: number }[]
  return stale.every((count) => count.stale === 0)
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
  for (const { request, listing, match } of pairs) {
    const deviations = match && JSON.stringify(match.deviations)
    const json = JSON.stringify([
      request.id,
      request.version,
      listing.id,
      listing.version,
      match?.score,
      deviations,
    ])
    length += json.length
    if (length > MAX_PARAMETER) {
      parts.push([])
      length = json.length
    }
    parts.at(-1)?.push(json)
  }
  return parts.map((part) => `[${part.join(',')}]`)
}

function countStale(db: Database, pairs: string) {
  return db.all<{ stale: number }>(
    sql`select count(*) as stale from json_each(${pairs}) pair where not (${UNCHANGED})`,
  )
}

function removeStatement(db: Database, pairs: string): Statement {
  return db.run(sql`delete from request_matches where (request_id, listing_id) in (
    select ${REQUEST_ID}, ${LISTING_ID} from json_each(${pairs}) pair where ${UNCHANGED})`)
}

/** A match that ranks below the best is not even inserted; one that is there already is always brought up to date. */
function insertStatement(db: Database, pairs: string): Statement {
  return db.run(sql`insert into request_matches (request_id, listing_id, score, deviations)
    select ${REQUEST_ID}, ${LISTING_ID}, ${SCORE}, pair.value ->> 5 from json_each(${pairs}) pair
    where ${UNCHANGED} and (
      exists (select 1 from request_matches where request_id = ${REQUEST_ID} and listing_id = ${LISTING_ID})
      or not exists (select 1 from request_matches worst where worst.rowid = ${worstOf(REQUEST_ID)}
        and (${SCORE}, ${LISTING_ID}) < (worst.score, worst.listing_id)))
    on conflict do update set score = excluded.score, deviations = excluded.deviations`)
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
