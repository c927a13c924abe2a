/** A request as matching reads it: its criteria, without what only presentation needs. */
import type { InferSelectModel, SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import { SCALARS } from '../../catalogue/request.ts'
import { jsonOf, linkedIds } from '../../db/relations.ts'
import { type Statement, select } from '../../db/statements.ts'
import { request_locations, requests } from '../../db/tables/requests.ts'

export interface PointOfInterest {
  id: number
  latitude: number
  longitude: number
}

type MatchingColumn = (typeof MATCHING_COLUMNS)[number]

const MATCHING_COLUMNS = [
  ...([
    'id',
    'version',
    'match_count',
    'is_deleted',
    'category',
    'availability',
    'subcategories',
    'subtypes',
  ] as const),
  ...(Object.keys(SCALARS) as (keyof typeof SCALARS)[]),
  'criteria' as const,
]

/** A stored request, reduced to what matching needs. */
export interface MatchingRequest extends Pick<InferSelectModel<typeof requests>, MatchingColumn> {
  locations: number[]
  points: PointOfInterest[]
}

/** The places that a request names, of all levels, and the points of interest in its criteria. */
export const REQUEST_PLACES = {
  locations: linkedIds(requests, request_locations),
  points: jsonOf<PointOfInterest[]>(
    `select json_group_array(json_object('id', id, 'latitude', latitude, 'longitude', longitude))
    from special_locations
    where id in (select value from json_each(requests.criteria, '$.special_locations'))`,
  ),
}

const matchingColumns = Object.fromEntries(MATCHING_COLUMNS.map((name) => [name, requests[name]])) as Pick<
  typeof requests,
  MatchingColumn
>

/**
 * The statement that reads requests for matching, including deleted ones.
 * @param rest SQL after the table
 */
export function selectMatchingRequests(rest: SQL): Statement<MatchingRequest> {
  return select({ ...matchingColumns, ...REQUEST_PLACES }, sql`from ${requests} ${rest}`)
}
