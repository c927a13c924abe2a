/**
 * Smooths the edges of VP8 blocks (RFC 6386 section 15), sixteen samples along an edge at a time. It reads four rows on
 * each side of a horizontal edge. The columns beside a vertical edge are transposed into rows and back.
 */

/** Columns that are transposed into rows: eight of 16 bytes. */
const ROWS: usize = memory.data(8 * 16, 16)
const ROW_BYTES: i32 = 16

/** How strongly an edge is smoothed: the highest differences across it and beside it, and what counts as a hard edge. */
let limit: v128 = i8x16.splat(0)
let interior: v128 = i8x16.splat(0)
let highVariance: v128 = i8x16.splat(0)

/** Sets the limits for the next calls. */
export function setStrength(edgeLimit: i32, interiorLimit: i32, threshold: i32): void {
  limit = i8x16.splat(u8(edgeLimit))
  interior = i8x16.splat(u8(interiorLimit))
  highVariance = i8x16.splat(u8(threshold))
}

/** Smooths the horizontal edge above the 16 samples at `at`. */
export function smoothHorizontalEdge(at: usize, stride: i32, isMacroblockEdge: bool, isSimple: bool): void {
  smooth(at - 4 * stride, stride, isMacroblockEdge, isSimple)
}

/** Smooths the vertical edge to the left of 16 samples, of which `at` is the uppermost. */
export function smoothVerticalEdge(at: usize, stride: i32, isMacroblockEdge: bool, isSimple: bool): void {
  transposeIn(at - 4, at - 4 + 8 * stride, stride)
  smooth(ROWS, ROW_BYTES, isMacroblockEdge, isSimple)
  transposeOut(at - 4, at - 4 + 8 * stride, stride)
}

/** Smooths the horizontal edges above 8 samples in each of two planes. */
export function smoothHorizontalEdgePair(
  first: usize,
  second: usize,
  stride: i32,
  isMacroblockEdge: bool,
): void {
  for (let i = 0; i < 8; i++) {
    const offset = (i - 4) * stride
    store<u64>(ROWS + i * ROW_BYTES, load<u64>(first + offset))
    store<u64>(ROWS + i * ROW_BYTES, load<u64>(second + offset), 8)
  }
  smooth(ROWS, ROW_BYTES, isMacroblockEdge, false)
  for (let i = 1; i < 7; i++) {
    const offset = (i - 4) * stride
    store<u64>(first + offset, load<u64>(ROWS + i * ROW_BYTES))
    store<u64>(second + offset, load<u64>(ROWS + i * ROW_BYTES, 8))
  }
}

/** Smooths the vertical edges to the left of 8 samples in each of two planes. */
export function smoothVerticalEdgePair(
  first: usize,
  second: usize,
  stride: i32,
  isMacroblockEdge: bool,
): void {
  transposeIn(first - 4, second - 4, stride)
  smooth(ROWS, ROW_BYTES, isMacroblockEdge, false)
  transposeOut(first - 4, second - 4, stride)
}

/** Makes columns of ROWS from eight bytes of the eight rows at `first`, and of those at `second`. */
function transposeIn(first: usize, second: usize, stride: i32): void {
  // Interleaves single bytes, then pairs, then fours.
  const a = interleave(first, first + stride)
  const b = interleave(first + 2 * stride, first + 3 * stride)
  const c = interleave(first + 4 * stride, first + 5 * stride)
  const d = interleave(first + 6 * stride, first + 7 * stride)
  const e = interleave(second, second + stride)
  const f = interleave(second + 2 * stride, second + 3 * stride)
  const g = interleave(second + 4 * stride, second + 5 * stride)
  const h = interleave(second + 6 * stride, second + 7 * stride)
  const abLow = lowPairs(a, b)
  const abHigh = highPairs(a, b)
  const cdLow = lowPairs(c, d)
  const cdHigh = highPairs(c, d)
  const efLow = lowPairs(e, f)
  const efHigh = highPairs(e, f)
  const ghLow = lowPairs(g, h)
  const ghHigh = highPairs(g, h)
  storePair(0, lowFours(abLow, cdLow), lowFours(efLow, ghLow))
  storePair(2, highFours(abLow, cdLow), highFours(efLow, ghLow))
  storePair(4, lowFours(abHigh, cdHigh), lowFours(efHigh, ghHigh))
  storePair(6, highFours(abHigh, cdHigh), highFours(efHigh, ghHigh))
}

