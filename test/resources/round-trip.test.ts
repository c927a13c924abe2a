import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { details, extra } from '../../src/catalogue/listing.ts'
import { RECORD_RESOURCES, writePathOf } from '../../src/catalogue/resources.ts'
import { type Data, expectInvalid, get, importRecords, type Line, post, put } from '../support/api.ts'
import { seedLines } from '../support/factories/lines.ts'
import { minimalListing } from '../support/factories/listing.ts'
import { RECORDS, SMALLEST } from '../support/factories/samples.ts'
import { MINIMAL } from './enquiries/seed.ts'
import { full } from './listings/updating.ts'
import { minimalRequest, seedRequests } from './requests/seed.ts'

const LENIENT = { headers: { Prefer: 'handling=lenient' } }

/** Every row of a record: its own, and those of its lists. */
async function rowsOf(tables: Record<string, string>, id: number): Promise<unknown> {
  const answers = await env.DB.batch(
    Object.entries(tables).map(([table, key]) =>
      env.DB.prepare(`select * from ${table} where ${key} = ?`).bind(id),
    ),
  )
  return answers.map(({ results }) => results)
}

/** Sends `body` to `path` and expects that it is taken and changes nothing, not even a date. */
async function expectUnchanged(path: string, tables: Record<string, string>, body: unknown): Promise<void> {
  const id = Number(path.split('/').at(-1))
  const before = await rowsOf(tables, id)
  const reply = await put(path, body, LENIENT)
  expect([reply.status, reply.body.error_message]).toEqual([200, undefined])
  expect(await rowsOf(tables, id)).toEqual(before)
}

const OLD = '2020-01-01 00:00:00'

describe('a listing that was read and is sent back', () => {
  const tables = {
    listings: 'id',
    listing_tag_links: 'listing_id',
    listing_contacts: 'listing_id',
    listing_users: 'listing_id',
    listing_translations: 'listing_id',
    listing_photos: 'listing_id',
    listing_panoramas: 'listing_id',
  }
  const dates = { date_created: OLD, date_updated: OLD }
  const { title, description, ...rest } = full
  const listings: Record<string, Data> = {
    'with everything': {
      ...rest,
      status: 'active',
      code: 'RES-1',
      price_per_sqm: 1250.125,
      translations: [{ language_id: 1, title, description }],
      photos: [{ original_image: 'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg', watermark_image: null }],
      panorama_photos: [{ image: 'photos/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.jpg', thumb: null }],
      floor_configuration: [{ floor: 1 }],
    },
    'with nothing': {},
    'whose address is shown': { location: { ...full.location, display_address: 'real' } },
    'whose address is hidden': { location: { ...full.location, display_address: 'none' } },
    'with a public address of its own': { location: { ...full.location, fake_address_el: 'Κέντρο' } },
    'without coordinates': { location: { latitude: null, longitude: null, display_address: 'fake' } },
    'of a region': { location: { area_level1: 2 } },
    'that is land': { category: 'land', subcategory: 'plot', size: 33.3, price: 100_000 },
    'to let by the week': {
      availability: 'shortterm',
      extra: { shortterm_unit: 'per_week', yield: 4.5, energy_class: 'app', available_from: '2026-01-01' },
    },
  }
  const pathOf = (name: keyof typeof listings) => `/api/listings/${Object.keys(listings).indexOf(name) + 1}`

  beforeAll(async () => {
    await seedRequests()
    await importRecords(
      Object.values(listings).map((data, index) => [
        'listings',
        { ...minimalListing, id: index + 1, ...dates, ...data },
      ]),
    )
  })

  describe.each(Object.keys(listings))('%s', (name) => {
    it.each(['', '?fields=all'])('is as it was: its form %j', async (form) => {
      const path = pathOf(name)
      await expectUnchanged(path, tables, (await get(path + form)).body.data)
    })

    it('is as it was: in groups', async () => {
      const path = pathOf(name)
      const { data } = (await get(`${path}?fields=all`)).body
      const group = (fields: object) =>
        Object.fromEntries(Object.keys(fields).map((field) => [field, data[field]]))
      await expectUnchanged(path, tables, { ...data, details: group(details), 'the service': group(extra) })
      await expectUnchanged(path, tables, { extra: group(extra), location: data.location })
    })
  })

  it('changes by what was changed in it', async () => {
    const path = pathOf('with everything')
    const { data } = (await get(path)).body
    const location = { ...data.location, area_level3: { id: 112 }, postal_code: '116 35', latitude: 37.97 }
    await put(path, { ...data, price: 90_000, location: { ...location, show_circle_on_map: false } }, LENIENT)
    const after = (await get(path)).body.data
    expect(after).toMatchObject({ price: 90_000, price_per_sqm: 1250.125, tags: data.tags })
    expect(after.location).toMatchObject({
      area_level3: { id: 112, name_en: 'Pangrati' },
      postal_code: '116 35',
      latitude: 37.97,
      display_address: false,
      show_circle_on_map: false,
      address_el: 'Ερμού 15',
      fake_address_el: null,
    })
  })

  it('names what it has that is no field of the body', async () => {
    const path = pathOf('with nothing')
    const { data } = (await get(path)).body
    const { headers } = await put(path, { location: data.location }, LENIENT)
    expect(headers.get('X-Ignored-Fields')).toBe(
      'location.address_el, location.fake_address_el, location.fake_longitude, location.fake_latitude',
    )
  })
})

