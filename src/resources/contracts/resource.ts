/** Contracts: their parts, filters and order. */
import { contract } from '../../catalogue/contract.ts'
import { contract_contacts, contracts as table } from '../../db/tables/offers.ts'
import { listingReference } from '../offers/listing-reference.ts'
import { dateTimes, flag, id, linkedTo } from '../plain/filters.ts'
import { links } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'

export const contracts = plain('contracts', {
  table,
  doc: 'A contract that an offer led to',
  fields: contract,
  parts: {
    listing: listingReference,
    contacts: links(table, contract_contacts, 'contacts', { doc: 'Buyers: ids of contacts' }),
  },
  brief: ['notes'],
  filters: {
    status_id: id(table.status_id, 'Id from the statuses lookup'),
    store_id: id(table.store_id, 'Store'),
    offer_id: id(table.offer_id, 'The offer that led to it'),
    listing_id: id(table.listing_id, 'A listing of the agency; other properties never match'),
    request_id: id(table.request_id, 'Linked request'),
    contact_id: linkedTo(contract_contacts, 'One of the buyers'),
    external_listing: flag(table.external_listing, 'Whether the property is not a listing of the agency'),
    external_contact: flag(table.external_contact, 'Whether the buyer is not a stored contact'),
    date_created: dateTimes(table.date_created, 'When it was created'),
    status_date: dateTimes(
      table.status_date,
      'When its status last changed; contracts whose status never changed do not match',
    ),
  },
  sort: ['date_created', 'date_updated', 'status_date', 'deposit_date'],
})

export type ContractRow = PlainRow<typeof table, typeof contracts.parts>
