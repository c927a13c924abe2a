/**
 * One scan of a JPEG: which coefficients it carries, and its data cut at the restart markers
 * (ITU-T T.81 annexes B.2.3 and F.1.2.3).
 */

import { allocate, create } from './arena'
import { Failure, fail } from './failure'
import { BitReader, HuffmanTable } from './huffman-table'
import { Frame, Tables } from './jpeg-frame'
import { RST0, RST7 } from './jpeg-markers'
import { Plane } from './jpeg-plane'

/**
 * Stray bytes that are forgiven in front of a restart marker and, as some cameras fill their scans up, after a whole
 * scan; there, one byte may be repeated without end. More is taken for what damaged codes have left over.
 */
const MAX_STRAY_BYTES: i32 = 2
const MAX_STRAY_BYTES_BEHIND: i32 = 32
const MAX_PARTS: i32 = 4
/** Blocks that an MCU may have at most (B.2.3). */
const MAX_MCU_BLOCKS: i32 = 10

/** How far the bytes of the file may be read past their end: more than the longest codes of one MCU take. */
export const INPUT_SLACK: usize = 4096

/** A component's part in a scan. */
@unmanaged
export class ScanPart {
  plane: Plane
  index: i32
  dc: HuffmanTable
  ac: HuffmanTable
  /** Prediction for the next DC coefficient. */
  dcBefore: i32
}

/** A scan header with its tables looked up, and the data after it. */
@unmanaged
export class Scan {
  count: i32
  /** Whether all coefficients of a block come at once, so that no code can end several blocks. */
  isSequential: bool
  /** First and last coefficient of the band, in zigzag order. */
  first: i32
  last: i32
  /** Bit positions of successive approximation: what was sent before (0: nothing) and what is sent now. */
  high: i32
  low: i32
  mcusWide: i32
  mcusHigh: i32
  reader: BitReader
  /** Blocks left in a run of blocks that end at once. */
  endRun: i32
  private parts: usize
  private restartInterval: i32
  private untilRestart: i32
  /** Addresses of 32 bits where the data between restart markers begins and, one more, ends. */
  private segments: usize
  private segmentCount: i32
  private segment: i32
  /** The end of the data of the scan, without restart markers after its last interval. */
  private dataEnd: usize
  /** Whether a marker ends the scan; else the file does. */
  isEnded: bool
  /** Whether the marker after the last interval is the restart marker that would precede another interval. */
  private isFollowed: bool

  /** Reads a scan header; refuses one that does not go with the frame or its tables. */
  static read(body: usize, end: usize, frame: Frame, tables: Tables): Scan {
    const scan = create<Scan>()
    const count = body < end ? i32(load<u8>(body)) : 0
    if (count < 1 || count > MAX_PARTS || body + 4 + count * 2 > end) fail(Failure.Damaged)
    scan.count = count
    scan.first = i32(load<u8>(body + 1 + count * 2))
    scan.last = i32(load<u8>(body + 2 + count * 2))
    scan.high = i32(load<u8>(body + 3 + count * 2)) >> 4
    scan.low = i32(load<u8>(body + 3 + count * 2)) & 15
    scan.isSequential = !frame.isProgressive
    if (scan.isSequential) {
      scan.first = 0
      scan.last = 63
      scan.high = 0
      scan.low = 0
    } else if (!scan.isPossible) fail(Failure.Damaged)
    scan.readParts(body + 1, frame, tables)
    const only = scan.part(0).plane
    scan.mcusWide = count === 1 ? only.blocksWide : frame.mcusWide
    scan.mcusHigh = count === 1 ? only.blocksHigh : frame.mcusHigh
    scan.restartInterval = tables.restartInterval
    scan.reader = create<BitReader>()
    return scan
  }

  part(index: i32): ScanPart {
    return changetype<ScanPart>(this.parts + index * offsetof<ScanPart>())
  }

  private get isPossible(): bool {
    if (this.low > 13) return false
    if (this.first === 0) return this.last === 0
    return this.last >= this.first && this.last < 64 && this.count === 1
  }

  private readParts(at: usize, frame: Frame, tables: Tables): void {
    this.parts = allocate(MAX_PARTS * offsetof<ScanPart>())
    const needsDc = this.first === 0 && this.high === 0
    const needsAc = this.last > 0
    let blocks = 0
    for (let i = 0; i < this.count; i++, at += 2) {
      const part = this.part(i)
      part.index = this.indexOf(i32(load<u8>(at)), i, frame)
      part.plane = frame.plane(part.index)
      blocks += part.plane.h * part.plane.v
      const ids = i32(load<u8>(at, 1))
      if (needsDc) part.dc = tables.huffmanTable(0, ids >> 4)
      if (needsAc) part.ac = tables.huffmanTable(1, ids & 15)
    }
    if (this.count > 1 && blocks > MAX_MCU_BLOCKS) fail(Failure.Damaged)
  }

