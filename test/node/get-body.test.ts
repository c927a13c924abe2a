// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpOptions, http } from '../../tools/runtime/http.ts'
import { importRecords, startService } from './service.ts'

type Service = Awaited<ReturnType<typeof startService>>

const listing = (id: number, more: Record<string, unknown>) =>
  [
    'listings',
    { id, category: 'residential', availability: 'sale', store_id: 1, created_by: 1, users: [1], ...more },
  ] as [string, Record<string, unknown>]

let service: Service

beforeAll(async () => {
  service = await startService()
  await importRecords(service.url, [
    ['stores', { id: 1, name: 'Center' }],
    ['users', { id: 1, name: 'User' }],
    listing(1, { status: 'active', date_created: '2026-01-01 00:00:00' }),
    listing(2, { status: 'active', date_created: '2026-02-01 00:00:00', code: 'ΑΘ-2' }),
    listing(3, { category: 'land', status: 'archived', date_created: '2026-03-01 00:00:00' }),
  ])
})

afterAll(() => service.close())

async function call(method: string, path: string, options: HttpOptions = {}) {
  const headers = { Authorization: `Bearer ${service.key}`, ...options.headers }
  const { status, text } = await http(new URL(path, service.url), method, { ...options, headers })
  return { status, body: JSON.parse(text) }
}

const getWith = (body: string | Buffer, headers: Record<string, string> = {}, path = '/api/listings') =>
  call('GET', path, { body, headers })

const idsOf = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id)

describe('GET /api/listings with filters in the body', () => {
  it.each<[Record<string, unknown>, string, number[]]>([
    [{ status: ['active', 'archived'] }, 'status=active&status=archived', [3, 2, 1]],
    [{ search: 'ΑΘ-2' }, 'search=%CE%91%CE%98-2', [2]],
    [
      { date_created: { min: '2026-01-15', max: null } },
      'date_created[min]=2026-01-15&date_created[max]=',
      [3, 2],
    ],
  ])('%j finds the same as by query string and by QUERY', async (filter, parameters, expected) => {
    const text = JSON.stringify(filter)
    const byBody = await getWith(text, { 'Content-Type': 'application/json' })
    expect(idsOf(byBody.body)).toEqual(expected)
    expect(await call('GET', `/api/listings?${parameters}`)).toEqual(byBody)
    expect(await call('QUERY', '/api/listings', { body: text })).toEqual(byBody)
  })

  it.each([65_534, 65_535, 65_536])('is read whole with %i bytes, as in chunks', async (bytes) => {
    const body = `${'{"status":"archived"'.padEnd(bytes - 1)}}`
    expect(idsOf((await getWith(body)).body)).toEqual([3])
    const headers = { Authorization: `Bearer ${service.key}` }
    const stream = new Blob([body]).stream()
    const url = new URL('/api/listings', service.url)
    const reply = await fetch(url, { method: 'QUERY', headers, body: stream, duplex: 'half' } as RequestInit)
    expect(idsOf((await reply.json()) as { data: { id: number }[] })).toEqual([3])
  })

  it('is not looked at before the key', async () => {
    const { status } = await http(new URL('/api/listings', service.url), 'GET', { body: '{' })
    expect(status).toBe(401)
  })

  it('may be 64 KB long, and no longer', async () => {
    const filterOf = (length: number) => {
      const filter = JSON.stringify({ status: 'active', subtype: null, x: '' })
      return filter.replace('""', `"${'x'.repeat(length - filter.length)}"`)
    }
    expect(idsOf((await getWith(filterOf(65_536))).body)).toEqual([2, 1])
    expect(await getWith(filterOf(65_537))).toEqual({
      status: 413,
      body: { status: 413, error_message: 'Body too large: at most 65536 bytes are accepted' },
    })
  })
})
