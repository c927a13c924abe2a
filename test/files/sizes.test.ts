// @module-tag slow

import { env } from 'cloudflare:workers'
import { inspectPhoto } from '@estia/photo-codec'
import { paint, RED, texture, toJpeg, toPng, toWebp } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Faults, withFaults } from '../../tools/faults/bindings.ts'
import { send, silenceLog } from '../http/send.ts'
import { call, expectError, importRecords, ORIGIN, post } from '../support/api.ts'
import { CountingLimit } from '../support/counting-limit.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing, readListing } from '../support/factories/listing.ts'
import { storedKeys } from './stored.ts'

const NAME = `${'0123456789abcdef'.repeat(2)}.jpg`
const PICTURE = `/photos/${NAME}`
const UNKNOWN = `/photos/${'f'.repeat(32)}.jpg`

/** What R2 is asked to keep. */
const putsOf = () => vi.spyOn(env.PHOTOS, 'put')

let wide: Uint8Array<ArrayBuffer>
let lines: string[] = []

beforeAll(async () => {
  wide = new Uint8Array(await toJpeg(texture(1500, 150)))
})

beforeEach(async () => {
  lines = silenceLog()
  await env.PHOTOS.delete(await storedKeys())
  await store(wide)
})

/** Stores the picture that the tests ask for. */
async function store(bytes: Uint8Array | string, name = NAME): Promise<void> {
  await env.PHOTOS.put(`photos/${name}`, bytes, { httpMetadata: { contentType: 'image/jpeg' } })
}

async function bytesOf(answer: Response): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer())
}

/** Fails unless the bytes are the same. Comparing them by `toEqual` takes seconds. */
function expectSame(found: Uint8Array, expected: Uint8Array): void {
  expect(found.length).toBe(expected.length)
  expect(Buffer.from(found).equals(expected)).toBe(true)
}

/** Type and size of the answer, which must be 200. */
async function pictureOf(path: string) {
  const answer = await send('GET', path)
  const bytes = await bytesOf(answer)
  expect([path, answer.status]).toEqual([path, 200])
  const { type, width, height } = inspectPhoto(bytes)
  expect([path, answer.headers.get('Content-Type')]).toEqual([path, type])
  return { bytes, type, width, height }
}

