/** PNGs of every kind. */

import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { bytesOf, concat } from '../fixtures/bytes.ts'
import { exif, pngChunk } from '../fixtures/containers.ts'
import { encodePng, type PngOptions } from '../fixtures/png.ts'
import { type Rgb, scene } from '../fixtures/scene.ts'
import { displayP3, storedAs } from './forms.ts'
import { fromRaw } from './oracle.ts'
import { type Floors, type SoundPicture, sound } from './picture.ts'
import {
  colour,
  colourAlpha,
  grey,
  greyAlpha,
  HEIGHT,
  type Kind,
  palette,
  WIDTH,
  withTransparency,
  wrongChecksum,
} from './png-kinds.ts'
import { UNTIDY_PNGS } from './untidy-pngs.ts'

function png(
  name: string,
  make: (picture: Rgb) => Kind,
  floors: Floors,
  options: Partial<PngOptions> = {},
): SoundPicture {
  const { width = WIDTH, height = HEIGHT } = options
  const bytes = () => {
    const kind = make(scene(width, height))
    return encodePng({
      ...kind,
      ...options,
      width,
      height,
      before: [...(options.before ?? []), ...(kind.before ?? [])],
    })
  }
  return sound(`png/${name}`, { width, height, bytes }, floors)
}

/** One kind, plain and interlaced. */
function both(name: string, make: (picture: Rgb) => Kind, floors: Floors): SoundPicture[] {
  return [png(name, make, floors), png(`${name}-adam7`, make, floors, { interlaced: true })]
}

/** Rows compressed in every way that deflate knows, and what may lie behind them. */
const DEFLATED: readonly (readonly [name: string, deflate: (rows: Uint8Array) => Uint8Array])[] = [
  ['stored', (rows) => deflateSync(rows, { level: 0 })],
  ['fixed-codes', (rows) => deflateSync(rows, { strategy: constants.Z_FIXED })],
  ['literals-only', (rows) => deflateSync(rows, { strategy: constants.Z_HUFFMAN_ONLY })],
  ['runs-only', (rows) => deflateSync(rows, { strategy: constants.Z_RLE })],
  ['window-of-512-bytes', (rows) => deflateSync(rows, { windowBits: 9 })],
  ['little-blocks', (rows) => deflateSync(rows, { memLevel: 1, level: 9 })],
  ['flushed', flushed],
  ['junk-behind-zlib', (rows) => concat(deflateSync(rows), new Uint8Array(99).fill(7))],
  ['rows-behind-the-last', (rows) => deflateSync(concat(rows, rows))],
  ['megabytes-behind-the-last', (rows) => deflateSync(concat(rows, new Uint8Array(30 << 20)))],
  ['without-zlib-checksum', (rows) => deflateSync(rows).subarray(0, -4)],
]

/** Each 1,000 bytes end in an empty block, as they do when an encoder flushes what it has. */
function flushed(rows: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (let at = 0; at < rows.length; at += 1000) {
    const isLast = at + 1000 >= rows.length
    const part = rows.subarray(at, at + 1000)
    parts.push(deflateRawSync(part, { finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH }))
  }
  return concat([0x78, 0x9c], ...parts, deflateSync(rows).subarray(-4))
}

