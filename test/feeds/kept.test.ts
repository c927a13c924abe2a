/**
 * Feeds that are made once and kept: who makes them, when they are made anew, and what becomes of a fault.
 *
 * @module-tag slow
 */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { sweepAfter } from '../files/stored.ts'
import { send, silenceLog } from '../http/send.ts'
import { ORIGIN, put, textOf } from '../support/api.ts'
import { CountingLimit } from '../support/counting-limit.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { bindingWith } from '../support/storage.ts'
import { databaseWith, fail, importListings, makeFeed, readFeed } from './serving.ts'

let log: string[] = []

beforeAll(async () => {
  await seedAgency()
  await importListings({ 1: {}, 2: {} })
})

beforeEach(() => {
  log = silenceLog()
})

const keptKeys = async () => (await env.PHOTOS.list({ prefix: 'feeds/' })).objects.map(({ key }) => key)

/** A database that counts how often listings are read. */
function counting() {
  const counted = { reads: 0 }
  return { counted, DB: databaseWith(() => void counted.reads++) }
}

/** The bucket with some calls replaced. */
const bucketWith = (calls: Partial<Record<keyof R2Bucket, unknown>>) => bindingWith(env.PHOTOS, calls)

const broken = () => Promise.reject(new Error('R2 is down'))

