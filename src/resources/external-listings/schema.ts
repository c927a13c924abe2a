/** Bodies and filters of the external-listing endpoints. */
import { z } from 'zod'
import { AVAILABILITIES, CATEGORIES } from '../../catalogue/enums.ts'
import { keeper, owner, place, property, texts } from '../../catalogue/external-listing.ts'
import { inputs } from '../../fields/derive.ts'
import { ids, LONG_URL, list } from '../../fields/values.ts'
import { dateTimeRange, idFilter, intRange, listFilters, oneOfFilter } from '../../http/request/filters.ts'

/** Photos of one body: each is a download of its own. */
export const MAX_PHOTOS = 100

const coordinates = inputs(place)

export const externalListingInput = z
  .object({
    ...inputs(keeper),
    ...inputs(property),
    ...inputs(texts),
    location: z
      .object(inputs(place))
      .meta({
        id: 'ExternalListingLocationInput',
        description:
          'Where an external listing is. Of the areas any may be left out; those given must lie within each other',
      })
      .nullish(),
    latitude: coordinates.latitude.describe('Degrees; `location.latitude` wins'),
    longitude: coordinates.longitude.describe('Degrees; `location.longitude` wins'),
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
    availability: oneOfFilter(AVAILABILITIES).describe('What is offered'),
    category: oneOfFilter(CATEGORIES).describe('Kind of property'),
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
