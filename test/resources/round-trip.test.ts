import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { details, extra } from '../../src/catalogue/listing.ts'
import { endpoints } from '../http/send.ts'
import { expectInvalid, get, importRecords, post, put } from '../support/api.ts'
import { execute } from '../support/database.ts'
import { seedLines } from '../support/factories/lines.ts'
import { minimalListing } from '../support/factories/listing.ts'
import { SMALLEST } from '../support/factories/samples.ts'
import { FIELDS as CONTACT_FIELDS, seedContacts } from './contacts/seed.ts'
import { MINIMAL } from './enquiries/seed.ts'
import { full } from './listings/updating.ts'
import { FIELDS, minimalRequest, seedRequests } from './requests/seed.ts'

type Json = Record<string, unknown>

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
  const listings: Record<string, Json> = {
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
  const tables = {
    requests: 'id',
    request_contacts: 'request_id',
    request_users: 'request_id',
    request_tag_links: 'request_id',
    request_locations: 'request_id',
  }
  const kinds: Record<string, Json> = {
    'with everything': {
      ...minimalRequest,
      title: 'Title',
      contacts: [2, 1],
      locations: [111, 2, 12],
      subcategories: ['apartment', 'villa'],
      subtypes: [1, 5],
      price_max: 100_000,
      floor_min: 0.5,
      has_elevator: true,
      elevator_min_floor: 2,
      rating: 3,
      tags: [3, 1],
      notes: 'Notes',
      extra_fields: {
        view: ['sea'],
        features: ['has_elevator'],
        special_locations: [2, 1],
        [FIELDS.text]: 'Text',
        [FIELDS.select_multi]: [2, 1],
      },
    },
    'with nothing': minimalRequest,
    'for land': { ...minimalRequest, category: 'land', extra_fields: { build_ratio_min: 0.8 } },
    'for a short term': {
      ...minimalRequest,
      availability: 'shortterm',
      extra_fields: { shortterm_unit: 'per_week', shortterm_max_guests_min: 2 },
    },
  }

  beforeAll(seedRequests)

  it.each(Object.entries(kinds))('%s is as it was', async (_, body) => {
    const { id } = (await post('/api/requests', body)).body.data
    await execute('update requests set date_updated = ? where id = ?', OLD, id)
    for (const form of ['', '?fields=all']) {
      const { data } = (await get(`/api/requests/${id}${form}`)).body
      expect(data.date_updated).toBe(OLD)
      await expectUnchanged(`/api/requests/${id}`, tables, data)
    }
  })

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

describe('a contact that was read and is sent back', () => {
  beforeAll(seedContacts)

  it.each<[name: string, body: Json]>([
    [
      'with everything',
      {
        first_name: 'Άννα',
        company_name: 'Co',
        is_company: true,
        phones: [{ type: 'mobile', number: '6900000000' }],
        emails: [{ email_address: 'a@example.com' }],
        address: { area: 'Αθήνα', street: 'Ερμού 15' },
        contact_details: [{ first_name: 'Β', mobile: '6900000001' }],
        custom_fields: { [CONTACT_FIELDS.text]: 'Text', [CONTACT_FIELDS.select_multi]: [73, 71] },
        tags: [2, 1],
        users: [2],
        notes: 'Notes',
      },
    ],
    ['with nothing', { last_name: 'Ρήγας' }],
  ])('%s is as it was', async (_, body) => {
    const id = (await post('/api/contacts', body)).body.created_id
    await execute('update contacts set date_updated = ? where id = ?', OLD, id)
    const path = `/api/contacts/${id}`
    const { data } = (await get(path)).body
    expect(data.date_updated).toBe(OLD)
    await expectUnchanged(
      path,
      { contacts: 'id', contact_tag_links: 'contact_id', contact_users: 'contact_id' },
      data,
    )
  })
})

describe('what PHP reads and sends back, where {} has become []', () => {
  const ADMIN: Record<string, Json> = {
    '/admin/webhooks/{id}': { url: 'https://example.com/hook', resources: ['incomes'] },
    '/admin/feeds/{id}': { name: 'Feed', format: 'json', filters: {} },
    '/admin/calendars/{id}': { user_id: 1 },
  }
  const has = (wanted: string, path: string) =>
    path.endsWith('/{id}') &&
    endpoints.some((endpoint) => endpoint.method === wanted && endpoint.path === path)
  const writable = endpoints
    .map(({ path }) => path)
    .filter((path, index, paths) => paths.indexOf(path) === index && has('get', path) && has('put', path))
    // test/admin/definitions.test.ts sends back what it reads of each.
    .filter((path) => !path.includes('{entity}'))

  beforeAll(seedLines)

  /** The id of a record at `path` with nothing but what it needs. */
  async function make(path: string): Promise<number> {
    const sent = ADMIN[path]
    if (sent) return (await post(path.replace('/{id}', ''), sent)).body.data.id
    const entity = path.split('/')[2]?.replace('-', '_') ?? ''
    await importRecords([[entity, { id: 700, ...SMALLEST[entity] }]])
    return 700
  }

  it.each(writable)('%s is as it was', async (path) => {
    const id = await make(path)
    const own = path.replace('{id}', String(id))
    const all = own.startsWith('/api') ? `${own}?fields=all` : own
    const { data } = (await get(all)).body
    const sent = JSON.parse(JSON.stringify(data).replaceAll('{}', '[]'))
    const reply = await put(own, sent, LENIENT)
    expect([reply.status, reply.body.error_message]).toEqual([200, undefined])
    // A PUT of a feed or calendar counts as a change, whatever it sends.
    const isDated = ['/admin/feeds/{id}', '/admin/calendars/{id}'].includes(path)
    const dated = isDated ? { date_updated: expect.any(String) } : {}
    expect((await get(all)).body.data).toEqual({ ...data, ...dated })
  })

  const EMPTY: [path: string, body: Json][] = [
    ['/api/contacts', { first_name: 'A', address: [], custom_fields: [] }],
    ['/api/listings', { ...minimalListing, location: [], details: [], 'the service': [], extra: [] }],
    ['/api/external-listings', { store_id: 1, created_by: 1, location: [] }],
    ['/api/requests', { ...minimalRequest, extra_fields: [] }],
  ]

  it.each(EMPTY)('POST %s takes %j, import too', async (path, body) => {
    expect(await post(path, body)).toMatchObject({ status: 200 })
    const entity = path.split('/')[2]?.replace('-', '_') ?? ''
    const { extra: _, ...line } = { ...body } as Json
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
