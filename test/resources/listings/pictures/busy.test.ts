/** Pictures that wait for too long, or with too many others, are refused: nothing of them is loaded or stored. */
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RED } from '../../../../fixtures/pictures.ts'
import { QueueBusy, runInOrder } from '../../../../src/http/concurrency/queue.ts'
import { queuePanorama, queuePhoto, queueWatermarkCheck } from '../../../../src/photos/queue.ts'
import { bearer, send, sendTo } from '../../../http/send.ts'
import { ADMIN_TOKEN, call, keyWith, ORIGIN, post } from '../../../support/api.ts'
import { selectAll } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing } from '../../../support/factories/listing.ts'

const PNG = { data: RED }
const BUSY = { status: 503, error_message: 'Too many requests are waiting' }
const NOT_UPLOADED = { url: null, success: false, error: 'Failed to upload photo' }
const STORED = { url: null, success: true }

let id = 0
let release = () => {}

beforeAll(seedAgency)

beforeEach(async () => {
  id = await createListing()
})

afterEach(() => {
  release()
})

/** Keeps the photos of other calls from being processed until the end of the test. */
function occupyQueue(): void {
  const gate = Promise.withResolvers<void>()
  void runInOrder('photos', () => gate.promise)
  release = gate.resolve
}

/** Lets 16 seconds pass for those who wait, once `work` waits. */
async function waitTooLong<T>(work: Promise<T>): Promise<T> {
  await scheduler.wait(300)
  const now = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 16_000)
  return work
}

/** Expects an answer which says that a call is to be sent again later. */
function expectBusy(headers: Headers, body: unknown): void {
  expect(body).toEqual(BUSY)
  expect([headers.get('Retry-After'), headers.get('Cache-Control')]).toEqual(['15', 'no-store'])
}

const rows = () => selectAll('select * from listing_photos where listing_id = ?', id)
const countFiles = async () => (await env.PHOTOS.list()).objects.length

describe('a picture that waits for more than 15 seconds', () => {
  const bytes = () => Uint8Array.fromBase64(RED)

  it.each<[string, () => Promise<{ status: number; headers: Headers; body: unknown }>]>([
    ['photo', () => post(`/api/listings/${id}/photos`, { photos: [PNG, PNG] })],
    ['panorama', () => post(`/api/listings/${id}/panorama-photos`, { photos: [PNG] })],
    ['watermark', () => call('PUT', '/admin/stores/1/watermark', { body: bytes(), key: ADMIN_TOKEN })],
  ])('is refused with 503: a %s', async (_, upload) => {
    const before = await countFiles()
    occupyQueue()
    const { headers, body } = await waitTooLong(upload())
    expectBusy(headers, body)
    expect(await rows()).toEqual([])
    expect(await countFiles()).toBe(before)
  })

  it('is not even loaded, if a smaller one is asked for', async () => {
    const name = `${'ab'.repeat(16)}.jpg`
    await env.PHOTOS.put(`photos/${name}`, bytes())
    occupyQueue()
    const read = vi.spyOn(env.PHOTOS, 'get')
    const sizes = [320, 640, 1280].map((width) => send('GET', `/photos/${name}?w=${width}`))
    for (const reply of await waitTooLong(Promise.all(sizes))) {
      expect(reply.status).toBe(503)
      expectBusy(reply.headers, await reply.json())
    }
    expect(read.mock.calls.filter(([key]) => key === `photos/${name}`)).toEqual([])
    read.mockRestore()
    vi.restoreAllMocks()
    release()
    expect((await send('GET', `/photos/${name}?w=320`)).status).toBe(200)
  })

  /** Another call gets in between the first photo and the second. */
  const occupyAfterFirst = () => {
    const put = env.PHOTOS.put.bind(env.PHOTOS)
    vi.spyOn(env.PHOTOS, 'put').mockImplementationOnce((...given: Parameters<R2Bucket['put']>) => {
      occupyQueue()
      return put(...given) as never
    })
  }

  it('fails alone with those behind it, once one of its call is stored', async () => {
    occupyAfterFirst()
    const { status, body } = await waitTooLong(
      post(`/api/listings/${id}/photos`, { photos: [PNG, PNG, PNG] }),
    )
    expect(status).toBe(200)
    expect(body.data).toMatchObject([STORED, NOT_UPLOADED, NOT_UPLOADED])
    expect(await rows()).toHaveLength(1)
  })

  it('fails its call with an idempotency key, which goes on behind it when it is sent again', async () => {
    occupyAfterFirst()
    const upload = () =>
      post(
        `/api/listings/${id}/photos`,
        { photos: [PNG, PNG, PNG] },
        { headers: { 'Idempotency-Key': 'busy' } },
      )
    expect((await waitTooLong(upload())).body).toEqual(BUSY)
    expect(await rows()).toHaveLength(1)
    vi.restoreAllMocks()
    release()
    expect((await upload()).body.data).toMatchObject([STORED, STORED, STORED])
    expect(await rows()).toHaveLength(3)
  })
})

