/**
 * The basis of the discrete cosine transform, for blocks of n × n points made of 8 × 8 coefficients (n = 1 to 8).
 *
 *     f(x) = Σ u=0..n-1  basis(n, u, x) · F(u)        basis(n, u, x) = C(u)/2 · cos((2x + 1)uπ / 2n)
 *
 * with C(0) = 1/√2 and C(u) = 1 else, in both directions. For n = 8 this is the inverse transform of ITU-T T.81 A.3.3;
 * for smaller n it is the inverse transform of n points on the n lowest frequencies, which shrinks the picture to n/8.
 */

/** Bytes from one frequency u to the next: eight 32-bit floats, one for each x. */
export const BASIS_STRIDE: usize = 32

const BASIS: usize = memory.data(9 * 8 * 32, 16)
let isFilled: bool = false

/** Address of the basis for n points: row u, column x. */
export function basisOf(points: i32): usize {
  if (!isFilled) fill()
  return BASIS + usize(points) * 8 * BASIS_STRIDE
}

function fill(): void {
  for (let n = 1; n <= 8; n++) {
    const basis = BASIS + usize(n) * 8 * BASIS_STRIDE
    for (let u = 0; u < n; u++) {
      for (let x = 0; x < n; x++) {
        const scale = u === 0 ? Math.SQRT1_2 / 2 : 0.5
        const value = scale * Math.cos((f64(2 * x + 1) * f64(u) * Math.PI) / f64(2 * n))
        store<f32>(basis + usize(u) * BASIS_STRIDE + usize(x) * 4, f32(value))
      }
    }
  }
  isFilled = true
}
