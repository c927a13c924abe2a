/**
 * Scales one plane of samples with a Lanczos kernel of three lobes, row by row.
 *
 *     const resampler = Resampler.create(horizontal, vertical)
 *     resampler.writeTo(ring, stride, rows)
 *     resampler.push(row) // for each row of the plane; `produced` is the number of finished rows
 *
 * Each incoming row is scaled horizontally into a ring of 16-bit rows; as soon as a row of the result has everything
 * it needs there, it is summed up. Weights are integers, so that one colour stays exactly as it is.
 */

import { allocate, create, VECTOR_SLACK } from './arena'
import { Filter, TAP_GROUP, WEIGHT_BITS } from './filter'

/** Samples between the passes have 7 bits after the point, sums of the vertical pass 6. */
const ROW_BITS: i32 = 7
const SUM_BITS: i32 = 6
const SUM_HALF: i16 = 32

@unmanaged
export class Resampler {
  private horizontal: Filter
  private vertical: Filter
  private isCopy: bool
  /** Rows of 16-bit samples, scaled horizontally. */
  private ring: usize
  private ringRows: i32
  private ringStride: i32
  private received: i32
  /** Rows of the result that are written. */
  produced: i32
  private target: usize
  private targetStride: i32
  private targetRows: i32

  static create(horizontal: Filter, vertical: Filter): Resampler {
    const resampler = create<Resampler>()
    resampler.horizontal = horizontal
    resampler.vertical = vertical
    resampler.isCopy = horizontal.isIdentity && vertical.isIdentity
    if (resampler.isCopy) return resampler
    resampler.ringRows = vertical.taps
    resampler.ringStride = ((horizontal.length + 15) & ~15) * 2
    resampler.ring = allocate(usize(resampler.ringRows) * resampler.ringStride + VECTOR_SLACK)
    return resampler
  }

  /** Row n of the result will be written to row n mod `rows` of `target`; rows need 15 bytes after their samples. */
  writeTo(target: usize, stride: i32, rows: i32): void {
    this.target = target
    this.targetStride = stride
    this.targetRows = rows
  }

  /** Takes the next row of the plane; up to `reach` bytes after its samples are read. */
  push(row: usize): void {
    if (this.isCopy) {
      memory.copy(this.nextRow(), row, this.horizontal.length)
      this.produced += 1
      return
    }
    const place = this.ring + usize(this.received % this.ringRows) * this.ringStride
    scaleRow(row, this.horizontal, place)
    this.received += 1
    while (this.produced < this.vertical.length && this.needed <= this.received) {
      this.sumRows(this.nextRow())
      this.produced += 1
    }
  }

  /** How many rows of the plane the next row of the result needs to have seen. */
  private get needed(): i32 {
    const place = usize(this.produced) * 4
    return load<i32>(this.vertical.starts + place) + load<i32>(this.vertical.counts + place)
  }

  private nextRow(): usize {
    return this.target + usize(this.produced % this.targetRows) * this.targetStride
  }

  /** The vertical pass for one row. */
  private sumRows(target: usize): void {
    const width = this.horizontal.length
    const vertical = this.vertical
    const count = load<i32>(vertical.counts + this.produced * 4)
    const start = load<i32>(vertical.starts + this.produced * 4)
    const weights = vertical.weights + usize(this.produced) * vertical.taps * 2
    const stride = this.ringStride
    const ringEnd = this.ring + this.ringRows * stride
    const first = this.ring + (start % this.ringRows) * stride
    const rounding = i16x8.splat(SUM_HALF)
    for (let x = 0; x < width; x += 16) {
      let left = rounding
      let right = rounding
      let row = first + x * 2
      for (let i = 0; i < count; i++) {
        const weight = v128.load_splat<i16>(weights + i * 2)
        left = i16x8.add(left, i16x8.q15mulr_sat_s(v128.load(row), weight))
        right = i16x8.add(right, i16x8.q15mulr_sat_s(v128.load(row, 16), weight))
        row += stride
        if (row >= ringEnd) row -= this.ringRows * stride
      }
      const samples = i8x16.narrow_i16x8_u(i16x8.shr_s(left, SUM_BITS), i16x8.shr_s(right, SUM_BITS))
      v128.store(target + x, samples)
    }
  }
}

/** The horizontal pass: four samples of the result at a time, eight weights at a time. */
function scaleRow(row: usize, filter: Filter, target: usize): void {
  const taps = filter.taps
  const width = filter.length
  const weightBytes = taps * 2
  const rounding = i32x4.splat(1 << (WEIGHT_BITS - ROW_BITS - 1))
  let weights = filter.weights
  let starts = filter.starts
  for (let x = 0; x < width; x += 4, starts += 16, weights += weightBytes * 4, target += 8) {
    const first = sumTaps(row + load<i32>(starts), weights, taps)
    const second = sumTaps(row + load<i32>(starts, 4), weights + weightBytes, taps)
    const third = sumTaps(row + load<i32>(starts, 8), weights + weightBytes * 2, taps)
    const fourth = sumTaps(row + load<i32>(starts, 12), weights + weightBytes * 3, taps)
    const left = i32x4.add(
      v128.shuffle<i32>(first, second, 0, 4, 1, 5),
      v128.shuffle<i32>(first, second, 2, 6, 3, 7),
    )
    const right = i32x4.add(
      v128.shuffle<i32>(third, fourth, 0, 4, 1, 5),
      v128.shuffle<i32>(third, fourth, 2, 6, 3, 7),
    )
    const sums = i32x4.add(
      v128.shuffle<i32>(left, right, 0, 1, 4, 5),
      v128.shuffle<i32>(left, right, 2, 3, 6, 7),
    )
    const rounded = i32x4.shr_s(i32x4.add(sums, rounding), WEIGHT_BITS - ROW_BITS)
    v128.store64_lane(target, i16x8.narrow_i32x4_s(rounded, rounded), 0)
  }
}

/** Four partial sums of samples times weights. */
function sumTaps(samples: usize, weights: usize, taps: i32): v128 {
  let sum = i32x4.dot_i16x8_s(v128.load_ext<u8>(samples), v128.load(weights))
  for (let i = TAP_GROUP; i < taps; i += TAP_GROUP) {
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load_ext<u8>(samples + i), v128.load(weights + i * 2)))
  }
  return sum
}
