/** An external listing as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import { owner, property } from '../../catalogue/external-listing.ts'
import { boundedOutputs } from '../../fields/kinds.ts'
import { dateTime } from '../../fields/values.ts'
import type { ExternalListingRow } from './queries.ts'

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
    ...boundedOutputs(property),
    ...text_,
    location: z
      .object(place)
      .meta({ id: 'ExternalListingLocation', description: 'Where an external listing is' }),
    ...boundedOutputs(owner),
    ...trailing,
  })
  .meta({ id: 'ExternalListing', description: 'A listing of others that the agency keeps an eye on' })

/** An external listing in a list: its place at the top level, no e-mail and no phones. */
export const listedExternalListing = z
  .object({
    ...leading,
    system_id: z.null().describe('Always null'),
    ...boundedOutputs(property),
    ...text_,
    ...place,
    contact_full_name: owner.contact_full_name.stored,
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
