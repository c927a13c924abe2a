/**
 * Smooths the edges of VP8 blocks (RFC 6386 section 15), sixteen samples along an edge at a time. It reads four rows on
 * each side of a horizontal edge. The columns beside a vertical edge are transposed into rows and back.
 */

import { FilterStrength } from './vp8-header'

/** Columns that are transposed into rows: eight of 16 bytes. */
const ROWS: usize = memory.data(8 * 16, 16)
const ROW_BYTES: i32 = 16

/** How strongly an edge is smoothed: the highest differences across it and beside it, and what counts as a hard edge. */
let limit: v128 = i8x16.splat(0)
let interior: v128 = i8x16.splat(0)
let highVariance: v128 = i8x16.splat(0)
let isBetween: bool = false
let isSimple: bool = false

/** Sets how the edges of the next calls are smoothed. `isBetweenMacroblocks`: not within one. */
export function setStrength(
  strength: FilterStrength,
  isBetweenMacroblocks: bool,
  isSimpleFilter: bool,
): void {
  limit = i8x16.splat(u8(strength.limit + (isBetweenMacroblocks ? 4 : 0)))
  interior = i8x16.splat(strength.interior)
  highVariance = i8x16.splat(strength.highVariance)
  isBetween = isBetweenMacroblocks
  isSimple = isSimpleFilter
}

/** Smooths the horizontal edge above the 16 samples at `at`. */
export function smoothHorizontalEdge(at: usize, stride: i32): void {
  smooth(at - 4 * stride, stride)
}

/** Smooths the horizontal edges above 8 samples in each of two planes. */
export function smoothHorizontalEdges(first: usize, second: usize, stride: i32): void {
  for (let i = 0; i < 8; i++) {
    const offset = (i - 4) * stride
    store<u64>(ROWS + i * ROW_BYTES, load<u64>(first + offset))
    store<u64>(ROWS + i * ROW_BYTES, load<u64>(second + offset), 8)
  }
  smooth(ROWS, ROW_BYTES)
  for (let i = 1; i < 7; i++) {
    const offset = (i - 4) * stride
    store<u64>(first + offset, load<u64>(ROWS + i * ROW_BYTES))
    store<u64>(second + offset, load<u64>(ROWS + i * ROW_BYTES, 8))
  }
}

/** Smooths the vertical edges to the left of 8 samples in each of two planes, or of two halves of one. */
export function smoothVerticalEdges(first: usize, second: usize, stride: i32): void {
  transpose(first - 4, stride, ROWS, ROW_BYTES)
  transpose(second - 4, stride, ROWS + 8, ROW_BYTES)
  smooth(ROWS, ROW_BYTES)
  transpose(ROWS, ROW_BYTES, first - 4, stride)
  transpose(ROWS + 8, ROW_BYTES, second - 4, stride)
}

/** Makes columns of eight rows of eight bytes, by interleaving single bytes, then pairs, then fours. */
function transpose(source: usize, sourceStride: i32, target: usize, stride: i32): void {
  const a = interleave(source, sourceStride)
  const b = interleave(source + 2 * sourceStride, sourceStride)
  const c = interleave(source + 4 * sourceStride, sourceStride)
  const d = interleave(source + 6 * sourceStride, sourceStride)
  const abLow = lowPairs(a, b)
  const abHigh = highPairs(a, b)
  const cdLow = lowPairs(c, d)
  const cdHigh = highPairs(c, d)
  putTwo(target, stride, lowFours(abLow, cdLow))
  putTwo(target + 2 * stride, stride, highFours(abLow, cdLow))
  putTwo(target + 4 * stride, stride, lowFours(abHigh, cdHigh))
  putTwo(target + 6 * stride, stride, highFours(abHigh, cdHigh))
}

/** Interleaves the bytes of two rows. */
function interleave(row: usize, stride: i32): v128 {
  const first = v128.load64_zero(row)
  const second = v128.load64_zero(row + stride)
  return i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
}

function putTwo(target: usize, stride: i32, rows: v128): void {
  v128.store64_lane(target, rows, 0)
  v128.store64_lane(target + stride, rows, 1)
}

function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
}

function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
}

function lowFours(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5)
}

function highFours(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7)
}

function smooth(rows: usize, stride: i32): void {
  const p1 = v128.load(rows + 2 * stride)
  const p0 = v128.load(rows + 3 * stride)
  const q0 = v128.load(rows + 4 * stride)
  const q1 = v128.load(rows + 5 * stride)
  const across = difference(p0, q0)
  const beside = v128.and(i16x8.shr_u(difference(p1, q1), 1), i8x16.splat(127))
  const step = i8x16.add_sat_u(i8x16.add_sat_u(across, across), beside)
  if (isSimple) {
    // What a hard edge within a macroblock is smoothed like.
    smoothSubblockEdge(rows, stride, i8x16.le_u(step, limit), i8x16.splat(-1))
    return
  }
  const p3 = v128.load(rows)
  const p2 = v128.load(rows + stride)
  const q2 = v128.load(rows + 6 * stride)
  const q3 = v128.load(rows + 7 * stride)
  const nearP = difference(p1, p0)
  const nearQ = difference(q1, q0)
  const near = i8x16.max_u(nearP, nearQ)
  const farP = i8x16.max_u(difference(p3, p2), difference(p2, p1))
  const farQ = i8x16.max_u(difference(q3, q2), difference(q2, q1))
  const most = i8x16.max_u(near, i8x16.max_u(farP, farQ))
  const mask = v128.and(i8x16.le_u(step, limit), i8x16.le_u(most, interior))
  if (!v128.any_true(mask)) return
  const isHard = i8x16.gt_u(near, highVariance)
  if (isBetween) smoothMacroblockEdge(rows, stride, mask, isHard)
  else smoothSubblockEdge(rows, stride, mask, isHard)
}

