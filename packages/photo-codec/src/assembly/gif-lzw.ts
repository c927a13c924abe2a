/**
 * Unpacks the LZW codes of a GIF (CompuServe GIF89a, appendix F) on demand.
 *
 *     const unpacker = LzwUnpacker.create(data, end, width)
 *     const row = unpacker.next(width) // an address, good until the next call
 *
 * A code stands for a string of indexes. Each entry of the code table keeps the last of them, and the code of the string
 * before it. So strings are written from their end, and no pixel is needed again.
 */

import { allocate, copyOf, create } from './arena'
import { Failure, fail } from './failure'

const MAX_CODES: i32 = 4096
const MAX_CODE_BITS: i32 = 12
/** Longest minimum code size; some programs write 9 to 11, although indexes have 8 bits. */
const MAX_INDEX_BITS: i32 = 11
/** A string has fewer indexes than there are codes. */
const STRING_ROOM: usize = 4096
/** Unread indexes that there is room for, at least. */
const ROOM: usize = 32 << 10
const NO_CODE: i32 = -1

@unmanaged
export class LzwUnpacker {
  /** The next byte, the end of the data, and the bytes left in the current sub-block. */
  private at: usize
  private end: usize
  private left: i32
  /** The next bits at the lower end, and how many of them count. */
  private window: u64
  private count: i32
  private indexBits: i32
  /** The code that is defined next, and the size of codes in bits. */
  private nextCode: i32
  private size: i32
  /** The code before, and the first index of its string. */
  private before: i32
  private first: u8
  /** By code: the last index of its string, the code of those before it, and the string's length less 1. */
  private indexes: usize
  private prefixes: usize
  private lasts: usize
  private buffer: usize
  private limit: usize
  private read: usize
  private out: usize

  /** Unpacks from the minimum code size at `data` on; not more than `longest` indexes will be requested at once. */
  static create(data: usize, end: usize, longest: usize): LzwUnpacker {
    const unpacker = create<LzwUnpacker>()
    unpacker.indexBits = data < end ? i32(load<u8>(data)) : 0
    if (unpacker.indexBits < 1 || unpacker.indexBits > MAX_INDEX_BITS) fail(Failure.Damaged)
    unpacker.at = data + 1
    unpacker.end = end
    unpacker.makeBlocks(longest + ROOM + STRING_ROOM)
    for (let code = 0; code < 1 << unpacker.indexBits; code++) store<u8>(unpacker.indexes + code, u8(code))
    unpacker.clear()
    return unpacker
  }

  /** Another one at the same place of the same data, which goes on by itself. */
  clone(): LzwUnpacker {
    const twin = copyOf<LzwUnpacker>(this)
    twin.makeBlocks(this.limit - this.buffer)
    memory.copy(twin.indexes, this.indexes, MAX_CODES)
    memory.copy(twin.prefixes, this.prefixes, MAX_CODES * 2)
    memory.copy(twin.lasts, this.lasts, MAX_CODES * 2)
    memory.copy(twin.buffer, this.read, this.out - this.read)
    twin.out += this.out - this.read
    return twin
  }

  private makeBlocks(room: usize): void {
    this.indexes = allocate(MAX_CODES)
    this.prefixes = allocate(MAX_CODES * 2)
    this.lasts = allocate(MAX_CODES * 2)
    this.buffer = allocate(room)
    this.limit = this.buffer + room
    this.read = this.out = this.buffer
  }

  /** Where the next `length` indexes lie. Refuses data that end before. */
  next(length: usize): usize {
    if (this.out - this.read < length) this.fill(length)
    const start = this.read
    this.read += length
    return start
  }

  private fill(length: usize): void {
    if (this.limit - this.read < length + STRING_ROOM) {
      const unread = this.out - this.read
      memory.copy(this.buffer, this.read, unread)
      this.read = this.buffer
      this.out = this.buffer + unread
    }
    this.unpack(this.read + length)
  }

  /** Forgets all codes but those of single indexes. */
  private clear(): void {
    this.nextCode = (1 << this.indexBits) + 2
    this.size = this.indexBits + 1
    this.before = NO_CODE
  }

  /** Unpacks up to `wanted`, and the string that reaches it to its end. */
  private unpack(wanted: usize): void {
    const clear = 1 << this.indexBits
    let out = this.out
    while (out < wanted) {
      if (this.count < this.size) this.refill()
      const code = i32(this.window) & ((1 << this.size) - 1)
      this.window >>= this.size
      this.count -= this.size
      if (code === clear) {
        this.clear()
        continue
      }
      if (code === clear + 1) fail(Failure.Truncated)
      const next = this.nextCode
      if (code > next || (code === next && this.before === NO_CODE)) fail(Failure.Damaged)
      // The entry being made right now repeats the string before it and adds that string's first index.
      if (code === next) this.define(this.first)
      const end = out + load<u16>(this.lasts + code * 2)
      let from = code
      for (let place = end; place > out; place--) {
        store<u8>(place, load<u8>(this.indexes + from))
        from = i32(load<u16>(this.prefixes + from * 2))
      }
      this.first = load<u8>(this.indexes + from)
      store<u8>(out, this.first)
      if (code !== next) this.define(this.first)
      this.before = code
      out = end + 1
    }
    this.out = out
  }

  /** Enters the string before and one index more, if there is a string before and room. */
  private define(index: u8): void {
    const code = this.nextCode
    if (this.before === NO_CODE || code === MAX_CODES) return
    store<u16>(this.lasts + code * 2, load<u16>(this.lasts + this.before * 2) + 1)
    store<u16>(this.prefixes + code * 2, u16(this.before))
    store<u8>(this.indexes + code, index)
    this.nextCode = code + 1
    if (code + 1 === 1 << this.size && this.size < MAX_CODE_BITS) this.size += 1
  }

  /** Fills the window up to 56 bits or more, or as far as is needed at the end of a sub-block. */
  private refill(): void {
    if (this.left >= 8 && this.at + 8 <= this.end) {
      this.window |= load<u64>(this.at) << this.count
      const taken = (63 - this.count) >> 3
      this.at += taken
      this.left -= taken
      this.count += taken << 3
      return
    }
    for (; this.count < this.size; this.count += 8) this.window |= u64(this.nextByte()) << this.count
  }

  /** Sub-blocks have their length in front; an empty one ends them. */
  private nextByte(): u8 {
    if (this.left === 0 && this.at < this.end) this.left = i32(load<u8>(this.at++))
    if (this.left === 0 || this.at >= this.end) fail(Failure.Truncated)
    this.left -= 1
    return load<u8>(this.at++)
  }
}