describe('a smaller copy', () => {
  it.each([
    ['?w=320', 'image/jpeg', 320, 32, 'sizes/320/default/'],
    ['?w=640', 'image/jpeg', 640, 64, 'sizes/640/default/'],
    ['?w=960', 'image/jpeg', 960, 96, 'sizes/960/default/'],
    ['?w=1280', 'image/jpeg', 1280, 128, 'sizes/1280/default/'],
    ['?w=640&format=jpeg', 'image/jpeg', 640, 64, 'sizes/640/jpeg/'],
    ['?w=640&format=webp', 'image/webp', 640, 64, 'sizes/640/webp/'],
    ['?format=webp', 'image/webp', 1500, 150, 'sizes/full/webp/'],
    ['?format=jpeg', 'image/jpeg', 1500, 150, 'sizes/full/jpeg/'],
    ['?format=webp&w=320&name=x&W=1', 'image/webp', 320, 32, 'sizes/320/webp/'],
  ])('has the size and format of %s, and is kept', async (query, type, width, height, folder) => {
    const first = await pictureOf(PICTURE + query)
    expect(first).toMatchObject({ type, width, height })
    expect(await storedKeys()).toEqual([`photos/${NAME}`, folder + NAME])
    const put = putsOf()
    expectSame((await pictureOf(PICTURE + query)).bytes, first.bytes)
    expect(put).not.toHaveBeenCalled()
    const kept = await env.PHOTOS.get(folder + NAME)
    expect(kept?.httpMetadata).toEqual({ contentType: type })
    expectSame(new Uint8Array((await kept?.arrayBuffer()) ?? []), first.bytes)
  })

  it.each([640, 500])('is the stored file where w is not below its width of %i', async (width) => {
    const png = toPng(texture(width, 30))
    await store(png)
    const { bytes, type } = await pictureOf(`${PICTURE}?w=640`)
    expect(type).toBe('image/png')
    expectSame(bytes, png)
    for (const format of ['jpeg', 'webp']) {
      const made = await pictureOf(`${PICTURE}?w=640&format=${format}`)
      expect(made).toMatchObject({ type: `image/${format}`, width, height: 30 })
    }
    // What was made for a format is not mistaken for the stored file.
    expectSame((await pictureOf(`${PICTURE}?w=640`)).bytes, png)
  })

  it.each([
    ['WebP', () => toWebp(texture(700, 70))],
    ['JPEG', () => toJpeg(texture(700, 70))],
  ])('is made of a stored %s', async (_, make) => {
    await store(await make())
    for (const format of ['jpeg', 'webp']) {
      const made = await pictureOf(`${PICTURE}?w=320&format=${format}`)
      expect(made).toMatchObject({ type: `image/${format}`, width: 320, height: 32 })
    }
  })

  it.each([false, true])(
    'answers HEAD, ranges and conditions like a file (already made: %s)',
    async (isMade) => {
      const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
        if (!isMade) await env.PHOTOS.delete(`sizes/640/default/${NAME}`)
        const answer = await send(method, `${PICTURE}?w=640`, { headers })
        const [etag, length, range] = ['ETag', 'Content-Length', 'Content-Range'].map((name) =>
          answer.headers.get(name),
        )
        return { status: answer.status, etag, length, range, bytes: await bytesOf(answer) }
      }
      const { bytes, etag } = await ask()
      const length = String(bytes.length)
      const head = await ask({}, 'HEAD')
      expect(head).toMatchObject({ status: 200, length, etag, bytes: new Uint8Array() })
      const part = await ask({ Range: 'bytes=10-19' })
      expect(part).toMatchObject({ status: 206, range: `bytes 10-19/${length}` })
      expectSame(part.bytes, bytes.slice(10, 20))
      expect(await ask({ 'If-None-Match': etag ?? '' })).toMatchObject({ status: 304, etag })
      expect((await ask({ 'If-Match': '"other"' })).status).toBe(412)
      expect(await ask({ Range: `bytes=${length}-` })).toMatchObject({
        status: 416,
        range: `bytes */${length}`,
      })
    },
  )

  it('cannot be read by its own key', async () => {
    await pictureOf(`${PICTURE}?w=640`)
    for (const path of [`/sizes/640/default/${NAME}`, `/photos/640/default/${NAME}`, `/sizes/${NAME}`]) {
      await expectError(send('GET', path), 404, 'Not found')
    }
  })
})

describe('the query of a picture', () => {
  it.each([
    ['w=', 'w'],
    ['w=641', 'w'],
    ['w=1920', 'w'],
    ['w=%E0%A4', 'w'],
    ['w=640&w=640', 'w'],
    [`w=${'1'.repeat(5000)}`, 'w'],
    ['w=1&format=gif', 'w'],
    ['format=', 'format'],
    ['format=jpg', 'format'],
    ['format=jpeg&w=640&format=webp', 'format'],
    ['w=320&format=webp%20', 'format'],
  ])('is refused: %s', async (query, name) => {
    const reads = [vi.spyOn(env.PHOTOS, 'head'), vi.spyOn(env.PHOTOS, 'get')]
    await expectError(send('GET', `${PICTURE}?${query}`), 400, `Invalid ${name}`)
    expect((await send('HEAD', `${PICTURE}?${query}`)).status).toBe(400)
    for (const read of reads) expect(read).not.toHaveBeenCalled()
  })

  it.each([
    [2000, 10, '?format=webp', 400],
    [10, 2000, '?format=webp', 400],
    [700, 2200, '?w=640&format=webp', 400],
    [700, 2100, '?w=640&format=webp', 200],
    [1920, 10, '?format=webp', 200],
    [2000, 10, '?w=1280&format=webp', 200],
    [2000, 10, '?format=jpeg', 200],
    [700, 2200, '?w=640', 200],
  ])('for a picture of %i × %i with %s is answered by %i', async (width, height, query, status) => {
    await store(await toJpeg(paint(width, height, () => RED)))
    const answer = await send('GET', PICTURE + query)
    if (status === 200) expect([answer.status, (await bytesOf(answer)).length > 0]).toEqual([200, true])
    else await expectError(answer, 400, 'Invalid format')
  })
})

