/** Bodies of the external-listing endpoints, and the only place where an external listing's JSON is made. */
import { z } from 'zod'
import { ALL_SUBCATEGORIES, AVAILABILITIES, CATEGORIES } from '../../catalogue/enums.ts'
import {
  choice,
  count,
  inputs,
  longUrl,
  measure,
  number,
  outputs,
  reference,
  text,
} from '../../fields/kinds.ts'
import { dateTime, filledText, id, ids, LONG_TEXT, list, optionalText } from '../../fields/values.ts'
import { dateTimeRange, idFilter, intRange, listFilters, oneOf } from '../../http/filters.ts'
import type { ExternalListingRow } from './queries.ts'

/** Photos of one body: each is a download of its own. */
const MAX_PHOTOS = 100
/** Longest key or URL of a photo, in characters. */
const MAX_URL = 2000

export const property = {
  source_id: reference({ doc: 'Id from the sources lookup', to: 'external_listing_sources' }),
  status: reference({ doc: 'Id from the statuses lookup', to: 'external_listing_statuses' }),
  external_url: longUrl({ doc: 'Where the listing was found' }),
  availability: choice(AVAILABILITIES, { doc: 'What is offered' }),
  category: choice(CATEGORIES, { doc: 'Kind of property' }),
  subcategory: choice(ALL_SUBCATEGORIES, { doc: 'One of the category’s' }),
  price: count({ doc: 'Asking price, or rent per period, in whole units of currency' }),
  price_per_sqm: measure({ doc: 'Price per square metre; price / size when not set directly' }),
  size: count({ doc: 'Square metres' }),
  floor: number({ doc: 'Floor; 0 is the ground floor' }),
  levels: count({ doc: 'Number of levels' }),
  rooms: count({ doc: 'Number of rooms' }),
  wcs: count({ doc: 'Number of toilets without a bath' }),
  bathrooms: count({ doc: 'Number of bathrooms' }),
  kitchens: count({ doc: 'Number of kitchens' }),
  living_rooms: count({ doc: 'Number of living rooms' }),
  year_built: count({ doc: 'Year of construction' }),
}

const owner = {
  contact_full_name: text({ doc: 'Name of the owner or contact' }),
  contact_email: text({ doc: 'E-mail of the owner or contact' }),
  contact_phones: text({ doc: 'Phones of the owner or contact' }),
}

const latitude = z.number().min(-90).max(90).nullish().describe('Degrees')
const longitude = z.number().min(-180).max(180).nullish().describe('Degrees')
const body = {
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
}

export const createExternalListing = z
  .object({
    ...body,
    photos: list(z.string(), { max: MAX_PHOTOS })
      .nullish()
      .describe('URLs of JPEG, PNG or WebP pictures, downloaded and stored in this order'),
  })
  .meta({ id: 'ExternalListingInput', description: 'An external listing as it is created' })

export type ExternalListingInput = z.output<typeof createExternalListing>

/** What import takes: the full object, its photos kept as they are. */
export const importedExternalListing = z.object({
  id: id(),
  ...body,
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  photos: list(filledText(MAX_URL), { max: MAX_PHOTOS }).nullish().describe('Keys or URLs'),
})

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

const place = {
  address: z.string().nullable().describe('Street address'),
  area_level1: z.int().nullable().describe('Region'),
  area_level2: z.int().nullable().describe('Municipality or district'),
  area_level3: z.int().nullable().describe('Neighbourhood'),
  latitude: z.number().nullable().describe('Degrees'),
  longitude: z.number().nullable().describe('Degrees'),
}

const leading = {
  id: z.int().describe('Id of the external listing'),
  store_id: z.int().describe('Office that keeps an eye on it'),
}

const text_ = { description: z.string().nullable().describe('Its text') }

const trailing = {
  created_by: z.int().describe('User who created it'),
  date_created: dateTime().describe('When it was created'),
  date_updated: dateTime().describe('When it last changed'),
  tags: z.array(z.int()).describe('Ids from the tags lookup'),
  users: z.array(z.int()).describe('Agents who follow it: ids of users'),
  photos: z.array(z.string()).describe('URLs of its pictures, in their order'),
}

/** An external listing as it is read back alone. */
export const externalListing = z
  .object({
    ...leading,
    ...outputs(property),
    ...text_,
    location: z
      .object(place)
      .meta({ id: 'ExternalListingLocation', description: 'Where an external listing is' }),
    ...outputs(owner),
    ...trailing,
  })
  .meta({ id: 'ExternalListing', description: 'A listing of others that the agency keeps an eye on' })

/** An external listing in a list: its place at the top level, no e-mail and no phones. */
export const listedExternalListing = z
  .object({
    ...leading,
    system_id: z.null().describe('Always null'),
    ...outputs(property),
    ...text_,
    ...place,
    contact_full_name: owner.contact_full_name.output,
    ...trailing,
  })
  .meta({ id: 'ExternalListingSummary', description: 'An external listing in a list' })

/**
 * An external listing's JSON.
 * @param url makes a public URL of a stored key
 */
export function presentExternalListing(
  row: ExternalListingRow,
  url: (key: string) => string,
): z.output<typeof externalListing> {
  return {
    id: row.id,
    store_id: row.store_id,
    ...presentProperty(row),
    location: presentPlace(row),
    contact_full_name: row.contact_full_name,
    contact_email: row.contact_email,
    contact_phones: row.contact_phones,
    ...presentTrailing(row, url),
  }
}

/** An external listing's JSON in a list. */
export function presentListedExternalListing(
  row: ExternalListingRow,
  url: (key: string) => string,
): z.output<typeof listedExternalListing> {
  return {
    id: row.id,
    system_id: null,
    store_id: row.store_id,
    ...presentProperty(row),
    ...presentPlace(row),
    contact_full_name: row.contact_full_name,
    ...presentTrailing(row, url),
  }
}

function presentProperty(row: ExternalListingRow) {
  return {
    source_id: row.source_id,
    status: row.status,
    external_url: row.external_url,
    availability: row.availability,
    category: row.category,
    subcategory: row.subcategory,
    price: row.price,
    price_per_sqm: row.price_per_sqm,
    size: row.size,
    floor: row.floor,
    levels: row.levels,
    rooms: row.rooms,
    wcs: row.wcs,
    bathrooms: row.bathrooms,
    kitchens: row.kitchens,
    living_rooms: row.living_rooms,
    year_built: row.year_built,
    description: row.description,
  }
}

function presentPlace(row: ExternalListingRow) {
  const { address, area_level1, area_level2, area_level3, latitude, longitude } = row
  return { address, area_level1, area_level2, area_level3, latitude, longitude }
}

function presentTrailing(row: ExternalListingRow, url: (key: string) => string) {
  const { created_by, date_created, date_updated, tags, users } = row
  return { created_by, date_created, date_updated, tags, users, photos: row.photos.map(url) }
}
