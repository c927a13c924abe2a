/**
 * The quantisers of the output: the tables of ITU-T T.81 annex K.1, scaled to a quality the way everyone does it since
 * the Independent JPEG Group's software.
 */

import { allocate } from './arena'
import { zigzagColumn, zigzagRow } from './zigzag'

const LUMA: usize = memory.data<u8>([
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
])
const CHROMA: usize = memory.data<u8>([
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
])

/** Table numbers in the output. */
export const LUMA_TABLE: i32 = 0
export const CHROMA_TABLE: i32 = 1

/** The quantiser of the coefficient in row v and column u, 1–255; quality 50–100. */
export function quantiserOf(table: i32, v: i32, u: i32, quality: i32): i32 {
  const standard = i32(load<u8>((table === LUMA_TABLE ? LUMA : CHROMA) + v * 8 + u))
  return max(1, min(255, (standard * (200 - quality * 2) + 50) / 100))
}

/**
 * What `forwardDct` multiplies its coefficients by: 64 32-bit floats, column by column. They undo its scaling, see
 * there, and divide by the quantiser.
 */
export function reciprocals(table: i32, quality: i32): usize {
  const factors = allocate(64 * 4)
  for (let k = 0; k < 64; k++) {
    const v = zigzagRow(k)
    const u = zigzagColumn(k)
    const divisor = f64(quantiserOf(table, v, u, quality)) * scaleOf(v) * scaleOf(u) * 8
    store<f32>(factors + (u * 8 + v) * 4, f32(1 / divisor))
  }
  return factors
}

function scaleOf(frequency: i32): f64 {
  return frequency === 0 ? 1 : Math.cos((f64(frequency) * Math.PI) / 16) * Math.SQRT2
}