describe('every stored photo', () => {
  it('has sizes: photos with and without watermark, panoramas, their thumbs and external photos', async () => {
    await seedAgency()
    const data = Buffer.from(await toJpeg(texture(1400, 700))).toString('base64')
    const id = await createListing()
    await call('PUT', '/admin/stores/1/watermark', { body: toPng(paint(20, 20, () => RED)) })
    await post(`/api/listings/${id}/photos`, { photos: [{ data }] })
    await post(`/api/listings/${id}/panorama-photos`, { photos: [{ data }] })
    await importRecords([['external_listing_statuses', { id: 1, name: 'New' }]])
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(toPng(texture(1400, 700))))
    const body = { created_by: 1, store_id: 1, photos: ['https://a.example/1'] }
    const external = await post('/api/external-listings', body)
    const { photos, panorama_photos } = await readListing(id)
    const urls: string[] = [
      photos[0].original_image,
      photos[0].watermark_image,
      panorama_photos[0].image,
      panorama_photos[0].thumb,
      external.body.data.photos[0],
    ]
    expect(new Set(urls).size).toBe(5)
    for (const url of urls) {
      const made = await pictureOf(`${url.slice(ORIGIN.length)}?w=640&format=webp`)
      expect(made).toMatchObject({ type: 'image/webp', width: 640, height: 320 })
    }
  })
})

describe('first requests at the same time', () => {
  /** Fifty of them, which all get the same. */
  async function askAtOnce(query: string) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send('GET', PICTURE + query)))
    const bodies = await Promise.all(answers.map(bytesOf))
    expect(answers.map(({ status }) => status)).toEqual(new Array(50).fill(200))
    const [{ headers } = new Response(), body = new Uint8Array()] = [answers[0], bodies[0]]
    for (const other of bodies) expectSame(other, body)
    return { headers, body }
  }

  it('make a copy once', async () => {
    const put = putsOf()
    await askAtOnce('?w=640&format=webp')
    expect(put).toHaveBeenCalledTimes(1)
  })

  it('make a copy once also if it cannot be stored', async () => {
    const get = vi.spyOn(env.PHOTOS, 'get')
    putsOf().mockRejectedValue(new Error('put: internal error (10001)'))
    const { headers, body } = await askAtOnce('?w=640')
    expect(get.mock.calls.filter(([key]) => key === `photos/${NAME}`)).toHaveLength(1)
    expect(inspectPhoto(body)).toMatchObject({ width: 640 })
    for (const name of ['X-Request-Id', 'Access-Control-Expose-Headers']) headers.delete(name)
    expect(Object.fromEntries(headers)).toEqual({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(body.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/jpeg',
      vary: 'Origin',
      'x-content-type-options': 'nosniff',
    })
  })

  it('wait for a maker that does not finish for ten seconds', async () => {
    const get = env.PHOTOS.get.bind(env.PHOTOS) as (key: string) => Promise<null>
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    vi.spyOn(env.PHOTOS, 'get').mockImplementation(async (key: string) => {
      if (key.startsWith('photos/')) await held
      return get(key)
    })
    const first = send('GET', `${PICTURE}?w=640`)
    const second = send('GET', `${PICTURE}?w=640`)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 10_001)
    const late = await second
    clock.mockRestore()
    expect([late.headers.get('Retry-After'), late.headers.get('Cache-Control')]).toEqual(['5', 'no-store'])
    await expectError(late, 503, 'The picture is being made')
    release()
    expect((await first).status).toBe(200)
  })
})

