import { env } from 'cloudflare:workers'
import { texture, toJpeg } from '@estia/photo-codec/testing'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { storedKeys } from '../../files/stored.ts'
import { expectError, expectInvalid, get, importRecords, ORIGIN, post, put } from '../../support/api.ts'
import { execute, selectAll, selectFirst } from '../../support/database.ts'
import { DATE_TIME, OLD } from '../../support/factories/dates.ts'
import { importLine } from '../../support/transfer.ts'
import { countRows, create, EMPTY, FULL, read, seedExternalListings } from './seed.ts'

beforeAll(seedExternalListings)

describe('POST /api/external-listings', () => {
  it('answers the whole record, filled with what was not sent', async () => {
    const { headers, body } = await post('/api/external-listings', { created_by: 1, store_id: 1 })
    const { id, date_created } = body.data
    expect(date_created).toMatch(DATE_TIME)
    const data = { id, ...EMPTY, date_created, date_updated: date_created }
    expect(body).toEqual({ status: 200, data })
    expect(headers.get('X-Photo-Errors')).toBeNull()
    expect(await read(id)).toEqual(body.data)
  })

  it.each<[body: Record<string, unknown>, latitude: number, longitude: number]>([
    [{ latitude: 37.5, longitude: 23.5 }, 37.5, 23.5],
    [{ location: { latitude: 1, longitude: 2 } }, 1, 2],
    [{ latitude: 37.5, longitude: 23.5, location: { latitude: 1 } }, 1, 23.5],
    [{ latitude: 37.5, location: { latitude: null, longitude: 0 } }, 37.5, 0],
    [{ latitude: -90, longitude: 180, location: null }, -90, 180],
  ])('%j is at %d, %d', async (body, latitude, longitude) => {
    expect((await create(body)).location).toMatchObject({ latitude, longitude })
  })

  it('takes the status from the settings when none is sent', async () => {
    expect(await create()).toMatchObject({ status: 1 })
    await importRecords([['settings', { key: 'default_external_listing_status_id', value: 2 }]])
    expect(await create()).toMatchObject({ status: 2 })
    expect(await create({ status: null })).toMatchObject({ status: 2 })
    expect(await create({ status: 3 })).toMatchObject({ status: 3 })
  })
})

describe('POST /api/external-listings: what is refused', () => {
  const ok = { created_by: 1, store_id: 1 }
  const subcategories = 'plot, parcel, island'

  it.each<[unknown, string]>([
    [{}, 'Missing created_by'],
    [{ created_by: 1 }, 'Missing store_id'],
    [{ ...ok, subcategory: 'plot' }, 'Invalid subcategory: requires category'],
    [
      { ...ok, subcategory: 'office', category: 'land' },
      `Invalid subcategory: must be one of ${subcategories}`,
    ],
    [{ ...ok, location: { area_level1: 11 } }, 'Invalid location.area_level1: must be a location of level 1'],
    [
      { ...ok, location: { area_level1: 2, area_level2: 11 } },
      'Invalid location.area_level2: is not part of area_level1 2',
    ],
    [
      { ...ok, location: { area_level1: 2, area_level3: 111 } },
      'Invalid location.area_level3: is not part of area_level1 2',
    ],
  ])('%j → 400 %s', async (body, message) => {
    const before = await countRows()
    await expectInvalid(post('/api/external-listings', body), message)
    expect(await countRows()).toBe(before)
  })
})

describe('import of external listings', () => {
  it('keeps a price per square metre that is null', async () => {
    const line = { id: 503, created_by: 1, store_id: 1, price: 10, size: 3, price_per_sqm: null }
    await importLine('external_listings', line)
    expect(await read(503)).toMatchObject({ price_per_sqm: null })
  })
})

/** Creates an external listing that has not changed for years. */
async function createOld(body: Record<string, unknown> = FULL): Promise<number> {
  const { id } = await create(body)
  await execute('update external_listings set date_updated = ? where id = ?', OLD, id)
  return id
}

async function update(id: number, body: unknown): Promise<Headers> {
  const { headers, body: answer } = await put(`/api/external-listings/${id}`, body)
  expect(answer).toEqual({ status: 200, updated_id: id })
  return headers
}

