import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { DAILY, EVERY_MINUTE, runScheduled } from '../src/scheduled.ts'
import { entriesOf, forgetWebhooks, receive, subscribe } from './admin/webhooks/receivers.ts'
import { silenceLog } from './http/send.ts'
import { countUnmatched, expectedPairs, storedPairs } from './resources/matching/pairs.ts'
import { createRequest, seedRequests } from './resources/requests/seed.ts'
import { execute, selectAll } from './support/database.ts'

beforeAll(seedRequests)

/** Stores active listings as if whoever wrote them had gone before they were matched. */
async function loadListings(count: number): Promise<void> {
  await execute(
    `insert into listings (store_id, category, availability, status, price, area_level1, created_by,
      date_created, date_updated)
    select 1, 'residential', 'sale', 'active', value, 1, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00'
    from json_each(?)`,
    JSON.stringify(Array.from({ length: count }, (_, index) => index)),
  )
}

describe('the clock, every minute', () => {
  it('matches what is left, several runs at once', async () => {
    await loadListings(30)
    for (const price_max of [5, 10, 20]) await createRequest({ locations: [1], price_max })
    await loadListings(60)
    await env.DB.exec('update requests set matched_version = 0')
    expect(await countUnmatched()).toBe(93)
    await Promise.all([1, 2, 3].map(() => runScheduled({ cron: EVERY_MINUTE }, env)))
    expect(await countUnmatched()).toBe(0)
    expect(await storedPairs()).toEqual(await expectedPairs())
  })

  it('tells subscribers of the matches that it finds', async () => {
    const { id } = await createRequest({ locations: [1], price_max: 7 })
    await subscribe({ resources: ['matches'] })
    await loadListings(1)
    const deliveries = receive()
    await runScheduled({ cron: EVERY_MINUTE }, env)
    vi.restoreAllMocks()
    await forgetWebhooks()
    expect(entriesOf(deliveries)).toContainEqual(expect.objectContaining({ resource: 'matches', id }))
  })

  it('is not kept from the others by one that always fails', async () => {
    const lines = silenceLog()
    const [first] = await selectAll<{ id: number }>('select min(id) as id from listings')
    await env.DB.exec(`update listings set features = 'no JSON' where id = ${first?.id}`)
    await env.DB.exec('update listings set matched_version = 0')
    await env.DB.exec('delete from request_matches')
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countUnmatched()).toBe(1)
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged.at(-1)).toMatchObject({ level: 'error', work: 'matching', listings: [first?.id] })
    await env.DB.exec(`update listings set features = '[]' where id = ${first?.id}`)
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countUnmatched()).toBe(0)
    expect(await storedPairs()).toEqual(await expectedPairs())
    vi.restoreAllMocks()
  })

  it('finds what is left without reading what is not', async () => {
    const seen: string[] = []
    const spied = {
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
      prepare: (text: string) => {
        seen.push(text)
        return env.DB.prepare(text)
      },
    }
    await runScheduled({ cron: EVERY_MINUTE }, { ...env, DB: spied as unknown as D1Database })
    // Webhooks, the words of listings, their public points and the sizes of pictures have tests of their own; of idempotency keys only the counts are read, a row for each API key.
    expect(seen.filter((text) => text.includes('idempotency'))).toEqual([
      'select exists (select 1 from idempotency_usage where keys >= ? or bytes >= ?) as isOverThreshold',
    ])
    const ofMatching = seen.filter(
      (text) => !/webhooks|idempotency|text_fill|checked_latitude|width/.test(text),
    )
    expect(ofMatching).toHaveLength(2)
    for (const text of ofMatching) {
      const results = await selectAll<{ detail: string }>(`explain query plan ${text}`, 0, 10)
      expect(results.map(({ detail }) => detail).join()).toMatch(
        /using (covering )?index (listings|requests)_unmatched/i,
      )
    }
  })
})

it('a daily run and no other is planned', async () => {
  await runScheduled({ cron: DAILY }, env)
  await expect(runScheduled({ cron: '0 0 1 1 *' }, env)).rejects.toThrow('No work is planned at 0 0 1 1 *')
})
