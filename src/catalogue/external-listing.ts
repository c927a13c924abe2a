/** What an external listing tells of its property and of whoever offers it, one line each. */
import { choice, count, longUrl, measure, number, reference, text } from '../fields/kinds.ts'
import { ALL_SUBCATEGORIES, AVAILABILITIES, CATEGORIES } from './enums.ts'

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

export const owner = {
  contact_full_name: text({ doc: 'Name of the owner or contact' }),
  contact_email: text({ doc: 'E-mail of the owner or contact' }),
  contact_phones: text({ doc: 'Phones of the owner or contact' }),
}
