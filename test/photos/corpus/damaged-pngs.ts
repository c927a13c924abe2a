/** PNGs that are cut, damaged, or made to harm whoever decodes them. */

import { deflateSync } from 'node:zlib'
import { concat, uint32 } from '../bytes.ts'
import { assemblePng, pngChunk } from '../containers.ts'
import { planesOf } from './forms.ts'
import { cutUp, type DamagedPicture, damaged } from './picture.ts'
import { encodePng, filteredRows, type PngOptions } from './png-encoder.ts'
import { scene } from './scene.ts'

const [WIDTH, HEIGHT] = [61, 43]

function options(more: Partial<PngOptions> = {}): PngOptions {
  const [red, green, blue] = planesOf(scene(WIDTH, HEIGHT))
  const samples = Uint16Array.from(
    { length: red.length * 3 },
    (_, i) => [red, green, blue][i % 3]?.[Math.floor(i / 3)] ?? 0,
  )
  return { width: WIDTH, height: HEIGHT, colourType: 2, depth: 8, samples, ...more }
}

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

/** Every PNG of the corpus that must be refused. */
export const DAMAGED_PNGS: readonly DamagedPicture[] = [
  ...cutUp('png/plain', () => encodePng(options())),
  ...cutUp('png/adam7', () => encodePng(options({ interlaced: true }))),
  ...cutUp('png/many-idats', () => encodePng(options({ idatBytes: 100 }))),
  ...['IHDR', 'PLTE', 'IDAT', 'IEND'].map((type) =>
    damaged(`png/checksum-of-${type}`, () => wrongChecksum(type)),
  ),
  damaged('png/checksum-of-zlib', () => {
    const data = Uint8Array.from(deflateSync(rows()))
    data[data.length - 1] = (data[data.length - 1] ?? 0) ^ 1
    return assemblePng([header(), idat(data)])
  }),

  damaged('png/no-width', headed({ width: 0 })),
  damaged('png/no-height', headed({ height: 0 })),
  damaged('png/65500x65500', headed({ width: 65_500, height: 65_500 })),
  damaged('png/largest-sizes', headed({ width: 0x7fffffff, height: 0x7fffffff })),
  damaged('png/sizes-beyond-31-bits', headed({ width: 0xffffffff, height: 0xffffffff })),
  damaged('png/one-row-of-2-billion', headed({ width: 0x7fffffff, height: 1 })),
  damaged('png/7900x7900', headed({ width: 7900, height: 7900 })),
  damaged('png/adam7-3400x3400', headed({ width: 3400, height: 3400, rest: [8, 2, 0, 0, 1] })),
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
  damaged('png/bomb-of-256-megabytes', () =>
    assemblePng([header(), idat(concat(deflateSync(concat(rows(), new Uint8Array(256 * 1024 * 1024)))))]),
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
  damaged('png/chunk-beyond-end', () => {
    const png = encodePng(options())
    png.set([0x7f, 0xff, 0xff, 0xff], 33)
    return png
  }),
]