describe.each(['kyero', 'sitemap'])('a feed of the format %s', (format) => {
  it('is made once for an ETag', async () => {
    const path = await makeFeed(format)
    const { counted, DB } = counting()
    const first = await readFeed(path, {}, { DB })
    const second = await readFeed(path, {}, { DB })
    expect([second.text, counted.reads]).toEqual([first.text, 1])
    expect(second.headers.get('ETag')).toBe(first.headers.get('ETag'))
    expect(Number(second.headers.get('Content-Length'))).toBe(new TextEncoder().encode(second.text).length)
    await put('/api/listings/1', { price: 100_000 + Math.round(Math.random() * 1e6) })
    const third = await readFeed(path, {}, { DB })
    // A sitemap may have the same text: it shows no price, and a date to the second.
    expect([third.headers.get('ETag') === first.headers.get('ETag'), counted.reads]).toEqual([false, 2])
  })

  it('is made by one of several readers', async () => {
    const path = await makeFeed(format)
    const { counted, DB } = counting()
    const answers = await Promise.all([1, 2, 3, 4].map(() => readFeed(path, {}, { DB })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([new Set(answers.map(({ text }) => text)).size, counted.reads]).toEqual([1, 1])
  })

  it.each([
    ['reading', { get: broken }],
    ['storing', { put: broken }],
  ])('is served when the bucket fails in %s', async (_, calls) => {
    const path = await makeFeed(format)
    const whole = (await readFeed(path)).text
    const other = await makeFeed(format)
    const keys = await keptKeys()
    const { status, text } = await readFeed(other, {}, { PHOTOS: bucketWith(calls) })
    expect([status, text]).toEqual([200, whole])
    expect(await keptKeys()).toEqual(keys)
    expect(log.join('\n')).toContain('R2 is down')
  })

  it('is an error when the database fails, and nothing is kept', async () => {
    const path = await makeFeed(format)
    const keys = await keptKeys()
    const { status, headers } = await readFeed(path, {}, { DB: databaseWith(fail) })
    expect([status, headers.get('ETag'), headers.get('Cache-Control')]).toEqual([500, null, 'no-store'])
    expect(await keptKeys()).toEqual(keys)
    expect((await readFeed(path)).status).toBe(200)
  })
})

it('is made ten times a minute for an address, and read as often as reading is allowed', async () => {
  const FEED_MAKING_BUDGET = new CountingLimit(2)
  const paths = await Promise.all(['kyero', 'sitemap', 'kyero'].map((format) => makeFeed(format)))
  const limit = { FEED_MAKING_BUDGET, FEEDS_MADE_PER_ADDRESS: '2' }
  const read = (path = '', address = '192.0.2.1', more: Partial<Env> = {}) =>
    readFeed(path, { 'CF-Connecting-IP': address }, { ...limit, ...more })
  const statuses = []
  for (const path of [paths[0], paths[0], paths[1], paths[0], paths[1], paths[2]])
    statuses.push((await read(path)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  const refused = await read(paths[2])
  expect([refused.headers.get('Retry-After'), refused.headers.get('RateLimit-Policy')]).toEqual([
    '60',
    '"feed-making";q=2;w=60',
  ])
  expect((await send('HEAD', paths[2] ?? '')).status).toBe(200)
  expect((await read(paths[2], '192.0.2.2')).status).toBe(200)
  // While the bucket fails, each reading is a making.
  const PHOTOS = bucketWith({ get: broken })
  for (const status of [200, 200, 429])
    expect((await read(paths[0], '192.0.2.3', { PHOTOS })).status).toBe(status)
  // Pages of a JSON Feed have 1,000 listings at most, and are made each time.
  const json = await makeFeed('json')
  expect((await read(json)).status).toBe(200)
})

it('has its own copy for each address of the service, and one for each', async () => {
  const path = await makeFeed('kyero')
  const before = (await keptKeys()).length
  const one = await readFeed(path, {}, { PUBLIC_BASE_URL: 'https://a.example' })
  const other = await readFeed(path, {}, { PUBLIC_BASE_URL: 'https://b.example' })
  expect(one.headers.get('ETag')).not.toBe(other.headers.get('ETag'))
  expect((await keptKeys()).length).toBe(before + 2)
  const bases = { PUBLIC_BASE_URL: 'https://a.example', PICTURES_BASE_URL: 'https://c.example' }
  const pictures = await readFeed(path, {}, bases)
  expect(pictures.headers.get('ETag')).not.toBe(one.headers.get('ETag'))
  expect((await keptKeys()).length).toBe(before + 3)
  await put('/api/listings/2', { price: 777_000 })
  await readFeed(path, {}, { PUBLIC_BASE_URL: 'https://a.example' })
  expect((await keptKeys()).length).toBe(before + 3)
})

it('goes with the sweep, and is made again', async () => {
  const path = await makeFeed('kyero')
  const { text } = await readFeed(path)
  expect((await keptKeys()).length).toBeGreaterThan(0)
  await sweepAfter(0)
  await sweepAfter(1.1)
  expect(await keptKeys()).toEqual([])
  expect((await readFeed(path)).text).toBe(text)
})

it('is finished for others when the client who had it made leaves', async () => {
  const path = await makeFeed('kyero')
  const context = createExecutionContext()
  const response = await app.fetch(new Request(ORIGIN + path), env, context)
  await response.body?.cancel()
  await waitOnExecutionContext(context)
  const { counted, DB } = counting()
  expect((await textOf(await send('GET', path, {}, { DB }))).endsWith('</root>\n')).toBe(true)
  expect(counted.reads).toBe(0)
})

// Last, as every other feed would have these listings, too.
describe('a feed that is longer than a part of an upload', { timeout: 120_000 }, () => {
  const description = 'ά'.repeat(60_000)
  const ids = Array.from({ length: 60 }, (_, index) => 9000 + index)
  const filters = { ids }

  beforeAll(async () => {
    const translations = [{ language_id: 2, title: 'x', description }]
    await importListings(Object.fromEntries(ids.map((id) => [id, { translations }])))
  })

  it('is kept whole', async () => {
    const path = await makeFeed('kyero', { filters })
    const direct = await readFeed(path, {}, { PHOTOS: bucketWith({ get: broken }) })
    const made = await readFeed(path)
    const again = await readFeed(path)
    expect(direct.text.length).toBeGreaterThan(3_600_000)
    expect(direct.text.endsWith('</root>\n')).toBe(true)
    expect([made.text === direct.text, again.text === direct.text]).toEqual([true, true])
    expect((await env.PHOTOS.list({ prefix: 'feeds/' })).objects.some(({ size }) => size > 7_000_000)).toBe(
      true,
    )
  })

  /** Uploads some of whose calls are others. */
  const uploadsWith = (calls: object) => ({
    createMultipartUpload: async (key: string) => {
      const upload = await env.PHOTOS.createMultipartUpload(key)
      const uploadPart = (number: number, part: Uint8Array) => upload.uploadPart(number, part)
      return { uploadPart, abort: () => upload.abort(), ...calls }
    },
  })

  it.each([
    ['begins', { createMultipartUpload: broken }],
    ['goes on', uploadsWith({ uploadPart: broken })],
    ['ends', uploadsWith({ complete: broken })],
  ])('is served when the bucket fails as its upload %s', async (_, calls) => {
    const path = await makeFeed('kyero', { filters })
    const keys = await keptKeys()
    const { status, text } = await readFeed(path, {}, { PHOTOS: bucketWith(calls) })
    expect([status, text.endsWith('</root>\n')]).toEqual([200, true])
    expect(await keptKeys()).toEqual(keys)
  })
})
