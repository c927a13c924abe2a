import { env } from 'cloudflare:workers'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { importRecords, post } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, readListing } from '../../../support/factories/listing.ts'

const PNG = toPng(paint(4, 4, () => RED))
const GOOD = { data: Buffer.from(PNG).toString('base64') }
const SLOW = 'https://slow.example/photo.jpg'
const PATHS = ['photos', 'panorama-photos'] as const

let id = 0

beforeAll(async () => {
  await seedAgency()
  await importRecords([['external_listing_statuses', { id: 1, name: 'New' }]])
})

beforeEach(async () => {
  id = await createListing()
})

/** Downloads that each take their whole time, on a clock that only they move. */
function slowDownloads(milliseconds: number) {
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    now += milliseconds
    throw new Error('Out of time')
  })
}

/** A PNG whose header says it is so large, and that holds nothing of it. */
function claiming(width: number, height: number) {
  const bytes = PNG.slice()
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return { data: Buffer.from(bytes).toString('base64') }
}

const failed = (url: string | null, error: string) => ({ url, success: false, error })

describe.each(PATHS)('POST /api/listings/{id}/%s', (path) => {
  const upload = async (photos: unknown[]) =>
    (await post(`/api/listings/${id}/${path}`, { photos })).body.data
  const stored = expect.objectContaining({ success: true })

  it('gives up on addresses when its time is over, and keeps what it has', async () => {
    const fetched = slowDownloads(15_000)
    const data = await upload([GOOD, ...new Array(98).fill(SLOW), GOOD])
    expect(fetched).toHaveBeenCalledTimes(2)
    expect(data).toEqual([
      stored,
      ...new Array(98).fill(failed(SLOW, 'Could not download photo')),
      failed(null, 'Could not decode image'),
    ])
    const { photos, panorama_photos } = await readListing(id)
    expect([...photos, ...panorama_photos]).toHaveLength(1)
  })

  it('decodes no more pixels than it may', async () => {
    const large = [...new Array(4).fill(claiming(8000, 8000)), claiming(8000, 5500)]
    const undecodable = failed(null, 'Could not decode image')
    expect(await upload([...large.slice(0, 4), GOOD])).toEqual([...new Array(4).fill(undecodable), stored])
    // All of the 1,200 million are spent; what fails before it is decoded still says why.
    expect(await upload([GOOD, ...large, GOOD, { data: btoa('hello') }])).toEqual([
      stored,
      ...new Array(4).fill(undecodable),
      // Where something was spent before, this one does not fit.
      undecodable,
      stored,
      failed(null, 'Unsupported or unrecognized image type: text/plain'),
    ])
    expect(await upload([...large, GOOD])).toEqual(new Array(6).fill(undecodable))
  })

  it('has recorded a picture before it works on the next', async () => {
    const counts: unknown[] = []
    const table = path === 'photos' ? 'listing_photos' : 'listing_panoramas'
    const count = env.DB.prepare(`select count(*) as n from ${table} where listing_id = ?`)
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      counts.push(await count.bind(id).first('n'))
      return new Response(PNG)
    })
    const urls = [1, 2, 3, 4].map((number) => `https://a.example/${number}`)
    expect(await upload(urls)).toEqual(
      urls.map((url, index) => expect.objectContaining({ url, ordernum: index + 1 })),
    )
    // Each is fetched while the one before it is worked on.
    expect(counts).toEqual([0, 0, 1, 2])
  })
})

describe('POST /api/external-listings', () => {
  it('gives up on addresses when its time is over, and stores the record', async () => {
    const fetched = slowDownloads(15_000)
    const record = { created_by: 1, store_id: 1, photos: new Array(100).fill(SLOW) }
    const { status, headers, body } = await post('/api/external-listings', record)
    expect([status, body.data.photos]).toEqual([200, []])
    expect(fetched).toHaveBeenCalledTimes(2)
    expect(headers.get('X-Photo-Errors')?.split(', ')[19]).toBe('photos.19: Could not download photo')
  })
})

describe('an office’s watermark', () => {
  it('a watermark that does not arrive is given up', async () => {
    await importRecords([['stores', { id: 1, name: 'Center', watermark_url: SLOW }]])
    const fetched = slowDownloads(15_000)
    const { body } = await post(`/api/listings/${id}/photos`, { photos: [SLOW, SLOW, SLOW] })
    expect(body.data).toEqual(new Array(3).fill(failed(SLOW, 'Could not download photo')))
    expect(fetched).toHaveBeenCalledTimes(2)
    await importRecords([['stores', { id: 1, name: 'Center', watermark_url: null }]])
  })
})
