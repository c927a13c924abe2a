/**
 * Whatever calls of the API store is in an export, and import takes it. The bodies come from the OpenAPI document.
 *
 * @module-tag slow
 */
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { CustomFieldType } from '../../../src/catalogue/office-enums.ts'
import { isObject } from '../../../src/http/request/object-keys.ts'
import { offerIn } from '../../resources/offers/deals.ts'
import { SIGNED } from '../../resources/offers/seed.ts'
import { seedRequests } from '../../resources/requests/seed.ts'
import { call, type Data, get, importRecords, type Line, type Reply } from '../../support/api.ts'
import { bodyOf, kindsOf, ofKind, type Schema, variantsOf, without } from '../../support/bodies.ts'
import { named } from '../../support/factories/named.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { exportText, importFile } from '../../support/transfer.ts'

/** A call that writes, as the document has it. */
interface Operation {
  method: 'POST' | 'PUT'
  path: string
  schema: Schema
}

const LINK = 'https://www.example.com/a'

/** A value of each type of custom field. */
const VALUES: Record<CustomFieldType, unknown> = {
  ...{ text: 'Ω', textarea: 'Ω\nΩ', wysiwyg: '<p>Ω</p>', address: 'Ω 1', phone: '690' },
  ...{ number: 1.5, formatted_number: -1, currency: 1e21, checkbox: true },
  ...{ select: 1, select_multi: [2, 1], user: 1, user_multi: [2, 1], contact: 1, contact_multi: [2, 1] },
  ...{ file: LINK, image: LINK, url: LINK, file_multi: [LINK], image_multi: [LINK] },
  ...{ date: '2026-01-31', datetime: '2026-01-31 18:30:00' },
}
const typesOf = (key: string) =>
  Object.entries(VALUES).filter(([type]) => key === 'custom_fields' || type !== 'phone')

/** Values that are changed in one body: what a reply says of each is taken back alone. */
const TOGETHER = 4

/** The ids of custom fields, by the key that has their values. */
const FIRST_FIELD = { custom_fields: 201, extra_fields: 301 }

let operations: Operation[] = []
let schemas: Record<string, Schema> = {}

beforeAll(async () => {
  const png = toPng(paint(4, 4, () => RED))
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(png))
  const { paths, components } = (await get('/openapi.json')).body
  schemas = components.schemas
  operations = Object.entries<Record<string, { requestBody?: { content: Record<string, Media> } }>>(
    paths,
  ).flatMap(([path, methods]) =>
    (['POST', 'PUT'] as const).flatMap((method) => {
      const schema = methods[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
      // A merge takes the contact that all others link, and stores nothing that they do not.
      return schema && !path.startsWith('/admin/') && !/merge$/.test(path) ? [{ method, path, schema }] : []
    }),
  )
  await seed()
})

interface Media {
  schema: Schema
}

async function seed(): Promise<void> {
  await seedRequests()
  const options = [1, 2].map((id) => ({ id, name: `Option ${id}` }))
  await importRecords([
    ...named('contact_sources', 'A'),
    ...named('contact_tags', 'A'),
    ...named('external_listing_statuses', 'A'),
    ...named('external_listing_sources', 'A'),
    ...named('external_listing_tags', 'A'),
    ['settings', { key: 'default_user_id', value: 1 }],
    ['settings', { key: 'default_contact_source_id', value: 1 }],
    ['contract_statuses', { ...SIGNED, is_completed: false }],
    ...named('income_other_categories', 'A'),
    ...named('expense_categories', 'A'),
    ['settings', { key: 'partner_commission_category_id', value: 1 }],
    ['knowledge_base_categories', { id: 1, ...SMALLEST.knowledge_base_categories }],
    // Appointments come from one that was converted.
    ['enquiries', { ...SMALLEST.enquiries, id: 1, contact_id: 1 }],
    [
      'listings',
      { id: 1, ...{ category: 'land', availability: 'sale', store_id: 1, created_by: 1, users: [1] } },
    ],
    ['offers', { ...SMALLEST.offers, id: 1, status: 'accepted' }],
    ['contracts', { ...SMALLEST.contracts, id: 1 }],
    ...Object.entries(FIRST_FIELD).flatMap(([key, first]) =>
      typesOf(key).map(([type], index): Line => {
        const resource = key === 'custom_fields' ? 'contacts' : 'requests'
        const more = type.startsWith('select') ? { options } : {}
        return ['custom_fields', { id: first + index, resource, name: type, type, ...more }]
      }),
    ),
  ])
}

