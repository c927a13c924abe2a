/** The fields of an external listing: a property offered elsewhere, which the agency watches. */
import { choice, count, dateTime, key, longUrl, measure, number, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { ALL_SUBCATEGORIES, AVAILABILITIES, CATEGORIES } from './property-enums.ts'

/** The user and the office that watch it. */
export const watchers = {
  created_by: reference({ doc: 'User who created it: id from `/api/users`', to: 'users', required: true }),
  store_id: reference({
    doc: 'Office that watches it: id from `/api/stores`',
    to: 'stores',
    required: true,
    history: true,
  }),
}

export const property = {
  source_id: reference({ doc: 'Id from the sources lookup', to: 'external_listing_sources' }),
  status: reference({ doc: 'Id from the statuses lookup', to: 'external_listing_statuses', history: true }),
  external_url: longUrl({ doc: 'Where the listing was found', person: true }),
  availability: choice(AVAILABILITIES, { doc: 'How it is offered', history: true }),
  category: choice(CATEGORIES, { doc: 'Kind of property', history: true }),
  subcategory: choice(ALL_SUBCATEGORIES, { doc: 'Must belong to the category', history: true }),
  price: count({ doc: 'Asking price, or rent per period, in whole units of currency', history: true }),
  price_per_sqm: measure({ doc: 'Price per square metre; price / size unless it is set', history: true }),
  size: count({ doc: 'Square metres', history: true }),
  floor: number({ doc: 'Floor; 0 is the ground floor' }),
  levels: count({ doc: 'Number of levels' }),
  rooms: count({ doc: 'Number of bedrooms' }),
  wcs: count({ doc: 'Number of separate toilets' }),
  bathrooms: count({ doc: 'Number of bathrooms' }),
  kitchens: count({ doc: 'Number of kitchens' }),
  living_rooms: count({ doc: 'Number of living rooms' }),
  year_built: count({ doc: 'Year of construction' }),
}

export const texts = {
  description: text({ doc: 'Text of the listing', person: true, max: LONG_TEXT }),
}

/** Fields of the group `location`. */
export const place = {
  address: text({ doc: 'Street address', person: false }),
  area_level1: reference({ doc: 'Region: id of a location of level 1', to: 'locations', history: true }),
  area_level2: reference({
    doc: 'Municipality or district: id of a location of level 2',
    to: 'locations',
    history: true,
  }),
  area_level3: reference({
    doc: 'Neighbourhood: id of a location of level 3',
    to: 'locations',
    history: true,
  }),
  latitude: number({ doc: 'Degrees', min: -90, max: 90 }),
  longitude: number({ doc: 'Degrees', min: -180, max: 180 }),
}

export const owner = {
  contact_full_name: text({ doc: 'Name of the owner or contact', person: true }),
  contact_email: text({ doc: 'E-mail of the owner or contact', person: true }),
  contact_phones: text({ doc: 'Phones of the owner or contact', person: true }),
}

/** Fields that the service sets on each record. */
export const record = {
  id: key({ doc: 'Id of the external listing' }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
}
