/**
 * The tables and the frame header of a JPEG: what has to be known before its scans can be read (ITU-T T.81 annex B;
 * the colour rules are those of ITU-T T.871 and T.872).
 */

import { allocate, allocateList, create, objectAt, putObject } from './arena'
import { Failure, fail } from './failure'
import { HuffmanTable } from './huffman-table'
import { APP0, APP14, bigEndian16, DHT, DQT, DRI, SOF2 } from './jpeg-markers'
import { Plane } from './jpeg-plane'
import { zigzagColumn, zigzagRow } from './zigzag'

/** "JFIF" and "Adob" as little-endian numbers: no other segments begin so. */
const JFIF: u32 = 0x4649464a
const ADOB: u32 = 0x626f6441

/** The most components of a frame, and tables of a kind. */
const MAX_COMPONENTS: i32 = 4
const MAX_TABLES: i32 = 4

/** What the components of a frame mean. */
export enum Components {
  Grey = 0,
  Ycc = 1,
  Rgb = 2,
  /** 255 is no ink, with Adobe's marker and without. */
  Cmyk = 3,
  Ycck = 4,
}

/** Whether each component goes to the copies by itself. */
export function isScaledApart(components: Components): bool {
  return components === Components.Grey || components === Components.Ycc
}

/** Everything that segments before a scan can define. */
@unmanaged
export class Tables {
  /** By table number: the address of 64 quantisers of 16 bits, row by row; 0 while undefined. */
  private quantiserTables: usize
  /** DC tables 0–3, then AC tables 0–3. */
  private huffman: usize
  /** MCUs from one restart marker to the next; 0: none. */
  restartInterval: i32
  hasJfif: bool
  hasAdobe: bool
  adobeTransform: i32

  /** Takes over what a segment defines; others are passed over. */
  read(marker: i32, body: usize, end: usize): void {
    const length = i32(end - body)
    if (marker === DQT) this.readQuantisers(body, end)
    else if (marker === DHT) this.readHuffmanTables(body, end)
    else if (marker === DRI) {
      if (length < 2) fail(Failure.Damaged)
      this.restartInterval = bigEndian16(body)
    } else if (marker === APP0) {
      if (length >= 5 && load<u32>(body) === JFIF) this.hasJfif = true
    } else if (marker === APP14) {
      if (length < 12 || load<u32>(body) !== ADOB) return
      this.hasAdobe = true
      this.adobeTransform = i32(load<u8>(body, 11))
    }
  }

  /** 64 quantisers of 16 bits, row by row. */
  quantisers(id: i32): usize {
    if (this.quantiserTables === 0 || id >= MAX_TABLES) fail(Failure.Damaged)
    const table = load<usize>(this.quantiserTables + id * sizeof<usize>())
    if (table === 0) fail(Failure.Damaged)
    return table
  }

  /** The table that a scan names; `kind`: 0 for DC, 1 for AC. */
  huffmanTable(kind: i32, id: i32): HuffmanTable {
    if (this.huffman === 0 || id >= MAX_TABLES) fail(Failure.Damaged)
    const table = objectAt<HuffmanTable>(this.huffman, kind * MAX_TABLES + id)
    if (changetype<usize>(table) === 0) fail(Failure.Damaged)
    return table
  }

  private readQuantisers(body: usize, end: usize): void {
    if (this.quantiserTables === 0) this.quantiserTables = allocateList(MAX_TABLES)
    while (body < end) {
      const isWide = load<u8>(body) >> 4 !== 0
      const id = i32(load<u8>(body)) & 15
      body += 1
      if (id >= MAX_TABLES || body + (isWide ? 128 : 64) > end) fail(Failure.Damaged)
      const table = allocate(128)
      for (let k = 0; k < 64; k++) {
        const place = table + (zigzagRow(k) * 8 + zigzagColumn(k)) * 2
        store<u16>(place, isWide ? u16(bigEndian16(body + k * 2)) : u16(load<u8>(body + k)))
      }
      store<usize>(this.quantiserTables + id * sizeof<usize>(), table)
      body += isWide ? 128 : 64
    }
  }

