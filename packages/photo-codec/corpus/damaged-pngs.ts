/** PNGs that are truncated, damaged, or made to harm decoders. */

import { deflateSync } from 'node:zlib'
import { bytesOf, concat, uint32 } from '../fixtures/bytes.ts'
import { assemblePng, pngChunk } from '../fixtures/containers.ts'
import { encodePng, filteredRows, type PngOptions } from '../fixtures/png.ts'
import { scene } from '../fixtures/scene.ts'
import { planesOf } from './forms.ts'
import { cutUp, type DamagedPicture, damaged } from './picture.ts'

const [WIDTH, HEIGHT] = [61, 43]

function options(more: Partial<PngOptions> = {}): PngOptions {
  const [red, green, blue] = planesOf(scene(WIDTH, HEIGHT))
  const samples = Uint16Array.from(
    { length: red.length * 3 },
    (_, i) => [red, green, blue][i % 3]?.[Math.floor(i / 3)] ?? 0,
  )
  return { width: WIDTH, height: HEIGHT, colourType: 2, depth: 8, samples, ...more }
}

/** The file without IEND and the checksum of the data's last chunk: those need not be there. */
const withoutEnd = (picture: PngOptions) => encodePng(picture).slice(0, -16)

/** A header with fields of its own choice, checksum and all. */
function header(fields: { width?: number; height?: number; rest?: number[] } = {}): Uint8Array {
  const { width = WIDTH, height = HEIGHT, rest = [8, 2, 0, 0, 0] } = fields
  return pngChunk('IHDR', concat(uint32(width), uint32(height), rest))
}

const rows = () => filteredRows(options())
const idat = (data: Uint8Array = deflateSync(rows())) => pngChunk('IDAT', data)

/** The usual picture behind another header. */
const headed = (fields: Parameters<typeof header>[0]) => () => assemblePng([header(fields), idat()])

/** Other rows than those the header asks for. */
const filledWith = (make: (rows: Uint8Array) => Uint8Array) => () =>
  assemblePng([header(), idat(deflateSync(make(rows())))])

/** A chunk with a bit of its checksum turned. */
function withWrongChecksum(chunk: Uint8Array): Uint8Array {
  return chunk.with(chunk.length - 1, (chunk.at(-1) ?? 0) ^ 1)
}

/** A wrong checksum in the chunk of this name. */
function wrongChecksum(type: string): Uint8Array {
  const png = encodePng(options({ before: [pngChunk('PLTE', new Uint8Array(6))] }))
  const at = Buffer.from(png).indexOf(type)
  const length = new DataView(png.buffer, png.byteOffset).getUint32(at - 4)
  const last = at + 4 + length + 3
  png[last] = (png[last] ?? 0) ^ 1
  return png
}

/** A picture of palette indexes with whatever stands for the palette. */
const indexed =
  (...palette: Uint8Array[]) =>
  () => {
    const samples = new Uint16Array(WIDTH * HEIGHT)
    const data = deflateSync(filteredRows({ ...options(), colourType: 3, samples }))
    return assemblePng([header({ rest: [8, 3, 0, 0, 0] }), ...palette, idat(data)])
  }

/** The zlib data with another header, whose own checksum is right. */
const zlibWith =
  ({ method = 0x78, flags = 0 }) =>
  () => {
    const data = Uint8Array.from(deflateSync(rows()))
    data.set([method, flags + 31 - (((method << 8) | flags) % 31)])
    return assemblePng([header(), idat(data)])
  }

/** A stored block without any bytes, not the last one. */
const EMPTY_BLOCK = Uint8Array.of(0, 0, 0, 0xff, 0xff)