function interleave(first: usize, second: usize): v128 {
  return lowBytes(v128.load64_zero(first), v128.load64_zero(second))
}

/** Writes ROWS back to the columns that they were read from. */
function transposeOut(first: usize, second: usize, stride: i32): void {
  transposeOutHalf(ROWS, first, stride)
  transposeOutHalf(ROWS + 8, second, stride)
}

function transposeOutHalf(rows: usize, target: usize, stride: i32): void {
  const a = interleave(rows, rows + ROW_BYTES)
  const b = interleave(rows + 2 * ROW_BYTES, rows + 3 * ROW_BYTES)
  const c = interleave(rows + 4 * ROW_BYTES, rows + 5 * ROW_BYTES)
  const d = interleave(rows + 6 * ROW_BYTES, rows + 7 * ROW_BYTES)
  const abLow = lowPairs(a, b)
  const abHigh = highPairs(a, b)
  const cdLow = lowPairs(c, d)
  const cdHigh = highPairs(c, d)
  putTwo(target, stride, lowFours(abLow, cdLow))
  putTwo(target + 2 * stride, stride, highFours(abLow, cdLow))
  putTwo(target + 4 * stride, stride, lowFours(abHigh, cdHigh))
  putTwo(target + 6 * stride, stride, highFours(abHigh, cdHigh))
}

function putTwo(target: usize, stride: i32, rows: v128): void {
  v128.store64_lane(target, rows, 0)
  v128.store64_lane(target + stride, rows, 1)
}

/** Stores two rows of ROWS: the left half of each is from `first`, the right half from `second`. */
function storePair(row: i32, first: v128, second: v128): void {
  v128.store(ROWS + row * ROW_BYTES, v128.shuffle<i64>(first, second, 0, 2))
  v128.store(ROWS + (row + 1) * ROW_BYTES, v128.shuffle<i64>(first, second, 1, 3))
}

function lowBytes(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
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

function smooth(rows: usize, stride: i32, isMacroblockEdge: bool, isSimple: bool): void {
  const p1 = v128.load(rows + 2 * stride)
  const p0 = v128.load(rows + 3 * stride)
  const q0 = v128.load(rows + 4 * stride)
  const q1 = v128.load(rows + 5 * stride)
  const across = difference(p0, q0)
  const beside = v128.and(i16x8.shr_u(difference(p1, q1), 1), i8x16.splat(127))
  const step = i8x16.add_sat_u(i8x16.add_sat_u(across, across), beside)
  if (isSimple) {
    smoothTwo(rows, stride, i8x16.le_u(step, limit))
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
  if (isMacroblockEdge) smoothMacroblockEdge(rows, stride, mask, isHard)
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

/** Changes one sample on each side. */
function smoothTwo(rows: usize, stride: i32, mask: v128): void {
  const p1 = toggleSign(v128.load(rows + 2 * stride))
  const p0 = toggleSign(v128.load(rows + 3 * stride))
  const q0 = toggleSign(v128.load(rows + 4 * stride))
  const q1 = toggleSign(v128.load(rows + 5 * stride))
  const step = v128.and(filterValue(p1, p0, q0, q1, i8x16.splat(-1)), mask)
  const forQ = i8x16.shr_s(i8x16.add_sat_s(step, i8x16.splat(4)), 3)
  const forP = i8x16.shr_s(i8x16.add_sat_s(step, i8x16.splat(3)), 3)
  v128.store(rows + 3 * stride, toggleSign(i8x16.add_sat_s(p0, forP)))
  v128.store(rows + 4 * stride, toggleSign(i8x16.sub_sat_s(q0, forQ)))
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
