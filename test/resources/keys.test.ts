/**
 * Each key that a body may have: what it says is stored and shown, alone and with all others, and null clears it. What it
 * does not say is nothing, or a default. For listings, `listings/catalogue-fields.test.ts` does so.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { SUBCATEGORIES } from '../../src/catalogue/property-enums.ts'
import { RECORD_RESOURCES, type Resource, writePathOf } from '../../src/catalogue/resources.ts'
import { isObject } from '../../src/http/request/object-keys.ts'
import { call, type Data, get, importRecords, put } from '../support/api.ts'
import { bodyOf, type Schema } from '../support/bodies.ts'
import { seedLines } from '../support/factories/lines.ts'
import { named } from '../support/factories/named.ts'
import { bodyFor, RECORDS } from '../support/factories/samples.ts'

/** What these take depends on their state, and on each other: they have models. */
const OTHERS = ['listings', 'offers', 'contracts', 'incomes', 'expenses']
const CHOSEN = RECORD_RESOURCES.filter(
  ({ writes, resource }) => writes.includes('update') && !OTHERS.includes(resource),
)
const CREATED = RECORD_RESOURCES.filter(({ writes }) => writes.includes('create'))

/** What is downloaded or mailed, or does not fit a home for sale. */
const LEFT_OUT = /^(photos|notify|build_ratio|coverage_ratio|shortterm)/

/** What follows from a key that is cleared. */
const FOLLOWS: Record<string, string[]> = {
  price: ['price_per_sqm'],
  size: ['price_per_sqm'],
  has_elevator: ['elevator_min_floor'],
  subcategories: ['subtypes'],
}

let paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
let schemas: Record<string, Schema> = {}

beforeAll(async () => {
  await seedLines()
  await importRecords([
    ...named('contact_sources', 'A'),
    ...named('contact_tags', 'A'),
    ...named('external_listing_sources', 'A'),
    ...named('external_listing_tags', 'A'),
    ...named('request_sources', 'A'),
    ...named('request_tags', 'A'),
    ['special_locations', { id: 1, name: 'P', latitude: 1, longitude: 1 }],
    ...RECORDS,
    // Appointments come from one that was converted.
    ['enquiries', { id: 50, contact_id: 1 }],
  ])
  const { body } = await get('/openapi.json')
  paths = body.paths
  schemas = body.components.schemas
})

/** A body with all keys: those of the sample of the resource, and for others what the document allows. */
function largest(facts: Resource, method: 'post' | 'put'): Data {
  const path = writePathOf(facts) + (method === 'put' ? '/{id}' : '')
  const schema = paths[path]?.[method]?.requestBody?.content['application/json']?.schema ?? {}
  // A record begins with the first status. Who created it stays.
  const whole: Data = RECORDS.find(([entity]) => entity === facts.table)?.[1] ?? {}
  const { status, ...sample } = whole
  const { created_by, ...body } = fitting(bodyOf(schema, { schemas, keys: 'all' }) as Data, sample)
  return method === 'post' ? { created_by, ...body } : body
}

const fitting = (made: Data, sample: Data): Data =>
  Object.fromEntries(
    Object.entries(made).flatMap(([key, value]) => {
      if (LEFT_OUT.test(key)) return []
      const known = sample[key]
      if (isObject(value) && Object.keys(value).length > 0)
        return [[key, fitting(value, isObject(known) ? known : {})]]
      const isEmpty = known === undefined || (Array.isArray(known) && known.length === 0)
      return [[key, isEmpty ? value : known]]
    }),
  )

/** A value as any of its forms: amounts as numbers, features without `has_`, places by their id. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'string')
    return /^\d+\.\d\d$/.test(value) ? Number(value) : value.replace(/^(is|has)_/, '')
  if (!isObject(value)) return value
  if ('area_level3' in value && !('address' in value))
    return value.area_level3 ?? value.area_level2 ?? value.area_level1
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

/** Whether a record says nothing by a value. */
const isNothing = (value: unknown): boolean =>
  isObject(value) || Array.isArray(value) ? Object.values(value).every(isNothing) : !value