/** All that is stored of an external listing. */
const stored = (id: number) =>
  Promise.all([
    selectFirst(`select * from external_listings where id = ${id}`),
    selectAll(`select * from external_listing_tag_links where external_listing_id = ${id}`),
    selectAll(`select * from external_listing_users where external_listing_id = ${id}`),
    selectAll(`select * from changes where resource = 'external-listings' and id = ${id}`),
  ])

const PLACE = FULL.location

describe('PUT /api/external-listings/{id}', () => {
  it.each<[body: Record<string, unknown>, change?: Record<string, unknown>]>([
    [{ external_url: '' }, { external_url: null }],
    [{ subcategory: null }],
    [{ category: null, subcategory: null }],
    [{ category: 'commercial', subcategory: 'store' }],
    [{ category: 'land', subcategory: null }],
    // The price per square metre follows price and size unless it is sent.
    [{ price: 300_000 }, { price: 300_000, price_per_sqm: 3000 }],
    [{ size: 30 }, { size: 30, price_per_sqm: 6666.67 }],
    [{ size: 0 }, { size: 0, price_per_sqm: null }],
    [{ price: null }, { price: null, price_per_sqm: null }],
    [{ price: 300_000, price_per_sqm: 7 }],
    [{ price_per_sqm: null }],
    [{ price: 300_000, price_per_sqm: null }],
    [{ price: FULL.price }, {}],
    // The location is merged key by key.
    [{ location: { address: 'Ερμού 1' } }, { location: { ...PLACE, address: 'Ερμού 1' } }],
    [{ location: { area_level3: null } }, { location: { ...PLACE, area_level3: null } }],
    [{ latitude: 2, longitude: 3 }, { location: { ...PLACE, latitude: 2, longitude: 3 } }],
    [
      { location: { latitude: 1 }, latitude: 2, longitude: 3 },
      { location: { ...PLACE, latitude: 1, longitude: 3 } },
    ],
    [{ location: {} }, {}],
    [{ location: null }, { location: EMPTY.location }],
    [{ location: null, latitude: 2 }, { location: { ...EMPTY.location, latitude: 2 } }],
    // Lists are replaced.
    [{ tags: [1, 3, 1] }, { tags: [1, 3] }],
    [{ photos: null }, {}],
    [{ photos: [] }, {}],
    // What a body cannot set is ignored.
    [{ created_by: 3 }, {}],
    [{ id: 4711, date_created: '2000-01-01 00:00:00', date_updated: '2000-01-01 00:00:00' }, {}],
    [{ is_deleted: true, version: 9, system_id: 1 }, {}],
    [{}],
  ])('%j → %j', async (body, change = body) => {
    const id = await createOld()
    const before = await read(id)
    await update(id, body)
    const after = await read(id)
    expect(after).toEqual({ ...before, ...change, date_updated: after.date_updated })
    // The date moves only when something changed.
    expect(after.date_updated === OLD).toBe(Object.keys(change).length === 0)
  })

  it.each<[Record<string, unknown>, string]>([
    [
      { subcategory: 'store' },
      'Invalid subcategory: must be one of apartment, maisonette, detached, villa, loft, residential_building, ' +
        'apartment_complex, farmhouse, houseboat, other_residential',
    ],
    [{ category: null }, 'Invalid subcategory: requires category'],
    [{ location: { area_level1: 11 } }, 'Invalid location.area_level1: must be a location of level 1'],
    [{ location: { area_level1: 2 } }, 'Invalid location.area_level2: is not part of area_level1 2'],
    [{ location: { area_level3: 99_999 } }, 'Unknown location.area_level3 99999'],
  ])('%j → 400, nothing of the body is stored, and nothing downloaded', async (body, message) => {
    const fetch = vi.spyOn(globalThis, 'fetch')
    const id = await createOld()
    const before = await stored(id)
    const changes = { description: 'changed', photos: ['https://photos.example/a.jpg'], ...body }
    await expectInvalid(put(`/api/external-listings/${id}`, changes), message)
    expect(await stored(id)).toEqual(before)
    expect(fetch).not.toHaveBeenCalled()
  })

  it('checks a stored location that no longer fits only if the location is sent', async () => {
    const id = await createOld({ ...FULL, location: { area_level1: 1, area_level2: 11 } })
    await execute('update external_listings set area_level1 = 2 where id = ?', id)
    for (const body of [{ price: 1 }, { location: {} }]) await update(id, body)
    await expectInvalid(
      put(`/api/external-listings/${id}`, { location: { address: 'A' } }),
      'Invalid location.area_level2: is not part of area_level1 2',
    )
  })

  it('is refused with 412 when the record has changed, before photos are downloaded', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch')
    const id = await createOld()
    const { headers } = await get(`/api/external-listings/${id}`)
    await update(id, { price: 1 })
    const before = await stored(id)
    const options = { headers: { 'If-Match': headers.get('ETag') ?? '' } }
    const body = { price: 2, photos: ['https://photos.example/a.jpg'] }
    await expectError(put(`/api/external-listings/${id}`, body, options), 412, 'The record has changed')
    expect(await stored(id)).toEqual(before)
    expect(fetch).not.toHaveBeenCalled()
  })
})