/** `body` with values of custom fields, where it has them. */
function withCustomFields(body: Data): Data {
  const values = Object.entries(FIRST_FIELD).flatMap(([key, first]) => {
    const value = body[key]
    if (!isObject(value)) return []
    return [
      [key, { ...value, ...Object.fromEntries(typesOf(key).map(([, one], index) => [first + index, one])) }],
    ]
  })
  return { ...body, ...Object.fromEntries(values) }
}

/** Every kind of body of an operation: the smallest, the largest, the longest, and those with values changed. */
function bodiesOf({ method, schema }: Operation): Data[] {
  const make = (keys: 'all' | 'required', length?: number) =>
    withCustomFields(bodyOf(schema, { schemas, keys, length }) as Data)
  const [smallest, largest, longest] = [make('required'), make('all'), make('all', 100_000)]
  const kinds = kindsOf(schema, schemas)
  return [
    ...(method === 'POST' ? [longest] : []),
    ...kinds.flatMap((kind) => [ofKind(smallest, kind), ofKind(largest, kind)]),
    ...variantsOf(ofKind(largest, kinds[0] ?? {}), TOGETHER),
  ]
}

/** Sends a body without what the reply says does not fit it. Returns the reply. */
async function send(method: string, path: string, body: Data): Promise<Reply> {
  const headers = { Accept: 'application/problem+json' }
  // Each contract has an offer of its own.
  const own = `${method} ${path}` === 'POST /office/contracts' ? { offer_id: await offerIn('accepted') } : {}
  const reply = await call(method, path, { body: { ...body, ...own }, headers })
  const fields = (reply.body.errors ?? []).map(({ field }: { field: string }) => field)
  const fitting = without(body, fields)
  if (reply.status === 200 || JSON.stringify(fitting) === JSON.stringify(body)) return reply
  return send(method, path, fitting)
}

const postOf = (path: string) => operations.find((one) => one.method === 'POST' && one.path === path)
const largestOf = ({ schema }: Operation) =>
  withCustomFields(bodyOf(schema, { schemas, keys: 'all' }) as Data)

/** Makes what is before the last id of a path, and returns the path with ids. */
async function prepare(path: string): Promise<string> {
  const at = path.lastIndexOf('/{')
  if (at < 0) return path
  const holder = path.slice(0, at)
  const operation = postOf(holder)
  if (!operation) throw new Error(`Nothing makes ${path}`)
  const prepared = await prepare(holder)
  const reply = await send('POST', prepared, largestOf(operation))
  expect(reply.status, `${holder} ${JSON.stringify(reply.body)}`).toBe(200)
  const id = reply.body.created_id ?? reply.body.data.id ?? reply.body.data[0].ordernum
  const rest = path.slice(at + 1).replace(/^\{\w+\}/, String(id))
  return `${prepared}/${rest}`
}

/** Expects an export of the same lines. Whole files are too long for a message, so it names the first that differ. */
async function expectSame(text: string): Promise<void> {
  const [found, expected] = [await exportText(), text].map((file) => file.split('\n')) as [string[], string[]]
  const at = expected.findIndex((entry, index) => entry !== found[index])
  expect(found[at]).toBe(expected[at])
  expect(found).toHaveLength(expected.length)
}

describe('what the API stores', () => {
  it('comes back from an export as it was, whichever keys a body has', { timeout: 600_000 }, async () => {
    for (const operation of operations) {
      const statuses: number[] = []
      for (const body of bodiesOf(operation)) {
        const path = await prepare(operation.path)
        const maker = operation.method === 'PUT' && postOf(operation.path)
        if (maker) await send('POST', path, largestOf(maker))
        statuses.push((await send(operation.method, path, body)).status)
      }
      const stored = statuses.filter((status) => status === 200).length
      expect(stored, `${operation.method} ${operation.path}`).toBeGreaterThan(0)
    }
    const text = await exportText()
    const lines = text.split('\n').filter(Boolean)
    for (const mode of ['merge', 'replace']) {
      await emptyService()
      await importFile(lines, `mode=${mode}`, 200)
      await expectSame(text)
    }
    await importFile(lines, 'mode=replace', 200)
    await expectSame(text)
  })
})
