/**
 * One scan of a JPEG: which coefficients it carries and how they are read out of the bits.
 *
 *     const scan = readScanHeader(segment, frame, tables)
 *     decodeScan(scan, frame, tables, reader, blockAt)
 *
 * Standard: ITU-T T.81 annexes F.2 (sequential) and G.2 (progressive).
 */

import type { JpegSegment } from '../containers.ts'
import { ZIGZAG } from './dct.ts'
import type { BitReader, HuffmanTable } from './huffman.ts'
import type { Component, Frame, JpegTables } from './jpeg-frame.ts'

/** A component's part in a scan. */
interface ScanComponent {
  component: Component
  index: number
  dc: HuffmanTable | undefined
  ac: HuffmanTable | undefined
  /** Prediction for the next DC coefficient. */
  dcBefore: number
}

/** A scan header with its tables looked up. */
export interface Scan {
  components: ScanComponent[]
  /** First and last coefficient of the band, in zigzag order. */
  first: number
  last: number
  /** Bit positions of successive approximation: what was sent before (0: nothing) and what is sent now. */
  high: number
  low: number
}

/** Where the 64 coefficients of a block are kept, in row order. */
export interface BlockPlace {
  coefficients: Int16Array
  at: number
}

/** Receives the whole rows of MCUs of a scan as they are read. */
export interface ScanTarget {
  /** Coefficients of a component of the frame; `column` and `row` count its blocks. */
  blockOf(component: number, column: number, row: number): BlockPlace
  /** Called after each row of MCUs. */
  rowDone?(mcuRow: number): void
}

/** The header of a scan; throws when it does not go with the frame or its tables. */
export function readScanHeader({ body }: JpegSegment, frame: Frame, tables: JpegTables): Scan {
  const count = body[0] ?? 0
  if (count < 1 || count > 4 || body.length < 4 + count * 2) throw new Error('JPEG: damaged scan header')
  const components = Array.from({ length: count }, (_, i): ScanComponent => {
    const index = frame.components.findIndex(({ id }) => id === body[1 + i * 2])
    const component = frame.components[index]
    const ids = body[2 + i * 2] ?? 0
    if (!component) throw new Error('JPEG: scan of an unknown component')
    return { component, index, dc: tables.dc[ids >> 4], ac: tables.ac[ids & 15], dcBefore: 0 }
  })
  if (new Set(components.map(({ index }) => index)).size < count)
    throw new Error('JPEG: component twice in a scan')
  const [first, last, bits] = body.subarray(1 + count * 2)
  if (!frame.progressive) return { components, first: 0, last: 63, high: 0, low: 0 }
  const scan = {
    components,
    first: first ?? 0,
    last: last ?? 0,
    high: (bits ?? 0) >> 4,
    low: (bits ?? 0) & 15,
  }
  const bandIsRight =
    scan.first === 0 ? scan.last === 0 : scan.last >= scan.first && scan.last < 64 && count === 1
  if (!bandIsRight || scan.low > 13) throw new Error('JPEG: impossible progression')
  return scan
}

/** Reads all MCUs of a scan into `target`. Returns the offset behind it; throws when data is damaged or missing. */
export function decodeScan(
  scan: Scan,
  frame: Frame,
  tables: JpegTables,
  reader: BitReader,
  target: ScanTarget,
): number {
  const decodeBlock = chooseBlockDecoder(scan, frame)
  const run = { left: 0 }
  const [only] = scan.components
  const single = scan.components.length === 1 && only ? only : null
  const mcusWide = single ? single.component.blocksWide : frame.mcusWide
  const mcusHigh = single ? single.component.blocksHigh : frame.mcusHigh
  let untilRestart = tables.restartInterval
  let restarts = 0
  const decode = (part: ScanComponent, column: number, row: number) => {
    const { coefficients, at } = target.blockOf(part.index, column, row)
    decodeBlock(reader, part, coefficients, at, run)
  }
  for (let y = 0; y < mcusHigh; y++) {
    for (let x = 0; x < mcusWide; x++) {
      if (tables.restartInterval > 0 && untilRestart === 0) {
        reader.restart(restarts++ % 8)
        untilRestart = tables.restartInterval
        run.left = 0
        for (const part of scan.components) part.dcBefore = 0
      }
      untilRestart -= 1
      if (single) {
        decode(single, x, y)
        continue
      }
      for (const part of scan.components) {
        const { h, v } = part.component
        for (let row = y * v; row < (y + 1) * v; row++) {
          for (let column = x * h; column < (x + 1) * h; column++) decode(part, column, row)
        }
      }
    }
    reader.assertReal()
    target.rowDone?.(y)
  }
  return reader.finish()
}

