/**
 * Webhooks to a real server, on bad days of the receiver and of the service.
 *
 * @module-tag slow
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from '@estia/photo-codec/fixtures/random'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { GAVE_UP_REASON, GONE_REASON } from '../../src/admin/webhooks/deliver.ts'
import { ATTEMPT_ERRORS, interimOnlyError } from '../../src/admin/webhooks/send.ts'
import { type ChangeEntry, CURSOR_TOO_OLD } from '../../src/resources/changes/queries.ts'
import { type AgencyService, askAgency, startAgency } from '../../tools/runtime/agency.ts'
import { type Mood, nameOf, Receiver } from './receiver.ts'

let service: AgencyService
let receiver: Receiver
let id = 0

beforeAll(async () => {
  service = await startAgency('tools/faults/worker.ts', { contacts: 3, listings: 3 }, 'network')
})
afterAll(() => service.stop())

beforeEach(async () => {
  receiver = new Receiver()
  await receiver.start()
  const made = await call('POST', '/admin/webhooks', { url: receiver.url })
  id = made.data.id
  receiver.secret = made.data.secret
})
afterEach(async () => {
  await call('DELETE', `/admin/webhooks/${id}`)
  await receiver.stop()
})

const call = (method: string, path: string, body?: unknown) => askAgency(service, method, path, body)
const webhook = async () => (await call('GET', `/admin/webhooks/${id}`)).data
const attempts = async () => (await call('GET', `/admin/webhooks/${id}/attempts`)).data

const contact = (name: string) => ({ first_name: name, created_by: 1 })

/** Runs the clock as it will be in so many seconds; receivers may take 500 ms. */
async function runClock(seconds: number): Promise<void> {
  await (await fetch(new URL(`/faults/deliver?seconds=${seconds}&limit=500`, service.url))).text()
}

/** The feed behind where the subscription began, the newest entry of each record. */
async function feedBehind(cursor: string): Promise<Map<string, ChangeEntry>> {
  const entries: ChangeEntry[] = []
  for (let after = cursor; ; ) {
    const { data, next, more } = await call('GET', `/api/changes?after=${after}&limit=1000`)
    entries.push(...data)
    after = next
    if (!more) return new Map(entries.map((entry) => [nameOf(entry), entry]))
  }
}

/** Every change has come, each record's in order, and a batch that came again held nothing new. */
async function expectAllOf(begun: string): Promise<void> {
  expect(receiver.forged).toBe(0)
  const feed = await feedBehind(begun)
  expect(feed.size).toBeGreaterThan(0)
  const mirror = receiver.mirror()
  expect(new Map([...feed].map(([name]) => [name, mirror.get(name)]))).toEqual(feed)
  let last = ''
  for (const [name, received] of receiver.batches()) {
    const [first, ...again] = received.map(({ entries }) => entries.map(({ cursor }) => cursor))
    const cursors = first ?? []
    for (const cursor of cursors) {
      expect(cursor > last, `${cursor} of ${name} comes after ${last}`).toBe(true)
      last = cursor
    }
    for (const repeated of again) expect(cursors).toEqual(expect.arrayContaining(repeated))
  }
}

describe('a subscriber', () => {
  it('a subscriber receives a write within seconds', async () => {
    const { created_id } = await call('POST', '/api/contacts', contact('Anna'))
    for (let waited = 0; receiver.received.length === 0 && waited < 100; waited++) await sleep(100)
    expect(receiver.received.map(({ entries }) => entries.map(nameOf))).toEqual([[`contacts/${created_id}`]])
    expect((await attempts())[0]).toMatchObject({ type: 'changes', status: 204, error: null })
  })

  const moods: [Mood, { status: number | null; error: string | null }][] = [
    ['fails', { status: 500, error: 'Answer 500' }],
    ['redirects', { status: 307, error: 'Redirects are not followed' }],
    ['hangs', { status: null, error: 'No answer within 10 seconds' }],
    ['dies', { status: null, error: 'No connection, or it broke off' }],
    ['gone', { status: 410, error: 'Answer 410' }],
    ['hangs in the body', { status: 200, error: null }],
    ['says a gigabyte', { status: 200, error: null }],
  ]

  it.each(moods)('that %s gets everything all the same', async (mood, outcome) => {
    const { cursor } = await webhook()
    receiver.mood = mood
    await writeWithoutDelivery(service, 150)
    await runClock(0)
    // The look behind the subscription may have come first, and waits as long as it really does.
    const patience = { timeout: 30_000 }
    await vi.waitFor(async () => expect((await attempts()).at(-1)).toMatchObject(outcome), patience)
    if (outcome.error === null) {
      await vi.waitFor(() => expect(receiver.received).toHaveLength(2), patience)
      expect(receiver.taken).toBeLessThan(16 * 2 ** 20)
    } else {
      expect((await webhook()).cursor, 'does not move').toBe(cursor)
    }
    await writeWithoutDelivery(service, 20)
    receiver.mood = 'well'
    if (mood === 'gone') await call('PUT', `/admin/webhooks/${id}`, { enabled: true })
    await runClock(60)
    await expectAllOf(cursor)
    expect(receiver.strayed).toBe(0)
    if (outcome.error !== null) {
      const names = receiver.received.map((one) => one.id)
      expect(names[1], 'the same batch under the same name').toBe(names[0])
    }
  })
})

