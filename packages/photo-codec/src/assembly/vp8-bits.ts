/** The boolean entropy decoder of VP8 (RFC 6386 section 7). */

import { create } from './arena'

@unmanaged
export class BoolReader {
  /** The next bits at the upper end, and how many of them are there. After the end of the data come zeros. */
  value: u64
  bits: i32
  /** 128 to 255. */
  range: u32
  at: usize
  end: usize

  static create(data: usize, end: usize): BoolReader {
    const reader = create<BoolReader>()
    reader.at = data
    reader.end = end
    reader.range = 255
    return reader
  }

  /** Fills the value up to 56 bits or more. */
  refill(): void {
    for (; this.bits < 56; this.bits += 8, this.at++) {
      if (this.at < this.end) this.value |= u64(load<u8>(this.at)) << (56 - this.bits)
    }
  }

  /** Whether more was read than there is. */
  get isOverrun(): bool {
    return this.at > this.end && this.at - usize(this.bits >> 3) > this.end
  }

  /** A bit that is 0 with a probability of `probability` in 256. */
  bit(probability: u32): i32 {
    if (this.bits < 16) this.refill()
    const split = 1 + (((this.range - 1) * probability) >> 8)
    const limit = u64(split) << 56
    const isSet = this.value >= limit
    this.value -= isSet ? limit : 0
    const range = isSet ? this.range - split : split
    const shift = clz(range) - 24
    this.range = range << shift
    this.value <<= shift
    this.bits -= shift
    return i32(isSet)
  }

  flag(): bool {
    return this.bit(128) !== 0
  }

  /** A number of `size` bits, highest first. */
  number(size: i32): i32 {
    let value = 0
    for (let i = 0; i < size; i++) value = (value << 1) | this.bit(128)
    return value
  }

  /** A number of `size` bits and its sign. */
  signed(size: i32): i32 {
    const value = this.number(size)
    return this.flag() ? -value : value
  }

  /** The same where a flag says that it is there; else 0. */
  optional(size: i32): i32 {
    return this.flag() ? this.signed(size) : 0
  }
}
