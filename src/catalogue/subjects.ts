/** What an activity or a task can be about besides contacts, as fields of both. */
import { reference } from '../fields/kinds.ts'

export const subjects = {
  listing_id: reference({ doc: 'The listing that it is about', to: 'listings', history: true }),
  external_listing_id: reference({
    doc: 'The external listing that it is about',
    to: 'external_listings',
    history: true,
  }),
  request_id: reference({ doc: 'The request that it is about', to: 'requests', history: true }),
  enquiry_id: reference({ doc: 'The enquiry that it is about', to: 'enquiries', history: true }),
  offer_id: reference({ doc: 'The offer that it is about', to: 'offers', history: true }),
  contract_id: reference({ doc: 'The contract that it is about', to: 'contracts', history: true }),
}
