// @module-tag slow
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CRON_LIMITS, deliverAfterWrite, deliverByCron } from '../../../src/admin/webhooks/deliver.ts'
import { delivery, deliveryHeaders } from '../../../src/admin/webhooks/schema.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { Faults, withFaults } from '../../../tools/faults/bindings.ts'
import { plansOf, rowsWritten } from '../../db/plans.ts'
import { bearer, send, silenceLog } from '../../http/send.ts'
import { get, keyWith, post, put, remove } from '../../support/api.ts'
import { counting, databaseAround, execute, selectAll, selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import {
  changeContact,
  entriesOf,
  forgetWebhooks,
  receive,
  storedWebhook,
  subscribe,
  Time,
  writeContact,
} from './receivers.ts'

const fail = () => new Response('no', { status: 500 })
const failFirst = (_: unknown, index: number) => (index === 0 ? fail() : new Response())
const idsOf = (deliveries: Parameters<typeof entriesOf>[0]) => entriesOf(deliveries).map(({ id }) => id)
/** The ids in each delivery. */
const idsByDelivery = (deliveries: Parameters<typeof entriesOf>[0]) =>
  deliveries.map(({ body }) => body.data.map(({ id }) => id))
const namesOf = (deliveries: { headers: Record<string, string> }[]) =>
  deliveries.map(({ headers }) => headers['webhook-id'])
const second = 1000
const minute = 60 * second
const hour = 60 * minute

let lines: string[]

beforeAll(seedAgency)
beforeEach(async () => {
  lines = silenceLog()
  await forgetWebhooks()
})

/** Writes `count` contacts and returns their ids. */
async function writeContacts(count: number): Promise<number[]> {
  const results = await selectAll<{ id: number }>(
    `insert into contacts (first_name, created_by, date_created, date_updated)
    select 'Anna', 1, datetime('now'), datetime('now') from json_each(?) returning id`,
    JSON.stringify(Array.from({ length: count }, () => 1)),
  )
  return results.map(({ id }) => id)
}

/** The prefix of this database's cursors, and the newest cursor. */
const newest = async () =>
  (await selectFirst<{ newest: number }>('select max(cursor) as newest from changes'))?.newest ?? 0

describe('a delivery', () => {
  it('holds the entries of the feed, in order, a hundred at most', async () => {
    const { id, secret, cursor } = await subscribe()
    const written = await writeContacts(230)
    const deliveries = receive()
    await deliverByCron(env, new Time())
    expect(deliveries.map(({ body }) => body.data.length)).toEqual([100, 100, 30])
    expect(idsOf(deliveries)).toEqual(written)
    const feed = (await get(`/api/changes?after=${cursor}`)).body
    expect(entriesOf(deliveries)).toEqual(feed.data)
    expect(new Set(namesOf(deliveries)).size).toBe(3)
    for (const { text, headers, body } of deliveries)
      expect(new Webhook(secret).verify(text, headers)).toEqual(body)
    const { data } = (await get(`/admin/webhooks/${id}`)).body
    expect(data).toMatchObject({ cursor: feed.next, failures: 0, date_delivered: expect.any(String) })
    expect(await storedWebhook(id)).toMatchObject({ batch_id: null, batch_until: null, lease: null })
    const attempts = (await get(`/admin/webhooks/${id}/attempts`)).body.data
    expect(attempts.map(({ webhook_id }: { webhook_id: string }) => webhook_id)).toEqual(
      namesOf(deliveries).toReversed(),
    )
    await deliverByCron(env, new Time())
    expect(deliveries).toHaveLength(3)
  })

  it('is what the document says, a test too', async () => {
    const { id } = await subscribe()
    await writeContact()
    const deliveries = receive()
    await deliverByCron(env, new Time())
    await post(`/admin/webhooks/${id}/test`, '')
    expect(deliveries.map(({ body }) => body.type)).toEqual(['changes', 'test'])
    for (const { body, headers } of deliveries) {
      expect(z.strictObject(delivery.shape).parse(body)).toEqual(body)
      const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'))
      expect(z.strictObject(deliveryHeaders.shape).parse(Object.fromEntries(signed))).toBeDefined()
    }
  })

  it('follows a write by itself, an import and a deletion too', async () => {
    const deliveries = receive()
    await subscribe({ resources: ['contacts'] })
    const { created_id } = (await post('/api/contacts', { first_name: 'Anna', created_by: 1 })).body
    await put(`/api/contacts/${created_id}`, { first_name: 'Maria' })
    await remove(`/api/contacts/${created_id}`)
    const line = { entity: 'contacts', data: { id: 900, first_name: 'New', created_by: 1 } }
    await post('/admin/import', JSON.stringify(line))
    expect(entriesOf(deliveries).map(({ id, change }) => [id, change])).toEqual([
      [created_id, 'changed'],
      [created_id, 'changed'],
      [created_id, 'deleted'],
      [900, 'changed'],
    ])
  })

  it('holds only what is wanted', async () => {
    await subscribe({ resources: ['requests', 'offers'] })
    const deliveries = receive()
    await writeContacts(3)
    await deliverByCron(env, new Time())
    expect(deliveries).toEqual([])
  })

  it('goes to each subscriber, however slow another is', async () => {
    const slow = await subscribe({ url: 'https://slow.example/' })
    const quick = await subscribe({ url: 'https://quick.example/' })
    const contact = await writeContact()
    const { promise, resolve } = Promise.withResolvers<void>()
    const deliveries = receive(async ({ url }) => {
      if (url.includes('slow')) await promise
      else resolve()
      return new Response()
    })
    await deliverByCron(env, { ...new Time(), now: Date.now, replyTimeout: 5_000 })
    expect(new Set(deliveries.map(({ url }) => url))).toEqual(
      new Set(['https://quick.example/', 'https://slow.example/']),
    )
    expect(idsOf(deliveries)).toEqual([contact, contact])
    for (const { id } of [slow, quick]) expect(await storedWebhook(id)).toMatchObject({ failures: 0 })
  })

  it('is a success whatever its answer says, be it endless or hang', async () => {
    const { id } = await subscribe()
    let pulls = 0
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          pulls++
          controller.enqueue(new Uint8Array(512))
        },
      })
    const hanging = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) })
    const deliveries = receive(
      (_, index) => new Response(index === 0 ? endless() : hanging(), { status: 202 }),
    )
    for (let times = 0; times < 2; times++) {
      await writeContact()
      await deliverByCron(env, new Time())
    }
    expect(deliveries).toHaveLength(2)
    expect(pulls).toBeLessThan(10)
    expect(await storedWebhook(id)).toMatchObject({ failures: 0, position: await newest() })
  })

  it('has failed without a response in time', async () => {
    const { id } = await subscribe()
    await writeContact()
    receive(() => new Promise<Response>(() => undefined))
    await deliverByCron(env, new Time(), { batches: 1, time: minute })
    expect(await storedWebhook(id)).toMatchObject({ failures: 1, error: 'No answer within 10 seconds' })
  })
})

