/** The list of enquiries: its filters, their conditions, and its pages. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { ENQUIRY_STATUSES, ENQUIRY_TYPES } from '../../catalogue/enums.ts'
import type { Database } from '../../db/client.ts'
import { type Conditions, whereClause, within } from '../../db/conditions.ts'
import { type Page, pageWhere, readPage } from '../../db/page.ts'
import { preparedAround } from '../../db/statements.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { dateTimeRange, idFilter, listFilters, oneOfFilter, textFilter } from '../../http/request/filters.ts'
import { type EnquiryRow, selectEnquiries } from './queries.ts'
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

const selectPage = preparedAround(selectEnquiries)

type Filters = z.output<typeof enquiryFilters>

const CONDITIONS = {
  status: (value) => eq(enquiries.status, value),
  type: (value) => eq(enquiries.type, value),
  listing_id: (id) => eq(enquiries.listing_id, id),
  date_created: (range) => within(enquiries.date_created, range),
  search: matchesEnquiry,
} satisfies Conditions<Filters>

/** One page of enquiries, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<EnquiryRow>> {
  return readPage(db, enquiries, pageWhere(enquiries, whereClause(CONDITIONS, filters), filters), selectPage)
}
