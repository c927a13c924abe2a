/** A reader that follows the feed, while others write at random, comes to hold exactly what a full read gives. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { type Random, seeded } from '../../../fixtures/random.ts'
import { database } from '../../../src/db/client.ts'
import { finishMatching } from '../../../src/resources/requests/matches.ts'
import { emptyService } from '../../admin/fresh.ts'
import { silenceLog } from '../../http/send.ts'
import { call, get, importRecords, post, put, type Reply, remove } from '../../support/api.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { minimalRequest, seedRequests } from '../requests/seed.ts'
import { readFeed } from './feed.ts'

const WRITERS = 4
const WRITES = 40
/** Records of each kind that the writers meet at. */
const IDS = 6
const PLACES = [
  { area_level1: 1, area_level2: 11 },
  { area_level1: 2, area_level2: 21 },
]

/** Tables by resource: what a full read is made of. */
const TABLES: Record<string, string> = {
  contacts: 'contacts',
  listings: 'listings',
  'external-listings': 'external_listings',
  requests: 'requests',
  offers: 'offers',
  contracts: 'contracts',
  incomes: 'incomes',
  expenses: 'expenses',
  'knowledge-base/categories': 'knowledge_base_categories',
  'knowledge-base/articles': 'knowledge_base_articles',
}

beforeEach(async () => {
  silenceLog()
  await emptyService()
  await seedRequests()
  await importRecords([
    ['expense_categories', { id: 1, name: 'Commissions' }],
    ['income_other_categories', { id: 1, name: 'Valuations' }],
    ...[1, 2].map((id): [string, Record<string, unknown>] => [
      'knowledge_base_categories',
      { id, name: 'How', icon: 'i', color: '#fff', is_active: true },
    ]),
  ])
})

/** One write of any kind; whether it is taken does not matter, nor whether it changes anything. */
function write(random: Random): Promise<unknown> {
  const id = random.int(1, IDS)
  const number = random.int(0, 2)
  const location = random.pick(PLACES)
  const line = (entity: string, data: object) =>
    call('POST', '/admin/import', { body: JSON.stringify({ entity, data }) })
  const listing = {
    ...minimalListing,
    location,
    price: 90 + 10 * number,
    status: random.pick(['active', 'draft', 'deleted']),
  }
  const commission = {
    id,
    side: 'owner_side',
    partner_id: 1,
    side_total_commission: 5,
    partner_commission_amount: 1 + number,
  }
  const money = { date: '2026-01-01', status: random.pick(['pending', 'confirmed']), created_by: 1 }
  const kinds: (() => Promise<unknown>)[] = [
    () => post('/api/contacts', { first_name: 'N', last_name: 'N', created_by: 1 }),
    () => put(`/api/contacts/${id}`, { notes: `${number}` }),
    () => remove(`/api/contacts/${id + 3}`),
    () =>
      line('contacts', {
        id: id + 3,
        first_name: 'I',
        last_name: `${number}`,
        created_by: 1,
        is_deleted: number === 0,
      }),
    () => post('/api/listings', { ...minimalListing, location }),
    () => put(`/api/listings/${id}`, { location, price: 100 + number }),
    () => post(`/api/listings/${id}/status`, { to: random.pick(['active', 'draft', 'deleted']) }),
    () => line('listings', { ...listing, id }),
    () => post('/api/requests', { ...minimalRequest, price_max: 90 + 10 * number }),
    () => put(`/api/requests/${id}`, { price_max: 95 + number, locations: [random.pick([11, 2])] }),
    () => remove(`/api/requests/${id}`),
    () => line('requests', { ...minimalRequest, id, is_deleted: number === 0 }),
    () => line('external_listings', { id, store_id: 1, created_by: 1, users: [1], price: number }),
    () =>
      line('incomes', {
        ...money,
        id,
        category: 'other',
        other_category_id: 1,
        total_amount: 9,
        commissions: number ? [{ ...commission, expense_id: number === 1 ? id + 3 : null }] : [],
      }),
    () => line('expenses', { ...money, id: id + 2, category_id: 1, amount: number }),
    () => line('expense_categories', { id: 1, name: `Name ${number}` }),
    () =>
      line('knowledge_base_articles', {
        id,
        title: `T${number}`,
        category_id: random.int(1, 2),
        created_by: 1,
      }),
    () => line('knowledge_base_categories', { id: random.int(1, 2), name: `C${number}` }),
    () => line('special_locations', { id: 1, name: 'P', latitude: 37 + number / 10, longitude: 23 }),
  ]
  return random.pick(kinds)()
}

/** What a copy holds of a record; null where there is none. Of matches, which and how well they fit. */
function copyOf(resource: string, { status, body }: Reply): unknown {
  if (status === 404) return null
  expect(status).toBe(200)
  if (resource === 'listings' && body.data.status === 'deleted') return null
  if (resource !== 'matches') return body.data
  const pairs = body.data.map(({ id, score }: { id: number; score: number }) => [id, score])
  return pairs.length > 0 ? pairs : null
}

const read = async (resource: string, id: number) =>
  copyOf(
    resource,
    await get(resource === 'matches' ? `/api/requests/${id}/matches` : `/api/${resource}/${id}`),
  )

/** A reader with a copy, that stores its cursor after each page. */
class Reader {
  readonly copy = new Map<string, unknown>()
  private cursor: string | undefined
  private readonly resources: string | undefined

  constructor(resources?: string) {
    this.resources = resources
  }

  /** Reads one page; whether there is more. */
  async turn(): Promise<boolean> {
    const { data, next, more } = await readFeed({
      limit: 3,
      ...(this.cursor ? { after: this.cursor } : {}),
      ...(this.resources ? { resources: this.resources } : {}),
    })
    for (const { resource, id, change } of data) {
      const record = change === 'deleted' ? null : await read(resource, id)
      if (record === null) this.copy.delete(`${resource} ${id}`)
      else this.copy.set(`${resource} ${id}`, record)
    }
    this.cursor = next
    return more
  }
}

async function readEverything(): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>()
  for (const [resource, table] of [...Object.entries(TABLES), ['matches', 'requests'] as const]) {
    const { results } = await env.DB.prepare(`select id from ${table}`).all<{ id: number }>()
    for (const { id } of results) {
      const record = await read(resource, id)
      if (record !== null) all.set(`${resource} ${id}`, record)
    }
  }
  return all
}

it.each([1, 2, 3])('whoever writes what, with seed %i', { timeout: 100_000 }, async (seed) => {
  const [whole, part] = [new Reader(), new Reader('contacts,matches')]
  const readers = [whole, part]
  let writing = WRITERS
  const writers = Array.from({ length: WRITERS }, async (_, index) => {
    const random = seeded(seed * 100 + index)
    try {
      for (let count = 0; count < WRITES; count++) await write(random)
    } finally {
      writing--
    }
  })
  const following = readers.map(async (reader) => {
    while (writing > 0) {
      await reader.turn()
    }
    await finishMatching(database(env))
    while (await reader.turn());
  })
  await Promise.all([...writers, ...following])
  for (const reader of readers) while (await reader.turn());
  const all = await readEverything()
  expect(all.size).toBeGreaterThan(20)
  const sorted = (copy: Map<string, unknown>) => Object.fromEntries([...copy].toSorted())
  expect(sorted(whole.copy)).toEqual(sorted(all))
  const some = [...all].filter(([record]) => /^(contacts|matches) /.test(record))
  expect(sorted(part.copy)).toEqual(sorted(new Map(some)))
})
