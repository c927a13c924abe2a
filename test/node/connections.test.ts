/**
 * What tests within workerd cannot do: GET with a body, and many calls with photos of which some are broken off.
 *
 * @module-tag slow
 */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
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

/** A body with four photos. */
async function fourPhotos(): Promise<string> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: 640, height: 480, channels: 3, background: '#888', noise } as const
  const photo = await sharp({ create }).jpeg().toBuffer()
  return JSON.stringify({ photos: Array(4).fill({ data: photo.toString('base64') }) })
}

/** Sends a call and hangs up after so many milliseconds. */
async function breakOff(body: string, milliseconds: number): Promise<void> {
  const sent = request(new URL(`${PATH}/1/photos`, service.url).href, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Length': Buffer.byteLength(body) },
  })
  sent.on('error', () => undefined)
  sent.end(body)
  await sleep(milliseconds)
  sent.destroy()
}

it('calls with photos are answered while others are broken off', async () => {
  const photos = await fourPhotos()
  const add = async () => {
    const { status, body } = await call('POST', `${PATH}/1/photos`, photos)
    const added: { success: boolean; ordernum: number }[] = body.data
    return { status, stored: added.filter(({ success }) => success).map(({ ordernum }) => ordernum) }
  }
  const calls: ReturnType<typeof add>[] = []
  const broken: Promise<void>[] = []
  for (let number = 0; number < 8; number++) {
    calls.push(add())
    broken.push(breakOff(photos, 40 + number * 60))
    await sleep(30)
  }
  const answers = await Promise.all(calls)
  await Promise.all(broken)
  expect(answers).toEqual(calls.map(() => ({ status: 200, stored: expect.objectContaining({ length: 4 }) })))
  const numbers = answers.flatMap(({ stored }) => stored)
  expect(new Set(numbers).size).toBe(8 * 4)
  // Nor does anything they left behind stand in the way of the next.
  expect((await add()).stored).toHaveLength(4)
})
