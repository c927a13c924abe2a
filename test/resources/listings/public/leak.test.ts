/** No call with a website key depends on what visitors may not see. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { send } from '../../../http/send.ts'
import { get, importRecords, keyWith, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing } from '../../../support/factories/listing.ts'

type Line = [string, Record<string, unknown>]

/** Private values in one state of the database: texts, numbers, dates and points that nothing else has. */
interface Secrets {
  text: string
  price: number
  amount: number
  date: string
  latitude: number
  longitude: number
  tags: number[]
  users: number[]
}

const STATES: readonly [Secrets, Secrets] = [
  {
    text: 'Sentinel-Alpha',
    price: 431_771,
    amount: 97.531,
    date: '2026-03-05',
    latitude: 37.9712345,
    longitude: 23.7212345,
    tags: [1],
    users: [1],
  },
  {
    text: 'Sentinel-Omega',
    price: 284_913,
    amount: 13.579,
    date: '2026-08-09',
    latitude: 37.9754321,
    longitude: 23.7254321,
    tags: [2, 3],
    users: [2, 1],
  },
]

const FAKE_POINT = { fake_latitude: 37.9735, fake_longitude: 23.727 }

/** What is not public of an active listing. */
const secretFields = ({ text, price, amount, date, latitude, longitude, tags, users }: Secrets) => ({
  price,
  price_per_sqm: amount,
  source_id: 1,
  notes: text,
  tags,
  users,
  contacts: [tags[0]],
  location: {
    area_level1: 1,
    area_level2: 11,
    address: `Ερμού ${Math.round(amount)}`,
    postal_code: String(price).slice(0, 5),
    latitude,
    longitude,
    ...FAKE_POINT,
    fake_address_el: 'Ερμού',
  },
  details: { assignment: 'exclusive', assignment_fee: amount, assignment_expires: date },
  extra: {
    has_hidden_price: true,
    min_price: price - 1,
    rating: price % 89,
    project_unit_name: text,
    lease_expiry_date: date,
    has_keys: price % 2 === 0,
    is_rented: price % 2 === 1,
    yield: amount,
    tenant_contact_id: tags[0],
  },
  floor_configuration: [{ note: text }],
})

const shown = {
  ...minimalListing,
  status: 'active',
  status_date: '2026-01-02 03:04:05',
  date_created: '2026-01-01 00:00:00',
  rooms: 2,
  size: 80,
}

/** The same shown listings in either state, and others that no visitor sees. */
function linesOf(secrets: Secrets): Line[] {
  const { location, ...fields } = secretFields(secrets)
  const active = (['fake', 'none'] as const).flatMap((display_address, index): Line[] =>
    [0, 1, 2].map((offset) => [
      'listings',
      {
        ...shown,
        ...fields,
        id: 10 * index + offset + 1,
        rooms: offset + 1,
        date_updated: '2026-01-03 00:00:00',
        location: { ...location, display_address },
      },
    ]),
  )
  const others = ['pending', 'inactive', 'archived', 'deleted', 'draft'].map((status, index): Line => {
    const isThere = (secrets.price + index) % 2 === 0
    return ['listings', { ...shown, id: 100 + index + (isThere ? 10 : 0), status, price: secrets.price }]
  })
  const open: Line[] = [
    ['listings', { ...shown, id: 50, price: 300_000, date_updated: '2026-01-03 00:00:00' }],
  ]
  return [...active, ...others, ...open]
}

