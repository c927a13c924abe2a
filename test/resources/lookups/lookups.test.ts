import { beforeAll, describe, expect, it } from 'vitest'
import { FEATURES } from '../../../src/catalogue/features.ts'
import { expectData, get, importRecords, query, websiteKey } from '../../support/api.ts'
import { AGENCY, seedAgency } from '../../support/factories/agency.ts'
import { numbered } from '../../support/factories/named.ts'
import { idsOf } from '../../support/reads.ts'

const SELECT = {
  id: 4,
  name: 'Parking',
  type: 'select',
  options: numbered('Yes', 'No'),
}

beforeAll(async () => {
  await seedAgency()
  await importRecords([
    ['custom_fields', { ...SELECT, resource: 'listings' }],
    ['custom_fields', { id: 2, name: 'Remarks', type: 'textarea', resource: 'listings' }],
    ['custom_fields', { id: 3, name: 'Mobile', type: 'phone', resource: 'contacts' }],
    ...POINTS.toReversed().map((point): [string, typeof point] => ['special_locations', point]),
  ])
})

const POINTS = [
  { id: 3, name: 'Ακρόπολη', latitude: 37.9715, longitude: 23.7257 },
  { id: 7, name: 'Harbour', latitude: 35.5186, longitude: -0.5 },
]

/** What the agency has of an entity, beside what it does not say. */
const imported = (entity: string, unsaid: object = {}) =>
  AGENCY.flatMap(([name, data]) => (name === entity ? [{ ...unsaid, ...data }] : []))

const STORE = { watermark_url: null, phone: null, email: null, address: null, url: null }

const LOOKUPS: [path: string, data: unknown[]][] = [
  ['/api/listings/sources', imported('listing_sources')],
  ['/api/listings/tags', imported('listing_tags')],
  ['/api/listings/subtypes', imported('listing_subtypes')],
  ['/api/listings/custom-fields', [{ id: 2, name: 'Remarks', type: 'textarea' }, SELECT]],
  ['/api/listings/features', [...FEATURES]],
  ['/api/stores', imported('stores', STORE)],
  ['/api/users', imported('users', { email: null, store_id: null })],
  ['/api/languages', imported('languages')],
  ['/api/locations', imported('locations')],
  ['/api/special-locations', POINTS],
]

it.each(LOOKUPS)('GET %s serves every entry by id, without paging', (path, data) =>
  expectData(get(path), data),
)

describe('GET /api/stores', () => {
  it('shows watermarks as URLs, whether stored here or elsewhere', async () => {
    await importRecords([
      ['stores', { id: 1, name: 'Center', watermark_url: 'https://cdn.test/mark.png' }],
      ['stores', { id: 2, name: 'North', watermark_url: `watermarks/${'0'.repeat(32)}.png` }],
    ])
    const { body } = await get('/api/stores')
    expect(body.data.map(({ watermark_url }: { watermark_url: string }) => watermark_url)).toEqual([
      'https://cdn.test/mark.png',
      `http://estia.test/watermarks/${'0'.repeat(32)}.png`,
    ])
  })
})

describe('GET /api/locations', () => {
  const PLACES = [1, 2, 11, 12, 21, 111, 112]

  it.each<[filter: Record<string, unknown>, ids: number[]]>([
    [{ level: 1 }, [1, 2]],
    [{ parent_id: 1 }, [11, 12]],
    [{ level: 2, parent_id: 2 }, [21]],
    [{ search: 'Αθήνα' }, [11]],
    [{ search: 'ΑΘΗΝΑ' }, [11]],
    [{ search: 'πειραιας' }, [12]],
    [{ search: 'κ' }, [1, 2, 111, 112]],
    [{ search: 'ATH' }, [11]],
    [{ search: 'a', level: 3 }, [111, 112]],
    [{ search: '%' }, []],
    [{ search: '' }, PLACES],
    [{ level: null, parent_id: null, search: null }, PLACES],
  ])('%j', async (filter, ids) => {
    const entries = Object.entries(filter).map(([key, value]) => [key, String(value ?? '')])
    for (const reply of [
      await query('/api/locations', filter),
      await get(`/api/locations?${new URLSearchParams(entries)}`),
    ]) {
      expect(idsOf(reply.body)).toEqual(ids)
    }
  })
})

describe('a visitor', () => {
  const PUBLIC_STORE = ['id', 'name', 'phone', 'email', 'address', 'url']
  let key = ''

  beforeAll(async () => {
    key = await websiteKey()
  })

  it.each(['/api/languages', '/api/listings/subtypes', '/api/listings/features', '/api/locations'])(
    'reads the same %s as the agency',
    async (path) => {
      const { status, body } = await get(path, { key })
      expect({ status, body }).toEqual({ status: 200, body: (await get(path)).body })
      expect(body.data.length).toBeGreaterThan(1)
    },
  )

  it('reads of stores what is public', async () => {
    const own = (await get('/api/stores')).body.data
    const publicPart = own.map((store: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(store).filter(([name]) => PUBLIC_STORE.includes(name))),
    )
    expect((await get('/api/stores', { key })).body).toEqual({ status: 200, data: publicPart })
    expect(publicPart[0]).toMatchObject({ id: 1, name: expect.any(String) })
  })

  it.each([[[1]], [[2, 1]], [[2]], [[99]]])('reads the stores %j of the key', async (stores) => {
    const limited = await websiteKey({ stores })
    const all = idsOf((await get('/api/stores')).body)
    expect(idsOf((await get('/api/stores', { key: limited })).body)).toEqual(
      all.filter((id) => stores.includes(id)),
    )
    expect((await get('/api/locations', { key: limited })).body.data.length).toBeGreaterThan(1)
  })
})
