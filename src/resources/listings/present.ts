/** Presents a listing: the only place where its JSON is made. */
import { z } from 'zod'
import { type FeatureGroup, outputKeys } from '../../catalogue/features.ts'
import { core, details, extra, location } from '../../catalogue/listing.ts'
import * as enums from '../../catalogue/property-enums.ts'
import { boundedOutputs, present, WITH_ALL } from '../../fields/derive.ts'
import { dateTime, named } from '../../fields/values.ts'
import { publicAddress } from './address/public-address.ts'
import { panoramaImages, photoImages, presentPanorama, presentPhoto } from './pictures/present.ts'
import type { ListingRow } from './queries.ts'

/** The schema of a place in replies. */
export const area = named('Area', 'A place that contains a listing', {
  id: z.int().describe('Id of the location'),
  name_el: z.string().describe('Name in Greek'),
  name_en: z.string().describe('Name in English'),
  full_name_el: z.string().describe('Name in Greek with the places that contain it'),
  full_name_en: z.string().describe('Name in English with the places that contain it'),
}).nullable()

const place = named('ListingLocation', 'Where a listing is, for the agency and for the public', {
  ...boundedOutputs(location),
  area_level1: area.describe('Region'),
  area_level2: area.describe('Municipality or district'),
  area_level3: area.describe('Neighbourhood'),
  display_address: z.boolean().describe('Whether the public may see the full address'),
  show_circle_on_map: z.boolean().describe('Whether public maps show a circle instead of the exact pin'),
  address_el: z.string().nullable().describe('Street address in Greek'),
  fake_address_el: z
    .string()
    .nullable()
    .describe('Public address when the exact one is hidden: the street without its number'),
  longitude: z.number().nullable().describe('Exact, in degrees; 0 with latitude 0 means unknown'),
  latitude: z.number().nullable().describe('Exact, in degrees; 0 with longitude 0 means unknown'),
  fake_longitude: z.number().nullable().describe('For public maps: the middle of the cell, up to 400 m away'),
  fake_latitude: z.number().nullable().describe('For public maps: the middle of the cell, up to 400 m away'),
  address_en: z.string().nullish().describe(`Transliteration of the address by ELOT 743. ${WITH_ALL}`),
})

/** The schema of texts in one language. */
const translation = named('Translation', 'The texts of a listing in one language', {
  language_id: z.int().describe('Id from `/api/languages`'),
  title: z.string().nullable().describe('Title in that language'),
  description: z.string().nullable().describe('Description in that language'),
})

const keysOf = (group: FeatureGroup) => z.array(z.enum(outputKeys(group)))

/** What listings show alike to the agency and to visitors. */
export const featureLists = {
  features: keysOf('features').describe('Feature keys'),
  positioning: keysOf('positioning').describe('Its position on the plot or floor'),
  view: keysOf('view').describe('View from it'),
  flooring: keysOf('flooring').describe('Floors'),
}
export const textsAndTour = {
  panorama_tour_url: z
    .string()
    .nullable()
    .describe('Link to the built-in 360° viewer; null without panoramas'),
  translations: z.array(translation).describe('Texts by language'),
}

export const listing = named(
  'Listing',
  'A property that the agency offers. Core, detail and extra fields are on one level.',
  {
    id: z.int().describe('Id of the listing'),
    store_id: z.int().describe('Store that owns it'),
    code: z.string().nullable().describe('Assigned when the listing leaves draft; never changes'),
    category: z.enum(enums.CATEGORIES).describe('Kind of property'),
    availability: z.enum(enums.AVAILABILITIES).describe('How it is offered'),
    ...boundedOutputs(core),
    status: z.enum(enums.LISTING_STATUSES).describe('Its status; a new listing is a draft'),
    status_date: dateTime().nullable().describe('Last change of status'),
    created_by: z.int().describe('User who created it'),
    date_created: dateTime().describe('When it was created'),
    date_updated: dateTime().describe('When it last changed, photos included'),
    ...boundedOutputs(details),
    ...boundedOutputs(extra),
    floor_configuration: z
      .array(z.record(z.string(), z.unknown()))
      .nullable()
      .describe('Details of several floors, as imported'),
    notes: z.string().nullable().describe('Internal notes'),
    location: place,
    ...featureLists,
    tags: z.array(z.int()).describe('Ids from the tags lookup'),
    contacts: z.array(z.int()).describe('Owners: ids of contacts'),
    users: z.array(z.int()).describe('Agents: ids of users'),
    photos: z.array(named('Photo', 'A photo of a listing', photoImages)).describe('In order'),
    panorama_photos: z
      .array(named('PanoramaPhoto', 'A 360° panorama of a listing', panoramaImages))
      .describe('In order'),
    ...textsAndTour,
  },
)

/**
 * The JSON of a listing.
 * @param url makes a public URL of a stored key
 * @param all adds the stored fields that the standard representation leaves out
 */
export function presentListing(row: ListingRow, url: (key: string) => string, all: boolean) {
  return {
    id: row.id,
    store_id: row.store_id,
    code: row.code,
    category: row.category,
    availability: row.availability,
    ...present(core, row, all),
    status: row.status,
    status_date: row.status_date,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    ...present(details, row.details, all),
    ...present(extra, row.extra, all),
    floor_configuration: row.floor_configuration,
    notes: row.notes,
    location: {
      ...present(location, row, all),
      area_level1: presentArea(row.area1),
      area_level2: presentArea(row.area2),
      area_level3: presentArea(row.area3),
      display_address: row.display_address === 'real',
      show_circle_on_map: row.display_address === 'fake',
      address_el: row.address_el,
      fake_address_el: publicAddress(row.fake_address_el, row.address_el),
      longitude: row.longitude,
      latitude: row.latitude,
      fake_longitude: row.fake_longitude,
      fake_latitude: row.fake_latitude,
      ...(all ? { address_en: row.address_en } : {}),
    },
    features: row.features,
    positioning: row.positioning,
    view: row.view,
    flooring: row.flooring,
    tags: row.tags,
    contacts: row.contacts,
    users: row.users,
    photos: row.photos.map((photo) => presentPhoto(photo, url)),
    panorama_photos: row.panoramas.map((panorama) => presentPanorama(panorama, url)),
    panorama_tour_url: row.panoramas.length > 0 && row.tour_token ? url(`tours/${row.tour_token}`) : null,
    translations: row.translations,
  }
}

/** The JSON of a place; null if there is none. */
export function presentArea(area: ListingRow['area1']) {
  if (!area) return null
  const { level, parent_id, ...presented } = area
  return presented
}