/** The answer of a call, but for its request id and date. */
async function answerOf(path: string, key: string): Promise<string> {
  const response = await send('GET', path, { headers: { Authorization: `Bearer ${key}` } })
  const headers = [...response.headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
  return JSON.stringify([response.status, headers, await response.text()])
}

const around = (name: string, values: number[], step: number) =>
  values.flatMap((value) =>
    [value - step, value, value + step].flatMap((bound) => [
      `${name}[min]=${bound}`,
      `${name}[max]=${bound}`,
    ]),
  )

/** Calls that look for the hidden values of both states. */
function calls(): string[] {
  const of = <K extends keyof Secrets>(name: K) => STATES.map((state) => state[name])
  const points = [...STATES, { latitude: 37.9735, longitude: 23.727 }]
  const searches = [
    '',
    ...around('price', [...of('price'), 300_000], 1),
    ...around('price_per_sqm', of('amount'), 0.001),
    ...['price', '-price', 'price_per_sqm', 'size', '-date_updated', 'date_listed', 'rooms'].map(
      (one) => `sort=${one}`,
    ),
    ...points.flatMap(({ latitude, longitude }) =>
      [1, 5, 50, 500, 5000, 50_000].flatMap((radius) =>
        ['', '&sort=distance', '&sort=-distance'].map(
          (sort) => `near[latitude]=${latitude}&near[longitude]=${longitude}&near[radius]=${radius}${sort}`,
        ),
      ),
    ),
    // A box of a metre around each point, and boxes that end there.
    ...points.flatMap(({ latitude, longitude }) =>
      [
        [latitude - 1e-5, longitude - 1e-5, latitude + 1e-5, longitude + 1e-5],
        [37, 23, latitude, longitude],
        [latitude, longitude, 39, 25],
      ].map(
        ([south, west, north, east]) =>
          `bounds[south]=${south}&bounds[west]=${west}&bounds[north]=${north}&bounds[east]=${east}`,
      ),
    ),
    ...['active', 'pending', 'draft', 'deleted'].map((status) => `status=${status}`),
    ...of('text').map((text) => `search=${text}`),
    ...of('date').map((date) => `date_listed[min]=${date}`),
    ...[1, 2, 3].flatMap((id) => [`tags=${id}`, `users=${id}`, `notes=${id}`, `contacts=${id}`]),
    'fields=all',
    'fields=id,price,notes,min_price,users,location',
    'date_created[min]=2026-01-01',
    'date_updated[min]=2026-01-01',
  ]
  const variants = ['', 'rooms[min]=2', 'rooms[max]=1', 'areas=11', 'per_page=1&page=2', 'has_photos=false']
  const lists = searches.flatMap((search) =>
    variants.map((variant) => `/api/listings?${[search, variant].filter(Boolean).join('&')}`),
  )
  const ids = [1, 2, 3, 11, 12, 13, 50, ...Array.from({ length: 20 }, (_, index) => 100 + index)]
  return [
    ...lists,
    ...ids.flatMap((id) => [
      `/api/listings/${id}`,
      `/api/listings/${id}?fields=all`,
      `/api/listings/${id}?fields=notes`,
    ]),
    ...['stores', 'languages', 'locations', 'listings/subtypes', 'listings/features'].map(
      (name) => `/api/${name}`,
    ),
    ...['users', 'contacts', 'offers', 'listings/1/photos', 'listings/tags', 'changes'].map(
      (name) => `/api/${name}`,
    ),
  ]
}

let key = ''

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
})

/** Empties the tables of listings and stores a state anew. */
async function become(state: Secrets): Promise<void> {
  for (const table of ['listing_tag_links', 'listing_users', 'listing_contacts', 'listing_documents'])
    await env.DB.prepare(`delete from ${table}`).run()
  await env.DB.prepare('delete from listings').run()
  await importRecords(linesOf(state))
}

it('answers every call alike, whatever is hidden', { timeout: 120_000 }, async () => {
  const paths = calls()
  const answers: string[][] = []
  for (const state of STATES) {
    await become(state)
    answers.push(await Promise.all(paths.map((path) => answerOf(path, key))))
  }
  const [first = [], second = []] = answers
  expect(paths.filter((_, index) => first[index] !== second[index])).toEqual([])
  const matching = first.filter((answer) => /"data\\":\[\{/.test(answer))
  expect(paths.length).toBeGreaterThan(600)
  expect(matching.length).toBeGreaterThan(paths.length / 4)
  for (const { text, price, amount, date, latitude, longitude } of STATES) {
    for (const secret of [text, price, price - 1, amount, date, latitude, longitude]) {
      const seen = paths.filter(
        (path, index) => !path.includes(String(secret)) && first[index]?.includes(String(secret)),
      )
      expect([secret, seen]).toEqual([secret, []])
    }
  }
})

it('shows a private edit neither in bytes nor in times', async () => {
  await become(STATES[0])
  const before = await answerOf('/api/listings', key)
  const [, other] = STATES
  const { notes, price, tags, users, details, extra } = secretFields(other)
  const secret = await keyWith('*:write')
  const changed = await send('PUT', '/api/listings/1', {
    headers: { Authorization: `Bearer ${secret}` },
    body: JSON.stringify({ notes, price, tags, users, details, extra }),
  })
  expect(changed.status).toBe(200)
  expect((await get('/api/listings/1')).body.data.date_updated).not.toBe('2026-01-03 00:00:00')
  expect(await answerOf('/api/listings', key)).toBe(before)
})
