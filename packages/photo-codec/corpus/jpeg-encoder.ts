/**
 * A JPEG encoder that writes whatever ITU-T T.81 allows in Huffman-coded frames of 8 bits: any number of components with
 * any sampling factors, together or in a scan each, progressive by spectral selection, with restart markers. Slow.
 *
 *     encodeJpeg(width, height, [{ samples: luma, h: 2, v: 1 }, { samples: cb }, { samples: cr }], { restart: 4 })
 */

import { concat } from '../fixtures/bytes.ts'
import { segment } from '../fixtures/containers.ts'
import { BitWriter } from './jpeg-bits.ts'
import { type Component, type Factors, type Plane, scaled, transform } from './jpeg-planes.ts'
import { AC_TABLE, codesOf, DC_TABLES, type HuffmanTable, QUANTISERS, ZIGZAG } from './jpeg-tables.ts'

/** What else can be chosen about a JPEG. */
export interface JpegOptions {
  /** 1–100 as libjpeg counts, 92 unless given. */
  quality?: number
  /** MCUs between restart markers. */
  restart?: number
  /** `separate` gives each component a scan of its own; `progressive` splits by frequency as well. */
  scans?: 'together' | 'separate' | 'progressive'
  /** Segments behind SOI. */
  before?: Uint8Array[]
  /** Fill bytes (0xFF) in front of each marker but SOI. */
  fill?: number
  /** Puts all quantisers into one segment, and all Huffman tables into another. */
  packed?: boolean
}

interface Scan {
  planes: Plane[]
  /** First and last coefficient. */
  from: number
  to: number
}

/** A JPEG of components that are all `width` × `height`. */
export function encodeJpeg(
  width: number,
  height: number,
  components: readonly Component[],
  options: JpegOptions = {},
): Uint8Array {
  const { quality = 92, restart = 0, scans = 'together', before = [], fill = 0, packed = false } = options
  const quantisers = [QUANTISERS.luma, QUANTISERS.chroma].map((table) => scaled(table, quality))
  const most = {
    h: Math.max(...components.map(({ h = 1 }) => h)),
    v: Math.max(...components.map(({ v = 1 }) => v)),
  }
  const planes = components.map((component, i) =>
    transform(component, i, { width, height }, most, quantisers[i === 0 ? 0 : 1] ?? []),
  )
  const frame = planes.flatMap(({ id, h, v, table }) => [id, h * 16 + v, table])
  const sizes = [height >> 8, height & 255, width >> 8, width & 255]
  const marker = (bytes: Uint8Array) => concat(new Uint8Array(fill).fill(0xff), bytes)
  const tables = (code: number, bodies: Uint8Array[]) =>
    (packed ? [concat(...bodies)] : bodies).map((body) => marker(segment(code, body)))
  return concat(
    [0xff, 0xd8],
    ...before.map(marker),
    ...tables(
      0xdb,
      quantisers.map((table, i) =>
        concat(
          [i],
          ZIGZAG.map((at) => table[at] ?? 1),
        ),
      ),
    ),
    marker(segment(scans === 'progressive' ? 0xc2 : 0xc0, concat([8], sizes, [planes.length], frame))),
    ...tables(0xc4, [...DC_TABLES.map((table, i) => huffmanTable(i, table)), huffmanTable(16, AC_TABLE)]),
    ...(restart ? [marker(segment(0xdd, Uint8Array.of(restart >> 8, restart & 255)))] : []),
    ...scansOf(planes, scans).flatMap((scan) => [
      marker(segment(0xda, scanHeader(scan))),
      encodeScan(scan, restart, most, { width, height }),
    ]),
    marker(Uint8Array.of(0xff, 0xd9)),
  )
}

/** A table as a DHT segment holds it; from 16 on the number means an AC table. */
export function huffmanTable(number: number, { counts, symbols }: HuffmanTable): Uint8Array {
  return concat([number], counts, symbols)
}

function scanHeader({ planes, from, to }: Scan): Uint8Array {
  return concat([planes.length], ...planes.map(({ id, table }) => [id, table * 16]), [from, to, 0])
}

function scansOf(planes: Plane[], how: JpegOptions['scans']): Scan[] {
  if (how === 'together') return [{ planes, from: 0, to: 63 }]
  if (how === 'separate') return planes.map((plane) => ({ planes: [plane], from: 0, to: 63 }))
  const bands = [
    [1, 5],
    [6, 63],
  ]
  return [
    { planes, from: 0, to: 0 },
    ...bands.flatMap(([from = 0, to = 0]) => planes.map((plane) => ({ planes: [plane], from, to }))),
  ]
}

/** Where the blocks of a scan's MCUs are: a lone component has one block in each, without any filling up. */
function* mcusOf({ planes }: Scan, most: Factors, size: { width: number; height: number }) {
  const [lone] = planes
  if (lone && planes.length === 1) {
    const { across, down, allAcross } = lone.blocks
    for (let n = 0; n < across * down; n++) {
      yield [{ plane: lone, block: Math.floor(n / across) * allAcross + (n % across) }]
    }
    return
  }
  const across = Math.ceil(size.width / (8 * most.h))
  const count = across * Math.ceil(size.height / (8 * most.v))
  for (let n = 0; n < count; n++) {
    yield planes.flatMap((plane) =>
      Array.from({ length: plane.h * plane.v }, (_, i) => {
        const y = Math.floor(n / across) * plane.v + Math.floor(i / plane.h)
        return { plane, block: y * plane.blocks.allAcross + (n % across) * plane.h + (i % plane.h) }
      }),
    )
  }
}

function encodeScan(
  scan: Scan,
  restart: number,
  most: Factors,
  size: { width: number; height: number },
): Uint8Array {
  const [dcCodes, acCodes] = [DC_TABLES.map(codesOf), codesOf(AC_TABLE)]
  const out = new BitWriter()
  const before = new Map<Plane, number>()
  let count = 0
  for (const mcu of mcusOf(scan, most, size)) {
    if (restart && count > 0 && count % restart === 0) {
      out.restart((count / restart - 1) & 7)
      before.clear()
    }
    count++
    for (const { plane, block } of mcu) {
      const values = plane.coefficients.subarray(block * 64, block * 64 + 64)
      if (scan.from === 0) {
        const value = values[0] ?? 0
        out.number(dcCodes[plane.table], 0, value - (before.get(plane) ?? 0))
        before.set(plane, value)
      }
      let run = 0
      for (let i = Math.max(1, scan.from); i <= scan.to; i++) {
        const value = values[i] ?? 0
        if (value === 0) {
          run++
          continue
        }
        for (; run > 15; run -= 16) out.symbol(acCodes, 0xf0)
        out.number(acCodes, run, value)
        run = 0
      }
      if (run > 0) out.symbol(acCodes, 0)
    }
  }
  return out.finish()
}
