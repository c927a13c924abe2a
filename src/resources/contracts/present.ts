/** A contract as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import { WITH_ALL } from '../../fields/kinds.ts'
import { date, dateTime } from '../../fields/values.ts'
import { listingReference, presentReference } from '../offers/listing-reference.ts'
import type { ContractRow } from './queries.ts'

/** A contract as it is read back. */
export const contract = z
  .object({
    id: z.int().describe('Id of the contract'),
    offer_id: z.int().describe('The offer that led to it'),
    request_id: z.int().nullable().describe('Linked buyer request'),
    store_id: z.int().describe('Office'),
    status_id: z.int().describe('Id from the statuses lookup'),
    created_by: z.int().describe('User who created it'),
    date_created: dateTime().describe('When it was created'),
    date_updated: dateTime().describe('When it last changed'),
    status_date: dateTime().nullable().describe('Last change of status; null while it never changed'),
    currency: z.string().describe('Currency code'),
    loan_percentage: z.int().describe('Share of the price that a loan pays; 0 when there is none'),
    initial_property_price: z.int().nullable().describe('Price asked, in whole units of currency'),
    final_property_price: z.int().nullable().describe('Price agreed, in whole units of currency'),
    deposit_amount: z.int().nullable().describe('Deposit, in whole units of currency'),
    deposit_date: date().nullable().describe('Day of the deposit'),
    notary_contact_id: z.int().nullable().describe('Contact who is the notary'),
    notes: z.string().nullable().describe('Internal notes'),
    external_contact: z.boolean().describe('The buyer is no stored contact'),
    listing: listingReference,
    contacts: z.array(z.int()).describe('Buyers: ids of contacts'),
  })
  .meta({ id: 'Contract', description: 'A contract that an offer led to' })

/** A contract as lists show it. */
export const listedContract = contract
  .extend({ notes: contract.shape.notes.optional().describe(`Internal notes. ${WITH_ALL}`) })
  .meta({ id: 'ContractSummary', description: 'A contract in a list' })

export const contractStatus = z
  .object({
    id: z.int().describe('What `status_id` of a contract refers to'),
    name: z.string().describe('Its name'),
    is_completed: z.boolean().describe('A contract of this status is completed'),
    is_cancelled: z.boolean().describe('A contract of this status is cancelled'),
    bg_color: z.string().describe('Hex colour behind its name'),
    text_color: z.string().describe('Hex colour of its name'),
  })
  .meta({ id: 'ContractStatus', description: 'A status that contracts can have' })

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
