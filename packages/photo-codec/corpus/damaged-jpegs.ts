/** JPEGs that are truncated, damaged, or made to harm decoders. */

import { bytesOf, concat } from '../fixtures/bytes.ts'
import { exifSegment, findSegment, segment } from '../fixtures/containers.ts'
import { scene } from '../fixtures/scene.ts'
import { planesOf, sharpJpeg, toYcc } from './forms.ts'
import { encodeJpeg, huffmanTable, type JpegOptions } from './jpeg-encoder.ts'
import { AC_TABLE, DC_TABLES } from './jpeg-tables.ts'
import { cutUp, type DamagedPicture, damaged } from './picture.ts'

const [WIDTH, HEIGHT] = [160, 120]

function plain(options: JpegOptions = {}): Uint8Array {
  const [luma, cb, cr] = toYcc(planesOf(scene(WIDTH, HEIGHT)))
  return encodeJpeg(WIDTH, HEIGHT, [{ samples: luma, h: 2, v: 2 }, { samples: cb }, { samples: cr }], options)
}

const progressive = () => sharpJpeg(scene(WIDTH, HEIGHT), { progressive: true })

const [SOF, DHT, SOS, DQT, DRI] = [0xc0, 0xc4, 0xda, 0xdb, 0xdd]

/** The plain JPEG with bytes of its first segment of a kind replaced; offsets count from the marker. */
function patched(marker: number, changes: Record<number, number>, options: JpegOptions = {}): Uint8Array {
  const jpeg = plain(options)
  const start = findSegment(jpeg, marker)
  for (const [offset, value] of Object.entries(changes)) jpeg[start + Number(offset)] = value
  return jpeg
}

/** The plain JPEG without some of its segments, or with other bytes in place of one. */
function replaced(
  marker: number,
  instead: Uint8Array = new Uint8Array(0),
  options: JpegOptions = { packed: true },
) {
  const jpeg = plain(options)
  const start = findSegment(jpeg, marker)
  const length = 2 + (jpeg[start + 2] ?? 0) * 256 + (jpeg[start + 3] ?? 0)
  return concat(jpeg.subarray(0, start), instead, jpeg.subarray(start + length))
}

/** The file without its EOI marker, which need not be there. */
const withoutEnd = (jpeg: Uint8Array) => jpeg.slice(0, -2)

/** Where the last scan of a JPEG begins. */
function lastScan(jpeg: Uint8Array): number {
  let last = jpeg.length - 2
  while (jpeg[last] !== 0xff || jpeg[last + 1] !== SOS) last--
  return last
}

/** Another width and height in the frame header. */
async function sized(
  width: number,
  height: number,
  file: () => Uint8Array | Promise<Uint8Array>,
  marker = SOF,
) {
  const jpeg = Uint8Array.from(await file())
  jpeg.set([height >> 8, height & 255, width >> 8, width & 255], findSegment(jpeg, marker) + 5)
  return jpeg
}

/** Where the entropy-coded data of a one-scan JPEG begins. */
function dataStart(jpeg: Uint8Array): number {
  const start = findSegment(jpeg, SOS)
  return start + 2 + (jpeg[start + 3] ?? 0)
}

/** A piece of the entropy-coded data taken out, from the middle unless told. */
function pierced(options: JpegOptions = {}, part = 0.5): Uint8Array {
  const jpeg = plain(options)
  const at = Math.floor(dataStart(jpeg) + (jpeg.length - dataStart(jpeg)) * part)
  return concat(jpeg.subarray(0, at), jpeg.subarray(at + 400))
}

/** Restart markers replaced by what `change` makes of their last byte. */
function restarts(change: (marker: number) => number): Uint8Array {
  const jpeg = plain({ restart: 4 })
  for (let at = dataStart(jpeg); at < jpeg.length - 1; at++) {
    const next = jpeg[at + 1] ?? 0
    if (jpeg[at] === 0xff && next >= 0xd0 && next <= 0xd7) jpeg[at + 1] = change(next)
  }
  return jpeg
}

/** Restart markers taken out. */
function withoutRestarts(): Uint8Array {
  const jpeg = plain({ restart: 4 })
  const start = dataStart(jpeg)
  const isMarker = (at: number) => jpeg[at] === 0xff && ((jpeg[at + 1] ?? 0) & 0xf8) === 0xd0
  return jpeg.filter((_, at) => at < start || !(isMarker(at) || isMarker(at - 1)))
}

const BOMB_SIDE = 5120

/**
 * A grey progressive JPEG of 5120 × 5120 pixels with many scans, all allowed by the standard. Each has a few bytes but makes
 * a decoder process the whole picture: one coefficient and one bit at a time, with only ends of bands.
 */
function bandByBand(): Uint8Array {
  const scans: Uint8Array[] = []
  for (let bit = 13; bit >= 0; bit--) scans.push(scan(0, bit === 13 ? 0 : bit + 1, bit))
  for (let at = 1; at < 64; at++) {
    for (let bit = 13; bit >= 0; bit--) scans.push(scan(at, bit === 13 ? 0 : bit + 1, bit))
  }
  return bomb(scans)
}

