/**
 * Finds in the database what matching has to read. A broad request may fit tens of thousands of listings, far more than
 * a Worker should read. So SQL counts how many criteria each listing meets, and returns only the best. The tests in SQL
 * are the same as those of `meetsCriterion`.
 */
import { and, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Database, runStatement } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import type { Statement } from '../../db/statements.ts'
import { LIST_COLUMNS, VALUE_COLUMNS } from './listing-view.ts'
import { type MatchingRequest, selectMatchingRequests } from './request.ts'
import { METRES_PER_LATITUDE, NEAR_METRES, type RequestedCriterion, requestedCriteria } from './score.ts'

/** Maximum number of matches stored for one request: the best ones. */
export const MAX_MATCHES = 500
/** Ids of listings, or the placeholder for them in a prepared statement. */
type Ids = readonly number[] | Placeholder

/** Number of requests read at once when the requests for a listing are searched. */
const REQUEST_PAGE = 1000

/**
 * SQL for `id` and `score` of the listings that meet `request` best, at most `MAX_MATCHES`. `limit -1` keeps SQLite
 * from computing each count twice, for the condition and for the order.
 */
export function selectBestListings(request: MatchingRequest): SQL {
  const { category, availability, locations } = request
  const criteria = requestedCriteria(request)
  const places = sql`(${valuesOf(locations)})`
  return sql`select id, ${scoreSql(criteria.length)} as score from (
    select l.id as id, ${metCriteria(criteria)} as met from listings l
    where l.category = ${category} and l.status = 'active' and l.availability = ${availability}
      and (l.area_level1 in ${places} or l.area_level2 in ${places} or l.area_level3 in ${places})
    limit -1)
    order by met desc, id desc limit ${MAX_MATCHES}`
}

/** SQL for the number of `criteria` that the listing `l` meets. A test compares it with `compareCriteria`. */
export function metCriteria(criteria: RequestedCriterion[]): SQL {
  const met = criteria.map((criterion) => sql`ifnull((${conditionOf(criterion)}), 0)`)
  return met.length === 0 ? sql`0` : sql.join(met, sql` + `)
}

/**
 * SQL for the score when `met` of so many criteria are met, as `scoreOf` in score.ts. Division of integers drops the
 * remainder.
 */
function scoreSql(criteria: number): SQL {
  return criteria === 0 ? sql`100` : sql.raw(`(200 * met + ${criteria}) / ${2 * criteria}`)
}

/**
 * The places of the active listings with `ids`, each with the category and availability offered there.
 * @param state a further condition on the listings
 */
const placesOf = (ids: Ids, state = sql`true`) => sql`(
  select distinct place.value as location_id, category, availability
  from listings, json_each(json_array(area_level1, area_level2, area_level3)) place
  where ${isOneOf(sql`listings.id`, ids)} and status = 'active' and ${state} and place.value is not null) place`

/** The requests for such a listing at `place`, without deleted ones. */
const REQUESTS_AT_PLACE = sql.raw(`request_locations named
  cross join requests r on r.id = named.request_id
    and r.is_deleted = 0 and r.category = place.category and r.availability = place.availability
  where named.location_id = place.location_id`)

/**
 * The condition that a request fits one of the active listings in category, availability and place. Deleted requests do
 * not count.
 * @param which a further condition on the request `r`
 */
export function hasInterestedRequests(ids: Ids, which = sql`true`): SQL {
  return sql`exists (select 1 from ${placesOf(ids)} where exists (select 1 from ${REQUESTS_AT_PLACE} and ${which}))`
}

/**
 * The first of those requests after the id `after`. An index has the requests of each place in order. Merging the first
 * of each place reads at most places × limit requests that fit, plus others that name the same places.
 */
function requestsFor(ids: Ids, after: number, limit: number, state?: SQL): SQL {
  const first = sql`select json_group_array(request_id) from (
    select distinct named.request_id from ${REQUESTS_AT_PLACE} and named.request_id > ${after}
    order by named.request_id limit ${limit})`
  return sql`select distinct found.value from ${placesOf(ids, state)}, json_each((${first})) found
    order by found.value limit ${limit}`
}

/**
 * The statement for the first `REQUEST_PAGE` requests after the id `after` that fit one of the active listings with
 * `ids`.
 * @param state a further condition on the listings
 */
export function selectRequestPage(ids: Ids, after = 0, state?: SQL): Statement<MatchingRequest> {
  return selectMatchingRequests(
    sql`where requests.id in (${requestsFor(ids, after, REQUEST_PAGE, state)}) order by requests.id`,
  )
}

/** All requests that fit the listings with `ids`, page by page. Each page after `first` is one round trip. */
export async function* requestPages(
  db: Database,
  ids: number[],
  first: MatchingRequest[],
): AsyncGenerator<MatchingRequest[]> {
  for (let page = first; page.length > 0; ) {
    yield page
    page = page.length < REQUEST_PAGE ? [] : await runStatement(db, selectRequestPage(ids, page.at(-1)?.id))
  }
}

/** SQL for whether the listing `l` meets one criterion, as `meetsCriterion` in score.ts. Null counts as no. */
function conditionOf(criteria: RequestedCriterion): SQL | undefined {
  switch (criteria.test) {
    case 'range': {
      const value = sql.raw(VALUE_COLUMNS[criteria.criterion])
      return and(
        criteria.min === null ? undefined : sql`${value} >= ${criteria.min}`,
        criteria.max === null ? undefined : sql`${value} <= ${criteria.max}`,
      )
    }
    case 'one of':
      return sql`${sql.raw(VALUE_COLUMNS[criteria.criterion])} in (${valuesOf(criteria.values)})`
    case 'any of':
      return sql`exists (select 1 from (${sql.raw(LIST_COLUMNS[criteria.criterion])}) where value in (${valuesOf(criteria.values)}))`
    case 'all of':
      return sql`not exists (${valuesOf(criteria.values)} where value not in (${sql.raw(LIST_COLUMNS[criteria.criterion])}))`
    case 'elevator':
      return sql`'elevator' in (${sql.raw(LIST_COLUMNS.features)}) or ifnull(l.floor < ${criteria.from}, 0)`
    case 'furnished':
      return sql`('furnished' in (${sql.raw(LIST_COLUMNS.features)})) = ${criteria.furnished ? 1 : 0}`
    case 'near':
      return sql`not (l.latitude = 0 and l.longitude = 0) and exists (
        select 1 from json_each(${JSON.stringify(criteria.points)}) where
          pow((l.latitude - (value ->> 'latitude')) * ${METRES_PER_LATITUDE}, 2)
          + pow((l.longitude - (value ->> 'longitude')) * (value ->> 'metresPerLongitude'), 2) <= ${NEAR_METRES ** 2})`
  }
}
