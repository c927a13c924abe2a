/** What an offer is: its fields, those of a round of its negotiation, and those of a property off the system. */
import { choice, count, dateTime, decimal, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import * as enums from './enums.ts'

export const offer = {
  id: key({ doc: 'Id of the offer' }),
  status: choice(enums.OFFER_STATUSES, { doc: 'How far the negotiation is', required: true }),
  is_active: flag({ doc: 'Whether it still stands', required: true }),
  request_id: reference({ doc: 'Linked buyer request', to: 'requests' }),
  store_id: reference({ doc: 'Office', to: 'stores', required: true }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
  currency: text({ doc: 'Currency code', required: true }),
  current_listing_price: count({ doc: 'Asking price when the offer was made', required: true }),
  loan_percentage: count({ doc: 'Share of the price that a loan pays; 0 when there is none', none: 0 }),
  notes: text({ doc: 'Internal notes', max: LONG_TEXT }),
  external_contact: flag({ doc: 'The buyer is no stored contact' }),
}

/** A step of the negotiation. */
export const round = {
  id: key({ doc: 'Id of the round' }),
  type: choice(enums.ROUND_TYPES, { doc: 'What happened', required: true }),
  amount: count({ doc: 'In whole units of currency; null for informational entries' }),
  current_listing_price: count({ doc: 'Asking price at that moment' }),
  notes: text({ doc: 'Internal notes', max: LONG_TEXT }),
  created_by: reference({ doc: 'User who entered it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it happened', assigned: true }),
}

/** A property off the system, as offers and contracts describe it; one JSON column. */
export const externalProperty = {
  address: text({ doc: 'Street address' }),
  price: count({ doc: 'Asking price, in whole units of currency' }),
  owner_name: text({ doc: 'Name of the owner' }),
  listing_code: text({ doc: 'Code that others gave it' }),
  availability: choice(enums.AVAILABILITIES, { doc: 'How it is offered' }),
  category: choice(enums.CATEGORIES, { doc: 'Kind of property' }),
  subcategory: choice(enums.ALL_SUBCATEGORIES, { doc: 'One of the category’s' }),
  size: decimal({ doc: 'Square metres with two decimals' }),
  area_level1: reference({ doc: 'Region', to: 'locations' }),
  area_level2: reference({ doc: 'Municipality or district', to: 'locations' }),
  area_level3: reference({ doc: 'Neighbourhood', to: 'locations' }),
  listing_link: text({ doc: 'Where it was found' }),
  notes: text({ doc: 'Internal notes', max: LONG_TEXT }),
}