/** The same band a thousand times. */
function sameBand(): Uint8Array {
  return bomb([scan(0, 0, 0), ...new Array<Uint8Array>(1000).fill(scan(1, 0, 0))])
}

/** A scan of one coefficient in which every block is empty. */
function scan(at: number, high: number, low: number): Uint8Array {
  const blocks = (BOMB_SIDE / 8) ** 2
  const header = segment(0xda, Uint8Array.of(1, 1, 0, at, at, high * 16 + low))
  // Difference 0 is one bit, and so is the end of a band of 2^14 blocks, before 14 zeros for no more than that.
  const bits = at === 0 ? blocks : (blocks / 2 ** 14) * 15
  return concat(header, new Uint8Array(Math.ceil(bits / 8)))
}

function bomb(scans: readonly Uint8Array[]): Uint8Array {
  const [high, low] = [BOMB_SIDE >> 8, BOMB_SIDE & 255]
  const oneCode = { counts: [1, ...new Array<number>(15).fill(0)] }
  return concat(
    [0xff, 0xd8],
    segment(DQT, concat([0], new Uint8Array(64).fill(1))),
    segment(0xc2, Uint8Array.of(8, high, low, high, low, 1, 1, 0x11, 0)),
    segment(DHT, huffmanTable(0, { ...oneCode, symbols: [0] })),
    segment(DHT, huffmanTable(16, { ...oneCode, symbols: [0xe0] })),
    ...scans,
    [0xff, 0xd9],
  )
}

const badTable = (counts: number[], symbols: number) =>
  segment(
    DHT,
    huffmanTable(0, {
      counts: [...counts, ...new Array<number>(16 - counts.length).fill(0)],
      symbols: new Array<number>(symbols).fill(0),
    }),
  )

