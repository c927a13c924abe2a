/** Bodies of the external-listing endpoints, and the only place where an external listing's JSON is made. */
import { z } from 'zod'
import { ALL_SUBCATEGORIES, AVAILABILITIES, CATEGORIES } from '../../catalogue/enums.ts'
import { choice, count, inputs, measure, number, outputs, reference, text } from '../../fields/kinds.ts'
import { dateTime, id, ids, LONG_TEXT, optionalText, text as textValue } from '../../fields/values.ts'
import { dateTimeRange, idFilter, intRange, listFilters, oneOf } from '../../http/filters.ts'
import type { ExternalListingRow } from './queries.ts'

/** Photos of one body: each is a download of its own. */
const MAX_PHOTOS = 100
/** Longest key or URL of a photo, in characters. */
const MAX_URL = 2000

const property = {
  source_id: reference({ doc: 'Id from the sources lookup' }),
  status: reference({ doc: 'Id from the statuses lookup' }),
  external_url: text({ doc: 'Where the listing was found' }),
  availability: choice(AVAILABILITIES, { doc: 'What is offered' }),
  category: choice(CATEGORIES, { doc: 'Kind of property' }),
  subcategory: choice(ALL_SUBCATEGORIES, { doc: 'One of the category’s' }),
  price: count({ doc: 'Asking price' }),
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
  created_by: id().describe('User who creates it'),
  store_id: id().describe('Office'),
  ...inputs(property),
  description: optionalText(LONG_TEXT).nullish(),
  location: z
    .object({
      address: optionalText().nullish(),
      area_level1: id().nullish().describe('Region'),
      area_level2: id().nullish().describe('Municipality or district'),
      area_level3: id().nullish().describe('Neighbourhood'),
      latitude,
      longitude,
    })
    .nullish()
    .describe('Of the areas any may be left out; those given must lie within each other'),
  latitude: latitude.describe('Degrees; `location.latitude` wins'),
  longitude: longitude.describe('Degrees; `location.longitude` wins'),
  ...inputs(owner),
  tags: ids().nullish().describe('Ids from the tags lookup'),
  users: ids().nullish().describe('Agents who follow it'),
}

const tooMany = `must have at most ${MAX_PHOTOS} entries`

export const createExternalListing = z.object({
  ...body,
  photos: z
    .array(z.string())
    .refine((list) => list.length <= MAX_PHOTOS, tooMany)
    .nullish()
    .describe('URLs of JPEG, PNG or WebP pictures, downloaded and stored in this order'),
})

export type ExternalListingInput = z.output<typeof createExternalListing>

/** What import takes: the full object, its photos kept as they are. */
export const importedExternalListing = z.object({
  id: id(),
  ...body,
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  photos: z.array(textValue(MAX_URL).min(1)).nullish().describe('Keys or URLs'),
})

export const externalListingFilters = z.object({
  availability: oneOf(AVAILABILITIES),
  category: oneOf(CATEGORIES),
  status: idFilter().describe('Id from the statuses lookup'),
  store_id: idFilter(),
  source_id: idFilter().describe('Id from the sources lookup'),
  area_level1: idFilter(),
  area_level2: idFilter(),
  price: intRange(),
  size: intRange().describe('Square metres'),
  date_created: dateTimeRange(),
  date_updated: dateTimeRange(),
  ...listFilters,
  fields: listFilters.fields.describe('`all` gives each record the form of the single read'),
})

const place = {
  address: z.string().nullable(),
  area_level1: z.int().nullable().describe('Region'),
  area_level2: z.int().nullable().describe('Municipality or district'),
  area_level3: z.int().nullable().describe('Neighbourhood'),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
}

const trailing = {
  created_by: z.int(),
  date_created: dateTime(),
  date_updated: dateTime(),
  tags: z.array(z.int()),
  users: z.array(z.int()).describe('Agents who follow it'),
  photos: z.array(z.string()).describe('URLs'),
}

/** An external listing as it is read back alone. */
export const externalListing = z.object({
  id: z.int(),
  store_id: z.int(),
  ...outputs(property),
  description: z.string().nullable(),
  location: z.object(place),
  ...outputs(owner),
  ...trailing,
})

/** An external listing in a list: its place at the top level, no e-mail and no phones. */
export const listedExternalListing = z.object({
  id: z.int(),
  system_id: z.null().describe('Always null'),
  store_id: z.int(),
  ...outputs(property),
  description: z.string().nullable(),
  ...place,
  contact_full_name: owner.contact_full_name.output,
  ...trailing,
})

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
