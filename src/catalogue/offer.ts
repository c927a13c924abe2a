/** The fields of an offer, of a round of its negotiation, and of an external property. */
import { choice, count, dateTime, decimal, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { OFFER_STATUSES, ROUND_TYPES } from './office-enums.ts'
import * as enums from './property-enums.ts'

export const offer = {
  id: key({ doc: 'Id of the offer' }),
  status: choice(OFFER_STATUSES, { doc: 'State of the negotiation', required: true, history: true }),
  is_active: flag({ doc: 'Whether it is still open', required: true, history: true }),
  request_id: reference({ doc: 'Linked buyer request', to: 'requests', history: true }),
  store_id: reference({ doc: 'Office', to: 'stores', required: true, history: true }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true, history: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
  currency: text({ doc: 'Currency code', person: false, required: true, history: true }),
  current_listing_price: count({
    doc: 'Asking price when the offer was made',
    required: true,
    history: true,
  }),
  loan_percentage: count({
    doc: 'Share of the price paid by a loan, percent; 0 without a loan',
    none: 0,
    history: true,
  }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
  external_contact: flag({ doc: 'Whether the buyer is not a stored contact', history: true }),
}

export const round = {
  id: key({ doc: 'Id of the round' }),
  type: choice(ROUND_TYPES, { doc: 'What happened', required: true }),
  amount: count({ doc: 'In whole units of currency; null for informational entries' }),
  current_listing_price: count({ doc: 'Asking price at that moment' }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
  created_by: reference({ doc: 'User who entered it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it happened', assigned: true }),
}

/** A property that is not stored in the system, as offers and contracts describe it; stored in one JSON column. */
export const externalProperty = {
  address: text({ doc: 'Street address', person: true }),
  price: count({ doc: 'Asking price, in whole units of currency' }),
  owner_name: text({ doc: 'Name of the owner', person: true }),
  listing_code: text({ doc: 'Code of the other agency or portal', person: true }),
  availability: choice(enums.AVAILABILITIES, { doc: 'How it is offered' }),
  category: choice(enums.CATEGORIES, { doc: 'Kind of property' }),
  subcategory: choice(enums.ALL_SUBCATEGORIES, { doc: 'Must belong to the category' }),
  size: decimal({ doc: 'Square metres with two decimals' }),
  area_level1: reference({ doc: 'Region', to: 'locations' }),
  area_level2: reference({ doc: 'Municipality or district', to: 'locations' }),
  area_level3: reference({ doc: 'Neighbourhood', to: 'locations' }),
  listing_link: text({ doc: 'Link to the listing', person: true }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
}
