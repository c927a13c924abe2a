/** Bodies and filters of the external-listing endpoints. */
import { z } from 'zod'
import { AVAILABILITIES, CATEGORIES } from '../../catalogue/enums.ts'
import { owner, place, property, texts, watchers } from '../../catalogue/external-listing.ts'
import { inputs } from '../../fields/derive.ts'
import { ids, LONG_URL, list } from '../../fields/values.ts'
import {
  dateTimeRange,
  fieldsFilter,
  idFilter,
  idsFilter,
  intRange,
  listFilters,
  oneOfFilter,
} from '../../http/request/filters.ts'
import { listingFilters } from '../listings/schema.ts'
import { searchFilters } from '../listings/search/filters.ts'

/** Maximum photos of one body, as each is a separate download. */
export const MAX_PHOTOS = 100

const coordinates = inputs(place)

export const externalListingInput = z
  .object({
    ...inputs(watchers),
    ...inputs(property),
    ...inputs(texts),
    location: z
      .object(inputs(place))
      .meta({
        id: 'ExternalListingLocationInput',
        description:
          'The location of an external listing. Any area may be omitted; those sent must lie within each other',
      })
      .nullish(),
    latitude: coordinates.latitude.describe('Degrees; `location.latitude` takes precedence'),
    longitude: coordinates.longitude.describe('Degrees; `location.longitude` takes precedence'),
    ...inputs(owner),
    tags: ids().nullish().describe('Ids from the tags lookup'),
    users: ids().nullish().describe('Agents who follow it'),
    photos: list(z.string(), { max: MAX_PHOTOS })
      .nullish()
      .describe(
        `URLs of JPEG, PNG or WebP pictures of at most ${LONG_URL} characters, downloaded and stored in this order`,
      ),
  })
  .meta({ id: 'ExternalListingInput', description: 'The body that creates an external listing' })

export type ExternalListingInput = z.output<typeof externalListingInput>

export const externalListingUpdate = externalListingInput
  .partial()
  .extend({
    created_by: z
      .unknown()
      .optional()
      .transform(() => undefined)
      .describe('Ignored: the creator never changes'),
    photos: externalListingInput.shape.photos.describe(
      'Replaces the pictures: URLs of JPEG, PNG or WebP pictures, downloaded and stored in this order. The URL of a ' +
        'picture that the record has keeps that picture',
    ),
  })
  .meta({
    id: 'ExternalListingUpdate',
    description: 'Changes of an external listing: only the keys that are sent',
  })

export type ExternalListingChanges = z.output<typeof externalListingUpdate>

export const externalListingFilters = z
  .object({
    availability: oneOfFilter(AVAILABILITIES).describe('How it is offered'),
    category: oneOfFilter(CATEGORIES).describe('Kind of property'),
    status: idFilter().describe('Id from the statuses lookup'),
    store_id: idFilter().describe('Store'),
    source_id: idFilter().describe('Id from the sources lookup'),
    area_level1: idFilter().describe('Region'),
    area_level2: idFilter().describe('Municipality or district'),
    price: intRange().describe('Asking price; listings without one do not match'),
    size: intRange().describe('Square metres; listings without a size do not match'),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe('When it last changed'),
    subcategory: listingFilters.shape.subcategory,
    price_per_sqm: searchFilters.price_per_sqm,
    floor: searchFilters.floor,
    rooms: searchFilters.rooms,
    bathrooms: searchFilters.bathrooms,
    year_built: searchFilters.year_built,
    ids: searchFilters.ids.describe('One id of an external listing or several'),
    tags: idsFilter().describe('One id or several from the tags lookup'),
    users: idsFilter().describe('Agents who follow it: one id or several'),
    areas: searchFilters.areas,
    area_level3: searchFilters.area_level3,
    has_photos: searchFilters.has_photos,
    bounds: searchFilters.bounds,
    near: searchFilters.near,
    ...listFilters('date_created', 'date_updated'),
    fields: fieldsFilter().describe('`all` shows each record as a single read does'),
  })
  .meta({
    id: 'ExternalListingFilters',
    description: 'Filters of external listings; an external listing must meet all of them',
  })
