// @module-tag slow
import { describe, expect, it } from 'vitest'
import { planesOf, sharpJpeg, toYcc } from '../../corpus/forms.ts'
import { encodeJpeg, type JpegOptions } from '../../corpus/jpeg-encoder.ts'
import { adobeSegment } from '../../corpus/jpegs.ts'
import { readRgb, resize } from '../../corpus/oracle.ts'
import { concat } from '../../fixtures/bytes.ts'
import { exifSegment } from '../../fixtures/containers.ts'
import { type Rgb, scene } from '../../fixtures/scene.ts'
import { inspectPhoto, processPhoto } from '../../src/process.ts'
import { readWatermark } from '../../src/render.ts'

/** Sampling factors of the components, 1 × 1 where none are given. */
const SAMPLINGS: Record<string, readonly (readonly [number, number])[]> = {
  '4:4:4': [[1, 1]],
  '4:2:2': [[2, 1]],
  '4:2:0': [[2, 2]],
  '4:4:0': [[1, 2]],
  '4:1:1': [[4, 1]],
}

const KINDS: Record<string, JpegOptions> = {
  baseline: {},
  progressive: { scans: 'progressive' },
  'in separate scans': { scans: 'separate', restart: 3 },
}

/** Samples far from everything in the pictures: dark green, and a purple that cannot be. */
const PADDINGS = [0, 255]

/** Sides whose remainders by 16 are each of the sixteen once. */
const SIDES = Array.from({ length: 16 }, (_, i) => [88 + i, 88 + ((i * 5 + 3) % 16)] as const)

/**
 * Bounds that shrink a small picture's blocks to every n × n: chroma to n/8 as it has to be, luma to eight times of what
 * it has to be.
 */
function boundsFor({ width, height }: Rgb): number[] {
  const steps = [1, 2, 3, 4, 5, 6, 7]
  return steps.flatMap((n) => [8, 64].map((of) => Math.floor((Math.max(width, height) * n) / of)))
}

/** Soft slopes of all colours. */
function slopes(width: number, height: number): Rgb {
  const data = new Uint8Array(width * height * 3)
  for (let at = 0; at < data.length; at += 3) {
    const [x, y] = [((at / 3) % width) / width, Math.floor(at / 3 / width) / height]
    data.set([90 + 80 * x + 40 * y, 200 - 50 * x - 40 * y, 100 + 60 * x * y], at)
  }
  return { width, height, data }
}

/** Y, Cb and Cr in a JPEG whose last blocks are filled up with `padding` or, without it, with more of the edge. */
function encoded(
  picture: Rgb,
  factors: readonly (readonly [number, number])[],
  options: JpegOptions,
  padding?: number,
) {
  const components = toYcc(planesOf(picture)).map((samples, i) => {
    const [h, v] = factors[i] ?? [1, 1]
    return { samples, h, v, padding }
  })
  return encodeJpeg(picture.width, picture.height, components, { quality: 100, ...options })
}

interface Shrunk {
  width: number
  height: number
  /** Y, Cb and Cr, one behind the other. */
  planes: Uint8Array
}

/** Shrunk by the codec, as it is before anything is encoded again. */
function shrunk(file: Uint8Array, bound: number): Shrunk {
  return readWatermark(file, inspectPhoto(file), { width: bound, height: bound })
}

/** How far the last row and the last column are from what they should be, at most, in the first so many planes. */
function farthest(found: Shrunk, expected: Shrunk, planes: number): number {
  const { width, height } = expected
  let most = 0
  for (let at = 0; at < width * height * planes; at++) {
    const isLast = at % width === width - 1 || Math.floor(at / width) % height === height - 1
    if (isLast) most = Math.max(most, Math.abs((found.planes[at] ?? 0) - (expected.planes[at] ?? 0)))
  }
  return most
}