/** Every JPEG of the corpus that must be refused. */
export const DAMAGED_JPEGS: readonly DamagedPicture[] = [
  ...cutUp('jpeg/baseline', () => withoutEnd(plain())),
  ...cutUp('jpeg/by-sharp', async () => withoutEnd(await sharpJpeg(scene(WIDTH, HEIGHT)))),
  ...cutUp('jpeg/progressive', async () => withoutEnd(await progressive())),
  ...cutUp('jpeg/restarts', () => withoutEnd(plain({ restart: 4 }))),
  ...cutUp('jpeg/separate-scans', () => withoutEnd(plain({ scans: 'separate' }))),
  ...['separate', 'progressive'].map((scans) =>
    damaged(`jpeg/${scans}-scan-missing`, () => {
      const jpeg = plain({ scans: scans as 'separate' | 'progressive' })
      return jpeg.slice(0, lastScan(jpeg))
    }),
  ),
  damaged('jpeg/zeros-instead-of-end', () => concat(withoutEnd(plain()), new Uint8Array(4096))),
  ...[DQT, SOF, DHT, SOS].map((marker) =>
    damaged(`jpeg/cut-in-segment-${marker.toString(16)}`, () => {
      const jpeg = plain()
      return jpeg.slice(0, findSegment(jpeg, marker) + 7)
    }),
  ),
  damaged('jpeg/piece-missing', () => pierced()),

  damaged('jpeg/65500x65500', () => sized(65_500, 65_500, plain)),
  damaged('jpeg/32768x32768', () => sized(32_768, 32_768, plain)),
  damaged('jpeg/progressive-65500x65500', () => sized(65_500, 65_500, progressive, 0xc2)),
  damaged('jpeg/progressive-9900x9900', () => sized(9900, 9900, progressive, 0xc2)),
  damaged('jpeg/9900x9900', () => sized(9900, 9900, plain)),
  damaged('jpeg/more-rows-than-data', () => sized(WIDTH, HEIGHT + 64, plain)),
  damaged('jpeg/no-width', () => sized(0, HEIGHT, plain)),
  damaged('jpeg/no-height', () => sized(WIDTH, 0, plain)),

  ...[0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf].map((marker) =>
    damaged(`jpeg/frame-${marker.toString(16)}`, () => patched(SOF, { 1: marker })),
  ),
  damaged('jpeg/12-bits', () => patched(SOF, { 1: 0xc1, 4: 12 })),
  damaged('jpeg/16-bits', () => patched(SOF, { 4: 16 })),
  damaged('jpeg/no-components', () => patched(SOF, { 9: 0 })),
  damaged('jpeg/two-components', () => patched(SOF, { 9: 2 })),
  damaged('jpeg/sampling-factor-0', () => patched(SOF, { 11: 0x02 })),
  damaged('jpeg/sampling-factor-5', () => patched(SOF, { 11: 0x52 })),
  damaged('jpeg/mcu-of-18-blocks', () => patched(SOF, { 11: 0x44 })),
  damaged('jpeg/two-frames', () => replaced(SOF, concat(...new Array<Uint8Array>(2).fill(frameSegment())))),

  damaged('jpeg/no-quantisers', () => replaced(DQT)),
  damaged('jpeg/quantiser-not-defined', () => patched(SOF, { 12: 3 })),
  damaged('jpeg/no-huffman-tables', () => replaced(DHT)),
  damaged('jpeg/progressive-without-huffman-tables', async () => {
    const jpeg = await progressive()
    for (let at = findSegment(jpeg, DHT); jpeg[at + 1] === DHT; ) {
      // Skipped, because its meaning is unknown.
      jpeg[at + 1] = 0xec
      at += 2 + (jpeg[at + 2] ?? 0) * 256 + (jpeg[at + 3] ?? 0)
    }
    return jpeg
  }),
  damaged('jpeg/only-dc-table', () => replaced(DHT, segment(DHT, huffmanTable(0, DC_TABLES[0])))),
  damaged('jpeg/only-ac-table', () => replaced(DHT, segment(DHT, huffmanTable(16, AC_TABLE)))),
  damaged('jpeg/three-codes-of-one-bit', () => replaced(DHT, badTable([3], 3), {})),
  damaged('jpeg/too-many-codes', () => replaced(DHT, badTable([0, 0, 0, 0, 0, 0, 0, 255, 255], 510), {})),
  damaged('jpeg/fewer-symbols-than-codes', () => replaced(DHT, badTable([0, 2, 3], 2), {})),
  damaged('jpeg/table-number-9', () => patched(DHT, { 4: 9 })),

  damaged('jpeg/scan-of-unknown-component', () => patched(SOS, { 5: 77 })),
  damaged('jpeg/scan-of-nothing', () => patched(SOS, { 4: 0 })),
  damaged('jpeg/same-component-twice', () => patched(SOS, { 7: 1 })),
  damaged('jpeg/scan-before-frame', () => {
    const jpeg = plain()
    const start = findSegment(jpeg, SOS)
    return concat(jpeg.subarray(0, 2), jpeg.subarray(start, dataStart(jpeg)), jpeg.subarray(2))
  }),
  damaged('jpeg/component-never-scanned', () => {
    const jpeg = plain({ scans: 'separate' })
    return concat(jpeg.subarray(0, lastScan(jpeg)), [0xff, 0xd9])
  }),

  damaged('jpeg/restarts-announced-only', () =>
    replaced(SOF, concat(frameSegment(), segment(DRI, Uint8Array.of(0, 1)))),
  ),
  damaged('jpeg/restart-interval-wrong', () => patched(DRI, { 5: 3 }, { restart: 4 })),
  damaged('jpeg/restarts-out-of-order', () => restarts((marker) => (marker === 0xd3 ? 0xd6 : marker))),
  damaged('jpeg/restarts-gone', withoutRestarts),
  damaged('jpeg/restarts-not-announced', () => replaced(DRI, new Uint8Array(0), { restart: 4 })),
  damaged('jpeg/restarts-announced-for-longer', () => patched(DRI, { 5: 8 }, { restart: 4 })),
  // 10 MCUs to a row: the picture ends in the middle of the eighth interval.
  damaged('jpeg/more-intervals-out-of-order', () =>
    sized(WIDTH, 48, () => restarts((marker) => (marker === 0xd7 ? 0xd6 : marker))),
  ),
  damaged('jpeg/more-intervals-with-piece-missing', () =>
    sized(WIDTH, 64, () => pierced({ restart: 20 }, 0.1)),
  ),
  damaged('jpeg/more-intervals-of-another-length', () =>
    sized(WIDTH, 48, () => patched(DRI, { 5: 3 }, { restart: 4 })),
  ),
  damaged('jpeg/more-intervals-in-separate-scans', () =>
    sized(WIDTH, 48, () => plain({ restart: 10, scans: 'separate' })),
  ),
  damaged('jpeg/blocks-left-over', () => sized(WIDTH, HEIGHT - 16, plain)),
  damaged('jpeg/bytes-left-over', () => {
    const jpeg = plain()
    return concat(jpeg.subarray(0, -2), bytesOf('fewer would be forgiven, so many not'), [0xff, 0xd9])
  }),
  damaged('jpeg/piece-missing-before-zeros', () => {
    const jpeg = pierced({ restart: 4 })
    return concat(jpeg.subarray(0, -2), new Uint8Array(400), [0xff, 0xd9])
  }),
  damaged('jpeg/thumbnail-behind-short-segment', () => {
    const jpeg = plain()
    const exif = exifSegment(1)
    return concat(jpeg.subarray(0, 2), exif.with(3, 20), plain({ restart: 4 }), jpeg.subarray(2))
  }),

  damaged('jpeg/segment-of-length-0', () => patched(DQT, { 2: 0, 3: 0 })),
  damaged('jpeg/segment-beyond-end', () => patched(SOF, { 2: 0xff, 3: 0xff })),
  damaged('jpeg/bomb-of-896-scans', bandByBand),
  damaged('jpeg/bomb-of-1001-scans', sameBand),
]

function frameSegment(): Uint8Array {
  const jpeg = plain()
  const start = findSegment(jpeg, SOF)
  return jpeg.slice(start, start + 2 + (jpeg[start + 3] ?? 0))
}
