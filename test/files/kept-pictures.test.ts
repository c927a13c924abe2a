/** Pictures are kept by the Cache API, which works only in files of their own: see vitest.config.ts. */
import { env } from 'cloudflare:workers'
import { texture, toJpeg } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendAndWait, silenceLog } from '../http/send.ts'
import { ORIGIN } from '../support/api.ts'

let picture: Uint8Array<ArrayBuffer>
let lines: string[] = []
let names = 0

beforeAll(async () => {
  picture = new Uint8Array(await toJpeg(texture(700, 70)))
})

beforeEach(() => {
  lines = silenceLog()
})

/** A stored picture that no other test asks for. */
async function storePicture(folder = 'photos'): Promise<string> {
  const key = `${folder}/${String(names++).padStart(32, '0')}.jpg`
  await env.PHOTOS.put(key, picture, { httpMetadata: { contentType: 'image/jpeg' } })
  return key
}

/** A call with all that it leaves to be done behind the reply, and how often it reads the bucket meanwhile. */
async function call(path: string, init: RequestInit = {}, origin = ORIGIN) {
  const reads = [vi.spyOn(env.PHOTOS, 'get'), vi.spyOn(env.PHOTOS, 'head')]
  const reply = await sendAndWait({}, new Request(`${origin}/${path}`, init))
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const calls = reads.reduce((sum, read) => sum + read.mock.calls.length, 0)
  for (const read of reads) read.mockRestore()
  const headers = Object.fromEntries(reply.headers)
  // Each call has one of its own.
  delete headers['x-request-id']
  return { status: reply.status, headers, bytes, calls }
}

describe('a picture', () => {
  it.each([
    ['as it is stored', 'photos', ''],
    ['in a width', 'photos', '?w=320'],
    ['in a width and a format', 'photos', '?w=320&format=webp'],
    ['of watermarks', 'watermarks', ''],
  ])('%s is read from the bucket once, and answered the same from then on', async (_, folder, query) => {
    const path = (await storePicture(folder)) + query
    const first = await call(path)
    expect([first.status, first.calls > 0]).toEqual([200, true])
    const again = await call(`${path}${query ? '&' : '?'}unknown=1`)
    expect(again.calls).toBe(0)
    expect({ ...again, calls: 0 }).toEqual({ ...first, calls: 0 })
    expect(again.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(again.headers['content-length']).toBe(String(again.bytes.length))
  })

  it.each<[string, RequestInit, number]>([
    ['HEAD', { method: 'HEAD' }, 200],
    ['a known tag', { headers: { 'If-None-Match': 'TAG' } }, 304],
    ['another tag', { headers: { 'If-None-Match': '"other"' } }, 200],
    ['a date', { headers: { 'If-Modified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' } }, 304],
    ['a failing condition', { headers: { 'If-Match': '"other"' } }, 412],
    ['an older date', { headers: { 'If-Unmodified-Since': 'Fri, 31 Dec 1999 00:00:00 GMT' } }, 412],
    ['a range', { headers: { Range: 'bytes=10-19' } }, 206],
    ['a range beyond its end', { headers: { Range: 'bytes=9999999-' } }, 416],
    ['a range if a tag is old', { headers: { Range: 'bytes=10-19', 'If-Range': '"other"' } }, 200],
  ])('that is kept is answered as by the bucket for %s', async (_, init, status) => {
    const [kept, unkept] = [await storePicture(), await storePicture()]
    const { headers } = await call(kept)
    const sent = JSON.parse(
      JSON.stringify(init).replace('TAG', () => JSON.stringify(headers.etag).slice(1, -1)),
    )
    const [found, read] = [await call(kept, sent), await call(unkept, sent)]
    expect([found.status, found.headers, found.bytes]).toEqual([status, read.headers, read.bytes])
    const isOfRange = 'headers' in init && 'Range' in (init.headers ?? {})
    expect(found.calls > 0).toBe(isOfRange)
  })

  it('is kept for a day, so that one that is deleted is gone then', async () => {
    const store = vi.spyOn(caches.default, 'put')
    await call(await storePicture())
    const kept = store.mock.calls.map(([, answer]) => answer.headers.get('Cache-Control'))
    expect(kept).toEqual(['public, max-age=86400'])
  })

  it.each<[string, string, RequestInit, string]>([
    ['is unknown', `photos/${'e'.repeat(32)}.jpg`, {}, ORIGIN],
    ['cannot have a size', `photos/${'e'.repeat(32)}.jpg?w=320`, {}, ORIGIN],
    ['is asked for in a wrong size', '?w=321', {}, ORIGIN],
    ['does not satisfy a condition', '', { headers: { 'If-Match': '"other"' } }, ORIGIN],
    ['is asked for by HEAD', '', { method: 'HEAD' }, ORIGIN],
    ['is asked for in part', '', { headers: { Range: 'bytes=0-9' } }, ORIGIN],
    ['is on workers.dev, which keeps nothing', '', {}, 'https://estia.agency.workers.dev'],
  ])('is not kept if it %s', async (_, path, init, origin) => {
    const store = vi.spyOn(caches.default, 'put')
    await call(path.startsWith('photos') ? path : `${await storePicture()}${path}`, init, origin)
    expect(store).not.toHaveBeenCalled()
  })

  it('a picture that cannot be decoded is not kept in memory', async () => {
    const key = await storePicture()
    await env.PHOTOS.put(key, 'no picture')
    const store = vi.spyOn(caches.default, 'put')
    expect((await call(`${key}?w=320`)).status).toBe(422)
    expect(store).not.toHaveBeenCalled()
  })

  it('is answered while the cache fails or hangs', async () => {
    const key = await storePicture()
    vi.spyOn(caches.default, 'put').mockRejectedValue(new Error('no cache here'))
    for (const match of [
      () => Promise.reject(new Error('no cache here')),
      () => new Promise<never>(() => {}),
    ]) {
      vi.spyOn(caches.default, 'match').mockImplementation(match)
      const { status, bytes } = await call(key)
      expect([status, bytes.length]).toEqual([200, picture.length])
    }
    expect(lines.join()).not.toContain(key)
  })

  it('has a line in the log only if it is not answered', async () => {
    const key = await storePicture()
    const { headers } = await call(key)
    await call(key)
    await call(`${key}?w=320`)
    await call(key, { method: 'HEAD' })
    await call(key, { headers: { 'If-None-Match': headers.etag ?? '' } })
    await call(key, { headers: { Range: 'bytes=0-9' } })
    expect(lines).toEqual([])
    await call(`photos/${'e'.repeat(32)}.jpg`)
    await call(`${key}?w=1`)
    await call(key, { headers: { Range: 'bytes=9999999-' } })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { path: '/photos/{name}', status: 404 },
      { path: '/photos/{name}', status: 400 },
      { path: '/photos/{name}', status: 416 },
    ])
  })
})
