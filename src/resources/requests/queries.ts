/** Reads requests: whole records. */
import { getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import { isNotDeleted } from '../../db/references.ts'
import { jsonList, linkedIds } from '../../db/relations.ts'
import { prepared, type Statement, select, textStatement } from '../../db/statements.ts'
import {
  request_contacts,
  request_locations,
  request_tag_links,
  request_users,
  requests,
} from '../../db/tables/requests.ts'
import { type MatchingRequest, REQUEST_PLACES } from '../matching/request.ts'

const LINK = 'request_id = requests.id'

/** A place with the places that contain it; null below the level of the place. */
export interface AreaChain {
  area_level1: number
  area_level2: number | null
  area_level3: number | null
}

/** A stored request as replies show it, lists in their order. */
export interface PresentedRequest extends InferSelectModel<typeof requests> {
  contacts: number[]
  users: number[]
  tags: number[]
  areas: AreaChain[]
}

/** A stored request with everything that belongs to it. */
export interface RequestRow extends PresentedRequest, Pick<MatchingRequest, 'locations' | 'points'> {}

const AREA_CHAIN = `json((
  select json_object(
    'area_level1', coalesce(above2.id, above1.id, place.id),
    'area_level2', case place.level when 2 then place.id when 3 then above1.id end,
    'area_level3', case place.level when 3 then place.id end)
  from locations place
  left join locations above1 on above1.id = place.parent_id
  left join locations above2 on above2.id = above1.parent_id
  where place.id = location_id))`

/** The lists of ids of a request. */
export const LINKS = {
  contacts: request_contacts,
  users: request_users,
  tags: request_tag_links,
  locations: request_locations,
}

const relations = {
  contacts: linkedIds(requests, LINKS.contacts),
  users: linkedIds(requests, LINKS.users),
  tags: linkedIds(requests, LINKS.tags),
  areas: jsonList<AreaChain>('request_locations', AREA_CHAIN, LINK),
}

/** The statement for the places with `ids` and those that contain them, as JSON, in the order of `ids`. */
export function selectAreas(ids: readonly number[]): Statement<{ area: string }> {
  return textStatement(
    `select ${AREA_CHAIN} as area from (select key, value as location_id from json_each(?)) order by key`,
    [JSON.stringify(ids)],
  )
}

/** The statement that reads whole requests, including deleted ones. `rest` is the SQL after the table. */
export function selectRequests(rest: SQL): Statement<RequestRow> {
  return select(
    { ...getTableColumns(requests), ...REQUEST_PLACES, ...relations },
    sql`from ${requests} ${rest}`,
  )
}

/** Reads the request `id` unless it is deleted. */
export const selectUndeletedRequest = prepared(() =>
  selectRequests(sql`where ${requests.id} = ${sql.placeholder('id')} and ${isNotDeleted}`),
)
