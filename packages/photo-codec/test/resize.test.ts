import { describe, expect, it } from 'vitest'
import { bytesOf, text } from '../fixtures/bytes.ts'
import { exif, pngChunk, profileOf } from '../fixtures/containers.ts'
import {
  BLUE,
  type Colour,
  GREEN,
  GREY,
  paint,
  quadrants,
  RED,
  readJpeg,
  texture,
  toGif,
  toJpeg,
  toPng,
  toWebp,
  WHITE,
} from '../fixtures/pictures.ts'
import { encodeProfile, matrixElements } from '../fixtures/profile.ts'
import { riffChunks } from '../src/containers.ts'
import { CODEC_ERRORS, PhotoError } from '../src/errors.ts'
import { inspectPhoto } from '../src/process.ts'
import { resizePhoto, type SizeFormat, sizeAtWidth } from '../src/resize.ts'
import { expectBaseline, expectColour, expectCorners, render, UPRIGHT } from './rendering.ts'

const FORMATS = ['jpeg', 'webp'] as const

/** The smaller copy, decoded: a WebP by way of a JPEG at quality 90. */
async function resized(bytes: Uint8Array, width: number, format: SizeFormat) {
  const copy = await resizePhoto(bytes, { width, format })
  expect(inspectPhoto(copy.bytes)).toEqual({
    type: copy.type,
    width: copy.width,
    height: copy.height,
    orientation: 1,
  })
  expect(copy.type).toBe(`image/${format}`)
  return format === 'jpeg' ? readJpeg(copy.bytes) : render(copy.bytes, 10_000)
}

describe.each(FORMATS)('resizePhoto to %s', (format) => {
  it.each([
    ['wider than asked for', 640, 320, 320, 320, 160],
    ['as wide as asked for', 320, 100, 320, 320, 100],
    ['narrower', 40, 30, 320, 40, 30],
    ['kept at its own size', 400, 30, Number.POSITIVE_INFINITY, 400, 30],
    ['high', 100, 1500, 50, 50, 750],
    ['of odd sides', 333, 77, 111, 111, 26],
    ['a line', 900, 1, 320, 320, 1],
    ['a column', 1, 900, 320, 1, 900],
    ['a pixel', 1, 1, 320, 1, 1],
  ])('fits a picture that is %s', async (_, width, height, asked, fittedWidth, fittedHeight) => {
    const picture = await resized(toPng(quadrants(width, height)), asked, format)
    expect([picture.width, picture.height]).toEqual([fittedWidth, fittedHeight])
  })

  const pictures: [string, () => Promise<Uint8Array> | Uint8Array][] = [
    ['JPEG', () => toJpeg(quadrants(256, 128))],
    ['JPEG with 4:2:0 chroma', () => toJpeg(quadrants(256, 128), { encoder: { auto_subsample: false } })],
    [
      'progressive JPEG',
      () => toJpeg(quadrants(256, 128), { encoder: { baseline: false, progressive: true } }),
    ],
    ['PNG', () => toPng(quadrants(256, 128))],
    ['lossless WebP', () => toWebp(quadrants(256, 128))],
    ['lossy WebP', () => toWebp(quadrants(256, 128), false)],
  ]
  it.each(pictures)('takes a %s', async (_, make) => {
    for (const width of [256, 128, 64]) expectCorners(await resized(await make(), width, format), UPRIGHT)
  })

  it('takes a GIF and a grey JPEG', async () => {
    const indexes = new Array<number>(64 * 32).fill(1)
    const gif = await resized(toGif(64, 32, [WHITE, RED, GREEN, BLUE], [{ indexes }]), 32, format)
    expectColour(gif.pixel(16, 8), RED)
    const painted = paint(64, 32, () => GREY)
    const grey = await resized(await toJpeg(painted, { encoder: { color_space: 1 } }), 32, format)
    expectColour(grey.pixel(16, 8), GREY)
  })

  it('turns a picture upright and bounds the width that it has then', async () => {
    const file = await toJpeg(quadrants(256, 128), { orientation: 6 })
    const picture = await resized(file, 64, format)
    expect([picture.width, picture.height]).toEqual([64, 128])
    expectCorners(picture, [BLUE, RED, GREEN, GREY])
    expect(sizeAtWidth(inspectPhoto(file), 64)).toEqual({ width: 64, height: 128 })
  })

  it('lays transparency on white', async () => {
    const picture = paint(128, 64, (x): Colour => (x < 64 ? [200, 0, 0, 0] : [0, 0, 0, 128]))
    for (const file of [toPng(picture), await toWebp(picture)]) {
      const { pixel } = await resized(file, 64, format)
      expectColour(pixel(8, 16), WHITE)
      expectColour(pixel(56, 16), [127, 127, 127, 255])
    }
  })

  it('keeps the colours at the ends of the scale', async () => {
    for (let ends = 0; ends < 8; ends++) {
      const colour: Colour = [255 * (ends & 1), 255 * ((ends >> 1) & 1), 255 * (ends >> 2), 255]
      const { pixel } = await resized(toPng(paint(70, 70, () => colour)), 35, format)
      for (const at of [0, 17, 34]) expectColour(pixel(at, at), colour)
    }
  })

  it('gives the memory of a file back while it is decoded, where the caller allows it', async () => {
    for (const file of [
      await toJpeg(quadrants(64, 32)),
      toPng(quadrants(64, 32)),
      await toWebp(quadrants(64, 32)),
    ]) {
      const kept = await resizePhoto(file, { width: 32, format })
      expect(file.length).toBeGreaterThan(0)
      expect(await resizePhoto(file, { width: 32, format, consume: true })).toEqual(kept)
      expect(file.length).toBe(0)
    }
  })

  it('refuses what is no picture or damaged, and works on', async () => {
    const file = await toJpeg(texture(256, 128))
    const before = await resizePhoto(file, { width: 64, format })
    for (const [bytes, message] of [
      [bytesOf('hello there'), 'Unsupported or unrecognized image type: text/plain'],
      [file.slice(0, file.length / 2), CODEC_ERRORS.undecodable],
      [toPng(texture(64, 64)).slice(0, 300), CODEC_ERRORS.undecodable],
    ] as const) {
      const refusal = await resizePhoto(bytes, { width: 64, format }).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(PhotoError)
      expect((refusal as PhotoError).message).toBe(message)
    }
    expect(await resizePhoto(file, { width: 64, format })).toEqual(before)
  })
})

