/** The bits of a zlib stream, lowest first (RFC 1951 section 3.1.1). */

import { create } from './arena'
import { Failure, fail } from './failure'

/** Reads bits. Hot loops keep the fields in local variables meanwhile. */
@unmanaged
export class InflateBits {
  /** The next bits at the lower end, and how many of them count. Behind the end of the data there are zeros. */
  window: u64
  count: i32
  /** The next byte to be filled in; it runs ahead of `end` when there are none left. */
  at: usize
  end: usize

  static create(data: usize, length: usize): InflateBits {
    const bits = create<InflateBits>()
    bits.at = data
    bits.end = data + length
    return bits
  }

  clone(): InflateBits {
    const twin = create<InflateBits>()
    memory.copy(changetype<usize>(twin), changetype<usize>(this), offsetof<InflateBits>())
    return twin
  }

  /** Fills the window up to 56 bits or more. Refuses data of which more was taken than there are. */
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

  /** The next `size` bits, of which there must be as many in the window. */
  take(size: i32): u32 {
    const bits = u32(this.window & ((u64(1) << size) - 1))
    this.window >>= size
    this.count -= size
    return bits
  }

  /** Skips what is left of the byte at hand. */
  skipToByte(): void {
    this.take(this.count & 7)
  }

  /** The first byte that was not touched yet. */
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
