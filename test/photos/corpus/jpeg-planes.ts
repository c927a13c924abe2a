/** From the samples of a component to its quantised coefficients. */

import { ZIGZAG } from './jpeg-tables.ts'

/** One component; its samples (0–255) are those of the whole picture and averaged down by the encoder. */
export interface Component {
  samples: Uint8Array
  /** Sampling factors, 1 unless given. */
  h?: number
  v?: number
  /** 1, 2, 3 … unless given. */
  id?: number
  /** What the last blocks are filled up with, 0–255; the last samples are repeated unless given. */
  padding?: number
}

/** One component as the file holds it. */
export interface Plane {
  id: number
  h: number
  v: number
  /** The quantiser and the DC table: 0 for the first component, 1 for the others. All share one AC table. */
  table: 0 | 1
  /** Blocks across and down that the component itself needs, and with those that fill up the last MCUs. */
  blocks: { across: number; down: number; allAcross: number }
  /** Quantised coefficients, 64 per block in zigzag order. */
  coefficients: Int16Array
}

/** A table at a quality, as libjpeg scales it. */
export function scaled(table: readonly number[], quality: number): number[] {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
  return table.map((value) => Math.max(1, Math.min(255, Math.floor((value * percent + 50) / 100))))
}

/** How many blocks of a component lie side by side, and above each other, in an MCU. */
export interface Factors {
  h: number
  v: number
}

/** Samples down, then into quantised coefficients. */
export function transform(
  { samples, h = 1, v = 1, id, padding }: Component,
  index: number,
  { width, height }: { width: number; height: number },
  most: Factors,
  quantiser: readonly number[],
): Plane {
  const [stepX, stepY] = [most.h / h, most.v / v]
  const [ownWidth, ownHeight] = [Math.ceil(width / stepX), Math.ceil(height / stepY)]
  const [across, down] = [Math.ceil(ownWidth / 8), Math.ceil(ownHeight / 8)]
  const allAcross = Math.ceil(width / (8 * most.h)) * h
  const allDown = Math.ceil(height / (8 * most.v)) * v
  const coefficients = new Int16Array(allAcross * allDown * 64)
  const block = new Float64Array(64)
  for (let n = 0; n < allAcross * allDown; n++) {
    const [left, top] = [(n % allAcross) * 8, Math.floor(n / allAcross) * 8]
    for (let i = 0; i < 64; i++) {
      if (padding !== undefined && (left + (i & 7) >= ownWidth || top + (i >> 3) >= ownHeight)) {
        block[i] = padding - 128
        continue
      }
      let sum = 0
      for (let dy = 0; dy < stepY; dy++) {
        const y = Math.min(height - 1, (top + (i >> 3)) * stepY + dy)
        for (let dx = 0; dx < stepX; dx++) {
          sum += samples[y * width + Math.min(width - 1, (left + (i & 7)) * stepX + dx)] ?? 0
        }
      }
      block[i] = sum / (stepX * stepY) - 128
    }
    const turned = cosines(cosines(block))
    ZIGZAG.forEach((at, i) => {
      coefficients[n * 64 + i] = Math.round((turned[at] ?? 0) / (quantiser[at] ?? 1))
    })
  }
  return {
    id: id ?? index + 1,
    h,
    v,
    table: index === 0 ? 0 : 1,
    blocks: { across, down, allAcross },
    coefficients,
  }
}

const COSINES = Float64Array.from({ length: 64 }, (_, i) => {
  const [u, x] = [i >> 3, i & 7]
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16)
})

/** The transform of each row, which comes out as a column: twice makes the whole transform. */
function cosines(block: Float64Array): Float64Array {
  const out = new Float64Array(64)
  for (let row = 0; row < 8; row++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0
      for (let x = 0; x < 8; x++) sum += (block[row * 8 + x] ?? 0) * (COSINES[u * 8 + x] ?? 0)
      out[u * 8 + row] = sum
    }
  }
  return out
}
