import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fromRaw, psnr, readLook } from '../../fixtures/looks.ts'
import { drawScene } from '../../fixtures/scene.ts'
import { inspectPhoto } from '../../src/process.ts'
import { renderPixels } from '../../src/render.ts'
import { resizePhoto } from '../../src/resize.ts'

/** A scene as a JPEG with 4:2:0 chroma. */
function jpegOf(width: number, height: number): Promise<Buffer> {
  return fromRaw(drawScene(width, height)).jpeg({ quality: 92 }).toBuffer()
}

describe('renderPixels', () => {
  it.each([
    [64, 48],
    [65, 49],
    [17, 33],
    [16, 16],
    [31, 1],
    [5, 47],
    [333, 222],
  ])('makes the pixels that libjpeg makes of %i × %i, chroma included', async (width, height) => {
    const file = new Uint8Array(await jpegOf(width, height))
    const expected = await sharp(file).raw().toBuffer()
    const found = renderPixels(file, inspectPhoto(file), { bounds: { width, height } }, ({ rgba }) =>
      rgba.slice(),
    )
    expect(found).toHaveLength(width * height * 4)
    let furthest = 0
    for (let at = 0; at < width * height; at++) {
      expect(found[at * 4 + 3]).toBe(255)
      for (let channel = 0; channel < 3; channel++) {
        const distance = Math.abs((found[at * 4 + channel] ?? 0) - (expected[at * 3 + channel] ?? 0))
        furthest = Math.max(furthest, distance)
      }
    }
    // Both round on the way, libjpeg more coarsely.
    expect(furthest).toBeLessThanOrEqual(3)
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'turns them upright and keeps their ratio: orientation %i',
    async (orientation) => {
      const turned = await sharp(await jpegOf(96, 80))
        .withMetadata({ orientation })
        .toBuffer()
      const file = new Uint8Array(turned)
      const likeness: number[] = []
      // 53 is no part of either side, so that the height is rounded.
      for (const width of [200, 53]) {
        const options = { width, withoutEnlargement: true, fastShrinkOnLoad: false }
        const best = await readLook(file, options)
        const bounds = { width, height: Number.POSITIVE_INFINITY }
        const { rgba, ...size } = renderPixels(file, inspectPhoto(file), { bounds }, (pixels) => ({
          ...pixels,
          rgba: pixels.rgba.slice(),
        }))
        const raw = { width: size.width, height: size.height, channels: 4 as const }
        const found = await readLook(await sharp(rgba, { raw }).png().toBuffer())
        likeness.push(Math.floor(psnr(found, best).luma))
      }
      expect(likeness[0]).toBeGreaterThan(50)
      // A copy that fills its size, or is off by a part of a pixel, stays below 40.
      expect(likeness[1]).toBeGreaterThan(42)
    },
  )
})

describe('resizePhoto', () => {
  const stored = fromRaw(drawScene(1920, 1280)).jpeg({ quality: 90 }).toBuffer()

  it.each(
    ([320, 640, 960, 1280, 1920] as const).flatMap((width) => [
      [width, 'jpeg' as const],
      [width, 'webp' as const],
    ]),
  )('is as near to the best copy as sharp, and as small, with %i pixels as %s', async (width, format) => {
    const file = new Uint8Array(await stored)
    const best = await readLook(file, { width, kernel: 'lanczos3', fastShrinkOnLoad: false })
    const theirs = await sharp(file).resize({ width }).toFormat(format, { quality: 80 }).toBuffer()
    const { bytes } = await resizePhoto(file, { width, format })
    const near = async (copy: Uint8Array) => psnr(await readLook(copy), best).luma
    expect(await near(bytes)).toBeGreaterThan((await near(theirs)) - 0.5)
    expect(bytes.length / theirs.length).toBeLessThan(1.06)
  })

  it.each(['jpeg', 'webp'] as const)('keeps the colours of a profile: %s', async (format) => {
    const wide = await sharp(await stored)
      .withIccProfile('p3')
      .jpeg({ quality: 95 })
      .toBuffer()
    const { bytes } = await resizePhoto(new Uint8Array(wide), { width: 320, format })
    const meanOf = async (file: Uint8Array) => {
      const { channels } = await sharp(await sharp(file).toColourspace('srgb').png().toBuffer()).stats()
      return channels.slice(0, 3).map(({ mean }) => mean)
    }
    const [found, expected] = [await meanOf(bytes), await meanOf(wide)]
    for (const [channel, mean] of found.entries())
      expect(Math.abs(mean - (expected[channel] ?? 0))).toBeLessThan(1)
    expect((await sharp(bytes).metadata()).icc?.length).toBeGreaterThan(100)
  })
})
