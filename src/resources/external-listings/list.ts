/** The list of external listings: its filters, and its pages. Deleted ones are not listed. */
import { and, ne, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { AVAILABILITIES, CATEGORIES } from '../../catalogue/property-enums.ts'
import { AREAS } from '../../db/areas.ts'
import { isLinkedTo, isOneOf, within } from '../../db/conditions.ts'
import { isNotDeleted } from '../../db/references.ts'
import {
  external_listing_tag_links,
  external_listing_users,
  external_listings as table,
} from '../../db/tables/external-listings.ts'
import { idsFilter, intRange, usersFilter } from '../../http/request/filters.ts'
import { listingFilters } from '../listings/schema.ts'
import { searchFilters } from '../listings/search/filters.ts'
import { type Bounds, boundsAround, type Circle, EARTH_RADIUS, spansOf } from '../listings/search/geometry.ts'
import { dateTimes, type Filter, filter, filteredList, id, oneOf } from '../plain/filters.ts'
import { selectExternalListings } from './queries.ts'

/** Whether the point is within a rectangle. */
function isInside(bounds: Bounds): SQL {
  const spans = spansOf(bounds).map(([west, east]) => sql`longitude between ${west} and ${east}`)
  return sql`latitude between ${bounds.south} and ${bounds.north} and (${sql.join(spans, sql` or `)})`
}

/** Whether the point is within a circle. */
function isNear(circle: Circle): SQL {
  const { south, north } = boundsAround(circle)
  return sql`latitude between ${south} and ${north} and ${distanceTo(circle)} <= ${circle.radius}`
}

/** The distance of the point, in metres (haversine formula). */
function distanceTo({ latitude, longitude }: Circle): SQL {
  return sql`2 * ${EARTH_RADIUS} * asin(min(1, sqrt(
    pow(sin(radians(latitude - ${latitude}) / 2), 2) + cos(radians(latitude)) * cos(radians(${latitude}))
    * pow(sin(radians(longitude - ${longitude}) / 2), 2))))`
}

/** A filter that lists of listings have, too. */
const like = <T>(schema: z.ZodType<T | null | undefined>, where: Filter<T>['where']): Filter<T> => ({
  schema,
  where,
})

/** Filters without an index of their own: all of `external_listings_by_kind` is read for them. */
const UNINDEXED: readonly string[] = [
  ...['subcategory', 'price_per_sqm', 'floor', 'rooms', 'bathrooms', 'year_built'],
  ...['areas', 'area_level3', 'has_photos', 'bounds', 'near'],
]
/** Filters that leave few records, or that `external_listings_by_kind` does not cover. */
const SELECTIVE: readonly string[] = ['area_level2', 'date_created', 'date_updated', 'ids', 'tags', 'users']

const BY_KIND = sql`${table} indexed by external_listings_by_kind`

export const { filters: externalListingFilters, findPage } = filteredList('external-listings', table, {
  name: 'ExternalListing',
  filters: {
    availability: oneOf(table.availability, AVAILABILITIES, 'How it is offered'),
    category: oneOf(table.category, CATEGORIES, 'Kind of property'),
    status: id(table.status, 'Id from the statuses lookup'),
    store_id: id(table.store_id, 'Store'),
    source_id: id(table.source_id, 'Id from the sources lookup'),
    area_level1: id(table.area_level1, 'Region'),
    area_level2: id(table.area_level2, 'Municipality or district'),
    price: filter(intRange(), 'Asking price; listings without one do not match', (range) => {
      const isWithin = within(table.price, range)
      // 0 is written where there is no price.
      return isWithin && and(isWithin, ne(table.price, 0))
    }),
    size: filter(intRange(), 'Square metres; listings without a size do not match', (range) =>
      within(table.size, range),
    ),
    date_created: dateTimes(table.date_created, 'When it was created'),
    date_updated: dateTimes(table.date_updated, 'When it last changed'),
    subcategory: like(listingFilters.shape.subcategory, (values) => isOneOf(table.subcategory, values)),
    price_per_sqm: like(searchFilters.price_per_sqm, (range) => within(table.price_per_sqm, range)),
    floor: like(searchFilters.floor, (range) => within(table.floor, range)),
    rooms: like(searchFilters.rooms, (range) => within(table.rooms, range)),
    bathrooms: like(searchFilters.bathrooms, (range) => within(table.bathrooms, range)),
    year_built: like(searchFilters.year_built, (range) => within(table.year_built, range)),
    ids: filter(idsFilter(), 'One id of an external listing or several', (ids) => isOneOf(table.id, ids)),
    tags: filter(idsFilter(), 'One id or several from the tags lookup', (ids) =>
      isLinkedTo(external_listing_tag_links, ids),
    ),
    users: filter(usersFilter(), 'Agents who follow it: one id or several', (ids) =>
      isLinkedTo(external_listing_users, ids),
    ),
    areas: like(searchFilters.areas, (ids) => or(...AREAS.map((level) => isOneOf(table[level], ids)))),
    area_level3: like(searchFilters.area_level3, (ids) => isOneOf(table.area_level3, ids)),
    has_photos: like(
      searchFilters.has_photos,
      (value) => sql`(json_array_length(photos) > 0) = ${value ? 1 : 0}`,
    ),
    bounds: like(searchFilters.bounds, isInside),
    near: like(searchFilters.near, isNear),
  },
  sort: ['date_created', 'date_updated'],
  select: selectExternalListings,
  always: isNotDeleted,
  // SQLite would rather read the records with all their texts, newest first.
  from: (names, { by }) =>
    !by && names.some((name) => UNINDEXED.includes(name)) && !names.some((name) => SELECTIVE.includes(name))
      ? BY_KIND
      : table,
})
