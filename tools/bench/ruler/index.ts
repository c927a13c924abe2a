/**
 * What hand-written SQL costs on the same tables: no framework, no keys, no documentation, no matching, and checks of
 * what the calls send alone. It answers as the service does; `sameness.ts` proves it before anything is measured.
 */
import { failed } from './answers.ts'
import { listListings, readListing } from './listing-reads.ts'
import { createListing, updateListing } from './listing-writes.ts'
import { EXPENSES, INCOMES } from './money.ts'
import { CONTACTS, REQUESTS } from './people.ts'
import { CONTRACTS, EXTERNAL_LISTINGS, OFFERS } from './properties.ts'
import { type Resource, readOne, readPage } from './read-resource.ts'

const RESOURCES: Record<string, Resource> = {
  contacts: CONTACTS,
  requests: REQUESTS,
  'external-listings': EXTERNAL_LISTINGS,
  offers: OFFERS,
  contracts: CONTRACTS,
  incomes: INCOMES,
  expenses: EXPENSES,
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const [, , name = '', id] = url.pathname.split('/')
    const base = env.PUBLIC_BASE_URL ?? url.origin
    if (name === 'listings') {
      if (request.method === 'POST') return createListing(env.DB, await request.json())
      if (request.method === 'PUT') return updateListing(env.DB, Number(id), await request.json())
      return id ? readListing(env.DB, base, Number(id)) : listListings(env.DB, base, url.searchParams)
    }
    const resource = RESOURCES[name]
    if (!resource || request.method !== 'GET') return failed(404, 'Not found')
    return id
      ? readOne(env.DB, resource, Number(id), base)
      : readPage(env.DB, resource, url.searchParams, base)
  },
} satisfies ExportedHandler<Env>