describe('a smaller JPEG', () => {
  it('is baseline with 4:2:0 chroma and the tables of quality 80', async () => {
    const { bytes } = await resizePhoto(toPng(texture(40, 40)), { width: 40, format: 'jpeg' })
    // Annex K.1's 16, 11, 12, 14, 12, 10 at two fifths.
    expectBaseline(bytes, [6, 4, 5, 6, 5, 4])
  })

  it('keeps the profile and no other metadata', async () => {
    const profile = encodeProfile({ space: 'RGB ', elements: matrixElements() })
    const jpeg = await toJpeg(quadrants(32, 32), { orientation: 1, profile })
    const { bytes } = await resizePhoto(jpeg, { width: 16, format: 'jpeg' })
    expect(text(bytes)).not.toMatch(/Exif|Cam/)
    expect(profileOf(bytes)?.numbers).toEqual(['1 of 1'])
  })
})

describe('a WebP', () => {
  it('has the same profile as the JPEG, and no other metadata', async () => {
    const profile = encodeProfile({ space: 'RGB ', elements: matrixElements() })
    const jpeg = await toJpeg(quadrants(300, 70), { orientation: 1, profile })
    const [small, webp] = await Promise.all(
      FORMATS.map((format) => resizePhoto(jpeg, { width: 256, format })),
    )
    const chunks = [...riffChunks(webp?.bytes ?? new Uint8Array(0))]
    expect(chunks.map(({ type }) => type)).toEqual(['VP8X', 'ICCP', 'VP8 '])
    const [header, profileChunk] = chunks.map(({ body }) => body)
    expect([...(header ?? [])]).toEqual([0x20, 0, 0, 0, 255, 0, 0, 59, 0, 0])
    expect(profileChunk).toEqual(profileOf(small?.bytes ?? new Uint8Array(0))?.profile)
    const length = new DataView(webp?.bytes.buffer ?? new ArrayBuffer(8)).getUint32(4, true)
    expect(length + 8).toBe(webp?.bytes.length)
  })

  it('is a simple file without a profile', async () => {
    const { bytes } = await resizePhoto(
      toPng(quadrants(64, 32), [pngChunk('eXIf', exif(6, { little: true }))]),
      { width: 64, format: 'webp' },
    )
    expect([...riffChunks(bytes)].map(({ type }) => type)).toEqual(['VP8 '])
  })

  it.each([
    [1920, 8, 1920, true],
    [8, 1920, 8, true],
    [1921, 8, 1920, true],
    [1000, 3000, 640, true],
    [1921, 8, 1921, false],
    [8, 1921, 8, false],
    [1000, 3001, 641, false],
  ])('has at most 1,920 pixels a side: %i × %i at %i, %s', async (width, height, asked, isMade) => {
    const picture = toPng(paint(width, height, () => RED))
    const made = resizePhoto(picture, { width: asked, format: 'webp' })
    await (isMade
      ? expect(made).resolves.toMatchObject({ type: 'image/webp' })
      : expect(made).rejects.toThrow(PhotoError))
  })
})