/** Deflate data, as the bits in the order in which they are read, that mean nothing. Spaces are for the eye. */
const BAD_BLOCKS: Record<string, string> = {
  'block-of-kind-3': '1 11',
  // Behind a literal 0 (00110000), a match of 3 (0000001): 2 back; then with distance code 30.
  'distance-before-the-beginning': '1 10 00110000 0000001 10000 0000000',
  'distance-code-30': '1 10 00110000 0000001 11110 0000000',
  // The symbol 286, 11000110.
  'length-code-286': '1 10 00110000 11000110 00000 0000000',
  'stored-length-contradicts-itself': `1 00 00000 ${'1'.repeat(16)} ${'1'.repeat(16)}`,
  'stored-block-beyond-end': `1 00 00000 ${'1'.repeat(16)} ${'0'.repeat(16)}`,
  '287-lengths': '1 01 01111 00000 0000',
  '31-distances': '1 01 00000 01111 0000',
  'no-codes-for-sizes': `1 01 00000 00000 0000 ${'000'.repeat(4)}`,
  'too-many-codes-for-sizes': `1 01 00000 00000 0000 ${'100'.repeat(4)}`,
  // Sizes 16 and 0 have codes of one bit, and there is nothing yet to repeat.
  'repeats-nothing': `1 01 00000 00000 0000 100 000 000 100 ${'1'.repeat(40)}`,
  // Only zeros: no end of the block.
  'no-code-for-the-end': `1 01 00000 00000 0000 000 100 000 100 ${'0'.repeat(300)}`,
}

/** A zlib header and these bits; no checksum. */
function zlibOf(bits: string): Uint8Array {
  const read = bits.replaceAll(' ', '').padEnd(Math.ceil(bits.length / 8) * 8, '0')
  const bytes = Array.from({ length: Math.floor(read.length / 8) }, (_, i) =>
    Number.parseInt([...read.slice(i * 8, i * 8 + 8)].reverse().join(''), 2),
  )
  return concat([0x78, 0x9c], bytes)
}

/**
 * A block of 101 bits with codes of its own and one match of 258 bytes. Of the symbols, 256 (the end, code 0) and 285 (the
 * match, code 1) are used, and distance 0 (code 0): sizes are told as 138, 118, 1, 28 zeros (1 and how many), 1 and 1 (0).
 */
const DESCRIBED_BLOCK = [
  '0 01 10111 00000 0111',
  '000 000 100 000 000 000 000 000 000 000 000 000 000 000 000 000 000 100',
  '1 1111111 1 1101011 0 1 1000100 0 0',
  '1 0 0',
].join('')

/** A picture of 40 MB in so many blocks with codes of their own. Each row has the filter of its zeros. */
function describedBlocks(count: number): Uint8Array {
  const eight = zlibOf(DESCRIBED_BLOCK.replaceAll(' ', '').repeat(8)).subarray(2)
  const blocks = new Uint8Array(Buffer.alloc(Math.ceil(count / 8) * eight.length, eight))
  // First a zero in a block with the fixed codes; a stored block without any bytes fills up to the next byte.
  const start = zlibOf('010001100000000000'.concat('000000'))
  const data = concat(start, EMPTY_BLOCK.subarray(1), blocks, zlibOf('1100000000').subarray(2))
  return assemblePng([header({ width: 8000, height: 2500, rest: [8, 4, 0, 0, 0] }), idat(data)])
}

