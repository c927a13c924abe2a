// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http } from '../../tools/runtime/http.ts'
import { importListings, startService } from './service.ts'

const PATH = '/api/listings'

let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService()
  await importListings(service.url, [
    { id: 1, status: 'active', code: 'ΑΘ-1' },
    { id: 2, category: 'land', status: 'archived' },
  ])
})

afterAll(() => service.close())

async function call(method: string, path: string, body?: string) {
  const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' }
  const { status, text } = await http(new URL(path, service.url), method, { headers, ...(body && { body }) })
  return { status, body: JSON.parse(text) }
}

const idsOf = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id)

/** What filters mean, and their limits: test/http/request/filters.test.ts and test/conventions.test.ts. */
it('filters in the body of a real GET find the same as by query string and by QUERY', async () => {
  const body = '{"search": "ΑΘ-1", "status": ["active", "archived"]}'
  const byBody = await call('GET', PATH, body)
  expect(idsOf(byBody.body)).toEqual([1])
  expect(await call('GET', `${PATH}?search=%CE%91%CE%98-1&status=active&status=archived`)).toEqual(byBody)
  expect(await call('QUERY', PATH, body)).toEqual(byBody)
})

it.each([65_534, 65_535, 65_536])('a body of %i bytes is read whole, as in chunks', async (bytes) => {
  const body = `${'{"status":"archived"'.padEnd(bytes - 1)}}`
  expect(idsOf((await call('GET', PATH, body)).body)).toEqual([2])
  const headers = { Authorization: `Bearer ${service.key}` }
  const stream = new Blob([body]).stream()
  const url = new URL(PATH, service.url)
  const reply = await fetch(url, { method: 'QUERY', headers, body: stream, duplex: 'half' } as RequestInit)
  expect(idsOf((await reply.json()) as { data: { id: number }[] })).toEqual([2])
})

it('a body of a GET may be 64 KB long, and no longer', async () => {
  const error = { status: 413, error_message: 'Body too large: at most 65536 bytes are accepted' }
  expect(await call('GET', PATH, '{}'.padEnd(65_537))).toEqual({ status: 413, body: error })
})
