/** Bodies and filters of the external-listing endpoints. */
import { z } from 'zod'
import { AVAILABILITIES, CATEGORIES } from '../../catalogue/enums.ts'
import { owner, property } from '../../catalogue/external-listing.ts'
import { inputs } from '../../fields/kinds.ts'
import { id, ids, LONG_TEXT, LONG_URL, list, optionalText } from '../../fields/values.ts'
import { dateTimeRange, idFilter, intRange, listFilters, oneOf } from '../../http/filters.ts'

/** Photos of one body: each is a download of its own. */
export const MAX_PHOTOS = 100

const latitude = z.number().min(-90).max(90).nullish().describe('Degrees')
const longitude = z.number().min(-180).max(180).nullish().describe('Degrees')

export const externalListingInput = z
  .object({
    created_by: id().describe('User who creates it: id from `/api/users`'),
    store_id: id().describe('Office that keeps an eye on it: id from `/api/stores`'),
    ...inputs(property),
    description: optionalText(LONG_TEXT).nullish().describe('Its text'),
    location: z
      .object({
        address: optionalText().nullish().describe('Street address'),
        area_level1: id().nullish().describe('Region: id of a location of level 1'),
        area_level2: id().nullish().describe('Municipality or district: id of a location of level 2'),
        area_level3: id().nullish().describe('Neighbourhood: id of a location of level 3'),
        latitude,
        longitude,
      })
      .meta({
        id: 'ExternalListingLocationInput',
        description:
          'Where an external listing is. Of the areas any may be left out; those given must lie within each other',
      })
      .nullish(),
    latitude: latitude.describe('Degrees; `location.latitude` wins'),
    longitude: longitude.describe('Degrees; `location.longitude` wins'),
    ...inputs(owner),
    tags: ids().nullish().describe('Ids from the tags lookup'),
    users: ids().nullish().describe('Agents who follow it'),
    photos: list(z.string(), { max: MAX_PHOTOS })
      .nullish()
      .describe(
        `URLs of JPEG, PNG or WebP pictures of at most ${LONG_URL} characters, downloaded and stored in this order`,
      ),
  })
  .meta({ id: 'ExternalListingInput', description: 'An external listing as it is created' })

export type ExternalListingInput = z.output<typeof externalListingInput>

export const externalListingFilters = z
  .object({
    availability: oneOf(AVAILABILITIES).describe('What is offered'),
    category: oneOf(CATEGORIES).describe('Kind of property'),
    status: idFilter().describe('Id from the statuses lookup'),
    store_id: idFilter().describe('Office'),
    source_id: idFilter().describe('Id from the sources lookup'),
    area_level1: idFilter().describe('Region'),
    area_level2: idFilter().describe('Municipality or district'),
    price: intRange().describe('Asking price; those without one do not match'),
    size: intRange().describe('Square metres; those without a size do not match'),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe('When it last changed'),
    ...listFilters,
    fields: listFilters.fields.describe('`all` gives each record the form of the single read'),
  })
  .meta({
    id: 'ExternalListingFilters',
    description: 'Filters of external listings; an external listing must meet all of them',
  })
