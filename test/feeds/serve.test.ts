/** Feeds as portals read them: which listings, which answers, and what ends them. */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { send, silenceLog } from '../http/send.ts'
import { post, textOf } from '../support/api.ts'
import { CountingLimit } from '../support/counting-limit.ts'
import { execute } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { databaseWith, fail, idsIn, importListings, makeFeed, readFeed } from './serving.ts'

let log: string[] = []

beforeAll(async () => {
  await seedAgency()
  await importListings({
    1: {
      title: null,
      translations: [{ language_id: 2, title: 'Sea &amp; more', description: 'x' }],
      tags: [1],
    },
    2: { availability: 'rent', users: [2], date_created: '2020-01-01 00:00:00' },
    3: { extra: { has_hidden_price: true }, rooms: 3, tags: [2] },
    4: { status: 'draft', code: null },
    5: {
      ...{
        rooms: 3,
        location: { area_level1: 1, area_level2: 12, display_address: 'real', latitude: 38, longitude: 24 },
      },
    },
  })
})

beforeEach(() => {
  log = silenceLog()
})

describe('a feed', () => {
  it.each([
    ['kyero', 'application/xml; charset=utf-8', [1, 2, 5]],
    ['json', 'application/feed+json; charset=utf-8', [1, 2, 3, 5]],
    ['sitemap', 'application/xml; charset=utf-8', [1, 2, 3, 5]],
  ])('of the format %s is public and has the active listings', async (format, type, ids) => {
    const path = await makeFeed(format)
    // A change of this second is not told before the next one.
    for (const [table, column] of [
      ['feeds', 'date_updated'],
      ['feed_changes', 'date'],
    ])
      await execute(`update ${table} set ${column} = '2026-01-05 10:00:00'`)
    const { status, headers, text } = await readFeed(path)
    expect([status, headers.get('Content-Type')]).toEqual([200, type])
    expect(headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(headers.get('ETag')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(headers.get('Last-Modified')).toMatch(/ GMT$/)
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(text.endsWith('\n')).toBe(true)
    expect(await idsIn(path)).toEqual(ids)
    const head = await send('HEAD', path)
    const own = (all: Headers) =>
      [...all].filter(([name]) => !['x-request-id', 'transfer-encoding', 'content-length'].includes(name))
    expect([head.status, own(head.headers)]).toEqual([200, own(headers)])
    expect(await textOf(head)).toBe('')
  })

  it.each<[Record<string, unknown>, number[]]>([
    [{ tags: [1, 2] }, [1, 3]],
    [{ date_created: { max: '2020-12-31' } }, [2]],
    // A hidden price is outside every bound, and a point that is not shown is nowhere.
    [{ price: { min: 1 } }, [1, 2, 5]],
    [{ near: { latitude: 38, longitude: 24, radius: 100 } }, [5]],
    [{ areas: [12], rooms: { min: 1 } }, [5]],
    [{ text: 'sea' }, [1]],
    [{ status: ['draft', 'active'], ids: [4, 5] }, [5]],
  ])('with the filters %j has %j', async (filters, ids) => {
    expect(await idsIn(await makeFeed('json', { filters }))).toEqual(ids)
  })

  it.each([
    ['an unknown token', `/feeds/${'0'.repeat(32)}/kyero.xml`],
    ['no token', '/feeds/1/kyero.xml'],
    ['a token in capitals', `/feeds/${'A'.repeat(32)}/kyero.xml`],
  ])('is not found by %s', async (_, path) => {
    const { status, text, headers } = await readFeed(path)
    expect([status, JSON.parse(text)]).toEqual([404, { status: 404, error_message: 'Not found' }])
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  it('has the file of its format and no other', async () => {
    const files = ['kyero.xml', 'feed.json', 'sitemap.xml']
    for (const [format, file] of [
      ['kyero', 'kyero.xml'],
      ['json', 'feed.json'],
      ['sitemap', 'sitemap.xml'],
    ] as const) {
      const path = await makeFeed(format)
      for (const other of [...files, 'sitemap-2.xml', 'sitemap-0.xml', 'kyeroXxml', 'x']) {
        const { status } = await readFeed(path.replace(file, other))
        expect([format, other, status]).toEqual([format, other, other === file ? 200 : 404])
      }
    }
  })

  it('counts calls by address', async () => {
    const FEED_BUDGET = new CountingLimit(2)
    const path = await makeFeed('kyero')
    const read = (address: string, at = path) =>
      readFeed(at, { 'CF-Connecting-IP': address }, { FEED_BUDGET, CALLS_PER_FEED_READER: '2' })
    const first = await read('192.0.2.1')
    expect([first.status, first.headers.get('RateLimit-Policy')]).toEqual([200, '"feed";q=2;w=60'])
    // Guesses count as well.
    expect((await read('192.0.2.1', '/feeds/0/kyero.xml')).status).toBe(404)
    const late = await read('192.0.2.1')
    expect([late.status, late.headers.get('Retry-After')]).toEqual([429, '60'])
    expect((await read('192.0.2.2')).status).toBe(200)
  })
})

describe('a conditional call', () => {
  it('gets 304 for the same feed', async () => {
    await execute("update feed_changes set date = '2026-01-05 10:00:00'")
    const path = await makeFeed('kyero')
    await execute("update feeds set date_updated = '2026-01-05 09:00:00'")
    const { headers } = await readFeed(path)
    const tag = headers.get('ETag') ?? ''
    const date = 'Mon, 05 Jan 2026 10:00:00 GMT'
    expect(headers.get('Last-Modified')).toBe(date)
    for (const [status, sent] of [
      ...[tag, `"x", W/${tag}`, '*'].map((known) => [304, { 'If-None-Match': known }] as const),
      ...['"x"', 'x'].map((known) => [200, { 'If-None-Match': known }] as const),
      [304, { 'If-Modified-Since': date }],
      ...['Mon, 05 Jan 2026 09:59:59 GMT', 'yesterday'].map(
        (at) => [200, { 'If-Modified-Since': at }] as const,
      ),
      // The tag is exact, so the date does not count beside it.
      [200, { 'If-None-Match': '"x"', 'If-Modified-Since': date }],
    ] as const)
      expect([sent, (await readFeed(path, sent)).status]).toEqual([sent, status])
    const { text } = await readFeed(path, { 'If-None-Match': tag })
    expect(text).toBe('')
  })

  it('Last-Modified never names the current second', async () => {
    const path = await makeFeed('kyero')
    await execute("update feed_changes set date = datetime('now', '+1 hour')")
    const { headers } = await readFeed(path)
    expect(Date.parse(headers.get('Last-Modified') ?? '')).toBeLessThan(Date.now() - 500)
    await execute("update feed_changes set date = '2026-01-05 10:00:00'")
  })
})

describe('a page of feed.json', () => {
  it('continues after a listing, and says where the next one is', async () => {
    const path = await makeFeed('json')
    const pageAfter = async (after: string) => JSON.parse((await readFeed(`${path}?after=${after}`)).text)
    const { items } = await pageAfter('2')
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['3', '5'])
    expect((await pageAfter('5')).items).toEqual([])
    for (const after of ['x', '-1', '1.5'])
      expect((await readFeed(`${path}?after=${after}`)).status).toBe(400)
    const tags = await Promise.all(
      ['', '?after=2', '?after=3'].map(async (query) => (await readFeed(path + query)).headers.get('ETag')),
    )
    expect(new Set(tags).size).toBe(3)
  })
})

describe('a fault', () => {
  it.each(['kyero', 'json', 'sitemap'])('before the first byte of %s is answered', async (format) => {
    const path = await makeFeed(format)
    const { status, headers } = await readFeed(path, {}, { DB: databaseWith(fail) })
    expect([status, headers.get('ETag'), headers.get('Cache-Control')]).toEqual([500, null, 'no-store'])
  })

  it('behind it ends the file without its closing tag, and is logged', async () => {
    // Each is longer than what is read at once.
    const description = 'ά'.repeat(65_000)
    const translations = [1, 2].map((language_id) => ({ language_id, title: 'x', description }))
    const ids = Array.from({ length: 12 }, (_, index) => 9000 + index)
    await importListings(Object.fromEntries(ids.map((id) => [id, { translations }])))
    const path = await makeFeed('json', { filters: { ids } })
    expect(await idsIn(path)).toEqual(ids)
    let reads = 0
    const DB = databaseWith(() => ++reads === 3 && fail())
    const response = await send('GET', path, {}, { DB })
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    let text = ''
    const decoder = new TextDecoder()
    const readAll = async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        text += decoder.decode(part.value, { stream: true })
    }
    await expect(readAll()).rejects.toThrow('D1_ERROR: broken')
    expect(text).toContain('"id":"9000"')
    expect(() => JSON.parse(text)).toThrow()
    expect(log.some((line) => line.includes('"stream":') && line.includes('D1_ERROR: broken'))).toBe(true)
    for (const id of ids) await post(`/api/listings/${id}/status`, { to: 'archived' })
  })
})
