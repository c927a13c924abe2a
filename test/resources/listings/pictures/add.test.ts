import { env } from 'cloudflare:workers'
import { readJpeg } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RED } from '../../../../fixtures/pictures.ts'
import { silenceLog } from '../../../http/send.ts'
import { call, expectInvalid, get, importRecords, ORIGIN, post } from '../../../support/api.ts'
import { execute, sessionOn } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, readListing } from '../../../support/factories/listing.ts'

/** Red, 4 × 2 pixels. */
const PICTURES = {
  png: RED,
  jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wCEAAICAgICAgICAgIDAwIDAwQDAwMDBAYEBAQEBAYJBQYFBQYFCQgJBwcHCQgOCwkJCw4QDQwNEBMRERMYFxgfHyoBAgICAgICAgICAgMDAgMDBAMDAwMEBgQEBAQEBgkFBgUFBgUJCAkHBwcJCA4LCQkLDhANDA0QExERExgXGB8fKv/AABEIAAIABAMBEQACEQEDEQH/xABLAAEAAAAAAAAAAAAAAAAAAAAIEAEAAAAAAAAAAAAAAAAAAAAAAQEBAAAAAAAAAAAAAAAAAAAICREBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8ALY/q+P/Z',
  webp: 'UklGRh4AAABXRUJQVlA4TBEAAAAvA0AAAAdQj3LXo/+BiOh/AAA=',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
}
const PNG = { data: PICTURES.png }
/** Black, 2 × 2 pixels. */
const WATERMARK =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEElEQVR4nGNgYGD4D8UQBgAd9AP9yOH2qAAAAABJRU5ErkJggg=='

const BAD_SHAPE =
  'Each photo must be a URL string, or an object with url or data (base64-encoded image bytes)'
const LONG_AGO = '2020-01-01 00:00:00'
const STORED = /^http:\/\/estia\.test\/photos\/[0-9a-f]{32}\.jpg$/

const bytesOf = (base64: string) => Uint8Array.fromBase64(base64)
const unrecognized = (type: string) => `Unsupported or unrecognized image type: ${type}`

let id = 0

beforeAll(seedAgency)

beforeEach(async () => {
  id = await createListing()
  await execute('update listings set date_updated = ? where id = ?', LONG_AGO, id)
})

const upload = async (photos: unknown) => (await post(`/api/listings/${id}/photos`, { photos })).body
const uploadPanoramas = async (photos: unknown) =>
  (await post(`/api/listings/${id}/panorama-photos`, { photos })).body

/** A stored picture, as its key in the bucket holds it. */
async function stored(url: string) {
  const object = await env.PHOTOS.get(url.slice(ORIGIN.length + 1))
  return new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0))
}

const countObjects = async () => (await env.PHOTOS.list()).objects.length

/** Answers every download with the same picture, and tells what was asked for. */
function serveDownloads(answer: () => Response) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer())
}

const setWatermark = () => call('PUT', '/admin/stores/1/watermark', { body: bytesOf(WATERMARK) })

