import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { exifSegment } from '../../fixtures/containers.ts'
import { find, insert, set } from '../../fixtures/edits.ts'
import { psnr, readLook } from '../../fixtures/looks.ts'
import { sample, samplesOf } from '../../fixtures/samples.ts'
import { codecMemory } from '../../src/codec-instance.ts'
import { processPhoto } from '../../src/process.ts'
import { releaseCodec } from '../../src/resize.ts'
import { PLAIN } from '../rendering.ts'

const flat = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false })
const grey = (width: number, height: number) =>
  flat(width, height, '#808080').toColourspace('b-w').jpeg().toBuffer()
const turned = (file: Uint8Array, orientation: number) => insert(2, exifSegment(orientation))(file)

describe('one colour', () => {
  it.each(samplesOf('flat'))('stays what it is to the edges: $name', async ({ bytes }) => {
    for (const maxSide of [1920, 223, 100, 7]) {
      const { data } = await readLook(processPhoto(bytes, { ...PLAIN, maxSide }).original)
      expect(new Set(data), `within ${maxSide}`).toEqual(new Set([128]))
    }
  })

  it.each([2, 3, 4, 5, 6, 7, 8])(
    'stays what it is when an odd picture is turned by %i',
    async (orientation) => {
      const { data } = await readLook(
        processPhoto(turned(sample('flat/420.jpg'), orientation), PLAIN).original,
      )
      expect(new Set(data)).toEqual(new Set([128]))
    },
  )
})

describe('a grey photo', () => {
  it('gets a coloured watermark and no colour elsewhere', async () => {
    const mark = await flat(64, 20, '#f00').png().toBuffer()
    const photo = await grey(256, 256)
    const { original, watermarked } = processPhoto(photo, { maxSide: 1920, watermark: mark })
    const [plain, marked] = [await readLook(original), await readLook(watermarked ?? original)]
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
    const { width, height } = processPhoto(turned(await grey(3, 60_000), orientation), {
      ...PLAIN,
      maxSide: 65_535,
    })
    expect([width, height]).toEqual(orientation === 1 ? [3, 60_000] : [60_000, 3])
  })
})

describe('the orientation', () => {
  const wide = sample('jpeg/baseline-420.jpg')

  it('is as sharp has it', async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const file = turned(wide, orientation)
      expect(
        psnr(await readLook(processPhoto(file, PLAIN).original), await readLook(file)).rgb,
      ).toBeGreaterThan(25)
    }
  })
})

describe('a GIF of a scanned plat', () => {
  it.each([false, true])('takes a few megabytes, interlaced: %s', async (interlaced) => {
    const [width, height] = [7800, 5000]
    const lines = Buffer.from(
      `<svg width="${width}" height="${height}"><path d="M900 0v5000l3000 0zM0 2000h7800v90h-7800z"/></svg>`,
    )
    const gif = await flat(width, height, '#fff')
      .composite([{ input: lines }])
      .gif({ colours: 2, effort: 1 })
      .toBuffer()
    // Its rows come in another order then, but as many of them.
    const frame = find(gif, '\0\x2c\0\0\0\0') + 1
    const file = interlaced ? set(frame, 9, (gif[frame + 9] ?? 0) | 0x40)(gif) : new Uint8Array(gif)
    const { original } = processPhoto(file, PLAIN)
    const expected = await sharp(gif, { limitInputPixels: false }).resize({ width: 1920 }).png().toBuffer()
    if (!interlaced) expect(psnr(await readLook(original), await readLook(expected)).luma).toBeGreaterThan(33)
    expect(codecMemory()).toBeGreaterThan(0)
    expect(codecMemory()).toBeLessThan(8 << 20)
    releaseCodec()
    expect(codecMemory()).toBe(0)
  })
})
