/** Reads enquiries: whole records. */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { linkedIds } from '../../db/relations.ts'
import { prepared, type RowOf, type Statement, select } from '../../db/statements.ts'
import { enquiries, enquiry_users } from '../../db/tables/enquiries.ts'
import { SOUGHT_NAMES } from './criteria.ts'

/** The lists of ids of an enquiry. */
export const LINKS = { users: enquiry_users }

const FIELDS = { ...getTableColumns(enquiries), users: linkedIds(enquiries, LINKS.users) }

/** A stored enquiry with its agents, in their order. */
export type EnquiryRow = RowOf<typeof FIELDS>

/** The statement that reads whole enquiries. `rest` is the SQL after the table. */
export function selectEnquiries(rest: SQL): Statement<EnquiryRow> {
  return select(FIELDS, sql`from ${enquiries} ${rest}`)
}

/** An enquiry in a list, with the names of what it refers to. */
export interface ListedEnquiry extends EnquiryRow {
  sought_names?: RowOf<{ names: typeof SOUGHT_NAMES }>['names']
}

/** The statement that reads enquiries of a list. `rest` is the SQL after the table. */
export function selectListed(rest: SQL): Statement<ListedEnquiry> {
  return select({ ...FIELDS, sought_names: SOUGHT_NAMES }, sql`from ${enquiries} ${rest}`)
}

export const selectEnquiry = prepared(() =>
  selectEnquiries(sql`where ${enquiries.id} = ${sql.placeholder('id')}`),
)
