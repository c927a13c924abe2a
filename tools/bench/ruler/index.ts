/**
 * What hand-written SQL costs on the same tables: no framework, no keys, no documentation, and checks of what the calls
 * send alone. Its answers are those of the service; `tools/bench/sameness.ts` proves it before anything is measured.
 */
import { failed } from './answers.ts'
import { listListings, readListing } from './listing-reads.ts'
import { createListing, updateListing } from './listing-writes.ts'

export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    const [, , resource, id] = url.pathname.split('/')
    const base = env.PUBLIC_BASE_URL ?? url.origin
    if (resource === 'listings') {
      if (request.method === 'POST') return createListing(env.DB, await request.json())
      if (request.method === 'PUT') return updateListing(env.DB, Number(id), await request.json())
      return id ? readListing(env.DB, base, Number(id)) : listListings(env.DB, base, url.searchParams)
    }
    return failed(404, 'Not found')
  },
} satisfies ExportedHandler<Env>
