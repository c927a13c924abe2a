import { env, exports } from 'cloudflare:workers'
import { MAX_PHOTO_BYTES } from '@estia/photo-codec'
import { GREEN, quadrants, RED, texture, toGif, toJpeg, toPng, toWebp } from '@estia/photo-codec/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { storedKeys, sweepAfter } from '../../files/stored.ts'
import { ORIGIN, post } from '../../support/api.ts'
import { whileBroken } from '../../support/database.ts'
import { countRows, read, seedExternalListings } from './seed.ts'

beforeAll(seedExternalListings)

let jpeg: Uint8Array
let png: Uint8Array
let webp: Uint8Array
let answers: Record<string, () => Response>

beforeEach(async () => {
  jpeg = await toJpeg(texture(40, 30))
  png = toPng(quadrants(20, 20))
  webp = await toWebp(quadrants(20, 20))
  const typed = (bytes: BodyInit, type: string) => () =>
    new Response(bytes, { headers: { 'Content-Type': type } })
  const redirect = (Location: string) => () => new Response(null, { status: 302, headers: { Location } })
  answers = {
    'a.jpg': typed(jpeg, 'text/html'),
    b: () => new Response(png),
    'c.jpg': () => new Response(webp),
    'd.gif': () => new Response(toGif(2, 2, [RED, GREEN], [{ indexes: [0, 1, 0, 1] }])),
    'e.jpg': typed('<!doctype html><script>alert(1)</script>', 'image/jpeg'),
    'cut.jpg': () => new Response(jpeg.slice(0, 10)),
    'gone.jpg': () => new Response('gone', { status: 404 }),
    'moved.jpg': redirect('/a.jpg'),
    'away.jpg': redirect('ftp://photos.example/a.jpg'),
    'big.jpg': () => new Response(jpeg, { headers: { 'Content-Length': String(MAX_PHOTO_BYTES + 1) } }),
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const answer = answers[String(input).replace(at(''), '')]
    if (!answer) throw new Error('unreachable')
    return answer()
  })
})

afterEach(async () => {
  vi.restoreAllMocks()
  await env.PHOTOS.delete(await storedKeys())
})

const create = (photos: unknown[], more: object = {}) =>
  post('/api/external-listings', { created_by: 1, store_id: 1, photos, ...more })
const at = (name: string) => `https://photos.example/${name}`

async function fetchBytes(url: string): Promise<{ type: string | null; bytes: Uint8Array }> {
  const response = await exports.default.fetch(new Request(url))
  return { type: response.headers.get('Content-Type'), bytes: new Uint8Array(await response.arrayBuffer()) }
}

describe('photos of POST /api/external-listings', () => {
  it('stores them unchanged, in order, under names that cannot be guessed', async () => {
    const { status, headers, body } = await create([at('b'), at('a.jpg'), at('c.jpg'), at('moved.jpg')])
    expect(status).toBe(200)
    expect(headers.get('X-Photo-Errors')).toBeNull()
    const { id, photos } = body.data
    const wanted: [string, string, Uint8Array][] = [
      ['png', 'image/png', png],
      ['jpg', 'image/jpeg', jpeg],
      ['webp', 'image/webp', webp],
      ['jpg', 'image/jpeg', jpeg],
    ]
    expect(photos).toHaveLength(wanted.length)
    for (const [index, [extension, type, bytes]] of wanted.entries()) {
      expect(photos[index]).toMatch(new RegExp(`^${ORIGIN}/photos/[0-9a-f]{32}\\.${extension}$`))
      expect(await fetchBytes(photos[index])).toEqual({ type, bytes })
    }
    expect(new Set(photos).size).toBe(wanted.length)
    expect((await read(id)).photos).toEqual(photos)
    expect(
      await env.DB.prepare('select photos from external_listings where id = ?').bind(id).first('photos'),
    ).toBe(JSON.stringify(photos.map((url: string) => url.slice(ORIGIN.length + 1))))
  })

  it('leaves out what fails, and names it in a header', async () => {
    const urls = ['house.jpg', at('a.jpg'), at('d.gif'), at('e.jpg'), at('gone.jpg'), at('none.jpg'), at('b')]
    const { status, headers, body } = await create(urls)
    expect(status).toBe(200)
    expect(body.data.photos.map((url: string) => url.split('.').at(-1))).toEqual(['jpg', 'png'])
    expect(headers.get('X-Photo-Errors')).toBe(
      [
        'photos.0: Invalid photo url',
        'photos.2: Unsupported or unrecognized image type: image/gif',
        'photos.3: Unsupported or unrecognized image type: text/html',
        'photos.4: Could not download photo',
        'photos.5: Could not download photo',
      ].join(', '),
    )
    expect(await storedKeys()).toHaveLength(2)
  })

  it.each([
    ['https://user:secret@photos.example/a.jpg', 'Invalid photo url'],
    ['data:image/png;base64,AAAA', 'Invalid photo url'],
    ['\ud800', 'Invalid photo url'],
    [at('away.jpg'), 'Invalid photo url'],
    [at('big.jpg'), 'Could not download photo'],
    [at('cut.jpg'), 'Could not read image dimensions'],
  ])('%j: %s', async (url, message) => {
    const { status, headers, body } = await create([url])
    expect([status, body.data.photos]).toEqual([200, []])
    expect(headers.get('X-Photo-Errors')).toBe(`photos.0: ${message}`)
  })

  it('downloads nothing for a body that is refused', async () => {
    const { status } = await create([at('b')], { store_id: 99 })
    expect(status).toBe(400)
    expect(globalThis.fetch).not.toHaveBeenCalled()
  })

  it('says so when the bucket does not take one', async () => {
    const put = vi.spyOn(env.PHOTOS, 'put').mockRejectedValueOnce(new Error('put: internal error (10001)'))
    const { headers, body } = await create([at('a.jpg'), at('b')])
    put.mockRestore()
    expect(headers.get('X-Photo-Errors')).toBe('photos.0: Failed to upload photo')
    expect(body.data.photos).toHaveLength(1)
  })

  it('stores no record without its rows, and leaves the files to the sweep', async () => {
    const before = await countRows()
    const { status } = await whileBroken('insert on external_listing_users', () =>
      create([at('a.jpg'), at('b')], { users: [1] }),
    )
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await countRows()).toBe(before)
    expect(await storedKeys()).toHaveLength(2)
    await sweepAfter(1)
    await sweepAfter(2)
    expect(await storedKeys()).toEqual([])
  })
})
