import { env } from 'cloudflare:workers'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RED } from '../../../../fixtures/pictures.ts'
import { Faults, withFaults } from '../../../../tools/faults/bindings.ts'
import { bearer, sendTo } from '../../../http/send.ts'
import {
  expectData,
  expectError,
  expectInvalid,
  get,
  keyWith,
  ORIGIN,
  post,
  put,
  remove,
} from '../../../support/api.ts'
import { execute, selectAll, selectFirst } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, readListing } from '../../../support/factories/listing.ts'

const PICTURE = { data: RED }
const LONG_AGO = '2020-01-01 00:00:00'
const KINDS = {
  photos: {
    table: 'listing_photos',
    first: 'original_image',
    shown: 'photos',
    described: { kind: 'photo', captions: [], width: 4, height: 2 },
  },
  'panorama-photos': {
    table: 'listing_panoramas',
    first: 'image',
    shown: 'panorama_photos',
    described: { captions: [], width: 4, height: 2 },
  },
} as const
type Kind = keyof typeof KINDS

let id = 0

beforeAll(seedAgency)

beforeEach(async () => {
  id = await createListing()
})

describe.each(Object.keys(KINDS) as Kind[])('/api/listings/{id}/%s', (kind) => {
  const { table, first, shown, described } = KINDS[kind]
  const path = (suffix = '') => `/api/listings/${id}/${kind}${suffix}`
  /** The addresses of the pictures when they were added. */
  let urls: string[] = []

  beforeEach(async () => {
    const { data } = (await post(path(), { photos: [PICTURE, PICTURE, PICTURE] })).body
    urls = data.map((entry: Record<string, string>) => entry[first])
    await execute('update listings set date_updated = ? where id = ?', LONG_AGO, id)
  })

  /** By the stored numbers, the place that the picture was added in, from 1. */
  async function stored(): Promise<Record<number, number>> {
    const results = await selectAll<{ ordernum: number; key: string }>(
      `select ordernum, ${first} as key from ${table} where listing_id = ? order by ordernum`,
      id,
    )
    return Object.fromEntries(
      results.map(({ ordernum, key }) => [ordernum, urls.findIndex((url) => url.endsWith(key)) + 1]),
    )
  }

  const listingRow = () =>
    selectFirst<{ version: number; matched_version: number; date_updated: string }>(
      'select version, matched_version, date_updated from listings where id = ?',
      id,
    )

  /** Expects the listing to have changed once since `before`, and to have stayed matched. */
  async function expectChanged(before: Awaited<ReturnType<typeof listingRow>>): Promise<void> {
    const version = (before?.version ?? 0) + 1
    const date_updated = expect.not.stringMatching(LONG_AGO)
    expect(await listingRow()).toEqual({ version, matched_version: version, date_updated })
  }

  it('lists the pictures with their numbers, in order', async () => {
    const { photos, panorama_photos } = await readListing(id)
    const images = kind === 'photos' ? photos : panorama_photos
    await expectData(
      get(path()),
      images.map((image: object, index: number) => ({ ordernum: index + 1, ...image, ...described })),
    )
    const other = kind === 'photos' ? 'panorama-photos' : 'photos'
    await expectData(get(`/api/listings/${id}/${other}`), [])
  })

  it('deletes one, and the others keep their numbers', async () => {
    const before = await listingRow()
    expect((await remove(path('/2'))).body).toEqual({ status: 200, deleted_id: 2 })
    expect(await stored()).toEqual({ 1: 1, 3: 3 })
    await expectChanged(before)
    expect((await readListing(id))[shown].map((image: Record<string, string>) => image[first])).toEqual([
      urls[0],
      urls[2],
    ])
    // Files are the sweep's.
    const key = new URL(urls[1] ?? '').pathname.slice(1)
    expect(await env.PHOTOS.head(key)).not.toBeNull()
    expect((await post(path(), { photos: [PICTURE] })).body.data[0].ordernum).toBe(4)
  })

  it('deletes one once, and says that an unknown one is not found', async () => {
    await remove(path('/3'))
    const before = await listingRow()
    for (const ordernum of ['3', '0', '1.5', 'abc']) {
      await expectError(remove(path(`/${ordernum}`)), 404, 'Photo not found')
    }
    for (const unknown of ['999999', 'abc']) {
      for (const ordernum of ['1', 'abc']) {
        await expectError(remove(`/api/listings/${unknown}/${kind}/${ordernum}`), 404, 'Listing not found')
      }
    }
    expect(await listingRow()).toEqual(before)
    expect(Object.keys(await stored())).toHaveLength(2)
  })

  it('PUT orders pictures again, numbered from 1', async () => {
    const before = await listingRow()
    expect((await put(path(), { order: [3, 1, 2] })).body).toEqual({ status: 200, updated_id: id })
    expect(await stored()).toEqual({ 1: 3, 2: 1, 3: 2 })
    await expectChanged(before)
  })

  it('closes gaps, and writes nothing when nothing changes', async () => {
    await remove(path('/2'))
    await put(path(), { order: [1, 3] })
    expect(await stored()).toEqual({ 1: 1, 2: 3 })
    const before = await listingRow()
    expect((await put(path(), { order: [1, 2] })).body).toEqual({ status: 200, updated_id: id })
    expect(await listingRow()).toEqual(before)
    const empty = await createListing()
    expect((await put(`/api/listings/${empty}/${kind}`, { order: [] })).body).toEqual({
      status: 200,
      updated_id: empty,
    })
  })

  it.each<[body: unknown, message: string]>([
    [{}, 'Missing order'],
    [{ order: [1, 2] }, 'Invalid order: photo 3 is missing'],
    [{ order: [1, 2, 3, 4] }, 'Invalid order: there is no photo 4'],
    [{ order: [3, 2, 1, 2] }, 'Invalid order: a photo is named twice'],
  ])('refuses an order that names not every one once (%#)', async (body, message) => {
    const before = await listingRow()
    await expectInvalid(put(path(), body), message)
    await expectError(put(`/api/listings/999999/${kind}`, body), 404, 'Listing not found')
    expect(await stored()).toEqual({ 1: 1, 2: 2, 3: 3 })
    expect(await listingRow()).toEqual(before)
  })

  it('loses nothing when others write at the same time', async () => {
    const answers = await Promise.all([
      put(path(), { order: [2, 3, 1] }),
      put(`/api/listings/${id}`, { price: 5 }),
      put(path(), { order: [3, 2, 1] }),
      put(path(), { order: [1, 3, 2] }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const rows = await stored()
    expect([Object.keys(rows), new Set(Object.values(rows))]).toEqual([['1', '2', '3'], new Set([1, 2, 3])])
    expect((await readListing(id)).price).toBe(5)
  })

  it.each([
    ['PUT', '', JSON.stringify({ order: [3, 1, 2] }), { status: 200, updated_id: expect.any(Number) }],
    ['DELETE', '/2', null, { status: 200, deleted_id: 2 }],
  ])('does all or nothing when storage fails within a %s', async (method, suffix, body, success) => {
    const headers = bearer(await keyWith('listings:write'))
    const send = (faults: Faults) =>
      sendTo(withFaults(env, faults), new Request(ORIGIN + path(suffix), { method, headers, body }))
    const before = await stored()
    for (const when of ['before', 'after'] as const) {
      for (let at = 1; ; at++) {
        // Lasting, as a read is tried again.
        const faults = new Faults({ at, when, isLasting: true })
        const version = (await listingRow())?.version ?? 0
        const answer = await send(faults)
        if (faults.calls < at) {
          expect(await answer.json()).toEqual(success)
          break
        }
        expect([500, 503]).toContain(answer.status)
        const isDone = (await listingRow())?.version !== version
        expect(isDeepStrictEqual(await stored(), before)).toBe(!isDone)
        if (isDone) break
      }
      // As it was.
      await execute(`delete from ${table} where listing_id = ?`, id)
      const insert = `insert into ${table} (listing_id, ordernum, ${first}) values (?, ?, ?)`
      for (const [index, url] of urls.entries())
        await execute(insert, id, index + 1, new URL(url).pathname.slice(1))
    }
  })
})