describe('a request that was read and is sent back', () => {
  beforeAll(seedRequests)

  it('takes places by id and as chains, and of both only those there are', async () => {
    const { id } = (await post('/api/requests', minimalRequest)).body.data
    const path = `/api/requests/${id}`
    const sent = [21, { area_level1: 1, area_level2: 11, area_level3: 111 }, { area_level1: 2 }, 2]
    expect((await put(path, { locations: sent })).body.data.locations).toEqual([
      { area_level1: 2, area_level2: 21, area_level3: null },
      { area_level1: 1, area_level2: 11, area_level3: 111 },
      { area_level1: 2, area_level2: null, area_level3: null },
    ])
    await expectInvalid(put(path, { locations: [{ area_level1: 99 }] }), 'Unknown locations 99')
    await expectInvalid(put(path, { locations: ['1'] }), 'Invalid locations.0: must be an integer')
    await expectInvalid(put(path, { locations: [] }), 'Missing locations')
    await expectInvalid(
      post('/api/requests', { ...minimalRequest, locations: [{ area_level1: 1 }] }),
      'Invalid locations.0: must be an integer',
    )
  })
})

describe('what was read and is sent back', () => {
  const ADMIN: Record<string, Data> = {
    '/admin/webhooks': { url: 'https://example.com/hook', resources: ['incomes'] },
    '/admin/feeds': { name: 'Feed', format: 'json', filters: {} },
    '/admin/calendars': { user_id: 1 },
  }
  const SMALL = 700

  /** Records with nothing but what they need, and whole ones: where they are read, where they are written, and their table. */
  const WRITTEN = RECORD_RESOURCES.filter(({ writes }) => writes.includes('update')).flatMap((facts) =>
    [SMALL, RECORDS.find(([entity]) => entity === facts.table)?.[1].id].map(
      (id) => [`/api/${facts.resource}/${id}`, `${writePathOf(facts)}/${id}`, facts.table] as const,
    ),
  )

  beforeAll(async () => {
    await seedLines()
    await importRecords([
      ...RECORDS,
      ...Object.entries(SMALLEST).map(([entity, data]): Line => [entity, { id: SMALL, ...data }]),
    ] as Parameters<typeof importRecords>[0])
  })

  it.each(WRITTEN)('%s is as it was, also where PHP has made {} to []', async (path, written, table) => {
    const { data } = (await get(`${path}?fields=all`)).body
    for (const sent of [data, JSON.parse(JSON.stringify(data).replaceAll('{}', '[]'))])
      await expectUnchanged(written, { [table]: 'id' }, sent)
    expect((await get(`${path}?fields=all`)).body.data).toEqual(data)
  })

  it.each(Object.entries(ADMIN))('%s is as it was', async (path, body) => {
    const own = `${path}/${(await post(path, body)).body.data.id}`
    const { data } = (await get(own)).body
    const reply = await put(own, JSON.parse(JSON.stringify(data).replaceAll('{}', '[]')), LENIENT)
    expect([reply.status, reply.body.error_message]).toEqual([200, undefined])
    // A PUT of a feed or calendar counts as a change, whatever it sends.
    const dated = 'date_updated' in data ? { date_updated: expect.any(String) } : {}
    expect((await get(own)).body.data).toEqual({ ...data, ...dated })
  })

  const EMPTY: [path: string, body: Data][] = [
    ['/api/contacts', { first_name: 'A', address: [], custom_fields: [] }],
    ['/api/listings', { ...minimalListing, location: [], details: [], 'the service': [], extra: [] }],
    ['/api/external-listings', { store_id: 1, created_by: 1, location: [] }],
    ['/api/requests', { ...minimalRequest, extra_fields: [] }],
  ]

  it.each(EMPTY)('POST %s takes %j, import too', async (path, body) => {
    expect(await post(path, body)).toMatchObject({ status: 200 })
    const entity = path.split('/')[2]?.replace('-', '_') ?? ''
    const { extra: _, ...line } = { ...body } as Data
    await importRecords([[entity, { ...SMALLEST[entity], ...line, id: 701 }]])
    const before = (await get(`${path}/701?fields=all`)).body.data
    await importRecords([[entity, { ...line, id: 701 }]])
    expect((await get(`${path}/701?fields=all`)).body.data).toEqual(before)
  })

  it('an enquiry with nothing that it seeks is taken, and not one without a consent', async () => {
    for (const search of [[], { extra_fields: [] }])
      expect(await post('/api/enquiries', { ...MINIMAL, search })).toMatchObject({ status: 200 })
    await expectInvalid(post('/api/enquiries', { ...MINIMAL, consent: [] }), 'Missing consent')
  })
})