/** Blocks left in a run of blocks that end at once. */
interface EndOfBlockRun {
  left: number
}

type BlockDecoder = (
  reader: BitReader,
  part: ScanComponent,
  block: Int16Array,
  at: number,
  run: EndOfBlockRun,
) => void

function chooseBlockDecoder(scan: Scan, frame: Frame): BlockDecoder {
  const needsDc = scan.first === 0 && scan.high === 0
  const needsAc = scan.last > 0
  for (const { dc, ac } of scan.components) {
    if ((needsDc && !dc) || (needsAc && !ac)) throw new Error('JPEG: Huffman table missing')
  }
  if (!frame.progressive) return decodeSequential
  if (scan.first === 0) return scan.high === 0 ? dcFirst(scan) : dcRefinement(scan)
  return scan.high === 0 ? acFirst(scan) : acRefinement(scan)
}

/** The chooser has made sure of the tables. */
function nextDc(reader: BitReader, part: ScanComponent): number {
  const length = reader.symbol(part.dc as HuffmanTable)
  if (length > 11) throw new Error('JPEG: impossible DC difference')
  part.dcBefore += reader.signed(length)
  return part.dcBefore
}

function decodeSequential(reader: BitReader, part: ScanComponent, block: Int16Array, at: number): void {
  const table = part.ac as HuffmanTable
  block[at] = nextDc(reader, part)
  for (let k = 1; k < 64; k++) {
    const symbol = reader.symbol(table)
    const length = symbol & 15
    if (length === 0) {
      if (symbol !== 0xf0) return
      k += 15
      continue
    }
    k += symbol >> 4
    if (k > 63) throw new Error('JPEG: coefficient outside its block')
    block[at + (ZIGZAG[k] as number)] = reader.signed(length)
  }
}

function dcFirst({ low }: Scan): BlockDecoder {
  return (reader, part, block, at) => {
    block[at] = nextDc(reader, part) << low
  }
}

function dcRefinement({ low }: Scan): BlockDecoder {
  return (reader, _part, block, at) => {
    block[at] = (block[at] as number) | (reader.unsigned(1) << low)
  }
}

function acFirst({ first, last, low }: Scan): BlockDecoder {
  return (reader, part, block, at, run) => {
    if (run.left > 0) {
      run.left -= 1
      return
    }
    for (let k = first; k <= last; k++) {
      const symbol = reader.symbol(part.ac as HuffmanTable)
      const zeros = symbol >> 4
      const length = symbol & 15
      if (length === 0 && zeros < 15) {
        run.left = (1 << zeros) - 1 + reader.unsigned(zeros)
        return
      }
      k += zeros
      if (length === 0) continue
      if (k > last) throw new Error('JPEG: coefficient outside its band')
      block[at + (ZIGZAG[k] as number)] = reader.signed(length) << low
    }
  }
}

function acRefinement({ first, last, low }: Scan): BlockDecoder {
  const bit = 1 << low
  /** One more bit for a coefficient that is known to be there. */
  const refine = (reader: BitReader, block: Int16Array, at: number) => {
    const value = block[at] as number
    if (reader.unsigned(1) === 1 && (value & bit) === 0) block[at] = value > 0 ? value + bit : value - bit
  }
  return (reader, part, block, at, run) => {
    let k = first
    while (run.left === 0 && k <= last) {
      const symbol = reader.symbol(part.ac as HuffmanTable)
      let zeros = symbol >> 4
      const length = symbol & 15
      if (length > 1) throw new Error('JPEG: impossible refinement')
      if (length === 0 && zeros < 15) {
        run.left = (1 << zeros) + reader.unsigned(zeros)
        break
      }
      const fresh = length === 0 ? 0 : reader.unsigned(1) === 1 ? bit : -bit
      for (; k <= last; k++) {
        const place = at + (ZIGZAG[k] as number)
        if (block[place] !== 0) refine(reader, block, place)
        else if (zeros-- === 0) break
      }
      if (fresh !== 0) {
        if (k > last) throw new Error('JPEG: coefficient outside its band')
        block[at + (ZIGZAG[k] as number)] = fresh
      }
      k += 1
    }
    if (run.left === 0) return
    for (; k <= last; k++) {
      const place = at + (ZIGZAG[k] as number)
      if (block[place] !== 0) refine(reader, block, place)
    }
    run.left -= 1
  }
}
