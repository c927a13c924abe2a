/** Reads enquiries: whole records, and the pages of the list. */
import { eq, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { type Conditions, whereClause, within } from '../../db/conditions.ts'
import { linkedIds, type Page, pageWhere, readPage } from '../../db/page.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import { enquiries, enquiry_users } from '../../db/tables/enquiries.ts'
import type { enquiryFilters } from './schema.ts'
import { matchesEnquiry } from './search.ts'

/** A stored enquiry with its agents, in their order. */
export interface EnquiryRow extends InferSelectModel<typeof enquiries> {
  users: number[]
}

const FIELDS = { ...getTableColumns(enquiries), users: linkedIds(enquiries, enquiry_users) }

/** The statement that reads whole enquiries. `rest` is the SQL after the table. */
export function selectEnquiries(rest: SQL): Statement<EnquiryRow> {
  return select(FIELDS, sql`from ${enquiries} ${rest}`)
}

/** Reads the enquiry `id`. */
export const selectEnquiry = prepared(() =>
  selectEnquiries(sql`where ${enquiries.id} = ${sql.placeholder('id')}`),
)

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