describe('POST /api/listings/{id}/photos', () => {
  it('answers one entry per photo, in order, and a failure does not touch the others', async () => {
    const fetched = serveDownloads(() => new Response(bytesOf(PICTURES.jpeg)))
    const answer = await upload([
      PNG,
      'not a url',
      'https://pictures.test/1.jpg',
      { data: `data:image/jpeg;base64,${PICTURES.webp}` },
      { data: '!' },
      { url: 'https://pictures.test/2.jpg', data: PICTURES.gif },
      { data: PICTURES.gif },
    ])
    const success = (url: string | null, ordernum: number) => ({
      url,
      success: true,
      ordernum,
      original_image: expect.stringMatching(STORED),
      watermark_image: null,
    })
    expect(answer).toEqual({
      status: 200,
      data: [
        success(null, 1),
        { url: 'not a url', success: false, error: 'Invalid photo url' },
        success('https://pictures.test/1.jpg', 2),
        success(null, 3),
        { url: null, success: false, error: 'Invalid base64 image data' },
        success('https://pictures.test/2.jpg', 4),
        success(null, 5),
      ],
    })
    expect(fetched.mock.calls.map(([url]) => url)).toEqual([
      'https://pictures.test/1.jpg',
      'https://pictures.test/2.jpg',
    ])
    const images = answer.data.flatMap(
      ({ success: good, original_image }: { success: boolean; original_image: string }) =>
        good ? [{ original_image, watermark_image: null }] : [],
    )
    const listing = await readListing(id)
    expect(listing.photos).toEqual(images)
    expect(listing.panorama_photos).toEqual([])
  })

  it.each(Object.keys(PICTURES) as (keyof typeof PICTURES)[])('stores a %s as JPEG', async (type) => {
    const { data } = await upload([{ data: PICTURES[type] }])
    const bytes = await stored(data[0].original_image)
    expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
    const { width, height } = await readJpeg(bytes)
    expect([width, height]).toEqual(type === 'gif' ? [1, 1] : [4, 2])
  })

  it.each<[entry: unknown, url: string | null, error: string]>([
    [5, null, BAD_SHAPE],
    ['ftp://pictures.test/1.jpg', 'ftp://pictures.test/1.jpg', 'Invalid photo url'],
    [{ data: '' }, null, 'Invalid base64 image data'],
    [{ data: btoa('<svg xmlns="x"/>') }, null, unrecognized('image/svg+xml')],
    [{ data: btoa('\0\x01\x02') }, null, unrecognized('application/octet-stream')],
    [{ data: `data:image/png;base64,${btoa('BM\0\0\0\0\0\0\0\0')}` }, null, unrecognized('image/bmp')],
    [{ data: btoa('\xff\xd8\xff\xe0') }, null, 'Could not read image dimensions'],
  ])('%j fails alone', async (entry, url, error) => {
    const before = await countObjects()
    expect(await upload([entry])).toEqual({ status: 200, data: [{ url, success: false, error }] })
    expect(await countObjects()).toBe(before)
    expect(await readListing(id)).toMatchObject({ photos: [], date_updated: LONG_AGO })
  })

  it('answers [] to an empty list and changes nothing', async () => {
    expect(await upload([])).toEqual({ status: 200, data: [] })
    expect((await readListing(id)).date_updated).toBe(LONG_AGO)
  })

  it.each([
    [{}, 'Missing photos'],
    [{ photos: null }, 'Missing photos'],
    [{ photos: { url: 'https://pictures.test/1.jpg' } }, 'Invalid photos: must be an array'],
  ])('refuses a body without a list (%#)', async (body, message) => {
    await expectInvalid(post(`/api/listings/${id}/photos`, body), message)
    await expectInvalid(post(`/api/listings/${id}/panorama-photos`, body), message)
  })

  it('gives no number twice, however many calls come at once', async () => {
    const answers = await Promise.all([upload([PNG, PNG]), upload([PNG, {}, PNG]), upload([PNG])])
    const added: { success: boolean; ordernum: number; original_image: string }[] = answers
      .flatMap(({ data }) => data)
      .filter(({ success }) => success)
      .toSorted((a, b) => a.ordernum - b.ordernum)
    expect(added.map(({ ordernum }) => ordernum)).toEqual([1, 2, 3, 4, 5])
    const images = added.map(({ original_image }) => ({ original_image, watermark_image: null }))
    expect((await readListing(id)).photos).toEqual(images)
  })

  it('fits photos into the bound that the account sets', async () => {
    await importRecords([['settings', { key: 'listings_max_resize', value: 2 }]])
    const { data } = await upload([PNG])
    const { width, height } = await readJpeg(await stored(data[0].original_image))
    expect([width, height]).toEqual([2, 1])
    await importRecords([['settings', { key: 'listings_max_resize', value: 1920 }]])
  })
})