  private readHuffmanTables(body: usize, end: usize): void {
    if (this.huffman === 0) this.huffman = allocateList(2 * MAX_TABLES)
    while (body < end) {
      const kind = i32(load<u8>(body)) >> 4
      const id = i32(load<u8>(body)) & 15
      body += 1
      if (kind > 1 || id >= MAX_TABLES || body + 16 > end) fail(Failure.Damaged)
      let total = 0
      for (let i = 0; i < 16; i++) total += i32(load<u8>(body + i))
      if (total > 256 || body + 16 + total > end) fail(Failure.Damaged)
      putObject(this.huffman, kind * MAX_TABLES + id, HuffmanTable.from(body, total))
      body += 16 + total
    }
  }
}

/** A Huffman-coded frame with 8 bits per sample. */
@unmanaged
export class Frame {
  isProgressive: bool
  width: i32
  height: i32
  /** How many components there are: 1, 3 or 4. */
  count: i32
  maxH: i32
  maxV: i32
  mcusWide: i32
  mcusHigh: i32
  private planes: usize
  private segments: usize
  private segmentCapacity: i32

  /** The frame of an SOF segment. Refuses lossless, arithmetic-coded, hierarchical and 12-bit frames. */
  static read(marker: i32, body: usize, end: usize): Frame {
    if (marker > SOF2) fail(Failure.Unsupported)
    if (body + 6 > end) fail(Failure.Damaged)
    if (load<u8>(body) !== 8) fail(Failure.Unsupported)
    const frame = create<Frame>()
    frame.isProgressive = marker === SOF2
    frame.height = bigEndian16(body + 1)
    frame.width = bigEndian16(body + 3)
    frame.count = i32(load<u8>(body, 5))
    const isCountKnown = frame.count === 1 || frame.count === 3 || frame.count === 4
    if (!isCountKnown || frame.width < 1 || frame.height < 1) fail(Failure.Damaged)
    if (body + 6 + frame.count * 3 > end) fail(Failure.Damaged)
    frame.readPlanes(body + 6)
    return frame
  }

  /** The component that was announced as number `index`. */
  plane(index: i32): Plane {
    return objectAt<Plane>(this.planes, index)
  }

  /** Room for `count` numbers of 32 bits: where the segments of a scan begin. Each scan uses it anew. */
  segmentTable(count: i32): usize {
    if (count > this.segmentCapacity) {
      this.segments = allocate(4 * count)
      this.segmentCapacity = count
    }
    return this.segments
  }

  /** What the components mean, by the markers and, without them, by the components' names. */
  components(tables: Tables): Components {
    if (this.count === 1) return Components.Grey
    if (this.count === 4) {
      return tables.hasAdobe && tables.adobeTransform === 2 ? Components.Ycck : Components.Cmyk
    }
    if (tables.hasJfif) return Components.Ycc
    if (tables.hasAdobe) return tables.adobeTransform === 0 ? Components.Rgb : Components.Ycc
    const isNamedRgb = this.plane(0).id === 0x52 && this.plane(1).id === 0x47 && this.plane(2).id === 0x42
    return isNamedRgb ? Components.Rgb : Components.Ycc
  }

  private readPlanes(at: usize): void {
    this.planes = allocateList(MAX_COMPONENTS)
    this.maxH = 1
    this.maxV = 1
    for (let i = 0; i < this.count; i++, at += 3) {
      const plane = create<Plane>()
      putObject(this.planes, i, plane)
      plane.id = i32(load<u8>(at))
      // The only component of a scan is never interleaved, whatever its sampling factors say.
      plane.h = this.count === 1 ? 1 : i32(load<u8>(at, 1)) >> 4
      plane.v = this.count === 1 ? 1 : i32(load<u8>(at, 1)) & 15
      plane.quantiserId = i32(load<u8>(at, 2))
      if (plane.h < 1 || plane.h > 4 || plane.v < 1 || plane.v > 4) fail(Failure.Damaged)
      this.maxH = max(this.maxH, plane.h)
      this.maxV = max(this.maxV, plane.v)
    }
    this.mcusWide = (this.width + 8 * this.maxH - 1) / (8 * this.maxH)
    this.mcusHigh = (this.height + 8 * this.maxV - 1) / (8 * this.maxV)
    for (let i = 0; i < this.count; i++) {
      const plane = this.plane(i)
      plane.width = (this.width * plane.h + this.maxH - 1) / this.maxH
      plane.height = (this.height * plane.v + this.maxV - 1) / this.maxV
      plane.blocksWide = (plane.width + 7) >> 3
      plane.blocksHigh = (plane.height + 7) >> 3
      plane.paddedWide = this.mcusWide * plane.h
      plane.paddedHigh = this.mcusHigh * plane.v
    }
  }
}
