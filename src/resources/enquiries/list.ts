/** The list of enquiries: its filters, their conditions, and its pages. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { ENQUIRY_STATUSES, ENQUIRY_TYPES } from '../../catalogue/office-enums.ts'
import { within } from '../../db/conditions.ts'
import { pageReader } from '../../db/page.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { dateTimeRange, idFilter, listFilters, oneOfFilter, textFilter } from '../../http/request/filters.ts'
import { type ListedEnquiry, selectListed } from './queries.ts'
import { matchesEnquiry } from './search.ts'

export const enquiryFilters = z
  .object({
    status: oneOfFilter(ENQUIRY_STATUSES).describe('How far it is'),
    type: oneOfFilter(ENQUIRY_TYPES).describe('What is asked for'),
    listing_id: idFilter().describe('The listing that it is about'),
    date_created: dateTimeRange().describe('When it was sent'),
    search: textFilter().describe(
      'Part of a name, e-mail, phone number or message; case and accents do not matter',
    ),
    ...listFilters('date_created', 'date_updated'),
  })
  .meta({ id: 'EnquiryFilters', description: 'Filters of enquiries; an enquiry must meet all of them' })

/** One page of the enquiries, and their total; one round trip. */
export const findPage = pageReader<z.output<typeof enquiryFilters>, ListedEnquiry>(
  enquiries,
  {
    status: (value) => eq(enquiries.status, value),
    type: (value) => eq(enquiries.type, value),
    listing_id: (id) => eq(enquiries.listing_id, id),
    date_created: (range) => within(enquiries.date_created, range),
    search: matchesEnquiry,
  },
  selectListed,
)
