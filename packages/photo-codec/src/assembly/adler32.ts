/** The checksum of zlib streams (RFC 1950 section 8.2), sixteen bytes at a time. */

import { create } from './arena'

const MODULUS: u32 = 65521
/** Bytes that are summed up before the sums must be reduced: their squares times 128 still fit into 32 bits. */
const CHUNK: usize = 4096

@unmanaged
export class Adler32 {
  /** The sum of the bytes, and the sum of those sums. */
  private low: u32
  private high: u32

  static create(): Adler32 {
    const sum = create<Adler32>()
    sum.low = 1
    return sum
  }

  get value(): u32 {
    return (this.high << 16) | this.low
  }

  /** Takes the next bytes in. */
  add(from: usize, length: usize): void {
    for (const end = from + length; from < end; ) {
      const whole = min(CHUNK, end - from) & ~15
      if (whole > 0) this.addVectors(from, whole)
      from += whole
      if (end - from < 16) {
        for (; from < end; from++) {
          this.low += load<u8>(from)
          this.high += this.low
        }
        this.reduce()
      }
    }
  }

  /** Up to CHUNK bytes, a multiple of 16: byte i of a group counts 16 − i times in `high`. */
  private addVectors(from: usize, length: usize): void {
    const first = i16x8(16, 15, 14, 13, 12, 11, 10, 9)
    const second = i16x8(8, 7, 6, 5, 4, 3, 2, 1)
    let sums = i32x4.splat(0)
    let before = i32x4.splat(0)
    let weighted = i32x4.splat(0)
    for (const end = from + length; from < end; from += 16) {
      const bytes = v128.load(from)
      before = i32x4.add(before, sums)
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)))
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), first))
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), second))
    }
    this.high += this.low * u32(length) + 16 * sumOf(before) + sumOf(weighted)
    this.low += sumOf(sums)
    this.reduce()
  }

  private reduce(): void {
    this.low %= MODULUS
    this.high %= MODULUS
  }
}

function sumOf(lanes: v128): u32 {
  const pairs = i32x4.add(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1))
  return u32(i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1))
}
