/**
 * Charts of patches, each a whole MCU of 16 × 16 pixels, and how far the colours of one are from those of another.
 *
 *     Math.max(...shift(patches(await seen(stored)), patches(await seen(file)))) // levels of the worst channel
 */

import sharp from 'sharp'

/** Red, green and blue of each patch, averaged over its middle. */
export function patches(data: Uint8Array, across = 25): number[] {
  const out: number[] = []
  for (let patch = 0; patch < across ** 2; patch++) {
    const [left, top] = [(patch % across) * 16, Math.floor(patch / across) * 16]
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0
      for (let y = 4; y < 12; y++) {
        for (let x = 4; x < 12; x++) sum += data[((top + y) * across * 16 + left + x) * 3 + channel] ?? 0
      }
      out.push(sum / 64)
    }
  }
  return out
}

/** Mean absolute differences of red, green and blue. */
export function shift(found: ArrayLike<number>, expected: ArrayLike<number>): number[] {
  const sums = [0, 0, 0]
  for (let i = 0; i < found.length; i++) {
    sums[i % 3] = (sums[i % 3] ?? 0) + Math.abs((found[i] ?? 0) - (expected[i] ?? 0))
  }
  return sums.map((sum) => (sum * 3) / found.length)
}

/** Pixels in sRGB. */
export function seen(file: Uint8Array): Promise<Buffer> {
  return sharp(file).toColourspace('srgb').raw().toBuffer()
}
