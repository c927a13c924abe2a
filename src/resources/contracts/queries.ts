/** Reading contracts: whole records, and the pages of the list. */
import { and, desc, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, within } from '../../db/client.ts'
import { equals, hasContact } from '../../db/conditions.ts'
import { listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
import { contract_contacts, contracts } from '../../db/tables/offers.ts'
import type { contractFilters } from './schema.ts'

/** A stored contract with its buyers, in their order. */
export interface ContractRow extends InferSelectModel<typeof contracts> {
  contacts: number[]
}

/** Whole contracts, their buyers in a sub-select: one statement. */
export function selectContracts(db: Database) {
  return db
    .select({
      ...getTableColumns(contracts),
      contacts: listOf<number>('contract_contacts', 'contact_id', 'contract_id = contracts.id'),
    })
    .from(contracts)
}

/** The contracts of one page, newest first, and how many match in all; one round trip. */
export function findPage(
  db: Database,
  filters: z.output<typeof contractFilters>,
): Promise<Page<ContractRow>> {
  const where = and(
    equals(contracts.status_id, filters.status_id),
    equals(contracts.store_id, filters.store_id),
    equals(contracts.offer_id, filters.offer_id),
    equals(contracts.listing_id, filters.listing_id),
    equals(contracts.request_id, filters.request_id),
    hasContact(contracts, contract_contacts, 'contract_id', filters.contact_id),
    equals(contracts.external_listing, filters.external_listing),
    equals(contracts.external_contact, filters.external_contact),
    within(sql`${contracts.date_created}`, filters.date_created),
    within(sql`${contracts.status_date}`, filters.status_date),
  )
  return readPage(db, 'contracts', pageWhere('contracts', where, filters.page), (ofPage) =>
    selectContracts(db).where(ofPage).orderBy(desc(contracts.id)),
  )
}
