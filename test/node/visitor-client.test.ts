/**
 * The client for websites against a real service.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProject } from './integrator.ts'
import { importRecords, makePublishableKey, startService } from './service.ts'

const ACCEPT = { accept: 'application/json, application/problem+json' }

/** What a call has sent. */
interface Sent {
  query: string
  headers: Record<string, string>
}

let service: Awaited<ReturnType<typeof startService>>
let project: Awaited<ReturnType<typeof startProject>>

beforeAll(async () => {
  ;[service, project] = await Promise.all([startService(), startProject()])
  const kind = { category: 'residential', availability: 'sale', status: 'active' }
  const own = { ...kind, store_id: 1, created_by: 1, users: [1] }
  await importRecords(service.url, [
    ['stores', { id: 1, name: 'Center' }],
    ['users', { id: 1, name: 'User' }],
    ...[1, 2, 3, 4, 5].map((id): [string, Record<string, unknown>] => [
      'listings',
      { ...own, id, price: 1000 * id },
    ]),
    ['listings', { ...own, id: 6, status: 'draft' }],
  ])
})

afterAll(() => Promise.all([service?.close(), project?.remove()]))

/** The built client, without its types, and what it sends. */
async function visit(key: string) {
  const sent: Sent[] = []
  const { createVisitorClient, orThrow } = await import(project.entry)
  const note = (request: Request) => {
    const query = decodeURIComponent(new URL(request.url).search)
    sent.push({ query, headers: Object.fromEntries(request.headers) })
    return fetch(request)
  }
  return { website: createVisitorClient({ baseUrl: service.url.origin, key, fetch: note }), orThrow, sent }
}

const idsOf = (records: { id: number }[]) => records.map(({ id }) => id)

describe('the client for websites', () => {
  it('sends a publishable key in the query, and no header that costs a preflight', async () => {
    const key = await makePublishableKey(service.url)
    const { website, orThrow, sent } = await visit(key)
    const query = { price: { min: 2000 }, availability: ['sale', 'rent'], sort: '-price', per_page: 2 }
    const page = await orThrow(website.get('/api/listings', { query }))
    expect([page.total_results, idsOf(page.data)]).toEqual([4, [5, 4]])
    const { data } = await orThrow(website.get('/api/listings/{id}', { path: { id: 3 } }))
    expect([data.price, data.location.precision]).toEqual([3000, 'area'])
    const filters = 'price[min]=2000&availability=sale&availability=rent&sort=-price&per_page=2'
    expect(sent).toEqual([
      { query: `?${filters}&key=${key}`, headers: ACCEPT },
      { query: `?key=${key}`, headers: ACCEPT },
    ])
  })

  it('sends a secret key in a header', async () => {
    const { website, sent } = await visit(service.key)
    expect((await website.get('/api/stores')).response.status).toBe(200)
    expect(sent).toEqual([{ query: '', headers: { ...ACCEPT, authorization: `Bearer ${service.key}` } }])
  })
})
