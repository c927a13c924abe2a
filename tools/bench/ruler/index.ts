/**
 * What hand-written SQL costs on the same tables: no framework, no keys, no documentation, no matching, and checks of
 * what the calls send alone. Its listings are those of the service, byte for byte; of other records it answers the rows
 * as they are stored. `sameness.ts` compares both before anything is measured.
 */
import { listListings, readListing } from './listing-reads.ts'
import { createListing, updateListing } from './listing-writes.ts'
import { failed, READERS, readOne, readPage } from './records.ts'
import { listForVisitors } from './visitors.ts'

export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const [, , name = '', id] = url.pathname.split('/')
    const base = env.PUBLIC_BASE_URL ?? url.origin
    if (name === 'listings') {
      if (request.method === 'POST') return createListing(env.DB, await request.json())
      if (request.method === 'PUT') return updateListing(env.DB, Number(id), await request.json())
      if (url.searchParams.has('key')) return listForVisitors(env.DB, url.searchParams)
      return id ? readListing(env.DB, base, Number(id)) : listListings(env.DB, base, url.searchParams)
    }
    const reader = READERS.get(name)
    if (!reader || request.method !== 'GET') return failed(404, 'Not found')
    return id ? readOne(env.DB, reader, Number(id)) : readPage(env.DB, reader, url.searchParams)
  },
} satisfies ExportedHandler<Env>
