/**
 * Demo data of an invented agency, in the order in which import takes it:
 *
 *     node demo/generate.ts > demo.ndjson
 *
 * The same lines, byte for byte, every time.
 */
import { pathToFileURL } from 'node:url'
import * as agency from './agency.ts'
import { demoArticles } from './articles.ts'
import { demoContacts, livingContactIds } from './contacts.ts'
import { demoContracts } from './contracts.ts'
import { demoEnquiries } from './enquiries.ts'
import { demoExpenses } from './expenses.ts'
import { demoExternalListings } from './external-listings.ts'
import { demoIncomes } from './incomes.ts'
import { demoListings } from './listings.ts'
import { demoOffers } from './offers.ts'
import { PLACES } from './places.ts'
import { demoRequests } from './requests.ts'

/** One line of an import file. */
export interface DemoLine {
  readonly entity: string
  readonly data: unknown
}

/** How many records of the kinds that can be multiplied. */
export interface DemoSize {
  readonly contacts?: number
  readonly listings?: number
}

/** Every line of the demo; referenced records come first. */
export function* demoLines({ contacts = 400, listings = 300 }: DemoSize = {}): Generator<DemoLine> {
  yield* lines('languages', agency.DEMO_LANGUAGES)
  yield* lines(
    'stores',
    agency.STORES.map(({ municipalities: _, ...store }) => store),
  )
  yield* lines('users', agency.USERS)
  yield* lines('locations', PLACES)
  yield* lines('special_locations', agency.SPECIAL_LOCATIONS)
  yield* lines('listing_sources', agency.LISTING_SOURCES)
  yield* lines('listing_tags', agency.LISTING_TAGS)
  yield* lines('external_listing_statuses', agency.EXTERNAL_LISTING_STATUSES)
  yield* lines('external_listing_sources', agency.EXTERNAL_LISTING_SOURCES)
  yield* lines('external_listing_tags', agency.EXTERNAL_LISTING_TAGS)
  yield* lines('request_statuses', agency.REQUEST_STATUSES)
  yield* lines('request_sources', agency.REQUEST_SOURCES)
  yield* lines('request_tags', agency.REQUEST_TAGS)
  yield* lines('contact_sources', agency.CONTACT_SOURCES)
  yield* lines('contact_tags', agency.CONTACT_TAGS)
  yield* lines('income_other_categories', agency.INCOME_OTHER_CATEGORIES)
  yield* lines('expense_categories', agency.EXPENSE_CATEGORIES)
  yield* lines('listing_subtypes', agency.LISTING_SUBTYPES)
  yield* lines('contract_statuses', agency.CONTRACT_STATUSES)
  yield* lines('custom_fields', agency.CUSTOM_FIELDS)
  yield* lines('knowledge_base_categories', agency.KNOWLEDGE_BASE_CATEGORIES)
  yield* lines('knowledge_base_articles', demoArticles())
  yield* lines('settings', agency.SETTINGS)
  const people = demoContacts(contacts)
  yield* lines('contacts', people)
  yield* business(livingContactIds(people), listings)
}

/** Listings, requests, enquiries, offers, contracts, incomes and expenses; each is derived from those before. */
function* business(contacts: readonly number[], listingCount: number): Generator<DemoLine> {
  const listings = demoListings(contacts, listingCount)
  const externalListings = demoExternalListings()
  const requests = demoRequests(contacts, listings)
  const offers = demoOffers(requests, externalListings)
  const contracts = demoContracts(offers, contacts)
  const incomes = demoIncomes(contracts, contacts)
  yield* lines('listings', listings)
  yield* lines('external_listings', externalListings)
  yield* lines(
    'requests',
    requests.map(({ request }) => request),
  )
  yield* lines('enquiries', demoEnquiries(listings))
  yield* lines(
    'offers',
    offers.map(({ offer }) => offer),
  )
  yield* lines('contracts', contracts)
  yield* lines('incomes', incomes)
  yield* lines('expenses', demoExpenses(incomes, contacts))
}

function* lines(entity: string, records: readonly unknown[]): Generator<DemoLine> {
  for (const data of records) yield { entity, data }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const line of demoLines()) process.stdout.write(`${JSON.stringify(line)}\n`)
}