describe('the limit of makings', () => {
  const from = (address: string, path: string, SIZE_BUDGET: RateLimit, method = 'GET') =>
    send(method, path, { headers: { 'CF-Connecting-IP': address } }, { SIZE_BUDGET, SIZES_PER_ADDRESS: '3' })

  it('counts copies that are made for an address, and nothing else', async () => {
    const budget = new CountingLimit()
    const ask = (query: string) => from('192.0.2.1', PICTURE + query, budget)
    for (const query of ['?w=320', '?w=320', '', '?w=320&format=webp', '?w=0', '?w=640', '?w=320', '?x=1']) {
      await (await ask(query)).arrayBuffer()
    }
    expect((await from('192.0.2.1', `${UNKNOWN}?w=320`, budget)).status).toBe(404)
    expect([...budget.counts]).toEqual([['192.0.2.1', 3]])
    const refused = await ask('?w=1280')
    expect(['Retry-After', 'Cache-Control'].map((name) => refused.headers.get(name))).toEqual([
      '60',
      'no-store',
    ])
    await expectError(refused, 503, 'Too many pictures are being made')
    expect((await from('192.0.2.1', `${PICTURE}?w=960`, budget, 'HEAD')).status).toBe(503)
    expect((await ask('?w=640')).status).toBe(200)
    expect((await ask('')).status).toBe(200)
    expect((await from('192.0.2.2', `${PICTURE}?w=1280`, budget)).status).toBe(200)
    expect((await ask('?w=1280')).status).toBe(200)
  })

  it('of one address is not that of another which waits for it', async () => {
    const budget = new CountingLimit()
    for (let i = 0; i < 3; i++) await budget.limit({ key: '192.0.2.1' })
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']
    const answers = await Promise.all(addresses.map((address) => from(address, `${PICTURE}?w=640`, budget)))
    const statuses = answers.map(({ status }) => status)
    expect([statuses[1], statuses[3]]).toEqual([200, 200])
    expect(statuses[0]).toBe(503)
    expect([...budget.counts.keys()]).toEqual(['192.0.2.1', '192.0.2.2'])
    expect(budget.counts.get('192.0.2.2')).toBe(1)
  })

  it('does not refuse while the limiter fails', async () => {
    const failing: RateLimit = { limit: () => Promise.reject(new Error('no such namespace')) }
    expect((await from('192.0.2.1', `${PICTURE}?w=640`, failing)).status).toBe(200)
  })
})

describe('a picture of which no copy can be made', () => {
  it.each([
    ['is not there', null, 404, 'Not found'],
    ['is no picture', () => 'hello there', 422, 'Unsupported or unrecognized image type: text/plain'],
    ['is empty', () => '', 422, 'Unsupported or unrecognized image type: application/octet-stream'],
    ['is cut off', () => wide.slice(0, wide.length / 2), 422, 'Could not decode image'],
    ['has no size', () => wide.slice(0, 30), 422, 'Could not read image dimensions'],
    ['is too large', () => new Uint8Array(20 * 1024 * 1024 + 1).fill(255), 422, 'Could not decode image'],
  ])('is named as what it is: it %s', async (_, make, status, message) => {
    if (make) await store(make())
    else await env.PHOTOS.delete(`photos/${NAME}`)
    for (const query of ['?w=320', '?w=320&format=webp', '?format=jpeg']) {
      const answer = await send('GET', PICTURE + query)
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      await expectError(answer, status, message)
    }
    expect((await storedKeys()).filter((key) => key.startsWith('sizes/'))).toEqual([])
    expect(lines.join()).not.toContain('"stack"')
  })
})

describe('a bucket that fails', () => {
  it.each(['before', 'after'] as const)(
    'costs a call at most, and no copy: %s it took effect',
    async (when) => {
      const statuses: number[] = []
      const path = `${PICTURE}?w=640&format=webp`
      for (let at = 1; ; at++) {
        await env.PHOTOS.delete([`sizes/640/webp/${NAME}`])
        const faults = new Faults({ at, when })
        const answer = await send('GET', path, {}, withFaults({ PHOTOS: env.PHOTOS }, faults))
        statuses.push(answer.status)
        if (answer.status === 200) expect(inspectPhoto(await bytesOf(answer))).toMatchObject({ width: 640 })
        else await expectError(answer, 500, 'Internal server error')
        expect(await pictureOf(path)).toMatchObject({ type: 'image/webp', width: 640 })
        if (faults.calls < at) break
      }
      // Looking for the copy, for both files, reading the picture; storing and reading the copy, and once more for the cache; no fault.
      expect(statuses).toEqual([500, 500, 500, 500, 200, 200, 200, 200])
    },
  )
})
