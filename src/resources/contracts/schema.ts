/** Filters of contracts, what import takes, and the only place where a contract's JSON is made. */
import { z } from 'zod'
import { count, date, dateTime, id, ids, LONG_TEXT, optionalText, text } from '../../fields/values.ts'
import { booleanFilter, dateTimeRange, idFilter, listFilters } from '../../http/filters.ts'
import { importedReference, listingReference, presentReference } from '../offers/listing-reference.ts'
import type { ContractRow } from './queries.ts'

export const contractFilters = z.object({
  status_id: idFilter(),
  store_id: idFilter(),
  offer_id: idFilter(),
  listing_id: idFilter().describe('A listing of the agency; off-system properties never match'),
  request_id: idFilter(),
  contact_id: idFilter().describe('One of the buyers'),
  external_listing: booleanFilter().describe('Whether the property is off-system'),
  external_contact: booleanFilter(),
  date_created: dateTimeRange(),
  status_date: dateTimeRange(),
  ...listFilters,
})

/** A contract as it is read back. */
export const contract = z.object({
  id: z.int(),
  offer_id: z.int().describe('The offer that led to it'),
  request_id: z.int().nullable(),
  store_id: z.int(),
  status_id: z.int().describe('Id from the statuses lookup'),
  created_by: z.int(),
  date_created: dateTime(),
  date_updated: dateTime(),
  status_date: dateTime().nullable().describe('Null while the status never changed'),
  currency: z.string().describe('Currency code'),
  loan_percentage: z.int().describe('0 when there is no loan'),
  initial_property_price: z.int().nullable(),
  final_property_price: z.int().nullable(),
  deposit_amount: z.int().nullable(),
  deposit_date: date().nullable(),
  notary_contact_id: z.int().nullable(),
  notes: z.string().nullable(),
  external_contact: z.boolean().describe('The buyer is no stored contact'),
  listing: listingReference,
  contacts: z.array(z.int()).describe('Buyers'),
})

/** A contract as lists show it. */
export const listedContract = contract.omit({ notes: true })

export const contractStatus = z.object({
  id: z.int(),
  name: z.string(),
  is_completed: z.boolean(),
  is_cancelled: z.boolean(),
  bg_color: z.string().describe('Hex colour'),
  text_color: z.string().describe('Hex colour'),
})

/** What import takes: the contract object. */
export const importedContract = z.object({
  id: id(),
  offer_id: id(),
  request_id: id().nullish(),
  store_id: id(),
  status_id: id(),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  status_date: dateTime().nullish(),
  currency: text(),
  loan_percentage: count().nullish(),
  initial_property_price: count().nullish(),
  final_property_price: count().nullish(),
  deposit_amount: count().nullish(),
  deposit_date: date().nullish(),
  notary_contact_id: id().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
  external_contact: z.boolean().nullish(),
  listing: importedReference,
  contacts: ids().nullish(),
})

/** A contract's JSON in its single-record form. */
export function presentContract(row: ContractRow): z.output<typeof contract> {
  return {
    id: row.id,
    offer_id: row.offer_id,
    request_id: row.request_id,
    store_id: row.store_id,
    status_id: row.status_id,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    status_date: row.status_date,
    currency: row.currency,
    loan_percentage: row.loan_percentage,
    initial_property_price: row.initial_property_price,
    final_property_price: row.final_property_price,
    deposit_amount: row.deposit_amount,
    deposit_date: row.deposit_date,
    notary_contact_id: row.notary_contact_id,
    notes: row.notes,
    external_contact: row.external_contact,
    listing: presentReference(row),
    contacts: row.contacts,
  }
}

/** A contract's JSON in lists, without its notes. */
export function presentListedContract(row: ContractRow): z.output<typeof listedContract> {
  const { notes, ...listed } = presentContract(row)
  return listed
}
