/** Reads contracts: whole records, and the pages of the list. */
import { eq, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { type Conditions, hasContact, whereClause, within } from '../../db/conditions.ts'
import { linkedIds, type Page, pageWhere, readPage } from '../../db/page.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import { contract_contacts, contracts } from '../../db/tables/offers.ts'
import type { contractFilters } from './schema.ts'

/** A stored contract with its buyers, in their order. */
export interface ContractRow extends InferSelectModel<typeof contracts> {
  contacts: number[]
}

const FIELDS = {
  ...getTableColumns(contracts),
  contacts: linkedIds(contracts, contract_contacts),
}

/** The statement that reads whole contracts. `rest` is the SQL after the table. */
export function selectContracts(rest: SQL): Statement<ContractRow> {
  return select(FIELDS, sql`from ${contracts} ${rest}`)
}

/** Reads the contract `id`. */
export const selectContract = prepared(() =>
  selectContracts(sql`where ${contracts.id} = ${sql.placeholder('id')}`),
)

const selectPage = preparedAround(selectContracts)

type Filters = z.output<typeof contractFilters>

const CONDITIONS = {
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
} satisfies Conditions<Filters>

/** One page of contracts, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ContractRow>> {
  return readPage(db, contracts, pageWhere(contracts, whereClause(CONDITIONS, filters), filters), selectPage)
}
