/** The list of contracts: its filters, their conditions, and its pages. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { hasContact, within } from '../../db/conditions.ts'
import { pageReader } from '../../db/page.ts'
import { contract_contacts, contracts } from '../../db/tables/offers.ts'
import { booleanFilter, dateTimeRange, idFilter, listFilters } from '../../http/request/filters.ts'
import { type ContractRow, selectContracts } from './queries.ts'

export const contractFilters = z
  .object({
    status_id: idFilter().describe('Id from the statuses lookup'),
    store_id: idFilter().describe('Store'),
    offer_id: idFilter().describe('The offer that led to it'),
    listing_id: idFilter().describe('A listing of the agency; other properties never match'),
    request_id: idFilter().describe('Linked request'),
    contact_id: idFilter().describe('One of the buyers'),
    external_listing: booleanFilter().describe('Whether the property is not a listing of the agency'),
    external_contact: booleanFilter().describe('Whether the buyer is not a stored contact'),
    date_created: dateTimeRange().describe('When it was created'),
    status_date: dateTimeRange().describe(
      'When its status last changed; contracts whose status never changed do not match',
    ),
    ...listFilters('date_created', 'date_updated', 'status_date', 'deposit_date'),
  })
  .meta({ id: 'ContractFilters', description: 'Filters of contracts; a contract must meet all of them' })

/** One page of the contracts, and their total; one round trip. */
export const findPage = pageReader<z.output<typeof contractFilters>, ContractRow>(
  contracts,
  {
    status_id: (id) => eq(contracts.status_id, id),
    store_id: (id) => eq(contracts.store_id, id),
    offer_id: (id) => eq(contracts.offer_id, id),
    listing_id: (id) => eq(contracts.listing_id, id),
    request_id: (id) => eq(contracts.request_id, id),
    contact_id: (id) => hasContact(contracts, contract_contacts, id),
    external_listing: (value) => eq(contracts.external_listing, value),
    external_contact: (value) => eq(contracts.external_contact, value),
    date_created: (range) => within(contracts.date_created, range),
    status_date: (range) => within(contracts.status_date, range),
  },
  selectContracts,
)