/** Every PNG of the corpus that must be refused. */
export const DAMAGED_PNGS: readonly DamagedPicture[] = [
  ...cutUp('png/plain', () => withoutEnd(options())),
  ...cutUp('png/adam7', () => withoutEnd(options({ interlaced: true }))),
  ...cutUp('png/many-idats', () => withoutEnd(options({ idatBytes: 100 }))),
  ...['IHDR', 'PLTE', 'IDAT'].map((type) => damaged(`png/checksum-of-${type}`, () => wrongChecksum(type))),
  damaged('png/checksum-of-zlib', () => {
    const data = Uint8Array.from(deflateSync(rows()))
    data[data.length - 1] = (data[data.length - 1] ?? 0) ^ 1
    return assemblePng([header(), idat(data)])
  }),

  damaged('png/160000-blocks-with-codes', () => describedBlocks(160_000)),

  damaged('png/no-width', headed({ width: 0 })),
  damaged('png/no-height', headed({ height: 0 })),
  damaged('png/65500x65500', headed({ width: 65_500, height: 65_500 })),
  damaged('png/largest-sizes', headed({ width: 0x7fffffff, height: 0x7fffffff })),
  damaged('png/sizes-beyond-31-bits', headed({ width: 0xffffffff, height: 0xffffffff })),
  damaged('png/one-row-of-2-billion', headed({ width: 0x7fffffff, height: 1 })),
  damaged('png/7900x7900', headed({ width: 7900, height: 7900 })),
  damaged('png/9000x9000', headed({ width: 9000, height: 9000 })),
  damaged('png/adam7-4900x4900', headed({ width: 4900, height: 4900, rest: [8, 2, 0, 0, 1] })),
  damaged('png/depth-3', headed({ rest: [3, 2, 0, 0, 0] })),
  damaged('png/rgb-of-4-bits', headed({ rest: [4, 2, 0, 0, 0] })),
  damaged('png/palette-of-16-bits', headed({ rest: [16, 3, 0, 0, 0] })),
  damaged('png/colour-type-5', headed({ rest: [8, 5, 0, 0, 0] })),
  damaged('png/compression-1', headed({ rest: [8, 2, 1, 0, 0] })),
  damaged('png/filter-method-1', headed({ rest: [8, 2, 0, 1, 0] })),
  damaged('png/interlace-2', headed({ rest: [8, 2, 0, 0, 2] })),

  damaged(
    'png/filter-5',
    filledWith((data) => data.with(0, 5)),
  ),
  damaged(
    'png/filter-255',
    filledWith((data) => data.with(WIDTH * 3 + 1, 255)),
  ),
  damaged(
    'png/row-missing',
    filledWith((data) => data.subarray(0, -WIDTH * 3 - 1)),
  ),
  damaged(
    'png/byte-missing',
    filledWith((data) => data.subarray(0, -1)),
  ),
  damaged(
    'png/no-rows',
    filledWith(() => new Uint8Array(0)),
  ),
  damaged('png/empty-idat', () => assemblePng([header(), idat(new Uint8Array(0))])),
  damaged('png/no-idat', () => assemblePng([header()])),
  damaged('png/not-zlib', () => assemblePng([header(), idat(new Uint8Array(500).fill(0x55))])),
  damaged('png/no-palette', indexed()),
  damaged('png/palette-of-4-bytes', indexed(pngChunk('PLTE', new Uint8Array(4)))),
  damaged('png/empty-palette', indexed(pngChunk('PLTE', new Uint8Array(0)))),
  damaged('png/header-second', () => assemblePng([pngChunk('tEXt', new Uint8Array(4)), header(), idat()])),
  damaged('png/palette-of-257-colours', indexed(pngChunk('PLTE', new Uint8Array(771)))),
  damaged('png/unknown-critical-chunk', () =>
    assemblePng([header(), pngChunk('ABCD', new Uint8Array(4)), idat()]),
  ),
  damaged('png/end-in-front-of-data', () =>
    assemblePng([header(), pngChunk('IEND', new Uint8Array(0)), idat()]),
  ),
  damaged('png/data-in-two-places', () => {
    const data = deflateSync(rows())
    const text = pngChunk('tEXt', bytesOf('Comment\0between'))
    return assemblePng([header(), idat(data.subarray(0, 500)), text, idat(data.subarray(500))])
  }),
  damaged('png/two-headers', () => assemblePng([header(), header(), idat()])),
  damaged('png/palette-of-wrong-checksum', () =>
    assemblePng([header(), withWrongChecksum(pngChunk('PLTE', new Uint8Array(6))), idat()]),
  ),

  damaged('png/zlib-dictionary', zlibWith({ flags: 0x20 })),
  damaged('png/zlib-window-of-64-kb', zlibWith({ method: 0x88 })),
  damaged('png/zlib-header-checksum', () => {
    const data = Uint8Array.from(deflateSync(rows()))
    data[1] = (data[1] ?? 0) ^ 1
    return assemblePng([header(), idat(data)])
  }),
  ...Object.entries(BAD_BLOCKS).map(([name, bits]) =>
    damaged(`png/deflate-${name}`, () => assemblePng([header(), idat(zlibOf(bits))])),
  ),
  damaged('png/deflate-of-empty-blocks', () =>
    assemblePng([header(), idat(concat([0x78, 0x9c], Buffer.alloc(3_000_000, EMPTY_BLOCK)))]),
  ),
  damaged('png/chunk-beyond-end', () => {
    const png = encodePng(options())
    png.set([0x7f, 0xff, 0xff, 0xff], 33)
    return png
  }),
]