  /** The first component of that name that none of the first `count` parts has: in some files all are named alike. */
  private indexOf(id: i32, count: i32, frame: Frame): i32 {
    for (let i = 0; i < frame.count; i++) {
      if (frame.plane(i).id !== id) continue
      let isTaken = false
      for (let j = 0; j < count; j++) if (this.part(j).index === i) isTaken = true
      if (!isTaken) return i
    }
    fail(Failure.Damaged)
    return 0
  }

  /**
   * Removes the stuffing from the data in place, notes where each restart interval begins, and opens the first.
   * Returns the address of the marker after the scan, or the end of the file.
   */
  openData(from: usize, fileEnd: usize, frame: Frame): usize {
    const blocks = usize(this.mcusWide) * this.mcusHigh
    const most = this.restartInterval === 0 ? 1 : i32((blocks - 1) / this.restartInterval) + 1
    this.segments = frame.segmentTable(most + 1)
    store<u32>(this.segments, u32(from))
    this.segmentCount = 1
    let read = from
    let write = from
    let isComplete = false
    const marks = i8x16.splat(-1)
    for (;;) {
      while (read + 16 <= fileEnd) {
        const bytes = v128.load(read)
        if (v128.any_true(i8x16.eq(bytes, marks))) break
        v128.store(write, bytes)
        read += 16
        write += 16
      }
      if (read + 1 >= fileEnd) {
        // A last 0xFF is half a marker, or half a byte of data, which then is missed.
        if (read < fileEnd && load<u8>(read) !== 0xff) store<u8>(write++, load<u8>(read))
        read = fileEnd
        break
      }
      const byte = load<u8>(read)
      const next = i32(load<u8>(read, 1))
      if (byte !== 0xff) {
        store<u8>(write++, byte)
        read += 1
      } else if (next === 0) {
        store<u8>(write++, 0xff)
        read += 2
      } else if (next === 0xff) {
        // Any number of 0xFF may fill the space before a marker.
        read += 1
      } else if (next >= RST0 && next <= RST7) {
        if (this.segmentCount < most) {
          if (next - RST0 !== (this.segmentCount - 1) % 8) fail(Failure.Damaged)
          store<u32>(this.segments + this.segmentCount * 4, u32(write))
          this.segmentCount += 1
        } else if (!isComplete) {
          // Some encoders end the last interval, too; and scanners go on after the height that they have announced.
          store<u32>(this.segments + this.segmentCount * 4, u32(write))
          isComplete = true
          this.isFollowed = this.restartInterval > 0 && next - RST0 === (most - 1) % 8
        }
        read += 2
      } else {
        this.isEnded = true
        break
      }
    }
    if (!isComplete) store<u32>(this.segments + this.segmentCount * 4, u32(write))
    this.dataEnd = write
    if (this.segmentCount !== most) fail(Failure.Truncated)
    this.segment = -1
    this.openSegment()
    return read
  }

  /** To be called before each MCU: passes over a restart marker that is due, and notices when the data has ended. */
  beginMcu(): void {
    if (this.untilRestart === 0 && this.restartInterval > 0) {
      this.closeSegment()
      this.openSegment()
    }
    this.untilRestart -= 1
    if (this.reader.at > this.reader.end + 16) fail(Failure.Truncated)
  }

  /** To be called between two intervals: refuses data that is missing or left over. */
  closeSegment(): void {
    const left = this.reader.left
    if (left < 0) fail(Failure.Truncated)
    if (left >> 3 > MAX_STRAY_BYTES) fail(Failure.Damaged)
  }

  /** To be called after the last MCU: refuses data that was missing or a good deal that is left over. */
  close(): void {
    if (this.reader.left < 0) fail(Failure.Truncated)
    if (this.hasRest) fail(Failure.Damaged)
  }

  /** After the last MCU: how many more the current interval has where others follow; -1 where none do. */
  get mcusBeyond(): i32 {
    return this.isFollowed && this.reader.left >= 0 && this.hasRest ? this.untilRestart : -1
  }

  /** Whether more is left after the last MCU than is forgiven. Where the file just ends, it may have been cut. */
  private get hasRest(): bool {
    const from = this.reader.end - (this.reader.left >> 3)
    if (!this.isEnded) return from !== this.dataEnd
    return i32(withoutFilling(from, this.dataEnd) - from) > MAX_STRAY_BYTES_BEHIND
  }

  private openSegment(): void {
    this.segment += 1
    const at = this.segments + this.segment * 4
    this.reader.open(load<u32>(at), load<u32>(at, 4))
    this.untilRestart = this.restartInterval
    this.endRun = 0
    for (let i = 0; i < this.count; i++) this.part(i).dcBefore = 0
  }
}

/** Where the run of equal bytes begins that ends at `end`; not before `from`. */
function withoutFilling(from: usize, end: usize): usize {
  let at = end
  while (at > from && load<u8>(at - 1) === load<u8>(end - 1)) at -= 1
  return at
}
