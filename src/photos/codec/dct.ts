/**
 * The 8 × 8 discrete cosine transform of JPEG, forwards and back, in the factorisation of Arai, Agui and Nakajima
 * (1988): five multiplications per line, the remaining scale factors live in the quantisation tables.
 *
 *     const table = inverseTable(quantisers)
 *     inverseDct(coefficients, at, table, plane, offset, stride)
 */

/** Scale of each frequency in the factorisation. */
const AAN_SCALE = [1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.5411961, 0.275899379]

/** Position of the k-th coefficient of the zigzag sequence (ITU-T T.81 figure A.6). */
// biome-ignore format: eight rows of eight
export const ZIGZAG = new Uint8Array([
  0, 1, 8, 16, 9, 2, 3, 10,
  17, 24, 32, 25, 18, 11, 4, 5,
  12, 19, 26, 33, 40, 48, 41, 34,
  27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36,
  29, 22, 15, 23, 30, 37, 44, 51,
  58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
])

const work = new Float32Array(64)

/** Factors that take stored coefficients to the input of `inverseDct`; both tables in row order. */
export function inverseTable(quantisers: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: 64 }, (_, i) => ((quantisers[i] ?? 1) * scaleAt(i)) / 8)
}

/** Factors that take the output of `forwardDct` to coefficients; both tables in row order. */
export function forwardTable(quantisers: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: 64 }, (_, i) => 1 / ((quantisers[i] ?? 1) * scaleAt(i) * 8))
}

/** 64 coefficients (row order, from `at`) to 8 rows of 8 samples, `stride` apart, level-shifted to 0–255. */
export function inverseDct(
  coefficients: Int16Array,
  at: number,
  table: Float32Array,
  out: Uint8ClampedArray,
  offset: number,
  stride: number,
): void {
  let anyAc = 0
  for (let i = 1; i < 64; i++) anyAc |= coefficients[at + i] as number
  if (anyAc === 0) {
    const value = (coefficients[at] as number) * (table[0] as number) + 128
    for (let y = 0; y < 8; y++) out.fill(value, offset + y * stride, offset + y * stride + 8)
    return
  }
  for (let i = 0; i < 64; i++) work[i] = (coefficients[at + i] as number) * (table[i] as number)
  for (let x = 0; x < 8; x++) inverseLine(work, x, 8)
  for (let y = 0; y < 8; y++) {
    inverseLine(work, y * 8, 1)
    for (let x = 0; x < 8; x++) out[offset + y * stride + x] = (work[y * 8 + x] as number) + 128
  }
}

/** 64 level-shifted samples (row order) to scaled frequencies, in place. */
export function forwardDct(block: Float32Array): void {
  for (let y = 0; y < 8; y++) forwardLine(block, y * 8, 1)
  for (let x = 0; x < 8; x++) forwardLine(block, x, 8)
}

function scaleAt(i: number): number {
  return (AAN_SCALE[i >> 3] ?? 1) * (AAN_SCALE[i & 7] ?? 1)
}

function inverseLine(v: Float32Array, at: number, step: number): void {
  const i1 = at + step
  const i2 = at + step * 2
  const i3 = at + step * 3
  const i4 = at + step * 4
  const i5 = at + step * 5
  const i6 = at + step * 6
  const i7 = at + step * 7
  const sum04 = (v[at] as number) + (v[i4] as number)
  const difference04 = (v[at] as number) - (v[i4] as number)
  const sum26 = (v[i2] as number) + (v[i6] as number)
  const turned26 = ((v[i2] as number) - (v[i6] as number)) * Math.SQRT2 - sum26
  const even0 = sum04 + sum26
  const even3 = sum04 - sum26
  const even1 = difference04 + turned26
  const even2 = difference04 - turned26
  const z13 = (v[i5] as number) + (v[i3] as number)
  const z10 = (v[i5] as number) - (v[i3] as number)
  const z11 = (v[i1] as number) + (v[i7] as number)
  const z12 = (v[i1] as number) - (v[i7] as number)
  const z5 = (z10 + z12) * 1.847759065
  const odd0 = z11 + z13
  const odd1 = z5 - z10 * 2.61312593 - odd0
  const odd2 = (z11 - z13) * Math.SQRT2 - odd1
  const odd3 = z5 - z12 * 1.0823922 - odd2
  v[at] = even0 + odd0
  v[i7] = even0 - odd0
  v[i1] = even1 + odd1
  v[i6] = even1 - odd1
  v[i2] = even2 + odd2
  v[i5] = even2 - odd2
  v[i3] = even3 + odd3
  v[i4] = even3 - odd3
}

function forwardLine(v: Float32Array, at: number, step: number): void {
  const i1 = at + step
  const i2 = at + step * 2
  const i3 = at + step * 3
  const i4 = at + step * 4
  const i5 = at + step * 5
  const i6 = at + step * 6
  const i7 = at + step * 7
  const sum07 = (v[at] as number) + (v[i7] as number)
  const difference07 = (v[at] as number) - (v[i7] as number)
  const sum16 = (v[i1] as number) + (v[i6] as number)
  const difference16 = (v[i1] as number) - (v[i6] as number)
  const sum25 = (v[i2] as number) + (v[i5] as number)
  const difference25 = (v[i2] as number) - (v[i5] as number)
  const sum34 = (v[i3] as number) + (v[i4] as number)
  const difference34 = (v[i3] as number) - (v[i4] as number)
  const outer = sum07 + sum34
  const outerDifference = sum07 - sum34
  const inner = sum16 + sum25
  const innerDifference = sum16 - sum25
  const z1 = (innerDifference + outerDifference) * Math.SQRT1_2
  v[at] = outer + inner
  v[i4] = outer - inner
  v[i2] = outerDifference + z1
  v[i6] = outerDifference - z1
  const low = difference34 + difference25
  const high = difference16 + difference07
  const z5 = (low - high) * 0.382683433
  const z2 = 0.5411961 * low + z5
  const z4 = 1.306562965 * high + z5
  const z3 = (difference25 + difference16) * Math.SQRT1_2
  const z11 = difference07 + z3
  const z13 = difference07 - z3
  v[i5] = z13 + z2
  v[i3] = z13 - z2
  v[i1] = z11 + z4
  v[i7] = z11 - z4
}