function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a))
}

/** Converts samples from 0 to 255 to signed ones from -128 to 127, or back. */
function toggleSign(samples: v128): v128 {
  return v128.xor(samples, i8x16.splat(i8(-128)))
}

/** Three times the step across the edge, plus the outer step where `outerMask` is set (`common_adjust` of the RFC). */
function filterValue(p1: v128, p0: v128, q0: v128, q1: v128, outerMask: v128): v128 {
  const across = i8x16.sub_sat_s(q0, p0)
  const beside = v128.and(i8x16.sub_sat_s(p1, q1), outerMask)
  return i8x16.add_sat_s(i8x16.add_sat_s(i8x16.add_sat_s(beside, across), across), across)
}

/** Within a macroblock: two samples on each side, one where the edge is hard. */
function smoothSubblockEdge(rows: usize, stride: i32, mask: v128, isHard: v128): void {
  const p1 = toggleSign(v128.load(rows + 2 * stride))
  const p0 = toggleSign(v128.load(rows + 3 * stride))
  const q0 = toggleSign(v128.load(rows + 4 * stride))
  const q1 = toggleSign(v128.load(rows + 5 * stride))
  const step = v128.and(filterValue(p1, p0, q0, q1, isHard), mask)
  const forQ = i8x16.shr_s(i8x16.add_sat_s(step, i8x16.splat(4)), 3)
  const forP = i8x16.shr_s(i8x16.add_sat_s(step, i8x16.splat(3)), 3)
  const half = v128.andnot(i8x16.shr_s(i8x16.add(forQ, i8x16.splat(1)), 1), isHard)
  v128.store(rows + 2 * stride, toggleSign(i8x16.add_sat_s(p1, half)))
  v128.store(rows + 3 * stride, toggleSign(i8x16.add_sat_s(p0, forP)))
  v128.store(rows + 4 * stride, toggleSign(i8x16.sub_sat_s(q0, forQ)))
  v128.store(rows + 5 * stride, toggleSign(i8x16.sub_sat_s(q1, half)))
}

/** Between macroblocks: three samples on each side, one where the edge is hard. */
function smoothMacroblockEdge(rows: usize, stride: i32, mask: v128, isHard: v128): void {
  const p2 = toggleSign(v128.load(rows + stride))
  const p1 = toggleSign(v128.load(rows + 2 * stride))
  const p0 = toggleSign(v128.load(rows + 3 * stride))
  const q0 = toggleSign(v128.load(rows + 4 * stride))
  const q1 = toggleSign(v128.load(rows + 5 * stride))
  const q2 = toggleSign(v128.load(rows + 6 * stride))
  const step = v128.and(filterValue(p1, p0, q0, q1, i8x16.splat(-1)), mask)
  const hard = v128.and(step, isHard)
  const forQ = i8x16.shr_s(i8x16.add_sat_s(hard, i8x16.splat(4)), 3)
  const forP = i8x16.shr_s(i8x16.add_sat_s(hard, i8x16.splat(3)), 3)
  const soft = v128.andnot(step, isHard)
  const third = weighted(soft, 27)
  const second = weighted(soft, 18)
  const first = weighted(soft, 9)
  v128.store(rows + stride, toggleSign(i8x16.add_sat_s(p2, first)))
  v128.store(rows + 2 * stride, toggleSign(i8x16.add_sat_s(p1, second)))
  v128.store(rows + 3 * stride, toggleSign(i8x16.add_sat_s(i8x16.add_sat_s(p0, forP), third)))
  v128.store(rows + 4 * stride, toggleSign(i8x16.sub_sat_s(i8x16.sub_sat_s(q0, forQ), third)))
  v128.store(rows + 5 * stride, toggleSign(i8x16.sub_sat_s(q1, second)))
  v128.store(rows + 6 * stride, toggleSign(i8x16.sub_sat_s(q2, first)))
}

/** `weight` 128ths of each byte, rounded. */
function weighted(bytes: v128, weight: i16): v128 {
  const half = i16x8.splat(63)
  const low = i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_s(bytes), i16x8.splat(weight)), half)
  const high = i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_s(bytes), i16x8.splat(weight)), half)
  return i8x16.narrow_i16x8_s(i16x8.shr_s(low, 7), i16x8.shr_s(high, 7))
}