/** The luma that sharp finds in a picture it has read, resized. Its chroma has twice as many samples as ours. */
async function expectedLuma(picture: Rgb, { width, height }: Shrunk): Promise<Shrunk> {
  return { width, height, planes: toYcc(planesOf(await resize(picture, width, height)))[0] }
}

describe('what fills up the last blocks', () => {
  const cases = Object.entries(SAMPLINGS).flatMap(([sampling, factors]) =>
    Object.entries(KINDS).map(([kind, options]) => ({ sampling, factors, kind, options })),
  )

  it.each(cases)('never shows: $sampling, $kind', async ({ factors, options }) => {
    for (const [i, [width, height]] of SIDES.entries()) {
      const picture = slopes(width, height)
      const plain = encoded(picture, factors, options)
      const file = encoded(picture, factors, options, PADDINGS[i % 2])
      const decoded = await readRgb(file)
      for (const bound of boundsFor(picture)) {
        const found = shrunk(file, bound)
        const where = `${width} × ${height} within ${bound}`
        expect(farthest(found, shrunk(plain, bound), 3), where).toBeLessThanOrEqual(2)
        expect(farthest(found, await expectedLuma(decoded, found), 1), where).toBeLessThanOrEqual(2)
      }
    }
  })

  it('never shows: refined bit by bit', async () => {
    for (const [width, height] of SIDES) {
      const picture = scene(width, height)
      const plain = await sharpJpeg(picture)
      const refined = await sharpJpeg(picture, { progressive: true })
      // The coefficients are the same, however they were sent.
      for (const bound of boundsFor(picture)) {
        const [found, expected] = [shrunk(refined, bound), shrunk(plain, bound)]
        expect(farthest(found, expected, 3), `${width} × ${height} within ${bound}`).toBe(0)
      }
    }
  })

  it('never shows in a large photo, of which less is kept', async () => {
    const picture = slopes(2571, 1602)
    const file = encoded(picture, [[2, 2]], {}, 0)
    const decoded = await readRgb(file)
    for (const bound of [1280, 900, 397]) {
      const found = shrunk(file, bound)
      expect(farthest(found, await expectedLuma(decoded, found), 1), `within ${bound}`).toBeLessThanOrEqual(2)
    }
  })

  it.each([
    ['grey', 1, []],
    ['four inks', 4, [adobeSegment(0)]],
    ['four inks as YCCK', 4, [adobeSegment(2)]],
  ] as const)('never shows: %s', async (_, count, before) => {
    for (const [i, [width, height]] of SIDES.entries()) {
      const [luma] = toYcc(planesOf(slopes(width, height)))
      const file = (padding?: number) => {
        const components = Array.from({ length: count }, () => ({ samples: luma, padding }))
        return encodeJpeg(width, height, components, { quality: 100, before: [...before] })
      }
      const [padded, plain] = [file(PADDINGS[i % 2]), file()]
      for (const bound of boundsFor({ width, height, data: luma })) {
        const [found, expected] = [shrunk(padded, bound), shrunk(plain, bound)]
        expect(farthest(found, expected, 3), `${width} × ${height} within ${bound}`).toBeLessThanOrEqual(3)
      }
    }
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'never shows, whichever side it is turned to: %i',
    async (orientation) => {
      const picture = slopes(89, 99)
      const stored = async (padding?: number) => {
        const jpeg = encoded(picture, [[2, 2]], {}, padding)
        const file = concat(jpeg.subarray(0, 2), exifSegment(orientation), jpeg.subarray(2))
        return readRgb(processPhoto(file, { maxSide: 41, watermark: null }).original)
      }
      const [found, expected] = [await stored(0), await stored()]
      const far = found.data.map((sample, i) => Math.abs(sample - (expected.data[i] ?? 0)))
      expect([found.width, found.height]).toEqual(orientation < 5 ? [37, 41] : [41, 37])
      // What encoding again makes of the least difference.
      expect(Math.max(...far)).toBeLessThanOrEqual(8)
    },
  )
})
