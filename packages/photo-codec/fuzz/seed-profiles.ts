/** Sound files with colour profiles that are read and not merely kept. */

import type { Sharp } from 'sharp'
import {
  ADOBE_MATRIX,
  encodeProfile,
  formulaElement,
  gammaElement,
  matrixElements,
  mft1Element,
  stagesElement,
} from '../corpus/icc.ts'
import { profileSegments, riff, riffChunk } from '../fixtures/containers.ts'

export const LINEAR = encodeProfile({ space: 'RGB ', elements: matrixElements(gammaElement(1)) })
export const GRIDLESS = encodeProfile({
  space: 'RGB ',
  version: 4,
  elements: [
    ['A2B0', stagesElement({ middle: gammaElement(1), matrix: ADOBE_MATRIX, last: formulaElement(0, 1) })],
  ],
})

/** A JPEG with a profile that holds a small table. */
export function withProfile(image: Sharp, space: string, channels: number): Promise<Uint8Array> {
  const table = mft1Element({ channels, nodes: 3, colourAt: ([x = 0, y = 0, z = 0]) => [1 - x, y, 1 - z] })
  return withSegments(image, encodeProfile({ space, connection: 'Lab ', elements: [['A2B0', table]] }))
}

/** A JPEG with a profile. */
export async function withSegments(image: Sharp, profile: Uint8Array): Promise<Uint8Array> {
  const jpeg = await image.toBuffer()
  return Buffer.concat([jpeg.subarray(0, 2), ...profileSegments(profile), jpeg.subarray(2)])
}

/** A WebP of at most 256 × 256 pixels with the profile of linear light. */
export function withChunk(webp: Uint8Array, width: number, height: number): Uint8Array {
  const header = Uint8Array.of(0x20, 0, 0, 0, width - 1, 0, 0, height - 1, 0, 0)
  return riff(riffChunk('VP8X', header), riffChunk('ICCP', LINEAR), webp.subarray(12))
}
