/**
 * Predicts VP8 blocks from the samples above and to the left (RFC 6386 section 12). The block and those samples lie
 * together in one buffer.
 */

/** Bytes of a row of the buffer. */
export const STRIDE: i32 = 32

/** Modes of macroblocks. They are also the first four of single blocks, with the same meaning. */
export const DC: i32 = 0
export const TRUE_MOTION: i32 = 1
export const VERTICAL: i32 = 2
export const HORIZONTAL: i32 = 3
const RIGHT_DOWN: i32 = 4
const VERTICAL_RIGHT: i32 = 5
const LEFT_DOWN: i32 = 6
const VERTICAL_LEFT: i32 = 7
const HORIZONTAL_DOWN: i32 = 8

/** Predicts `size` × `size` samples, 16, 8 or 4. `hasLeft`, `hasAbove`: whether the frame has samples there. */
export function predictSquare(at: usize, size: i32, mode: i32, hasLeft: bool, hasAbove: bool): void {
  if (mode === DC || mode === VERTICAL) {
    const row = mode === DC ? i8x16.splat(meanAround(at, size, hasLeft, hasAbove)) : v128.load(at - STRIDE)
    for (let y = 0; y < size; y++) storeRow(at + y * STRIDE, size, row)
  } else if (mode === HORIZONTAL) {
    for (let y = 0; y < size; y++) storeRow(at + y * STRIDE, size, i8x16.splat(load<u8>(at + y * STRIDE - 1)))
  } else {
    const corner = i16(load<u8>(at - STRIDE - 1))
    const above = v128.load(at - STRIDE)
    const low = i16x8.sub(i16x8.extend_low_i8x16_u(above), i16x8.splat(corner))
    const high = i16x8.sub(i16x8.extend_high_i8x16_u(above), i16x8.splat(corner))
    for (let y = 0; y < size; y++) {
      const left = i16x8.splat(i16(load<u8>(at + y * STRIDE - 1)))
      storeRow(at + y * STRIDE, size, i8x16.narrow_i16x8_u(i16x8.add(low, left), i16x8.add(high, left)))
    }
  }
}

function meanAround(at: usize, size: i32, hasLeft: bool, hasAbove: bool): u8 {
  let sum = 0
  for (let i = 0; i < size; i++) {
    if (hasAbove) sum += i32(load<u8>(at - STRIDE + i))
    if (hasLeft) sum += i32(load<u8>(at - 1 + i * STRIDE))
  }
  if (!hasAbove && !hasLeft) return 128
  const count = hasAbove && hasLeft ? 2 * size : size
  return u8((sum + (count >> 1)) / count)
}

function storeRow(at: usize, size: i32, row: v128): void {
  if (size === 16) v128.store(at, row)
  else if (size === 8) v128.store64_lane(at, row, 0)
  else v128.store32_lane(at, row, 0)
}

/** Predicts one block of 4 × 4 samples; beyond the frame there are some that count. */
export function predictBlock(at: usize, mode: i32): void {
  if (mode <= TRUE_MOTION) predictSquare(at, 4, mode, true, true)
  else predictDirectional(at, mode)
}

/**
 * Predicts in one of the directional modes. The samples around the block form one line: up the left side, the corner,
 * then the eight above; its first and last samples are repeated. Every predicted sample is the mean of two or three
 * neighbours in that line, so a mode is a choice among those means.
 */
function predictDirectional(at: usize, mode: i32): void {
  // Bytes 0–8: the corner and the eight samples above.
  const above = v128.load(at - STRIDE - 1)
  let line = i8x16.shuffle(above, above, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)
  line = v128.load_lane<u8>(at - 1 + 3 * STRIDE, line, 0)
  line = v128.load_lane<u8>(at - 1 + 3 * STRIDE, line, 1)
  line = v128.load_lane<u8>(at - 1 + 2 * STRIDE, line, 2)
  line = v128.load_lane<u8>(at - 1 + STRIDE, line, 3)
  line = v128.load_lane<u8>(at - 1, line, 4)
  const next = i8x16.shuffle(line, line, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15)
  const afterNext = i8x16.shuffle(line, line, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15)
  const two = i8x16.avgr_u(line, next)
  // `avgr_u` rounds up. Without that half in the first mean, the second is exactly (a + 2b + c + 2) >> 2.
  const odd = v128.and(v128.xor(line, afterNext), i8x16.splat(1))
  const three = i8x16.avgr_u(i8x16.sub(i8x16.avgr_u(line, afterNext), odd), next)
  storeBlock(at, chooseMeans(mode, two, three))
}

/** Lane n below 16 is the mean of two samples of the line from n on; lane 16 + n the mean of three. */
// biome-ignore format: tables
function chooseMeans(mode: i32, two: v128, three: v128): v128 {
  if (mode === VERTICAL)
    return i8x16.shuffle(two, three, 21, 22, 23, 24, 21, 22, 23, 24, 21, 22, 23, 24, 21, 22, 23, 24)
  if (mode === HORIZONTAL)
    return i8x16.shuffle(two, three, 19, 19, 19, 19, 18, 18, 18, 18, 17, 17, 17, 17, 16, 16, 16, 16)
  if (mode === RIGHT_DOWN)
    return i8x16.shuffle(two, three, 20, 21, 22, 23, 19, 20, 21, 22, 18, 19, 20, 21, 17, 18, 19, 20)
  if (mode === VERTICAL_RIGHT)
    return i8x16.shuffle(two, three, 5, 6, 7, 8, 20, 21, 22, 23, 19, 5, 6, 7, 18, 20, 21, 22)
  if (mode === LEFT_DOWN)
    return i8x16.shuffle(two, three, 22, 23, 24, 25, 23, 24, 25, 26, 24, 25, 26, 27, 25, 26, 27, 28)
  if (mode === VERTICAL_LEFT)
    return i8x16.shuffle(two, three, 6, 7, 8, 9, 22, 23, 24, 25, 7, 8, 9, 26, 23, 24, 25, 27)
  if (mode === HORIZONTAL_DOWN)
    return i8x16.shuffle(two, three, 4, 20, 21, 22, 3, 19, 4, 20, 2, 18, 3, 19, 1, 17, 2, 18)
  // The last mode: HORIZONTAL_UP.
  return i8x16.shuffle(two, three, 3, 18, 2, 17, 2, 17, 1, 16, 1, 16, 0, 0, 0, 0, 0, 0)
}

function storeBlock(at: usize, block: v128): void {
  v128.store32_lane(at, block, 0)
  v128.store32_lane(at + STRIDE, block, 1)
  v128.store32_lane(at + 2 * STRIDE, block, 2)
  v128.store32_lane(at + 3 * STRIDE, block, 3)
}
