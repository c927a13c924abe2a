/** Files that may be accepted or refused, but soon: large, and of nothing but little pieces. */

import { bytesOf, concat, uint24, uint32 } from '../fixtures/bytes.ts'
import { pngChunk, profileSegments, riff, riffChunk, segment } from '../fixtures/containers.ts'
import { encodePng, type PngOptions } from '../fixtures/png.ts'
import { scene } from '../fixtures/scene.ts'
import { planesOf } from './forms.ts'
import { encodeGif } from './gif-encoder.ts'
import { curveElement, encodeProfile } from './icc.ts'
import { encodeJpeg } from './jpeg-encoder.ts'
import { fromRaw } from './oracle.ts'
import { type DamagedPicture, damaged } from './picture.ts'

const MEGABYTES = 1024 * 1024

/** A piece again and again until there are so many bytes. */
function repeated(piece: Uint8Array, bytes: number): Uint8Array {
  return new Uint8Array(Buffer.alloc(Math.floor(bytes / piece.length) * piece.length, piece))
}

const flat = (more: Partial<PngOptions>): PngOptions => {
  const { width = 8, height = 8 } = more
  return {
    width,
    height,
    colourType: 0,
    depth: 1,
    samples: new Uint16Array(width * height),
    filter: 0,
    ...more,
  }
}

const jpeg = (before: Uint8Array[] = []) => {
  const [samples] = planesOf(scene(64, 64))
  return encodeJpeg(64, 64, [{ samples }], { before })
}

/** A JPEG with three megabytes of these bytes in front of its first segment. */
function between(kind: string, piece: readonly number[]): DamagedPicture {
  return damaged(`jpeg/${kind}-before-first-segment`, () => {
    const file = jpeg()
    const bytes = repeated(Uint8Array.from(piece), 3 * MEGABYTES)
    // A first marker makes the file a JPEG.
    return concat(file.subarray(0, 2), [0xff, 0x01], bytes, file.subarray(2))
  })
}

/** Every file of the corpus whose outcome is open. */
export const HOSTILE: readonly DamagedPicture[] = [
  damaged('png/empty-idats', () => {
    const png = encodePng(flat({}))
    return concat(
      png.subarray(0, 33),
      repeated(pngChunk('IDAT', new Uint8Array(0)), 3 * MEGABYTES),
      png.subarray(33),
    )
  }),
  damaged('png/empty-texts', () => {
    const png = encodePng(flat({}))
    return concat(
      png.subarray(0, 33),
      repeated(pngChunk('tEXt', new Uint8Array(0)), 3 * MEGABYTES),
      png.subarray(33),
    )
  }),
  damaged('png/one-bit-in-4000x4000', () =>
    encodePng(flat({ width: 4000, height: 4000, samples: new Uint16Array(0) })),
  ),
  damaged('png/blocks-of-16-bytes', () => {
    // Eight blocks with the fixed codes, of one match of 16 bytes each, one byte back; the very first one a zero.
    const block = [0, 1, 0, ...[0, 0, 0, 1, 0, 1, 1], 1, ...[0, 0, 0, 0, 0], ...[0, 0, 0, 0, 0, 0, 0]]
    const bits = Array.from({ length: 8 }, () => block).flat()
    const piece = Uint8Array.from({ length: block.length }, (_, i) =>
      bits.slice(i * 8, i * 8 + 8).reduce((byte, bit, place) => byte | (bit << place), 0),
    )
    const zero = [0x78, 0x01, 0, 1, 0, 0xfe, 0xff, 0]
    const deflate = () => concat(zero, repeated(piece, 3 * MEGABYTES), [0x03, 0])
    return encodePng(flat({ width: 4000, height: 4000, depth: 8, samples: new Uint16Array(0), deflate }))
  }),
  damaged('png/one-column-of-60000', () => encodePng(flat({ width: 1, height: 60_000, interlaced: true }))),
  damaged('jpeg/empty-segments', () => {
    const file = jpeg()
    return concat(
      file.subarray(0, 2),
      repeated(segment(0xef, new Uint8Array(0)), 3 * MEGABYTES),
      file.subarray(2),
    )
  }),
  damaged('jpeg/fill-bytes', () => {
    const file = jpeg()
    return concat(file.subarray(0, 2), new Uint8Array(3 * MEGABYTES).fill(0xff), file.subarray(2))
  }),
  between('zeros', [0]),
  between('stuffing', [0xff, 0]),
  between('restarts', [0xff, 0xd0]),
  damaged('jpeg/profile-in-255-parts', () => {
    const part = (_: unknown, i: number) =>
      segment(0xe2, concat(bytesOf('ICC_PROFILE\0'), [i + 1, 255], new Uint8Array(60_000)))
    return jpeg(Array.from({ length: 255 }, part))
  }),
  damaged('jpeg/ink-curves-that-overlap', () => {
    // Ten curves of 32,768 samples for one table: all in the same place.
    const curve = curveElement(32_768, (value) => value)
    const grid = concat(new Array(4).fill(2), new Uint8Array(12), [1, 0, 0, 0], new Uint8Array(48))
    const at = [32 + grid.length, 0, 32 + grid.length, 32, 32 + grid.length].map(uint32)
    const table = concat(bytesOf('mAB \0\0\0\0'), [4, 3, 0, 0], ...at, grid, ...new Array(4).fill(curve))
    const profile = encodeProfile({
      space: 'CMYK',
      connection: 'Lab ',
      version: 4,
      elements: [['A2B0', table]],
    })
    const [samples] = planesOf(scene(64, 64))
    const inks = [{ samples }, { samples }, { samples }, { samples }]
    return encodeJpeg(64, 64, inks, { before: profileSegments(profile) })
  }),
  damaged('gif/blocks-of-1-byte', () => {
    const gif = encodeGif({
      width: 8,
      height: 8,
      palette: [[0, 0, 0]],
      frames: [{ indexes: new Uint8Array(64) }],
    })
    const extension = concat([0x21, 0xfe], repeated(Uint8Array.of(1, 65), 3 * MEGABYTES), [0])
    return concat(gif.subarray(0, 19), extension, gif.subarray(19))
  }),
  damaged('gif/clear-after-clear', () => {
    // Codes of three bits; 4 clears the table: 100100100….
    const gif = encodeGif({
      width: 8,
      height: 8,
      palette: [[0, 0, 0]],
      frames: [{ indexes: new Uint8Array(64) }],
    })
    const clears = repeated(concat([255], repeated(Uint8Array.of(0x24, 0x49, 0x92), 255)), 3 * MEGABYTES)
    const data = 19 + 8 + 10 + 1
    return concat(gif.subarray(0, data), clears, gif.subarray(data))
  }),
  damaged('webp/unknown-chunks', async () => {
    const webp = await fromRaw(scene(64, 64)).webp().toBuffer()
    const header = riffChunk('VP8X', concat(new Uint8Array(4), uint24(63), uint24(63)))
    return riff(header, repeated(riffChunk('abcd', new Uint8Array(0)), 3 * MEGABYTES), webp.subarray(12))
  }),
]
