/** The bits of a zlib stream, lowest first (RFC 1951 section 3.1.1). */

import { create } from './arena'
import { Failure, fail } from './failure'

/** Reads bits. Hot loops keep the fields in local variables. */
@unmanaged
export class InflateBits {
  /** The next bits, lowest first, and how many of them are valid. After the end of the data there are zeros. */
  window: u64
  count: i32
  /** The next byte to be loaded; it passes `end` when none is left. */
  at: usize
  end: usize

  static create(data: usize, length: usize): InflateBits {
    const bits = create<InflateBits>()
    bits.at = data
    bits.end = data + length
    return bits
  }

  /** Fills the window to at least 56 bits. Fails if more bits were taken than the data has. */
  refill(): void {
    if (this.at + 8 <= this.end) {
      this.window |= load<u64>(this.at) << this.count
      this.at += (63 - this.count) >> 3
      this.count |= 56
      return
    }
    for (; this.count < 56; this.count += 8, this.at++) {
      if (this.at < this.end) this.window |= u64(load<u8>(this.at)) << this.count
    }
    if (this.place > this.end) fail(Failure.Truncated)
  }

  /** Takes the next `size` bits, which must be in the window. */
  take(size: i32): u32 {
    const bits = u32(this.window & ((u64(1) << size) - 1))
    this.window >>= size
    this.count -= size
    return bits
  }

  /** Skips the remaining bits of the current byte. */
  skipToByte(): void {
    this.take(this.count & 7)
  }

  /** The first byte of which no bit was taken. */
  get place(): usize {
    return this.at - usize(this.count >> 3)
  }

  /** Goes on reading at a byte. */
  moveTo(place: usize): void {
    this.at = place
    this.window = 0
    this.count = 0
  }
}
