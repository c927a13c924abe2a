// @module-tag slow
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { minimalRequest, seedRequests } from '../resources/requests/seed.ts'
import { get, importRecords, keyWith, ORIGIN } from '../support/api.ts'
import { minimalListing } from '../support/factories/listing.ts'

/** How many writers change the same record at once, and how many of them may get an error to try again. */
const WRITERS = 100
const MAY_GIVE_UP = 3

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
    ...writers.map((id): [string, Record<string, unknown>] => [
      'custom_fields',
      { id, resource: 'contacts', name: `Field ${id}`, type: 'text' },
    ]),
    [
      'listings',
      { ...minimalListing, id: 1, status: 'active', location: { area_level1: 1, area_level2: 11 } },
    ],
    ['requests', { ...minimalRequest, id: 1 }],
  ])
})

/** Runs in a separate request of the runtime, not within this one. */
async function put(path: string, body: object, ifMatch?: string) {
  const headers = { Authorization: `Bearer ${key}`, ...(ifMatch ? { 'If-Match': ifMatch } : {}) }
  const request = new Request(ORIGIN + path, { method: 'PUT', headers, body: JSON.stringify(body) })
  const answer = await exports.default.fetch(request)
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
          ...(await put(path, bodyOf(writer), tag)),
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
})
