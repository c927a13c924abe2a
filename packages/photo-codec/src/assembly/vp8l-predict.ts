/** Predicts pixels of lossless WebPs (RFC 9649 section 4.1). */

/**
 * Adds to the pixels `from` to `to` of a row what a mode predicts from the one to the left and those above: `above` is
 * the row before, and has a pixel more.
 */
export function addPredicted(mode: i32, row: usize, above: usize, from: i32, to: i32): void {
  let left = v128.load32_zero(row + from * 4 - 4)
  if (mode === 2) {
    for (let x = from; x < to; x++) add(row + x * 4, v128.load32_zero(above + x * 4))
    return
  }
  for (let x = from; x < to; x++) {
    const place = row + x * 4
    left = add(place, prediction(mode, left, above + x * 4))
  }
}

function add(place: usize, predicted: v128): v128 {
  const sum = i8x16.add(v128.load32_zero(place), predicted)
  v128.store32_lane(place, sum, 0)
  return sum
}

function prediction(mode: i32, left: v128, above: usize): v128 {
  if (mode === 1) return left
  if (mode === 11) return select(left, above)
  const top = v128.load32_zero(above)
  const topLeft = v128.load32_zero(above - 4)
  if (mode === 12) return gradient(left, top, topLeft)
  if (mode === 13) return halfGradient(mean(left, top), topLeft)
  const topRight = v128.load32_zero(above, 4)
  if (mode === 3) return topRight
  if (mode === 4) return topLeft
  if (mode === 5) return mean(mean(left, topRight), top)
  if (mode === 6) return mean(left, topLeft)
  if (mode === 7) return mean(left, top)
  if (mode === 8) return mean(topLeft, top)
  if (mode === 9) return mean(top, topRight)
  if (mode === 10) return mean(mean(left, topLeft), mean(top, topRight))
  return i32x4.splat(0xff000000)
}

/** The means of all channels, rounded down: the vector instruction rounds up. */
function mean(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), i8x16.splat(1)))
}

function gradient(left: v128, top: v128, topLeft: v128): v128 {
  const sum = i16x8.add(i16x8.extend_low_i8x16_u(left), i16x8.extend_low_i8x16_u(top))
  const wide = i16x8.sub(sum, i16x8.extend_low_i8x16_u(topLeft))
  return i8x16.narrow_i16x8_u(wide, wide)
}

/** The mean, and half of what it differs from the corner, rounded towards zero. */
function halfGradient(average: v128, topLeft: v128): v128 {
  const wide = i16x8.extend_low_i8x16_u(average)
  const step = i16x8.sub(wide, i16x8.extend_low_i8x16_u(topLeft))
  const half = i16x8.shr_s(i16x8.sub(step, i16x8.shr_s(step, 15)), 1)
  const sum = i16x8.add(wide, half)
  return i8x16.narrow_i16x8_u(sum, sum)
}

/** Left or top, whichever is nearer to left + top − corner, all channels together. */
function select(left: v128, above: usize): v128 {
  const top = v128.load32_zero(above)
  const topLeft = v128.load32_zero(above - 4)
  const toLeft = distance(top, topLeft)
  const toTop = distance(left, topLeft)
  return toLeft < toTop ? left : top
}

function distance(a: v128, b: v128): i32 {
  const differences = v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a))
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(differences))
  return i32x4.extract_lane(sums, 0)
}