/** What a record has that its POST does not say, beside its id, its creator and its dates. */
const DEFAULTS: Record<string, Data> = {
  listings: { status: 'draft' },
  external_listings: { status: 1 },
  requests: { subcategories: SUBCATEGORIES.residential, title: 'Residential for sale: Attica' },
  enquiries: { reference: expect.any(String), status: 'new' },
  offers: {
    ...{ currency: 'EUR', store_id: 1, is_active: true, status: 'submitted' },
    rounds: [expect.objectContaining({ amount: 4 })],
  },
  contracts: {
    ...{ currency: 'EUR', store_id: 1, status_id: 3, initial_property_price: 200_000 },
    ...{ contacts: [1], listing: expect.anything() },
  },
  incomes: { status: 'pending', total_amount: '9.50' },
  expenses: { status: 'pending', category_name: 'Rent' },
  appointments: { status: 'proposed' },
  activities: { author: 'test' },
  knowledge_base_categories: { is_active: true },
  knowledge_base_articles: { category_name: 'C' },
}

/** What a record shows of the keys of `body`. */
const shownOf = (data: Data, body: Data): Data =>
  Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      if (!(key in data)) return []
      const inner = data[key]
      return [[key, isObject(value) && isObject(inner) ? shownOf(inner, value) : plain(inner)]]
    }),
  )

const readOf = async ({ resource }: Resource, id: number): Promise<Data> =>
  (await get(`/api/${resource}/${id}?fields=all`)).body.data
const idOf = ({ created_id, data }: { created_id?: number; data?: { id: number } }) =>
  Number(created_id ?? data?.id)

it.each(CREATED)('what a POST of $resource does not say is nothing, or a default', async (facts) => {
  const body = await bodyFor(facts)
  const id = idOf((await call('POST', writePathOf(facts), { body })).body)
  const rest = Object.entries(await readOf(facts, id)).filter(
    ([key, value]) => !(key in body) && !/^(id|created_by|\w*date\w*)$/.test(key) && !isNothing(value),
  )
  expect(Object.fromEntries(rest)).toEqual(DEFAULTS[facts.table] ?? {})
})

describe.each(CHOSEN)('$resource', (facts) => {
  const read = (id: number) => readOf(facts, id)
  /** Sends a body, and returns it without what the reply says is ignored. */
  async function taken(method: string, path: string, body: Data): Promise<[Data, number]> {
    const reply = await call(method, path, { body })
    expect({ status: reply.status, body: reply.body }).toMatchObject({ status: 200 })
    const ignored = (reply.headers.get('X-Ignored-Fields') ?? '').split(', ')
    return [
      Object.fromEntries(Object.entries(body).filter(([key]) => !ignored.includes(key))),
      idOf(reply.body),
    ]
  }

  // Of an enquiry, its type says what fits: `enquiries/create.test.ts`.
  it.skipIf(facts.resource === 'enquiries')('stores what a POST says', async () => {
    const sent = { ...(await bodyFor(facts)), ...largest(facts, 'post') }
    const [body, id] = await taken('POST', writePathOf(facts), sent)
    const data = await read(id)
    expect(shownOf(data, body)).toEqual(plain(shownOf(body, data)))
  })

  it('stores what a PUT says, and null clears each key alone', async () => {
    const { body: made } = await call('POST', writePathOf(facts), { body: await bodyFor(facts) })
    const path = `${writePathOf(facts)}/${idOf(made)}`
    const [body] = await taken('PUT', path, largest(facts, 'put'))
    const before = await read(idOf(made))
    expect(shownOf(before, body)).toEqual(plain(shownOf(body, before)))
    const values = shownOf(before, body)
    for (const key of Object.keys(values)) {
      const cleared = await put(path, { [key]: null })
      const { [key]: now, ...rest } = shownOf(await read(idOf(made)), body)
      const { [key]: _, ...others } = values
      const also = FOLLOWS[key] ?? []
      for (const name of also) rest[name] = others[name]
      expect({ key, rest }).toEqual({ key, rest: others })
      if (cleared.status !== 200) {
        expect([key, cleared.status, now]).toEqual([key, 400, values[key]])
        continue
      }
      // That is the default.
      if (key !== 'status') expect({ key, now }).not.toEqual({ key, now: values[key] })
      const again = [key, ...also, 'allow_conflicts'].map((name) => [name, body[name]])
      await put(path, Object.fromEntries(again))
      expect({ key, again: shownOf(await read(idOf(made)), body) }).toEqual({ key, again: values })
    }
  })
})
