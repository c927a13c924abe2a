/**
 * Many calls with photos at the same time, of which some are broken off: the others must not notice.
 *
 * @module-tag slow
 */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http } from '../../tools/runtime/http.ts'
import { importListings, startService } from './service.ts'

let service: Awaited<ReturnType<typeof startService>>
let photos: URL
let body = ''

beforeAll(async () => {
  service = await startService()
  await importListings(service.url, [{ id: 1 }])
  photos = new URL('/api/listings/1/photos', service.url)
  const noise = await sharp({
    create: {
      width: 640,
      height: 480,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer()
  body = JSON.stringify({ photos: new Array(4).fill({ data: noise.toString('base64') }) })
})

afterAll(() => service.close())

/** Sends a call and hangs up after so many milliseconds. */
async function breakOff(milliseconds: number): Promise<void> {
  const call = request(photos.href, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Length': Buffer.byteLength(body) },
  })
  call.on('error', () => undefined)
  call.end(body)
  await sleep(milliseconds)
  call.destroy()
}

async function add(): Promise<{ status: number; stored: number[] }> {
  const { status, text } = await http(photos, 'POST', {
    headers: { Authorization: `Bearer ${service.key}` },
    body,
  })
  const data: { success: boolean; ordernum: number }[] = JSON.parse(text).data
  return { status, stored: data.filter(({ success }) => success).map(({ ordernum }) => ordernum) }
}

it('answers every call that is not broken off', async () => {
  const calls: Promise<{ status: number; stored: number[] }>[] = []
  const broken: Promise<void>[] = []
  for (let number = 0; number < 8; number++) {
    calls.push(add())
    broken.push(breakOff(40 + number * 60))
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
