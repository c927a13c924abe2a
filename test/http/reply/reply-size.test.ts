/**
 * No reply that an idempotency key may store reaches 512 KB, however long the fields of the call are.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { externalListingInput } from '../../../src/resources/external-listings/schema.ts'
import { MINIMAL as ENQUIRY } from '../../resources/enquiries/seed.ts'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { expectInvalid, importRecords, type Line, post } from '../../support/api.ts'
import { changeId, selectFirst } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { CREATED } from '../../support/factories/samples.ts'
import { Attempt, prepareRepeatable, REPEATABLE, type Repeatable } from '../concurrency/repeatable.ts'
import { endpoints } from '../send.ts'

const MOST = 512_000

/** The character that takes the most bytes of JSON, six. */
const DEAR = '\u0001'
/** A list with the maximum number of ids, each with the maximum number of digits. */
const IDS = Array.from({ length: 1000 }, (_, index) => 2 ** 40 - 5000 - index)
/** Custom fields of requests that take long texts. */
const TEXTS = Array.from({ length: 8 }, (_, index) => 900 + index)

let token = ''

prepareRepeatable((key) => {
  token = key
})

/** Imports records with `IDS`, after one that has an id not far below them. */
async function importHigh(records: Line[]): Promise<void> {
  const [first] = records
  if (!first) return
  const [entity, data] = first
  await importRecords([[entity, { ...data, id: 99_999 }]])
  await changeId(entity, 99_999, 2 ** 40 - 10_000)
  await importRecords(records)
}

beforeAll(async () => {
  const named = ['users', 'request_tags', 'external_listing_tags', 'listing_tags']
  for (const entity of named) await importHigh(IDS.map((id) => [entity, { id, name: 'x' }]))
  await importHigh(IDS.map((id) => ['contacts', { id, first_name: 'x', created_by: 1 }]))
  await importHigh(IDS.map((id) => ['special_locations', { id, name: 'x', latitude: 1, longitude: 1 }]))
  await importHigh(
    IDS.map((id, index) => {
      const level = index < 1 ? 1 : index < 2 ? 2 : 3
      const parent = level === 1 ? {} : { parent_id: IDS[level - 2] }
      return [
        'locations',
        { id, level, ...parent, name_el: 'x', name_en: 'x', full_name_el: 'x', full_name_en: 'x' },
      ]
    }),
  )
  await importRecords(
    TEXTS.map((id) => ['custom_fields', { id, resource: 'requests', name: 'x', type: 'wysiwyg' }]),
  )
})

/** A body of `/api/requests` whose custom values have so many bytes as JSON. */
function longRequest(bytes: number): Record<string, unknown> {
  const frame = JSON.stringify(Object.fromEntries(TEXTS.map((id) => [id, '']))).length
  const each = Math.floor((bytes - frame) / TEXTS.length)
  const values = TEXTS.map((id, index) => [
    id,
    'x'.repeat(index > 0 ? each : bytes - frame - each * (TEXTS.length - 1)),
  ])
  return {
    ...minimalRequest,
    contacts: IDS,
    users: IDS,
    tags: IDS,
    locations: IDS,
    notes: DEAR.repeat(65_535),
    extra_fields: { ...Object.fromEntries(values), special_locations: IDS, listing_tags: IDS },
  }
}

