import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { encodeGif } from '../../corpus/gif-encoder.ts'
import { encodeJpeg } from '../../corpus/jpeg-encoder.ts'
import { psnr, readRgb } from '../../corpus/oracle.ts'
import { encodePng } from '../../fixtures/png.ts'
import { codecMemory } from '../../src/codec-instance.ts'
import { CODEC_ERRORS } from '../../src/errors.ts'
import { processPhoto } from '../../src/process.ts'
import { releaseCodec } from '../../src/resize.ts'

const PLAIN = { maxSide: 1920, watermark: null }

/** Components of one level of grey each, with these sampling factors. */
const flat = (width: number, height: number, factors: readonly (readonly [number, number])[]) =>
  factors.map(([h, v]) => ({ samples: new Uint8Array(width * height).fill(128), h, v }))

async function turned(file: Uint8Array, orientation: number): Promise<Uint8Array> {
  return new Uint8Array(await sharp(file).keepExif().withMetadata({ orientation }).jpeg().toBuffer())
}

describe('one colour', () => {
  it.each([
    [
      '4:2:0',
      641,
      481,
      [
        [2, 2],
        [1, 1],
        [1, 1],
      ],
    ],
    [
      '4:1:1',
      640,
      480,
      [
        [4, 1],
        [1, 1],
        [1, 1],
      ],
    ],
    [
      'a quarter down',
      640,
      481,
      [
        [1, 4],
        [1, 1],
        [1, 1],
      ],
    ],
  ] as const)('stays what it is to the edges: %s', async (_, width, height, factors) => {
    const file = encodeJpeg(width, height, flat(width, height, factors))
    for (const maxSide of [1920, 583, 100, 7]) {
      const { data } = await readRgb(processPhoto(file, { ...PLAIN, maxSide }).original)
      expect(new Set(data), `within ${maxSide}`).toEqual(new Set([128]))
    }
  })

  it.each([2, 3, 4, 5, 6, 7, 8])(
    'stays what it is when an odd picture is turned by %i',
    async (orientation) => {
      const file = await turned(
        encodeJpeg(
          641,
          481,
          flat(641, 481, [
            [2, 2],
            [1, 1],
            [1, 1],
          ]),
        ),
        orientation,
      )
      const { data } = await readRgb(processPhoto(file, PLAIN).original)
      expect(new Set(data)).toEqual(new Set([128]))
    },
  )
})

describe('a grey photo', () => {
  it('gets a coloured watermark and no colour elsewhere', async () => {
    const grey = encodeJpeg(256, 256, flat(256, 256, [[1, 1]]))
    const samples = new Uint16Array(64 * 20 * 3).map((_, i) => (i % 3 === 0 ? 255 : 0))
    const mark = encodePng({ width: 64, height: 20, colourType: 2, depth: 8, samples })
    const { original, watermarked } = processPhoto(grey, { maxSide: 1920, watermark: mark })
    const [plain, marked] = [await readRgb(original), await readRgb(watermarked ?? new Uint8Array(0))]
    const pixel = ({ data }: typeof plain, y: number) => [
      ...data.subarray((y * 256 + 128) * 3).subarray(0, 3),
    ]
    for (const y of [0, 100, 128, 150, 255]) expect(pixel(plain, y)).toEqual([128, 128, 128])
    for (const y of [0, 100, 150, 255]) expect(pixel(marked, y)).toEqual([128, 128, 128])
    const [red = 0, green = 255, blue = 255] = pixel(marked, 128)
    expect(red).toBeGreaterThan(245)
    expect(Math.max(green, blue)).toBeLessThan(10)
  })
})

describe('a thin photo', () => {
  it.each([1, 5, 6, 8])('is turned within its memory: %i', async (orientation) => {
    const thin = await turned(encodeJpeg(3, 60_000, flat(3, 60_000, [[1, 1]])), orientation)
    const { width, height } = processPhoto(thin, { ...PLAIN, maxSide: 65_535 })
    expect([width, height]).toEqual(orientation === 1 ? [3, 60_000] : [60_000, 3])
  })
})

describe('a GIF of a scanned plat', () => {
  it.each([false, true])('takes a few megabytes, interlaced: %s', async (interlaced) => {
    const [width, height] = [7800, 5000]
    const lines = new Uint8Array(width * height)
    for (let y = 0; y < height; y++) lines.fill(y % 50 < 10 ? 1 : 0, y * width + 1000, y * width + 1100 + y)
    const palette = [[255, 255, 255] as const, [0, 0, 0] as const]
    const file = encodeGif({ width, height, palette, frames: [{ indexes: lines, interlaced }] })
    const { original } = processPhoto(file, PLAIN)
    const expected = await sharp(file, { limitInputPixels: false }).resize({ width: 1920 }).png().toBuffer()
    expect(psnr(await readRgb(original), await readRgb(expected)).luma).toBeGreaterThan(33)
    expect(codecMemory()).toBeGreaterThan(0)
    expect(codecMemory()).toBeLessThan(8 << 20)
    releaseCodec()
    expect(codecMemory()).toBe(0)
  })
})

describe('a JPEG beyond the standard', () => {
  it('is refused: more than ten blocks in an MCU', async () => {
    const file = encodeJpeg(
      64,
      64,
      flat(64, 64, [
        [4, 4],
        [1, 1],
        [1, 1],
      ]),
    )
    expect(() => processPhoto(file, PLAIN)).toThrow(CODEC_ERRORS.undecodable)
  })
})
