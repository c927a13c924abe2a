import { env } from 'cloudflare:workers'
import { PhotoError } from '@estia/photo-codec'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { isFileKey } from '../../src/files/keys.ts'
import { serveFile } from '../../src/files/serve.ts'
import { StorageError, storeFile, storePhoto } from '../../src/files/store.ts'
import { PHOTO_ERRORS } from '../../src/photos/errors.ts'

const BYTES = Uint8Array.from({ length: 1000 }, (_, i) => i % 251)

let key: string
let etag: string
/** The same for every file: the moment of its upload would be a hint at hidden dates. */
const MODIFIED = new Date('2000-01-01T00:00:00Z')

beforeAll(async () => {
  key = await storePhoto(env.PHOTOS, BYTES, 'image/jpeg')
  const object = await env.PHOTOS.head(key)
  etag = object?.httpEtag ?? ''
  // Otherwise the tests could not distinguish the two.
  expect(object?.uploaded.getTime()).toBeGreaterThan(MODIFIED.getTime())
})

async function serve(headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const response = await serveFile(env.PHOTOS, key, new Request('https://estia.test/', { method, headers }))
  if (!response) throw new Error('Nothing there')
  return response
}

/** The same with its whole body. */
async function serveWhole(headers?: Record<string, string>, method?: string) {
  const response = await serve(headers, method)
  const body = [...new Uint8Array(await response.arrayBuffer())]
  return { status: response.status, headers: response.headers, body }
}

const date = (offsetSeconds: number) => new Date(MODIFIED.getTime() + offsetSeconds * 1000).toUTCString()

describe('storeFile', () => {
  it('stores under keys that cannot be guessed', async () => {
    const keys = await Promise.all([
      storePhoto(env.PHOTOS, BYTES, 'image/jpeg'),
      storeFile(env.PHOTOS, BYTES, 'image/png', 'watermarks'),
      storeFile(env.PHOTOS, BYTES, 'application/x-unknown', 'files'),
    ])
    expect(keys[0]).toMatch(/^photos\/[0-9a-f]{32}\.jpg$/)
    expect(keys[1]).toMatch(/^watermarks\/[0-9a-f]{32}\.png$/)
    expect(keys[2]).toMatch(/^files\/[0-9a-f]{32}\.bin$/)
    expect(new Set(keys.map((stored) => stored.split('/')[1]?.split('.')[0])).size).toBe(3)
    for (const stored of keys) expect(isFileKey(stored)).toBe(true)
  })

  it('says so when the bucket fails', async () => {
    const put = vi.spyOn(env.PHOTOS, 'put').mockRejectedValue(new Error('put: internal error (10001)'))
    await expect(storeFile(env.PHOTOS, BYTES, 'application/pdf', 'files')).rejects.toThrow(StorageError)
    await expect(storePhoto(env.PHOTOS, BYTES, 'image/jpeg')).rejects.toThrow(
      new PhotoError(PHOTO_ERRORS.notUploaded),
    )
    put.mockRestore()
  })

  it('takes no folder that would leave its place', async () => {
    await expect(storeFile(env.PHOTOS, BYTES, 'image/jpeg', '../photos')).rejects.toThrow('Not a folder')
  })
})