const LONG_BODIES: Record<string, Record<string, unknown>> = {
  '/api/listings': { ...minimalListing, notes: DEAR.repeat(65_535), title: DEAR.repeat(255), users: IDS },
  '/api/contacts': { first_name: DEAR.repeat(255), notes: DEAR.repeat(65_535), users: IDS },
  '/api/requests': longRequest(340_000),
  '/api/external-listings': {
    ...texts(externalListingInput.shape),
    store_id: 1,
    created_by: 1,
    location: { address: DEAR.repeat(255) },
    tags: IDS,
    users: IDS,
    photos: Array.from({ length: 100 }, (_, index) => `https://a.example/${index}`),
  },
  '/office/offers': { ...CREATED.offers, notes: DEAR.repeat(65_535) },
  '/office/contracts': { ...CREATED.contracts, notes: DEAR.repeat(65_535) },
  // Control characters are removed.
  '/api/enquiries': { ...ENQUIRY, message: '"'.repeat(5000), first_name: '"'.repeat(255) },
  '/api/enquiries/{id}/convert': { contact_id: 1 },
  '/api/listings/{id}/status': { to: 'active' },
  '/api/listings/{id}/photos': { photos: longAddresses() },
  '/api/listings/{id}/panorama-photos': { photos: longAddresses() },
}

/** The body of a call with its longest texts. */
function longest({ pattern, body }: Repeatable): object {
  const called = endpoints.find(({ method, path }) => method === 'post' && path === pattern)
  const schema = called?.contract.body
  return { ...body, ...(schema instanceof z.ZodObject ? texts(schema.shape) : {}) }
}

/** The maximum length of every text of `shape`. */
function texts(shape: Record<string, { safeParse: (value: unknown) => { success: boolean } }>) {
  const lengths = [65_535, 2048, 255]
  const entries = Object.entries(shape).flatMap(([name, field]): [string, string][] => {
    const length = lengths.find((most) => field.safeParse(DEAR.repeat(most)).success)
    return length ? [[name, DEAR.repeat(length)]] : []
  })
  return Object.fromEntries(entries)
}

function longAddresses(): string[] {
  const host = 'https://a.example/'
  return Array.from({ length: 100 }, () => host + 'ω'.repeat(2048 - host.length))
}

const kept = () =>
  selectFirst<{
    most: number
    answer: number
  }>(
    'select max(bytes) as most, max(ifnull(length(cast(answer as blob)), 0)) as answer from idempotency_keys',
  )

describe.each(REPEATABLE)('POST $pattern', (kind) => {
  it.each(['as it should be', 'where no photo can be had'])(
    'keeps less than 512 KB, %s',
    { timeout: 120_000 },
    async (how) => {
      await env.DB.exec('delete from idempotency_keys')
      const isLost = how !== 'as it should be'
      if (isLost) vi.mocked(fetch).mockImplementation(async () => new Response(null, { status: 404 }))
      const unknown = Array.from({ length: 20 }, (_, index) => [`${index}${'ω'.repeat(500)}`, 1])
      const body = { ...(LONG_BODIES[kind.pattern] ?? longest(kind)), ...Object.fromEntries(unknown) }
      const attempt = await Attempt.of({ ...kind, body }, token)
      const { status, text } = await attempt.send()
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
      expect(text.length).toBeGreaterThan(20)
      const { most = 0, answer = 0 } = (await kept()) ?? {}
      expect(answer).toBe(new TextEncoder().encode(text).length)
      expect(most).toBeLessThan(MOST + 10_000)
      expect(answer).toBeLessThanOrEqual(MOST)
    },
  )
})

it('custom values of a request leave room for the rest of its answer', async () => {
  const short = { ...minimalRequest, extra_fields: longRequest(495_000).extra_fields as object }
  const { special_locations: _, listing_tags: __, ...values } = short.extra_fields as Record<string, unknown>
  expect((await post('/api/requests', { ...short, extra_fields: values })).status).toBe(200)
  const { body } = await post('/api/requests', longRequest(495_000))
  const most = Number(
    /^Invalid extra_fields: must be at most (\d+) bytes in all here$/.exec(body.error_message)?.[1],
  )
  expect(most).toBeGreaterThan(340_000)
  // Beside the custom values `extra_fields` has two lists of ids.
  const lists = JSON.stringify({ special_locations: IDS, listing_tags: IDS }).length - 1
  expect((await post('/api/requests', longRequest(most - lists))).status).toBe(200)
  await expectInvalid(post('/api/requests', longRequest(most - lists + 1)), body.error_message)
})
