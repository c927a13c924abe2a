/**
 * The weights of a Lanczos kernel with three lobes: which samples of the source make up each sample of the result,
 * along one axis. Weights are integers that add up to one, so that one colour stays exactly as it is.
 */

import { allocate, create, objectAt, putObject } from './arena'

const LOBES: f64 = 3
/** The kernel is looked up: so many entries for each unit of distance, straight lines in between. */
const STEPS: i32 = 1024
const KERNEL: usize = memory.data((3 * 1024 + 2) * 8, 16)
let isKernelFilled: bool = false

/** Bits of a weight after the point. One more, and those of samples at an edge, which can exceed 1, would not fit. */
export const WEIGHT_BITS: i32 = 14

/** Weights are read eight at a time. */
export const TAP_GROUP: i32 = 8

/** Which samples of the source make up each sample of the result, along one axis. */
@unmanaged
export class Filter {
  source: i32
  length: i32
  /** Samples of the source for one of the result. */
  scale: f64
  private shift: f64
  /** Whether every sample of the result is the one of the source. */
  isIdentity: bool
  /** Weights that are stored for each sample of the result; a multiple of 8. */
  taps: i32
  /** `taps` weights of 16 bits for each sample of the result. */
  weights: usize
  /** For each sample of the result, the first of the source; 32 bits. */
  starts: usize
  /** For each sample of the result, how many of the source count; 32 bits. */
  counts: usize

  /**
   * A filter that makes `length` samples of `source`, each `scale` wide. `shift` moves the result's samples, in their
   * own width.
   */
  static create(source: i32, length: i32, scale: f64, shift: f64): Filter {
    const filter = create<Filter>()
    filter.source = source
    filter.length = length
    filter.scale = scale
    filter.shift = shift
    filter.isIdentity = source === length && scale === 1 && shift === 0
    fillKernel()
    const stretch = max<f64>(1, scale)
    const most = min(source, i32(Math.ceil(2 * LOBES * stretch)))
    filter.taps = (most + TAP_GROUP - 1) & ~(TAP_GROUP - 1)
    // Four samples are made at a time; those after the last have weights of zero.
    const padded = usize(length + 3) & ~3
    filter.weights = allocate(padded * filter.taps * 2)
    filter.starts = allocate(padded * 4)
    filter.counts = allocate(padded * 4)
    const sums = allocate(filter.taps * 8)
    for (let i = 0; i < length; i++) {
      filter.weigh(i, (f64(i) + 0.5 + shift) * scale - 0.5, stretch, sums)
    }
    return filter
  }

  /** Whether `create` would make the same filter of these. */
  isFor(source: i32, length: i32, scale: f64, shift: f64): bool {
    const sameSizes = this.source === source && this.length === length
    return sameSizes && this.scale === scale && this.shift === shift
  }

  /** Bytes after the end of a row that the horizontal pass looks at, without counting them. */
  get reach(): i32 {
    return this.taps
  }

  /** Weighs the samples around `centre`, those beyond the edges added to the ones at the edges. */
  private weigh(index: i32, centre: f64, stretch: f64, sums: usize): void {
    const support = LOBES * stretch
    const from = i32(Math.floor(centre - support)) + 1
    const to = i32(Math.ceil(centre + support)) - 1
    const start = max(0, min(from, this.source - 1))
    // Rounding may find one more at the very end of the kernel, where it is zero.
    const count = min(max(0, min(to, this.source - 1)) - start + 1, this.taps)
    memory.fill(sums, 0, count * 8)
    let total: f64 = 0
    for (let i = from; i <= to; i++) {
      const weight = kernelAt(Math.abs(f64(i) - centre) / stretch)
      const place = sums + (max(start, min(i, start + count - 1)) - start) * 8
      store<f64>(place, load<f64>(place) + weight)
      total += weight
    }
    // Sums are rounded, not weights: so what rounding takes from one it gives to the next, and all make exactly one.
    const weights = this.weights + usize(index) * this.taps * 2
    let sum: f64 = 0
    let given = 0
    for (let i = 0; i < count; i++) {
      sum += load<f64>(sums + i * 8) / total
      const rounded = i32(Math.round(sum * f64(1 << WEIGHT_BITS)))
      store<i16>(weights + i * 2, i16(rounded - given))
      given = rounded
    }
    store<i32>(this.starts + index * 4, start)
    store<i32>(this.counts + index * 4, count)
  }
}

/** sinc(x) · sinc(x / 3) for |x| < 3 (C. E. Duchon, "Lanczos Filtering in One and Two Dimensions", 1979). */
function fillKernel(): void {
  if (isKernelFilled) return
  store<f64>(KERNEL, 1)
  for (let i = 1; i < 3 * STEPS; i++) {
    const x = (Math.PI * f64(i)) / f64(STEPS)
    store<f64>(KERNEL + i * 8, (LOBES * Math.sin(x) * Math.sin(x / LOBES)) / (x * x))
  }
  isKernelFilled = true
}

function kernelAt(distance: f64): f64 {
  if (distance >= LOBES) return 0
  const position = distance * f64(STEPS)
  const step = i32(position)
  const place = KERNEL + step * 8
  return load<f64>(place) + (load<f64>(place, 8) - load<f64>(place)) * (position - f64(step))
}

/** The filters of the current photo, so that planes of the same sizes share them. */
const MAX_FILTERS: i32 = 16
const FILTERS: usize = memory.data(16 * 4, 4)
let filterCount: i32 = 0

export function findFilter(source: i32, length: i32, scale: f64, shift: f64): Filter {
  for (let i = 0; i < filterCount; i++) {
    const filter = objectAt<Filter>(FILTERS, i)
    if (filter.isFor(source, length, scale, shift)) return filter
  }
  const filter = Filter.create(source, length, scale, shift)
  if (filterCount < MAX_FILTERS) putObject(FILTERS, filterCount++, filter)
  return filter
}

/** Forgets the filters of the photo before. */
export function clearFilters(): void {
  filterCount = 0
}