describe('serveFile', () => {
  it('answers GET with the file and headers that make it harmless', async () => {
    const { status, headers, body } = await serveWhole()
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': '1000',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/jpeg',
      etag,
      'last-modified': 'Sat, 01 Jan 2000 00:00:00 GMT',
      'x-content-type-options': 'nosniff',
    })
    expect(body).toEqual([...BYTES])
    const head = await serveWhole({ range: 'bytes=0-9' }, 'HEAD')
    expect([head.status, Object.fromEntries(head.headers), head.body]).toEqual([
      200,
      Object.fromEntries(headers),
      [],
    ])
  })

  it.each([
    '',
    '/',
    'photos/',
    'photos/1.jpg',
    'photos/../photos/0123456789abcdef0123456789abcdef.jpg',
    'photos/0123456789ABCDEF0123456789ABCDEF.jpg',
    'photos/0123456789abcdef0123456789abcdef.jpg/',
    'photos/0123456789abcdef0123456789abcdef',
    'photos/0123456789abcdef0123456789abcdef.jpg\n',
    '%2e%2e/0123456789abcdef0123456789abcdef.jpg',
  ])('does not even ask for the key %j', async (wrong) => {
    const reads = [vi.spyOn(env.PHOTOS, 'head'), vi.spyOn(env.PHOTOS, 'get')]
    expect(await serveFile(env.PHOTOS, wrong, new Request('https://estia.test/'))).toBeNull()
    for (const read of reads) {
      expect(read).not.toHaveBeenCalled()
      read.mockRestore()
    }
  })

  it('has no answer for a file that is not there', async () => {
    const missing = `photos/${'0'.repeat(32)}.jpg`
    expect(await serveFile(env.PHOTOS, missing, new Request('https://estia.test/'))).toBeNull()
  })

  it.each<[range: string, status: number, first: number, last: number]>([
    ['bytes=0-9', 206, 0, 9],
    ['bytes=990-', 206, 990, 999],
    ['bytes=-5', 206, 995, 999],
    ['bytes=-5000', 206, 0, 999],
    ['bytes=500-99999', 206, 500, 999],
    ['bytes=999-999', 206, 999, 999],
    ['bytes=0-', 206, 0, 999],
    ...['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'].map((range): [string, number, number, number] => [
      range,
      416,
      0,
      -1,
    ]),
    // What is no range that it knows is ignored.
    ...['bytes=9-5', 'bytes=-', 'bytes=a-b', 'bytes=0-1,5-6', 'items=0-1', 'bytes 0-1'].map(
      (range): [string, number, number, number] => [range, 200, 0, 999],
    ),
  ])('answers the range %s with %i', async (range, status, first, last) => {
    const { status: answered, headers, ...response } = await serveWhole({ range })
    const contentRange = { 200: null, 206: `bytes ${first}-${last}/1000`, 416: 'bytes */1000' }[status]
    expect([answered, headers.get('content-range')]).toEqual([status, contentRange])
    if (status !== 416) expect(headers.get('content-length')).toBe(String(last - first + 1))
    const kept = status === 416 ? 'no-store' : 'public, max-age=31536000, immutable'
    expect(headers.get('cache-control')).toBe(kept)
    expect(response.body).toEqual([...BYTES.subarray(first, last + 1)])
  })

  it.each([
    ['a file', {}, 'GET'],
    ['its headers', {}, 'HEAD'],
    ['what the client has', { 'if-none-match': 'known' }, 'GET'],
    ['what the client had once', { 'if-none-match': '"other"' }, 'GET'],
    ['a file since a day', { 'if-modified-since': 'Fri, 31 Dec 1999 00:00:00 GMT' }, 'GET'],
    ['its beginning', { range: 'bytes=0-9' }, 'GET'],
    ['its end', { range: 'bytes=-5' }, 'GET'],
    ['more than it has', { range: 'bytes=-5000' }, 'GET'],
    ['more than is left', { range: 'bytes=500-99999' }, 'GET'],
    ['the rest of a known version', { range: 'bytes=500-', 'if-range': 'known' }, 'GET'],
  ])('reads the bucket once for %s', async (_, headers: Record<string, string>, method) => {
    const known = Object.entries(headers).map(([name, value]) => [name, value === 'known' ? etag : value])
    const reads = [vi.spyOn(env.PHOTOS, 'head'), vi.spyOn(env.PHOTOS, 'get')]
    await serveWhole(Object.fromEntries(known), method)
    const calls = reads.flatMap(({ mock }) => mock.calls)
    for (const read of reads) read.mockRestore()
    expect(calls).toHaveLength(1)
  })

  it('answers conditional requests, and a range only while If-Range names this version', async () => {
    const other = '"other"'
    const range = 'bytes=0-9'
    const cases: [Record<string, string>, number][] = [
      ...[etag, `W/${etag}`, `${other}, ${etag}`, '*'].map(
        (known) => [{ 'if-none-match': known }, 304] as const,
      ),
      [{ 'if-none-match': other }, 200],
      ...[0, 60].map((offset) => [{ 'if-modified-since': date(offset) }, 304] as const),
      [{ 'if-modified-since': date(-60) }, 200],
      [{ 'if-modified-since': 'yesterday' }, 200],
      [{ 'if-none-match': other, 'if-modified-since': date(60) }, 200],
      ...[etag, '*'].map((known) => [{ 'if-match': known }, 200] as const),
      ...[other, `W/${etag}`].map((known) => [{ 'if-match': known }, 412] as const),
      [{ 'if-unmodified-since': date(0) }, 200],
      [{ 'if-unmodified-since': date(-60) }, 412],
      [{ 'if-unmodified-since': 'yesterday' }, 200],
      [{ 'if-match': etag, 'if-unmodified-since': date(-60) }, 200],
      [{ 'if-match': etag, 'if-none-match': etag }, 304],
      [{ 'if-none-match': etag, range: 'bytes=5000-' }, 304],
      ...[etag, date(0)].map((version) => [{ range, 'if-range': version }, 206] as const),
      ...[other, `W/${etag}`, date(-10), date(10)].map(
        (version) => [{ range, 'if-range': version }, 200] as const,
      ),
    ].map(([headers, status]) => [headers as Record<string, string>, status as number])
    for (const [sent, status] of cases) {
      const { status: answered, headers, body } = await serveWhole(sent)
      expect(answered, JSON.stringify(sent)).toBe(status)
      expect(headers.get('etag')).toBe(etag)
      const lasts = status === 412 ? 'no-store' : 'public, max-age=31536000, immutable'
      expect(headers.get('cache-control'), JSON.stringify(sent)).toBe(lasts)
      if (status > 206) expect(body).toEqual([])
    }
  })
})