describe('POST /api/listings/{id}/photos: when storing fails', () => {
  const failed = { url: null, success: false, error: 'Failed to upload photo' }

  it('the bucket refuses one: that one fails, the next is stored', async () => {
    vi.spyOn(env.PHOTOS, 'put').mockRejectedValueOnce(new Error('R2 is down'))
    const { data } = await upload([PNG, PNG])
    expect(data).toEqual([failed, expect.objectContaining({ success: true, ordernum: 1 })])
    expect((await readListing(id)).photos).toHaveLength(1)
  })

  it('the bucket refuses the copy with the watermark: the photo fails', async () => {
    await setWatermark()
    const put = env.PHOTOS.put.bind(env.PHOTOS) as (...given: unknown[]) => Promise<R2Object>
    vi.spyOn(env.PHOTOS, 'put')
      .mockImplementationOnce(put as never)
      .mockRejectedValueOnce(new Error('R2 is down'))
    expect((await upload([PNG])).data).toEqual([failed])
    expect((await readListing(id)).photos).toEqual([])
    await call('DELETE', '/admin/stores/1/watermark')
  })

  it('the database refuses one: that one and those behind it fail, those before it stay', async () => {
    const batch = env.DB.batch.bind(env.DB)
    vi.spyOn(env.DB, 'withSession').mockImplementation(() => sessionOn(env.DB))
    const refused = vi
      .spyOn(env.DB, 'batch')
      .mockImplementationOnce(batch)
      .mockImplementationOnce(batch)
      .mockRejectedValue(new Error('D1_ERROR: out of order'))
    const fetched = serveDownloads(() => new Response(bytesOf(PICTURES.jpeg)))
    const url = 'https://pictures.test/1.jpg'
    const { data } = await upload([PNG, PNG, url, url])
    expect(data).toEqual([
      expect.objectContaining({ success: true, ordernum: 1 }),
      failed,
      { ...failed, url },
      { ...failed, url },
    ])
    // To read the listing, to store one, and the one that fails twice; what comes behind is not worked on any more.
    expect(refused).toHaveBeenCalledTimes(4)
    expect(fetched.mock.calls.length).toBeLessThanOrEqual(1)
    vi.restoreAllMocks()
    const { photos } = await readListing(id)
    expect(photos).toEqual([{ original_image: data[0].original_image, watermark_image: null }])
  })
})

describe('POST /api/listings/{id}/photos: the watermark', () => {
  /** Whether a picture's middle is black, as the watermark is. */
  async function isMarked(url: string) {
    const picture = await readJpeg(await stored(url))
    const [red = 255] = picture.pixel(Math.floor(picture.width / 2), 0)
    return red < 100
  }

  it('lies on a second copy while the office has one and the setting is on', async () => {
    expect((await setWatermark()).status).toBe(200)
    const { data } = await upload([PNG])
    expect(data[0].watermark_image).toMatch(STORED)
    expect(data[0].watermark_image).not.toBe(data[0].original_image)
    expect(await isMarked(data[0].original_image)).toBe(false)
    expect(await isMarked(data[0].watermark_image)).toBe(true)
    const { original_image, watermark_image } = data[0]
    expect((await readListing(id)).photos).toEqual([{ original_image, watermark_image }])
  })

  it('is left out when the setting is off, for other offices, and after it was removed', async () => {
    await importRecords([['settings', { key: 'watermark', value: false }]])
    expect((await upload([PNG])).data[0].watermark_image).toBeNull()
    await importRecords([['settings', { key: 'watermark', value: true }]])
    expect((await upload([PNG])).data[0].watermark_image).toMatch(STORED)
    const elsewhere = await createListing({ store_id: 2 })
    const { body } = await post(`/api/listings/${elsewhere}/photos`, { photos: [PNG] })
    expect(body.data[0].watermark_image).toBeNull()
    await call('DELETE', '/admin/stores/1/watermark')
    expect((await upload([PNG])).data[0].watermark_image).toBeNull()
  })

  it('an unreadable watermark leaves the photo without a marked copy', async () => {
    const key = `watermarks/${'0'.repeat(32)}.png`
    const setKey = (watermark: string | null) =>
      execute('update stores set watermark = ? where id = 1', watermark)
    const withoutCopy = expect.objectContaining({ success: true, watermark_image: null })
    const logged = async () => {
      const lines = silenceLog()
      expect((await upload([PNG, PNG])).data).toEqual([withoutCopy, withoutCopy])
      return lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
    }
    const work = 'loading a watermark: photos are stored without it'
    const told = (error: unknown) => [{ level: 'error', work, store_id: 1, error, stack: expect.any(Array) }]
    await setKey(key)
    expect(await logged()).toEqual(told('Error: No such file in the bucket'))
    await env.PHOTOS.put(key, 'no picture')
    expect(await logged()).toEqual(told('PhotoError: Unsupported or unrecognized image type: text/plain'))
    await env.PHOTOS.put(key, bytesOf(WATERMARK).slice(0, 40))
    expect(await logged()).toEqual(told(expect.stringMatching(/^Error: PNG/)))
    await setKey('https://pictures.test/mark.png?token=secret')
    serveDownloads(() => new Response('gone', { status: 410 }))
    expect(await logged()).toEqual(told('Error: Answer 410'))
    vi.restoreAllMocks()
    vi.spyOn(env.PHOTOS, 'get').mockRejectedValue(new Error('get: internal error (10001)'))
    await setKey(key)
    expect(await logged()).toEqual(told('Error: get: internal error (10001)'))
    vi.restoreAllMocks()
    await setKey('https://pictures.test/mark.png')
    serveDownloads(() => new Response(bytesOf(WATERMARK)))
    expect((await upload([PNG])).data[0].watermark_image).toMatch(STORED)
    await setKey(null)
    await env.PHOTOS.delete(key)
  })
})

