// @module-tag slow
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { minimalRequest, seedRequests } from '../resources/requests/seed.ts'
import { get, importRecords, keyWith, type Line, ORIGIN } from '../support/api.ts'
import { minimalListing } from '../support/factories/listing.ts'

/** How many writers change the same record at once, and how many of them may get an error to try again. */
const WRITERS = 100
const MAY_GIVE_UP = 3

const COUNTS = [
  'wcs',
  'living_rooms',
  'kitchens',
  'master_bedrooms',
  'total_building_floors',
  'parking_total',
]
const CONFLICT = {
  status: 409,
  error_message: 'The record was changed by another request at the same time; try again',
}

let key = ''

beforeAll(async () => {
  await seedRequests()
  key = await keyWith('*:write')
  const writers = Array.from({ length: WRITERS }, (_, index) => index + 1001)
  await importRecords([
    ...writers.map((id) => customField(id, 'contacts')),
    ...writers.map((id) => customField(id + WRITERS, 'requests')),
    [
      'listings',
      { ...minimalListing, id: 1, status: 'active', location: { area_level1: 1, area_level2: 11 } },
    ],
    ['requests', { ...minimalRequest, id: 1 }],
  ])
})

function customField(id: number, resource: string): Line {
  return ['custom_fields', { id, resource, name: `Field ${id}`, type: 'text' }]
}

/** Runs in a separate request of the runtime, not within this one. */
async function put(path: string, body: object, signal?: AbortSignal, ifMatch?: string) {
  const headers = { Authorization: `Bearer ${key}`, ...(ifMatch ? { 'If-Match': ifMatch } : {}) }
  const request = new Request(ORIGIN + path, { method: 'PUT', headers, body: JSON.stringify(body) })
  const answer = await exports.default.fetch(request, signal ? { signal } : {})
  return { status: answer.status, body: await answer.json() }
}

/** The numbers of the successful writers; the others got an error to try again. */
async function writeAtOnce(path: string, bodyOf: (writer: number) => object): Promise<number[]> {
  const replies = await Promise.all(
    Array.from({ length: WRITERS }, async (_, index) => ({
      writer: index + 1001,
      ...(await put(path, bodyOf(index + 1001))),
    })),
  )
  const refused = replies.filter(({ status }) => status !== 200)
  expect(refused.map(({ body }) => body)).toEqual(refused.map(() => CONFLICT))
  expect(refused.length).toBeLessThanOrEqual(MAY_GIVE_UP)
  return replies.filter(({ status }) => status === 200).map(({ writer }) => writer)
}

async function versionOf(table: string): Promise<number | null> {
  return env.DB.prepare(`select version from ${table} where id = 1`).first<number>('version')
}

describe(`${WRITERS} writers of one record`, { timeout: 60_000 }, () => {
  it('of a contact, each with a field of its own, lose nothing', async () => {
    const before = (await versionOf('contacts')) ?? 0
    const writers = await writeAtOnce('/api/contacts/1', (writer) => ({
      custom_fields: { [writer]: `${writer}` },
    }))
    const { body } = await get('/api/contacts/1')
    expect(body.data.custom_fields).toEqual(
      Object.fromEntries(writers.map((writer) => [writer, `${writer}`])),
    )
    expect(await versionOf('contacts')).toBe(before + writers.length)
  })

  it('of a request, each with a field of its own, lose nothing', async () => {
    const field = (writer: number) => WRITERS + writer
    const writers = await writeAtOnce('/api/requests/1', (writer) => ({
      extra_fields: { [field(writer)]: `${writer}` },
    }))
    const { body } = await get('/api/requests/1')
    expect(body.data.extra_fields).toEqual(
      Object.fromEntries(writers.map((writer) => [field(writer), `${writer}`])),
    )
  })

  it('of an active listing, several to a field, leave what one of them wrote', async () => {
    const before = (await versionOf('listings')) ?? 0
    const countOf = (writer: number) => COUNTS[writer % COUNTS.length] ?? ''
    const writers = await writeAtOnce('/api/listings/1', (writer) => ({
      details: { [countOf(writer)]: writer },
    }))
    const { body } = await get('/api/listings/1')
    for (const count of COUNTS) {
      expect(writers.filter((writer) => countOf(writer) === count)).toContain(body.data[count])
    }
    expect(await versionOf('listings')).toBe(before + writers.length)
  })

  it.each([
    ['contacts', 30, (writer: number) => ({ notes: `By ${writer}` })],
    ['requests', 30, (writer: number) => ({ price_max: writer })],
    ['listings', WRITERS, (writer: number) => ({ price: writer })],
  ])(
    'of %s who have all seen the same: one of %i writes, each other is told',
    async (resource, length, bodyOf) => {
      const path = `/api/${resource}/1`
      const tag = (await get(path)).headers.get('ETag') ?? ''
      const before = (await versionOf(resource)) ?? 0
      const replies = await Promise.all(
        Array.from({ length }, async (_, writer) => ({
          writer,
          ...(await put(path, bodyOf(writer), undefined, tag)),
        })),
      )
      const [winner, ...others] = replies.filter(({ status }) => status === 200)
      expect(others).toEqual([])
      const losers = replies.filter((reply) => reply !== winner)
      const changed = { status: 412, error_message: 'The record has changed' }
      expect(losers.map(({ body }) => body)).toEqual(losers.map(() => changed))
      expect((await get(path)).body.data).toMatchObject(bodyOf(winner?.writer ?? -1))
      expect(await versionOf(resource)).toBe(before + 1)
    },
  )

  it('parallel writers that retry after a conflict lose no line of a text', async () => {
    const editors = Array.from({ length: 12 }, (_, editor) => editor)
    await Promise.all(
      editors.map(async (editor) => {
        for (let status = 412; status !== 200; ) {
          const { headers, body } = await get('/api/contacts/2')
          const notes = [body.data.notes, `${editor}`].filter(Boolean).join(' ')
          ;({ status } = await put('/api/contacts/2', { notes }, undefined, headers.get('ETag') ?? ''))
          expect(status).toBeOneOf([200, 412])
        }
      }),
    )
    const { notes } = (await get('/api/contacts/2')).body.data
    expect(
      notes
        .split(' ')
        .map(Number)
        .toSorted((a: number, b: number) => a - b),
    ).toEqual(editors)
  })

  it('get through although some of them go away', async () => {
    const leavers = Array.from({ length: 30 }, (_, index) =>
      put('/api/contacts/2', { notes: `Gone ${index}` }, AbortSignal.timeout(index)).catch(() => null),
    )
    const names = Array.from({ length: 30 }, (_, index) => `Name ${index}`)
    const replies = await Promise.all(names.map((first_name) => put('/api/contacts/2', { first_name })))
    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200))
    expect(await Promise.all(leavers)).toContain(null)
    expect((await get('/api/contacts/2')).body.data.first_name).toBeOneOf(names)
  })
})
