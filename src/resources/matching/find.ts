/**
 * Finding in the database what matching has to look at. Of a broad request there may be tens of thousands of
 * listings, far more than a Worker should read: SQL counts how many criteria each meets, with the same tests as
 * `match`, and gives the best only.
 */
import { and, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Database, runStatement } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { LIST_COLUMNS, VALUE_COLUMNS } from './listing-view.ts'
import { type MatchingRequest, selectMatchingRequests } from './request.ts'
import { METRES_PER_LATITUDE, NEAR_METRES, type RequestedCriterion, requestedCriteria } from './score.ts'

/** Matches kept of one request: the best ones. */
export const MAX_MATCHES = 500
/** Ids of listings, or the place of those that a call gives. */
type Ids = readonly number[] | Placeholder

/** Requests read at once to find those that a listing meets. */
const REQUEST_PAGE = 1000

/**
 * `id` and `score` of the listings that meet `request` best, at most `MAX_MATCHES`. `limit -1` keeps SQLite from
 * working out every count twice, for the condition and for the order.
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

/**
 * The statement for how many criteria of `request` each of the listings with `ids` meets: what `bestListings`
 * ranks by, so that a test can hold it against `match` pair by pair.
 */
export function countMetCriteria(
  request: MatchingRequest,
  ids: number[],
): Statement<{ id: number; met: number }> {
  return sqlStatement(sql`select l.id, ${metCriteria(requestedCriteria(request))} as met from listings l
    where ${isOneOf(sql`l.id`, ids)} order by l.id`)
}

/** How many of `asked` the listing `l` meets. */
function metCriteria(criteria: RequestedCriterion[]): SQL {
  const met = criteria.map((criterion) => sql`ifnull((${conditionOf(criterion)}), 0)`)
  return met.length === 0 ? sql`0` : sql.join(met, sql` + `)
}

/** The score for `met` of so many criteria; matching.ts says the same. Whole numbers divide without a remainder. */
function scoreSql(criteria: number): SQL {
  return criteria === 0 ? sql`100` : sql.raw(`(200 * met + ${criteria}) / ${2 * criteria}`)
}

/** The places of the active listings with `ids`, each with the kind of listing that is there. */
const placesOf = (ids: Ids) => sql`(
  select distinct place.value as location_id, category, availability
  from listings, json_each(json_array(area_level1, area_level2, area_level3)) place
  where ${isOneOf(sql`listings.id`, ids)} and status = 'active' and place.value is not null) place`

/** The requests, not deleted, that look for such a listing at `place`. */
const REQUESTS_AT_PLACE = sql.raw(`request_locations named
  cross join requests r on r.id = named.request_id
    and r.is_deleted = 0 and r.category = place.category and r.availability = place.availability
  where named.location_id = place.location_id`)

/** Whether there is any request, not deleted, whose category, availability and place one of the active listings fits. */
export function hasInterestedRequests(ids: Ids): SQL {
  return sql`exists (select 1 from ${placesOf(ids)} where exists (select 1 from ${REQUESTS_AT_PLACE}))`
}

/**
 * The first of those requests above the id `after`. An index has the requests of each place in order, so merging the first
 * of each place reads at most (places × limit) that fit, and of the others those that name the same places.
 */
function requestsFor(ids: Ids, after: number, limit: number): SQL {
  const first = sql`select json_group_array(request_id) from (
    select distinct named.request_id from ${REQUESTS_AT_PLACE} and named.request_id > ${after}
    order by named.request_id limit ${limit})`
  return sql`select distinct found.value from ${placesOf(ids)}, json_each((${first})) found
    order by found.value limit ${limit}`
}

/** The statement for the first of them above the id `after`, at most `REQUEST_PAGE`. */
export function selectRequestPage(ids: Ids, after = 0): Statement<MatchingRequest> {
  return selectMatchingRequests(
    sql`where requests.id in (${requestsFor(ids, after, REQUEST_PAGE)}) order by requests.id`,
  )
}

/** All of them, page by page; one round trip for each after the `first`. */
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

/** Whether the listing `l` meets one criterion; `meets` in matching.ts says the same. Null counts as no. */
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