/** Every sound PNG of the corpus. */
export const PNGS: readonly SoundPicture[] = [
  ...both('grey-1', grey(1), [41.9, 41.9, 35.4, 35.4]),
  ...both('grey-2', grey(2), [39.4, 39.4, 36.2, 36.2]),
  ...both('grey-4', grey(4), [36.7, 36.7, 36.7, 36.7]),
  ...both('grey-8', grey(8), [38.3, 38.3, 37.1, 37.1]),
  ...both('grey-16', grey(16), [38.3, 38.3, 37.1, 37.1]),
  ...both('rgb-8', colour(8), [37.8, 24.1, 37.1, 25.1]),
  ...both('rgb-16', colour(16), [37.7, 24, 37.1, 25]),
  ...both('palette-1', palette(1), [40.1, 25, 39.8, 27.5]),
  ...both('palette-2', palette(2), [38.1, 27.6, 37.6, 29]),
  ...both('palette-4', palette(4), [37.2, 24.7, 37, 26]),
  ...both('palette-8', palette(8), [37.4, 24, 37, 25]),
  ...both('grey-alpha-8', greyAlpha(8), [38.6, 38.6, 37.3, 37.3]),
  ...both('grey-alpha-16', greyAlpha(16), [38.7, 38.7, 37.4, 37.4]),
  ...both('rgba-8', colourAlpha(8), [38.2, 25.7, 37.2, 26.4]),
  ...both('rgba-16', colourAlpha(16), [38.3, 25.7, 37.3, 26.3]),

  ...both('grey-2-transparent', withTransparency(grey(2)), [41, 41, 37.2, 37.2]),
  ...both('grey-16-transparent', withTransparency(grey(16)), [38.2, 38.2, 37.5, 37.5]),
  ...both('rgb-8-transparent', withTransparency(colour(8)), [38.3, 24.1, 37.8, 25.1]),
  ...both('rgb-16-transparent', withTransparency(colour(16)), [38.3, 24.1, 37.7, 25.1]),
  ...both('palette-8-transparent', withTransparency(palette(8)), [38.1, 24.1, 37.7, 25]),

  png('filter-none', colour(8), [37.8, 24.1, 37.1, 25.1], { filter: 0 }),
  png('filter-sub', colour(8), [37.8, 24.1, 37.1, 25.1], { filter: 1 }),
  png('filter-up', colour(8), [37.8, 24.1, 37.1, 25.1], { filter: 2 }),
  png('filter-average', colour(8), [37.8, 24.1, 37.1, 25.1], { filter: 3 }),
  png('filter-paeth', colour(8), [37.8, 24.1, 37.1, 25.1], { filter: 4 }),
  png('rgba-16-filter-paeth', colourAlpha(16), [38.3, 25.7, 37.3, 26.3], { filter: 4 }),
  png('grey-1-filter-average', grey(1), [41.9, 41.9, 35.4, 35.4], { filter: 3 }),
  png('many-idats', colour(8), [37.8, 24.1, 37.1, 25.1], { idatBytes: 501 }),

  png('one-pixel', colourAlpha(8), [42, 42, 42, 42], { width: 1, height: 1 }),
  png('one-bit', grey(1), [42, 42, 42, 42], { width: 1, height: 1 }),
  png('one-pixel-adam7', colour(16), [42, 42, 42, 42], { width: 1, height: 1, interlaced: true }),
  // The small copy is 2 × 1 pixels: one sample of chroma, half of it beyond the edge.
  png('5x3-adam7', colour(8), [32.9, 16.2, 42, 25], { width: 5, height: 3, interlaced: true }),
  png('3x9-adam7', grey(4), [34.6, 34.6, 34.7, 34.7], { width: 3, height: 9, interlaced: true }),
  png('9x1', palette(2), [37.8, 15, 35.1, 15.7], { width: 9, height: 1 }),
  png('1x9', grey(1), [42, 42, 41.6, 41.6], { width: 1, height: 9 }),

  png('other-chunks', colour(8), [37.8, 24.1, 37.1, 25.1], {
    before: [
      pngChunk('gAMA', Uint8Array.of(0, 0, 177, 143)),
      pngChunk('sBIT', Uint8Array.of(8, 8, 8)),
      pngChunk('tEXt', bytesOf('Comment\0nothing')),
    ],
  }),
  sound(
    'png/wrong-checksums',
    {
      width: WIDTH,
      height: HEIGHT,
      bytes: () =>
        encodePng({
          width: WIDTH,
          height: HEIGHT,
          ...colour(8)(scene(WIDTH, HEIGHT)),
          before: [wrongChecksum('tEXt'), wrongChecksum('tRNS'), wrongChecksum('eXIf', exif(6))],
          after: [wrongChecksum('tIME')],
        }),
      expected: () => scene(WIDTH, HEIGHT),
    },
    [37.4, 24, 37, 25],
  ),
  ...DEFLATED.map(([name, deflate]) => png(name, colour(8), [37.8, 24.1, 37.1, 25.1], { deflate })),
  ...DEFLATED.map(([name, deflate]) =>
    png(`${name}-adam7`, colour(8), [37.8, 24.1, 37.1, 25.1], { deflate, interlaced: true }),
  ),
  sound(
    'png/behind-its-end',
    {
      width: WIDTH,
      height: HEIGHT,
      bytes: () =>
        concat(
          encodePng({ width: WIDTH, height: HEIGHT, ...colour(8)(scene(WIDTH, HEIGHT)) }),
          new Uint8Array(99).fill(7),
        ),
    },
    [37.8, 24.1, 37.1, 25.1],
  ),
  sound(
    'png/adam7-1601x1203',
    {
      width: 1601,
      height: 1203,
      bytes: () =>
        encodePng({ width: 1601, height: 1203, ...colour(8)(scene(1601, 1203)), interlaced: true }),
    },
    [40.8, 33.6, 37.4, 29.5],
  ),
  sound(
    'png/display-p3',
    {
      width: WIDTH,
      height: HEIGHT,
      bytes: async () => {
        const profile = pngChunk('iCCP', concat(bytesOf('P3\0\0'), deflateSync(await displayP3())))
        return encodePng({
          width: WIDTH,
          height: HEIGHT,
          ...colour(8)(scene(WIDTH, HEIGHT)),
          before: [profile],
        })
      },
    },
    [37.8, 24.1, 37.1, 25.1],
  ),
  sound(
    'png/by-sharp-1601x1203',
    { width: 1601, height: 1203, bytes: () => fromRaw(scene(1601, 1203)).png().toBuffer() },
    [40.8, 33.6, 37.4, 29.5],
  ),
  sound(
    'png/orientation-6',
    {
      width: WIDTH,
      height: HEIGHT,
      bytes: () => {
        const stored = storedAs(scene(WIDTH, HEIGHT), 6)
        return encodePng({ ...stored, ...colour(8)(stored), before: [pngChunk('eXIf', exif(6))] })
      },
      expected: () => scene(WIDTH, HEIGHT),
    },
    [37.4, 24, 37, 25],
  ),
  ...UNTIDY_PNGS,
]
