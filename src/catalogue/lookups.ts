/**
 * The lookups of the agency: what it defines itself, and its records refer to by id. An entry each, from which everything
 * follows that goes over all of them: definitions, the change feed and its triggers, and the names of what uses one.
 */
import { place } from './agency.ts'
import { CUSTOM_FIELD_RESOURCES } from './custom-field.ts'

/** What there is to know of a lookup. */
export interface Lookup {
  /** Its table, and the entity of the import. */
  table: string
  /** Its path after `/api/`; of custom fields, which have one for each resource, the end of it. */
  resource: string
  /** What an entry is called in a sentence, and what several are. */
  one: string
  many: string
  /** The column with the beginning of the path. */
  pathFrom?: string
  /** The columns whose change counts; any when absent. */
  sets?: string
}

/** In the order of an import. */
export const LOOKUPS: readonly Lookup[] = [
  lookup('languages', 'languages', 'language'),
  lookup('stores', 'stores', 'store'),
  lookup('users', 'users', 'user'),
  {
    ...lookup('locations', 'locations', 'location'),
    // Not the text for searches, which code derives.
    sets: Object.keys(place)
      .filter((name) => name !== 'id')
      .join(', '),
  },
  lookup('special_locations', 'special-locations', 'special location'),
  lookup('listing_sources', 'listings/sources', 'listing source'),
  lookup('listing_tags', 'listings/tags', 'listing tag'),
  lookup('external_listing_statuses', 'external-listings/statuses', 'external listing status'),
  lookup('external_listing_sources', 'external-listings/sources', 'external listing source'),
  lookup('external_listing_tags', 'external-listings/tags', 'external listing tag'),
  lookup('request_statuses', 'requests/statuses', 'request status'),
  lookup('request_sources', 'requests/sources', 'request source'),
  lookup('request_tags', 'requests/tags', 'request tag'),
  lookup('contact_sources', 'contacts/sources', 'contact source'),
  lookup('contact_tags', 'contacts/tags', 'contact tag'),
  lookup('income_other_categories', 'incomes/other-categories', 'income category'),
  lookup('expense_categories', 'expenses/categories', 'expense category'),
  lookup('listing_subtypes', 'listings/subtypes', 'listing subtype'),
  lookup('contract_statuses', 'contracts/statuses', 'contract status'),
  { ...lookup('custom_fields', 'custom-fields', 'custom field'), pathFrom: 'resource' },
]

function lookup(table: string, resource: string, one: string): Lookup {
  return { table, resource, one, many: table.replaceAll('_', ' ') }
}

/** The lookup that is stored in `table`, if it is one. */
export function lookupIn(table: string): Lookup | undefined {
  return LOOKUPS.find((one) => one.table === table)
}

/** The paths of a lookup after `/api/`, as the change feed names them. */
export function pathsOf({ resource, pathFrom }: Lookup): string[] {
  return pathFrom ? CUSTOM_FIELD_RESOURCES.map((start) => `${start}/${resource}`) : [resource]
}