describe('photos of PUT /api/external-listings/{id}', () => {
  const at = (name: string) => `https://photos.example/${name}`

  async function serve(...names: string[]) {
    const jpeg = await toJpeg(texture(40, 30))
    return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      if (!names.some((name) => String(input) === at(name))) throw new Error('unreachable')
      return new Response(jpeg)
    })
  }

  const picture = expect.stringMatching(`^${ORIGIN}/photos/[0-9a-f]{32}.jpg$`)
  const FAILED = 'Could not download photo'

  it('replaces them, keeps those named by their URL, and leaves out what is no URL', async () => {
    const others = await storedKeys()
    const fetch = await serve('a.jpg', 'b.jpg')
    const id = await createOld({ ...FULL, photos: [at('a.jpg'), at('b.jpg')] })
    const [first, second] = (await read(id)).photos
    fetch.mockClear()
    const headers = await update(id, { photos: [second, at('a.jpg'), first, 'nonsense'] })
    expect(headers.get('X-Photo-Errors')).toBe('photos.3: Invalid photo url')
    const { photos, date_updated } = await read(id)
    expect(photos).toEqual([second, picture, first])
    expect(photos[1]).not.toBe(first)
    expect(date_updated).not.toBe(OLD)
    expect(fetch.mock.calls.map(([url]) => String(url))).toEqual([at('a.jpg')])
    // Files of pictures that are gone are left to the sweep, so a reader with an old page still sees them.
    await update(id, { photos: [] })
    expect((await read(id)).photos).toEqual([])
    expect(await storedKeys()).toHaveLength(others.length + 3)
  })

  it('keeps pictures at imported addresses, and does not take those of another record', async () => {
    const fetch = await serve()
    const id = await createOld()
    const foreign = 'https://elsewhere.example/photo.jpg'
    const own = 'photos/0123456789abcdef0123456789abcdef.jpg'
    await execute('update external_listings set photos = ? where id = ?', JSON.stringify([foreign]), id)
    const before = await stored(id)
    await expectError(
      put(`/api/external-listings/${id}`, { photos: [`${ORIGIN}/${own}`, foreign], price: 1 }),
      503,
      `photos.0: ${FAILED}`,
    )
    expect(await stored(id)).toEqual(before)
    await update(id, { photos: [foreign], price: 1 })
    expect(await read(id)).toMatchObject({ photos: [foreign], price: 1 })
    // Nothing is known of where it came from, so it stays at its place.
    expect((await update(id, { photos: [at('gone.jpg')] })).get('X-Photo-Errors')).toBe(`photos.0: ${FAILED}`)
    expect(await read(id)).toMatchObject({ photos: [foreign], price: 1 })
    expect(fetch.mock.calls.map(([url]) => String(url))).not.toContain(foreign)
  })

  describe('of which some fail', () => {
    // What is sent over the pictures A and B of a.jpg and b.jpg, and what is then stored. Only c.jpg and d.jpg arrive, as C.
    const CASES: [what: string, sent: string[], photos: string[] | null, failed: string[]][] = [
      ['the same URLs', ['a.jpg', 'b.jpg'], ['A', 'B'], ['0', '1']],
      ['the same URLs in another order', ['b.jpg', 'a.jpg'], ['B', 'A'], ['0', '1']],
      ['the same URL behind a new one', ['c.jpg', 'a.jpg', 'b.jpg'], ['C', 'A', 'B'], ['1', '2']],
      ['the addresses that a read shows', ['B', 'A'], ['B', 'A'], []],
      ['an address beside the same URL', ['B', 'a.jpg'], ['B', 'A'], ['1']],
      ['a new URL at the place of a picture', ['x.jpg', 'b.jpg'], ['A', 'B'], ['0', '1']],
      ['new URLs at all places', ['x.jpg', 'y.jpg'], ['A', 'B'], ['0', '1']],
      ['a new URL that arrives', ['c.jpg', 'y.jpg'], ['C', 'B'], ['1']],
      ['what is no picture at the place of one', ['text', 'b.jpg'], ['A', 'B'], ['0', '1']],
      ['a new URL at the end', ['a.jpg', 'b.jpg', 'x.jpg'], null, ['2']],
      ['a new URL in front of the picture at its place', ['x.jpg', 'a.jpg'], null, ['0']],
      ['a new URL at the place of one that is named', ['x.jpg', 'A'], null, ['0']],
      ['the same URL twice', ['a.jpg', 'b.jpg', 'a.jpg'], null, ['2']],
      ['what is no picture at the end', ['A', 'B', 'text'], ['A', 'B'], ['2']],
    ]

    const setUp = async () => {
      const fetch = await serve('a.jpg', 'b.jpg')
      const id = await createOld({ ...FULL, photos: [at('a.jpg'), at('b.jpg')] })
      fetch.mockRestore()
      const [A = '', B = ''] = (await read(id)).photos
      return { id, A, B }
    }
    const send = (known: Record<string, string>, names: string[]) =>
      names.map((name) => known[name] ?? at(name))

    it.each(CASES)('keeps what is known of them, or changes nothing: %s', async (_, sent, photos, failed) => {
      const { id, A, B } = await setUp()
      const before = await stored(id)
      const jpeg = await toJpeg(texture(40, 30))
      vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
        if (String(input) === at('text')) return new Response('<p>')
        if (!/\/[cd]\.jpg$/.test(String(input))) throw new Error('unreachable')
        return new Response(jpeg)
      })
      const body = { photos: send({ A, B }, sent), price: 7 }
      const answer = await put(`/api/external-listings/${id}`, body)
      if (!photos) {
        const message = `photos.${failed[0]}: ${FAILED}`
        expect([answer.status, answer.body.error_message]).toEqual([503, message])
        expect(answer.headers.get('Retry-After')).toBe('60')
        expect(await stored(id)).toEqual(before)
        return
      }
      expect(answer.status).toBe(200)
      const named = answer.headers.get('X-Photo-Errors')?.matchAll(/photos\.(\d+):/g) ?? []
      expect([...named].map(([, index]) => index)).toEqual(failed)
      const expected = photos.map((name) => ({ A, B, C: picture })[name])
      expect(await read(id)).toMatchObject({ photos: expected, price: 7 })
    })

    it.each([
      ['the same URLs keep theirs', ['a.jpg', 'b.jpg'], true],
      ['one more has none to keep', ['a.jpg', 'b.jpg', 'c.jpg'], false],
    ])('does so when the bucket fails after the first: %s', async (_, sent, isStored) => {
      const { id, A, B } = await setUp()
      const before = await stored(id)
      const fetch = await serve('a.jpg', 'b.jpg', 'c.jpg')
      const put10001 = env.PHOTOS.put.bind(env.PHOTOS)
      let puts = 0
      const bucket = vi.spyOn(env.PHOTOS, 'put').mockImplementation(((key: string, bytes: Uint8Array) => {
        puts += 1
        return puts > 1 ? Promise.reject(new Error('put: internal error (10001)')) : put10001(key, bytes)
      }) as typeof env.PHOTOS.put)
      const answer = await put(`/api/external-listings/${id}`, { photos: sent.map(at), price: 7 })
      bucket.mockRestore()
      fetch.mockRestore()
      if (isStored) {
        expect([answer.status, answer.headers.get('X-Photo-Errors')]).toEqual([
          200,
          'photos.1: Failed to upload photo',
        ])
        expect(await read(id)).toMatchObject({ photos: [picture, B], price: 7 })
        expect((await read(id)).photos[0]).not.toBe(A)
      } else {
        expect([answer.status, answer.body.error_message]).toEqual([503, 'photos.2: Failed to upload photo'])
        expect(await stored(id)).toEqual(before)
      }
    })
  })
})
