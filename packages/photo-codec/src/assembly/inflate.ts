/**
 * Unpacks a zlib stream (RFC 1950, RFC 1951) on demand. The checksum at its end is not compared: chunks of a PNG have their own.
 *
 *     const inflater = Inflater.create(data, length, longestRow)
 *     const row = inflater.next(rowBytes) // an address, good until the next call
 *
 * What is unpacked lies in a buffer that moves up when it is full, so memory does not grow with the picture:
 *
 *     buffer │ up to 32 KB that matches refer to │ unread │ free │ room for what begins in front of `limit` │
 *                                            read ┘   out ┘      └ limit
 */

import { allocate, copyOf, create } from './arena'
import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'
import { hasBlockEnded, OVERSHOOT, unpackCodes } from './inflate-codes'
import {
  DISTANCE_TABLE_BYTES,
  FIXED_DISTANCES,
  FIXED_LENGTHS,
  fillFixedTables,
  LENGTH_TABLE_BYTES,
  readTables,
} from './inflate-tables'

/** The farthest that a match refers back. */
const HISTORY: usize = 32 << 10
/** Unread bytes that there is room for, at least. */
const ROOM: usize = 96 << 10
/**
 * Most blocks with codes of their own. To make those takes microseconds, and 20 MB hold millions of blocks that do little
 * else; zlib with the least memory, 128 symbols to a block, makes 5,400 for each MB of a photo, 113,000 in all.
 */
const MAX_DESCRIBED: i32 = 150_000

enum Stage {
  Header = 0,
  /** In front of a block. */
  Between = 1,
  Stored = 2,
  Coded = 3,
  /** After the last block. */
  End = 4,
}

@unmanaged
export class Inflater {
  private bits: InflateBits
  private stage: Stage
  private isLastBlock: bool
  /** Blocks with codes of their own, up to now. */
  private described: i32
  /** Bytes left in the current stored block. */
  private stored: usize
  /** Room for the codes of a block, and the codes of the current block. */
  private ownLengths: usize
  private ownDistances: usize
  private lengths: usize
  private distances: usize
  private buffer: usize
  private capacity: usize
  private limit: usize
  private out: usize
  private read: usize

  /** Unpacks `length` bytes at `data`; not more than `longest` will be requested at once. */
  static create(data: usize, length: usize, longest: usize): Inflater {
    const inflater = create<Inflater>()
    inflater.bits = InflateBits.create(data, length)
    inflater.capacity = HISTORY + max(ROOM, longest * 2)
    inflater.makeBlocks()
    inflater.out = inflater.read = inflater.buffer
    return inflater
  }

  /** Another one at the same place of the same data, which goes on by itself. */
  clone(): Inflater {
    const twin = copyOf<Inflater>(this)
    twin.bits = copyOf<InflateBits>(this.bits)
    twin.makeBlocks()
    memory.copy(twin.ownLengths, this.ownLengths, LENGTH_TABLE_BYTES)
    memory.copy(twin.ownDistances, this.ownDistances, DISTANCE_TABLE_BYTES)
    if (this.lengths === this.ownLengths) twin.useOwnCodes()
    memory.copy(twin.buffer, this.buffer, this.out - this.buffer)
    twin.out = twin.buffer + (this.out - this.buffer)
    twin.read = twin.buffer + (this.read - this.buffer)
    return twin
  }

  private makeBlocks(): void {
    this.ownLengths = allocate(LENGTH_TABLE_BYTES)
    this.ownDistances = allocate(DISTANCE_TABLE_BYTES)
    this.buffer = allocate(this.capacity + OVERSHOOT)
    this.limit = this.buffer + this.capacity
  }

  /** Where the next `length` bytes lie; VECTOR_SLACK bytes after them may be read. Refuses data that end before. */
  next(length: usize): usize {
    if (this.out - this.read < length) {
      this.fill()
      if (this.out - this.read < length) fail(Failure.Truncated)
    }
    const start = this.read
    this.read += length
    return start
  }

  /** Unpacks until the buffer is full or the data end. */
  private fill(): void {
    this.makeRoom()
    while (this.out < this.limit && this.stage !== Stage.End) {
      if (this.stage === Stage.Header) this.readHeader()
      else if (this.stage === Stage.Between) this.startBlock()
      else if (this.stage === Stage.Stored) this.copyStored()
      else this.unpackCodes()
    }
  }

  /** Moves the history, and what is unread, to the front of the buffer. */
  private makeRoom(): void {
    const history = min(HISTORY, this.out - this.buffer)
    const from = min(this.read, this.out - history)
    const moved = from - this.buffer
    memory.copy(this.buffer, from, this.out - from)
    this.out -= moved
    this.read -= moved
  }

  private readHeader(): void {
    this.bits.refill()
    const method = this.bits.take(8)
    const flags = this.bits.take(8)
    // Deflate with a window of at most 32 KB and without a dictionary.
    const isKnown = (method & 15) === 8 && method >> 4 <= 7 && (flags & 32) === 0
    if (!isKnown || ((method << 8) | flags) % 31 !== 0) fail(Failure.Damaged)
    this.stage = Stage.Between
  }

  private startBlock(): void {
    if (this.isLastBlock) {
      this.stage = Stage.End
      return
    }
    this.bits.refill()
    this.isLastBlock = this.bits.take(1) !== 0
    const kind = this.bits.take(2)
    this.stage = kind === 0 ? Stage.Stored : Stage.Coded
    if (kind === 0) this.startStored()
    else if (kind === 1) this.useFixedCodes()
    else if (kind === 2) this.readCodes()
    else fail(Failure.Damaged)
  }

  private useFixedCodes(): void {
    fillFixedTables()
    this.lengths = FIXED_LENGTHS
    this.distances = FIXED_DISTANCES
  }

  private useOwnCodes(): void {
    this.lengths = this.ownLengths
    this.distances = this.ownDistances
  }

  private readCodes(): void {
    this.described += 1
    if (this.described > MAX_DESCRIBED) fail(Failure.Damaged)
    readTables(this.bits, this.ownLengths, this.ownDistances)
    this.useOwnCodes()
  }

  private startStored(): void {
    this.bits.skipToByte()
    this.bits.refill()
    this.stored = this.bits.take(16)
    if ((this.bits.take(16) ^ 0xffff) !== u32(this.stored)) fail(Failure.Damaged)
    const place = this.bits.place
    if (place > this.bits.end || this.stored > this.bits.end - place) fail(Failure.Truncated)
    this.bits.moveTo(place)
  }

  private copyStored(): void {
    const part = min(this.stored, this.limit - this.out)
    memory.copy(this.out, this.bits.at, part)
    this.bits.at += part
    this.out += part
    this.stored -= part
    if (this.stored === 0) this.stage = Stage.Between
  }

  private unpackCodes(): void {
    this.out = unpackCodes(this.bits, this.lengths, this.distances, this.buffer, this.out, this.limit)
    if (hasBlockEnded) this.stage = Stage.Between
  }
}