describe('pictures that wait together', () => {
  /** No picture, of which the bytes count all the same. */
  const large = () => new Uint8Array(15 * 1024 * 1024)
  const options = { maxSide: 10, watermark: null }

  it.each<[string, () => Promise<unknown>]>([
    ['photo', () => queuePhoto(large(), options)],
    ['watermark of a photo', () => queuePhoto(new Uint8Array(9), { ...options, watermark: large() })],
    ['panorama', () => queuePanorama(large())],
    ['file for a watermark', () => queueWatermarkCheck(large())],
  ])('hold at most 32 MB; the next one is refused at once: a %s', async (_, add) => {
    occupyQueue()
    const waiting = Promise.allSettled([add(), add()])
    await expect(add()).rejects.toThrow(QueueBusy)
    release()
    const outcomes = await waiting
    expect(outcomes.map((outcome) => 'reason' in outcome && outcome.reason instanceof QueueBusy)).toEqual([
      false,
      false,
    ])
  })
})

describe('large bodies at the same time', () => {
  /** A picture that is announced as one of 25 MB. */
  const upload = async (begin: Promise<void>, headers: Record<string, string> = {}) => {
    const body = new ReadableStream({
      async pull(stream) {
        await begin
        stream.enqueue(Uint8Array.fromBase64(RED))
        stream.close()
      },
    })
    const announced = { 'Content-Type': 'image/png', 'Content-Length': String(25 * 1024 * 1024) }
    const sent = { ...bearer(await keyWith('*:write')), ...announced, ...headers }
    const request = new Request(`${ORIGIN}/api/listings/${id}/photos`, {
      method: 'POST',
      headers: sent,
      body,
    })
    const reply = await sendTo({}, request)
    return { status: reply.status, headers: reply.headers, body: await reply.json<Record<string, unknown>>() }
  }
  const atOnce = Promise.resolve()

  it('hold at most 48 MB; the next one is refused before it is read, and no small one is', async () => {
    const gate = Promise.withResolvers<void>()
    const first = upload(gate.promise)
    await scheduler.wait(200)
    const key = { 'Idempotency-Key': 'large' }
    const { status, headers, body } = await upload(atOnce, key)
    expect({ status, body }).toEqual({ status: 503, body: BUSY })
    expect(headers.get('Retry-After')).toBe('15')
    expect((await post(`/api/listings/${id}/photos`, { photos: [PNG] })).body.data).toMatchObject([STORED])
    gate.resolve()
    expect((await first).status).toBe(200)
    expect((await upload(atOnce, key)).body.data).toMatchObject([STORED])
    expect(await rows()).toHaveLength(3)
  })

  it('leave no trace of a request that is gone', async () => {
    const never = new Promise<void>(() => undefined)
    // The timers of a request end with it.
    vi.spyOn(globalThis, 'setInterval').mockReturnValueOnce(0 as never)
    void upload(never)
    await scheduler.wait(200)
    expect((await upload(atOnce)).status).toBe(503)
    const now = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 11_000)
    expect((await upload(atOnce)).status).toBe(200)
  })
})