describe('POST /api/listings/{id}/panorama-photos', () => {
  it('stores picture and thumb, and opens the tour', async () => {
    expect((await readListing(id)).panorama_tour_url).toBeNull()
    const answer = await uploadPanoramas([PNG, 'nothing', { data: PICTURES.webp }])
    const success = (ordernum: number) => ({
      url: null,
      success: true,
      ordernum,
      image: expect.stringMatching(STORED),
      thumb: expect.stringMatching(STORED),
    })
    expect(answer).toEqual({
      status: 200,
      data: [success(1), { url: 'nothing', success: false, error: 'Invalid photo url' }, success(2)],
    })
    const { panorama_photos, panorama_tour_url, photos, date_updated } = await readListing(id)
    expect(panorama_photos).toEqual(
      [answer.data[0], answer.data[2]].map(({ image, thumb }) => ({ image, thumb })),
    )
    expect(photos).toEqual([])
    expect(date_updated).not.toBe(LONG_AGO)
    expect(panorama_tour_url).toMatch(/^http:\/\/estia\.test\/tours\/[0-9a-f]{32}$/)
    const tour = await get(panorama_tour_url.slice(ORIGIN.length))
    expect([tour.status, tour.headers.get('Content-Type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    for (const { image } of panorama_photos) expect(tour.body).toContain(image.slice(ORIGIN.length))

    await uploadPanoramas([PNG])
    const again = await readListing(id)
    expect([again.panorama_tour_url, again.panorama_photos.length]).toEqual([panorama_tour_url, 3])
  })

  it('without a good picture opens no tour', async () => {
    await uploadPanoramas([{}, 'nothing'])
    const none = { panorama_photos: [], panorama_tour_url: null, date_updated: LONG_AGO }
    expect(await readListing(id)).toMatchObject(none)
    expect((await get('/tours/00000000000000000000000000000000')).status).toBe(404)
  })

  it('shows the picture itself where there is no thumb', async () => {
    const image = 'https://cdn.test/360.jpg'
    await execute('insert into listing_panoramas (listing_id, ordernum, image) values (?, 1, ?)', id, image)
    expect((await readListing(id)).panorama_photos).toEqual([{ image, thumb: image }])
  })

  it('fails when the database does, and opens no tour', async () => {
    const batch = env.DB.batch.bind(env.DB)
    vi.spyOn(env.DB, 'withSession').mockImplementation(() => sessionOn(env.DB))
    // The listing is read.
    vi.spyOn(env.DB, 'batch')
      .mockImplementationOnce(batch)
      .mockRejectedValue(new Error('D1_ERROR: out of order'))
    expect((await uploadPanoramas([PNG])).data).toEqual([
      { url: null, success: false, error: 'Failed to upload photo' },
    ])
    vi.restoreAllMocks()
    expect((await readListing(id)).panorama_tour_url).toBeNull()
  })
})
