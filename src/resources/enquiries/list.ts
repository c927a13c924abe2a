/** The list of enquiries: its filters, and its pages. */
import { ENQUIRY_STATUSES, ENQUIRY_TYPES } from '../../catalogue/office-enums.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { enquirySearch } from '../people/search.ts'
import { dateTimes, filteredList, id, oneOf } from '../plain/filters.ts'
import { selectListed } from './queries.ts'

export const { filters: enquiryFilters, findPage } = filteredList('enquiries', enquiries, {
  filters: {
    status: oneOf(enquiries.status, ENQUIRY_STATUSES, 'How far it is'),
    type: oneOf(enquiries.type, ENQUIRY_TYPES, 'What is asked for'),
    listing_id: id(enquiries.listing_id, 'The listing that it is about'),
    date_created: dateTimes(enquiries.date_created, 'When it was sent'),
    search: enquirySearch(),
  },
  sort: ['date_created', 'date_updated'],
  select: selectListed,
})