describe('a delivery that fails', () => {
  it('is retried after each delay, with the same id, and disabled in the end', async () => {
    const { id } = await subscribe()
    await writeContact()
    const deliveries = receive(fail)
    const time = new Time()
    const pauses: number[] = []
    while (pauses.length < 30) {
      // One attempt a run.
      await deliverByCron(env, time, { batches: 1, time: 1 })
      const { next_attempt } = await storedWebhook(id)
      if (next_attempt === null) break
      pauses.push(Number(next_attempt) - time.now())
      time.pass(Number(next_attempt) - time.now() - 1)
      await deliverByCron(env, time)
      time.pass(1)
    }
    const sixHours = Array<number>(12).fill(6 * hour)
    expect(pauses).toEqual([5 * second, 30 * second, 2 * minute, 10 * minute, hour, 3 * hour, ...sixHours])
    expect(deliveries).toHaveLength(19)
    expect(new Set(namesOf(deliveries)).size).toBe(1)
    const { data } = (await get(`/admin/webhooks/${id}`)).body
    expect(data).toMatchObject({
      enabled: false,
      disabled_reason: 'Not delivered in 19 attempts',
      date_disabled: expect.any(String),
      failures: 19,
      error: 'Answer 500',
      next_attempt: null,
    })
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({
      level: 'error',
      work: 'webhooks',
      webhook: id,
      disabled: 'Not delivered in 19 attempts',
      last_error: 'Answer 500',
    })
    time.pass(24 * hour)
    await deliverByCron(env, time)
    expect(deliveries).toHaveLength(19)
  })

  it('waits within a run for what is due before it ends', async () => {
    await subscribe()
    await writeContact()
    const deliveries = receive(fail)
    const time = new Time()
    await deliverAfterWrite(env, time)
    expect([time.waits, deliveries.length]).toEqual([[5 * second], 2])
    time.pass(30 * second)
    await deliverByCron(env, time, CRON_LIMITS)
    // The third attempt; the fourth would be in two minutes.
    expect([time.waits, deliveries.length]).toEqual([[5 * second], 3])
  })

  it('continues at its cursor, and starts its delays again', async () => {
    const { id } = await subscribe()
    const [first, next] = [await writeContact(), await writeContact()]
    const receiver: { isWell: boolean } = { isWell: false }
    const deliveries = receive(() => (receiver.isWell ? new Response() : fail()))
    const time = new Time()
    await deliverByCron(env, time)
    const failed = deliveries.length
    const last = await writeContact()
    receiver.isWell = true
    time.pass(hour)
    await deliverByCron(env, time)
    const [retried] = deliveries.slice(failed)
    expect(idsByDelivery(deliveries.slice(failed))).toEqual([[first, next], [last]])
    expect(namesOf(deliveries.slice(0, failed + 1))).toEqual(
      Array(failed + 1).fill(retried?.headers['webhook-id']),
    )
    expect(await storedWebhook(id)).toMatchObject({ failures: 0, error: null, next_attempt: null })
  })

  it('lacks what has changed again, which comes later, and holds nothing new', async () => {
    await subscribe()
    const [moved, stays] = [await writeContact(), await writeContact()]
    const deliveries = receive(failFirst)
    const time = new Time()
    await deliverByCron(env, time, { batches: 1, time: 1 })
    await changeContact(moved)
    const added = await writeContact()
    time.pass(hour)
    await deliverByCron(env, time)
    expect(idsByDelivery(deliveries)).toEqual([[moved, stays], [stays], [moved, added]])
    const [first, second, third] = namesOf(deliveries)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('does not forget how often it has failed when all of it has changed again', async () => {
    const { id } = await subscribe()
    const contact = await writeContact()
    const deliveries = receive(fail)
    const time = new Time()
    await deliverByCron(env, time, { batches: 1, time: 1 })
    await changeContact(contact)
    time.pass(minute)
    await deliverByCron(env, time, { batches: 2, time: 1 })
    expect(idsByDelivery(deliveries)).toEqual([[contact], [contact]])
    const [first, second] = namesOf(deliveries)
    expect(second).not.toBe(first)
    expect(await storedWebhook(id)).toMatchObject({ failures: 2 })
  })

  it('with 410 is disabled at once, and continues at its cursor once it is enabled', async () => {
    const { id } = await subscribe()
    const contact = await writeContact()
    const deliveries = receive((_, index) => new Response(null, { status: index === 0 ? 410 : 200 }))
    await deliverByCron(env, new Time())
    expect((await get(`/admin/webhooks/${id}`)).body.data).toMatchObject({
      enabled: false,
      disabled_reason: 'The receiver answered 410',
      next_attempt: null,
    })
    const later = (await post('/api/contacts', { first_name: 'B', created_by: 1 })).body.created_id
    expect(deliveries).toHaveLength(1)
    await put(`/admin/webhooks/${id}`, { enabled: true })
    expect(idsByDelivery(deliveries)).toEqual([[contact], [contact], [later]])
    expect((await get(`/admin/webhooks/${id}`)).body.data).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
  })

  it('is sent under another name when other resources are wanted', async () => {
    const { id } = await subscribe({ resources: ['contacts'] })
    const contact = await writeContact()
    const deliveries = receive(failFirst)
    const time = new Time()
    await deliverByCron(env, time, { batches: 1, time: 1 })
    await put(`/admin/webhooks/${id}`, { resources: ['contacts', 'offers'] })
    expect(idsOf(deliveries)).toEqual([contact, contact])
    expect(new Set(namesOf(deliveries)).size).toBe(2)
  })

  it('is disabled when tombstones that its receiver would need are deleted', async () => {
    const { id } = await subscribe()
    await writeContact()
    const deliveries = receive()
    await env.DB.exec('update change_feed set purged = (select max(cursor) from changes)')
    await deliverByCron(env, new Time())
    await env.DB.exec('update change_feed set purged = 0')
    expect(deliveries).toEqual([])
    expect((await get(`/admin/webhooks/${id}`)).body.data).toMatchObject({
      enabled: false,
      disabled_reason: 'Cursor too old: read everything anew',
    })
  })

  it('does not delay other subscriptions', async () => {
    for (let index = 0; index < 8; index++) await subscribe({ url: `https://down.example/${index}` })
    await subscribe({ url: 'https://well.example/' })
    await writeContact()
    const deliveries = receive(({ url }) => (url.includes('down') ? fail() : new Response()))
    const time = new Time()
    await deliverByCron(env, time)
    expect(deliveries.filter(({ url }) => url.includes('well'))).toHaveLength(1)
    // Before any retry.
    expect(deliveries.findIndex(({ url }) => url.includes('well'))).toBeLessThan(9)
  })
})

describe('a run', () => {
  it('begins with those that are well, however long others have been failing', async () => {
    for (let index = 0; index < 12; index++) await subscribe({ url: `https://down.example/${index}` })
    await writeContact()
    receive(fail)
    const time = new Time()
    await deliverByCron(env, time, { batches: 12, time: 1 })
    vi.restoreAllMocks()
    await subscribe({ url: 'https://well.example/' })
    const contact = await writeContact()
    time.pass(minute)
    // It was leased last.
    await env.DB.exec(`update webhooks set leased_until = ${time.now()} where failures = 0`)
    const deliveries = receive(({ url }) => (url.includes('down') ? fail() : new Response()))
    await deliverAfterWrite(env, time, { batches: 1, time: 1 })
    expect(deliveries.find(({ url }) => url.includes('well'))?.body.data).toMatchObject([{ id: contact }])
  })

  it('after a write serves the maximum number of subscriptions', async () => {
    const { id } = await subscribe({ resources: ['contacts'] })
    await execute(
      `insert into webhooks (url, resources, secret, date_created, position, floor, leased_until, failures, enabled)
      select url, resources, secret, date_created, position, floor, 0, 0, 1 from webhooks, json_each(?)
      where webhooks.id = ?`,
      JSON.stringify(Array.from({ length: 99 }, () => 1)),
      id,
    )
    const contact = await writeContact()
    const deliveries = receive()
    await deliverAfterWrite(env, new Time())
    expect(idsOf(deliveries)).toEqual(Array(100).fill(contact))
  })
})

describe('several at once', () => {
  it('send nothing twice', async () => {
    await subscribe()
    const written = await writeContacts(350)
    const deliveries = receive()
    await Promise.all(Array.from({ length: 5 }, () => deliverByCron(env, new Time())))
    expect(idsOf(deliveries)).toEqual(written)
  })

  it('leave a leased batch alone until the lease expires', async () => {
    const { id } = await subscribe()
    await writeContact()
    const time = new Time()
    // The state that an interrupted Worker leaves.
    receive(() => {
      throw new Error('cut off')
    })
    const dying = withFaults(env, new Faults({ at: 3, when: 'before', isLasting: true }))
    await deliverByCron(dying, time)
    const { batch_id, lease } = await storedWebhook(id)
    expect(lease).not.toBeNull()
    vi.restoreAllMocks()
    const deliveries = receive()
    time.pass(29 * second)
    await deliverByCron(env, time)
    expect(deliveries).toEqual([])
    time.pass(2 * second)
    await deliverByCron(env, time)
    expect(namesOf(deliveries)).toEqual([batch_id])
  })

  it('let only who holds the lease move the cursor', async () => {
    const { id } = await subscribe()
    await writeContact()
    const before = await storedWebhook(id)
    receive(async () => {
      await env.DB.exec("update webhooks set lease = 'another'")
      return new Response()
    })
    await deliverByCron(env, new Time())
    const { position, lease, batch_id } = await storedWebhook(id)
    expect([position, lease]).toEqual([before.position, 'another'])
    expect(batch_id).not.toBeNull()
  })

  it.each<[string, Record<string, unknown>, string[]]>([
    ['another address', { url: 'https://other.example/' }, ['other.example']],
    ['other resources', { resources: ['contacts', 'offers'] }, ['receiver.example']],
    ['a description', { description: 'CRM' }, []],
    ['the end', { enabled: false }, []],
  ])('do not wait for the lease when it is given %s meanwhile', async (_, change, again) => {
    const { id } = await subscribe()
    const contact = await writeContact()
    const deliveries = receive(async (_delivery, index) => {
      // Twice, as two operators might.
      for (let times = 0; index === 0 && times < 2; times++) await put(`/admin/webhooks/${id}`, change)
      return new Response(null, { status: index === 0 && again.length > 0 ? 410 : 200 })
    })
    const time = new Time()
    // The calls within the attempt take real time.
    time.replyTimeout = 10 * second
    await deliverByCron(env, time)
    expect(deliveries.map(({ url }) => new URL(url).hostname)).toEqual(['receiver.example', ...again])
    expect(idsOf(deliveries.slice(1))).toEqual(again.map(() => contact))
    expect(lines.join(), 'what does not count is not told').not.toContain('disabled')
    await put(`/admin/webhooks/${id}`, { enabled: true })
    await deliverByCron(env, new Time())
    // The interrupted run can no longer acknowledge.
    expect(deliveries).toHaveLength(change.enabled === false ? 2 : 1 + again.length)
    expect(await storedWebhook(id)).toMatchObject({ lease: null, failures: 0, enabled: 1 })
    expect(Number((await storedWebhook(id)).position)).toBe(await newest())
  })

  it('stop at what one run may do, and go on in the next', async () => {
    await subscribe()
    const written = await writeContacts(450)
    const deliveries = receive()
    await deliverByCron(env, new Time(), { batches: 2, time: minute })
    expect(deliveries).toHaveLength(2)
    const time = new Time()
    // Each call of now() advances the time by a second.
    const now = () => {
      time.pass(second)
      return time.now()
    }
    await deliverByCron(env, { ...time, now }, { batches: 100, time: 8 * second })
    expect(deliveries.length).toBeLessThan(5)
    await deliverByCron(env, time)
    expect(idsOf(deliveries)).toEqual(written)
  })
})

describe('storage that fails', () => {
  // The search, the lease, and the acknowledgements of three batches.
  it.each([1, 2, 3, 4, 5])('at call %i leaves nothing out, in order', async (at) => {
    for (const when of ['before', 'after'] as const) {
      for (const isLasting of [false, true]) {
        await forgetWebhooks()
        vi.restoreAllMocks()
        const { id } = await subscribe()
        const written = await writeContacts(250)
        const deliveries = receive()
        const time = new Time()
        const faults = new Faults({ at, when, isLasting })
        await deliverByCron(withFaults(env, faults), time).catch(() => undefined)
        expect(faults.calls, 'the fault was met').toBeGreaterThanOrEqual(at)
        // Never past what was delivered.
        const { position } = await storedWebhook(id)
        const sentPositions = entriesOf(deliveries).map(({ cursor }) =>
          Number.parseInt(cursor.split('-')[1] ?? '', 16),
        )
        const first = (await newest()) - 250
        expect(Number(position)).toBeLessThanOrEqual(Math.max(first, ...sentPositions))
        time.pass(minute)
        await deliverByCron(env, time)
        const received = new Map(deliveries.map(({ headers, body }) => [headers['webhook-id'], body.data]))
        expect([...received.values()].flatMap((data) => data.map((entry) => entry.id))).toEqual(written)
        for (const { headers, body } of deliveries)
          expect(received.get(headers['webhook-id']), 'the same batch under the same name').toEqual(body.data)
        expect(await storedWebhook(id)).toMatchObject({
          position: await newest(),
          batch_id: null,
          failures: 0,
        })
      }
    }
  })
})

describe('cron', () => {
  it('delivers what was left, and forgets old secrets', async () => {
    const { id } = await subscribe()
    await post(`/admin/webhooks/${id}/rotate`, '')
    await env.DB.exec(`update webhooks set old_secret_expires = ${Date.now() - 1}`)
    const contact = await writeContact()
    const deliveries = receive()
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(idsOf(deliveries)).toEqual([contact])
    expect(await storedWebhook(id)).toMatchObject({ old_secret: null, old_secret_expires: null })
  })

  it('moves only subscriptions forward that no change concerns', async () => {
    const bystander = await subscribe({ resources: ['offers'] })
    const interested = await subscribe({ resources: ['contacts'] })
    const disabled = await subscribe({ resources: ['offers'] })
    await put(`/admin/webhooks/${disabled.id}`, { enabled: false })
    const before = await newest()
    await writeContact()
    receive(fail)
    await deliverByCron(env, new Time())
    expect(await storedWebhook(bystander.id)).toMatchObject({ position: before + 1 })
    for (const { id } of [interested, disabled])
      expect(await storedWebhook(id)).toMatchObject({ position: before })
  })

  it('keeps the daily run as it is', async () => {
    const deliveries = receive()
    await subscribe()
    await writeContact()
    await runScheduled({ cron: DAILY }, env)
    expect(deliveries).toEqual([])
  })
})

describe('what it costs', () => {
  it('a look is a step for each subscription and resource, never a walk through the feed', async () => {
    await subscribe({ resources: ['offers', 'contacts'] })
    await writeContact()
    receive()
    const plans = await plansOf((DB) => deliverByCron({ ...env, DB }, new Time()))
    expect(plans.length).toBeGreaterThan(5)
    for (const { text, steps } of plans) {
      const scans = steps.filter((step) => /SCAN (changes|webhook_attempts)\b/.test(step))
      expect([text, scans]).toEqual([text, []])
    }
    const used = plans.flatMap(({ steps }) => steps).join('\n')
    expect(used).toMatch(/changes USING (COVERING )?INDEX changes_by_resource \(resource=\? AND rowid>\?/)
  })

  it('a write is not a row nor a round trip dearer for a subscription', async () => {
    const key = await keyWith('*:write')
    const create = (DB: D1Database) =>
      send(
        'POST',
        '/api/contacts',
        { headers: bearer(key), body: JSON.stringify({ first_name: 'Anna', created_by: 1 }) },
        { DB },
      )
    const countTrips = async () => {
      const { DB, batches } = counting()
      expect((await create(DB)).status).toBe(200)
      return batches()
    }
    const without = { rows: await rowsWritten(create), trips: await countTrips() }
    receive()
    await subscribe()
    expect({ rows: await rowsWritten(create), trips: await countTrips() }).toEqual(without)
  })

  it('without subscriptions an isolate checks only from time to time', async () => {
    let looks = 0
    const DB = databaseAround((send, texts) => {
      if (texts.join().includes('from webhooks where enabled')) looks++
      return send()
    })
    const key = await keyWith('*:write')
    const write = async () => {
      const headers = bearer(key)
      const body = JSON.stringify({ first_name: 'Anna', created_by: 1 })
      await send('POST', '/api/contacts', { headers, body }, { DB })
      await vi.waitFor(() => expect(looks).toBeGreaterThan(0))
    }
    for (let times = 0; times < 5; times++) await write()
    expect(looks).toBe(1)
  })
})
