/** Lookups: small tables of ids and names, filled by import. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { contractStatus, lookupItem } from '../../catalogue/agency.ts'
import { columns } from '../../fields/derive.ts'

const lookup = (name: string) => sqliteTable(name, columns(lookupItem))

export const listing_sources = lookup('listing_sources')
export const listing_tags = lookup('listing_tags')
export const external_listing_statuses = lookup('external_listing_statuses')
export const external_listing_sources = lookup('external_listing_sources')
export const external_listing_tags = lookup('external_listing_tags')
export const request_statuses = lookup('request_statuses')
export const request_sources = lookup('request_sources')
export const request_tags = lookup('request_tags')
export const contact_sources = lookup('contact_sources')
export const contact_tags = lookup('contact_tags')
export const income_other_categories = lookup('income_other_categories')
export const expense_categories = lookup('expense_categories')

export const listing_subtypes = sqliteTable('listing_subtypes', {
  id: integer().primaryKey(),
  subcategory: text().notNull(),
  translations: text({ mode: 'json' }).$type<{ language_id: number; name: string }[]>().notNull(),
})

export const contract_statuses = sqliteTable('contract_statuses', columns(contractStatus))

/** Any of the tables with an id and a name. */
export type NameTable = typeof listing_sources
