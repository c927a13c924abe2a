import { describe, expect, it } from 'vitest'
import { sample } from '../../fixtures/samples.ts'
import { inspectPhoto } from '../../src/process.ts'
import { readWatermark } from '../../src/render.ts'

/** Each pair is the same picture, whose last blocks are filled up with black, white, or more of the edge. */
const PAIRS = ['420', '444-progressive', '422-separate', '440-progressive', '411', 'grey']

/** How far the last row and the last column of all planes are from what they should be, at most. */
function farthest(padded: Uint8Array, plain: Uint8Array, bound: number): number {
  const [found, expected] = [padded, plain].map((file) =>
    readWatermark(file, inspectPhoto(file), { width: bound, height: bound }),
  )
  if (!found || !expected) return 255
  const { width, height } = expected
  let most = 0
  for (let at = 0; at < width * height * 3; at++) {
    const isLast = at % width === width - 1 || Math.floor(at / width) % height === height - 1
    if (isLast) most = Math.max(most, Math.abs((found.planes[at] ?? 0) - (expected.planes[at] ?? 0)))
  }
  return most
}

describe('what fills up the last blocks', () => {
  it.each(PAIRS)('never shows: %s', (name) => {
    const [padded, plain] = [sample(`padding/${name}.jpg`), sample(`padding/${name}-plain.jpg`)]
    expect(padded).not.toEqual(plain)
    const { width, height } = inspectPhoto(padded)
    // Blocks are shrunk to every n × n: chroma to n/8 as it has to be, luma to eight times of what it has to be.
    for (let n = 1; n <= 8; n++)
      for (const scale of [8, 64]) {
        const bound = Math.max(1, Math.floor((Math.max(width, height) * n) / scale))
        expect(farthest(padded, plain, bound), `within ${bound}`).toBeLessThanOrEqual(3)
      }
  })
})