describe('the guide', () => {
  const guide = readFileSync('docs/webhooks.md', 'utf8')
  const blockWith = (text: string) =>
    [...guide.matchAll(/^```\w+\n(.*?)^```/gms)]
      .map(([, block = '']) => block)
      .find((block) => block.includes(text)) ?? ''

  it('shows a delivery that verifies, by the function that it shows', async () => {
    const code = stripTypeScriptTypes(`${blockWith('function isGenuine')}\nexport { isGenuine }`)
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      isGenuine: (headers: Record<string, string>, body: string, secret: string) => boolean
    }
    const [head = '', body = ''] = blockWith('webhook-signature').trimEnd().split('\n\n')
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ') as [string, string]))
    const secret = /"(whsec_[^"]+)"/.exec(guide)?.[1] ?? ''
    const now = Number(headers['webhook-timestamp']) * 1000
    vi.useFakeTimers({ now, toFake: ['Date'] })
    try {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'changes' })
      expect(isGenuine(headers, body, secret)).toBe(true)
      const twice = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
      expect(isGenuine(twice, body, secret)).toBe(true)
      expect(isGenuine(headers, `${body} `, secret)).toBe(false)
      expect(isGenuine({ ...headers, 'webhook-signature': 'v1,' }, body, secret)).toBe(false)
      vi.setSystemTime(now + 301_000)
      expect(isGenuine(headers, body, secret)).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  it('names what goes wrong as the service does', () => {
    const [unreadable = ''] = ATTEMPT_ERRORS.secret.split(',')
    const texts = [
      ATTEMPT_ERRORS.address,
      ATTEMPT_ERRORS.redirect,
      ATTEMPT_ERRORS.time,
      ATTEMPT_ERRORS.connection,
      interimOnlyError(103),
      unreadable,
      GAVE_UP_REASON,
      GONE_REASON,
      CURSOR_TOO_OLD,
    ]
    for (const text of texts) expect(guide).toContain(`\`${text}`)
  })
})

describe('a service that is killed', () => {
  it('again and again, while it writes and delivers, leaves nothing out', async () => {
    const random = seeded(7)
    const { cursor } = await webhook()
    const known: number[] = []
    const kills = 5
    for (let round = 0; round < kills; round++) {
      const state: { isUp: boolean } = { isUp: true }
      const writing = Array.from({ length: 4 }, async () => {
        while (state.isUp) {
          try {
            receiver.mood = random.chance(0.2) ? random.pick<Mood>(['fails', 'dies']) : 'well'
            const one = random.chance(0.5) ? random.pick([0, ...known]) : 0
            const path = one ? `/api/contacts/${one}` : '/api/contacts'
            const isDelete = one !== 0 && random.chance(0.2)
            const method = isDelete ? 'DELETE' : one ? 'PUT' : 'POST'
            const { created_id } = await call(
              method,
              path,
              isDelete ? undefined : contact(`A${random.int(1, 99)}`),
            )
            if (created_id) known.push(created_id)
          } catch {
            // Killed.
          }
        }
      })
      await sleep(random.int(400, 1500))
      state.isUp = false
      await service.crash()
      await Promise.all(writing)
    }
    expect(known.length).toBeGreaterThan(20)
    receiver.mood = 'well'
    // Leases of those that were killed run out, and pauses end.
    for (let seconds = 60; (await feedBehind((await webhook()).cursor)).size > 0; seconds += 60) {
      expect(seconds).toBeLessThan(600)
      await runClock(seconds)
    }
    await expectAllOf(cursor)
  })
})

/** Stores `count` contacts directly in the database, so that no write triggers a delivery. Requires user 1. */
async function writeWithoutDelivery({ miniflare }: AgencyService, count: number): Promise<void> {
  const db = await miniflare.getD1Database('DB')
  await db
    .prepare(
      `insert into contacts (first_name, created_by, date_created, date_updated)
      select 'Quiet', 1, datetime('now'), datetime('now') from json_each(?)`,
    )
    .bind(JSON.stringify(Array.from({ length: count }, () => 1)))
    .run()
}
