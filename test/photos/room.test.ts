import { env } from 'cloudflare:workers'
import { texture, toJpeg } from '@estia/photo-codec/testing'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { runWithBody } from '../../src/http/concurrency/queue.ts'
import { onShortage } from '../../src/http/concurrency/room.ts'
import { queuePanorama, queuePhoto, queueWatermarkCheck } from '../../src/photos/queue.ts'
import { call } from '../support/api.ts'

const release = vi.fn()
beforeEach(() => {
  release.mockReset()
  onShortage(release)
})
afterAll(() => onShortage(() => {}))

/** A JPEG of a file with so many bytes. */
async function jpegOf(bytes: number): Promise<Uint8Array> {
  const file = new Uint8Array(bytes)
  file.set(await toJpeg(texture(640, 480)))
  return file
}

const USUAL = 1024 * 1024
const LARGE = 7 * 1024 * 1024

it('makes room once for a large photo, and not for others', async () => {
  await queuePhoto(await jpegOf(USUAL), { maxSide: 320, watermark: null })
  expect(release).not.toHaveBeenCalled()
  await queuePhoto(await jpegOf(LARGE), { maxSide: 320, watermark: null })
  expect(release).toHaveBeenCalledOnce()
  await queuePanorama(await jpegOf(LARGE))
  expect(release).toHaveBeenCalledTimes(2)
})

it('makes room for a watermark, which is decoded completely', async () => {
  await queueWatermarkCheck(await jpegOf(USUAL))
  expect(release).toHaveBeenCalledOnce()
})

it.each([
  [USUAL, 0],
  [LARGE, 1],
])('makes room for a size of a stored photo of %i bytes %i times', async (bytes, times) => {
  const name = `photos/${String(bytes).padStart(32, '0')}.jpg`
  await env.PHOTOS.put(name, await jpegOf(bytes), { httpMetadata: { contentType: 'image/jpeg' } })
  expect((await call('GET', `/${name}?w=320`)).status).toBe(200)
  expect(release).toHaveBeenCalledTimes(times)
})

it('makes room for a large body once most of it is read', async () => {
  await runWithBody(20e6, async (reportRead) => {
    reportRead(USUAL)
    expect(release).not.toHaveBeenCalled()
    reportRead(9e6)
    expect(release).toHaveBeenCalledOnce()
  })
})
