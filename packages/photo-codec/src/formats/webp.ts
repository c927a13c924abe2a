/**
 * Passes a WebP to the codec: finds its picture, the first frame of an animation.
 *
 *     decodeWebp(codec, bytes, info, { keepsAlpha: false, consume: true })
 *
 * Standard: RFC 9649 section 2.
 */

import { type Codec, release } from '../codec-instance.ts'
import { riffChunks, viewOf } from '../containers.ts'
import { readWebpChunk, WEBP_FRAME_BYTES } from '../dimensions.ts'
import type { Size } from '../fit.ts'

/** A still picture. */
interface Still {
  isLossless: boolean
  data: Uint8Array
  /** The ALPH chunk before a lossy picture; empty without one. */
  alpha: Uint8Array
}

/** Decodes the picture. Throws when the file is damaged or truncated. */
export function decodeWebp(
  codec: Codec,
  bytes: Uint8Array,
  { width, height }: Size,
  { keepsAlpha, consume }: { keepsAlpha: boolean; consume: boolean },
): void {
  // The length in the header counts all bytes after it.
  if (viewOf(bytes).getUint32(4, true) + 8 > bytes.length) throw new Error('WebP: file ends too early')
  const still = firstStill(bytes, { width, height })
  if (!still) throw new Error('WebP: no picture')
  const [data, dataLength] = [codec.place(still.data), still.data.length]
  const [alpha, alphaLength] = [codec.place(still.alpha), still.alpha.length]
  if (consume) release(bytes)
  codec.exports.decodeWebp(width, height, still.isLossless, data, dataLength, alpha, alphaLength, keepsAlpha)
}

function firstStill(bytes: Uint8Array, size: Size): Still | null {
  for (const { type, body } of riffChunks(bytes)) {
    if (type === 'ANMF') return pictureIn(riffChunks(body.subarray(WEBP_FRAME_BYTES), 0), size)
    if (type === 'VP8 ' || type === 'VP8L' || type === 'ALPH') return pictureIn(riffChunks(bytes), size)
  }
  return null
}

/** The picture in a list of chunks, with the alpha of an ALPH chunk before it. Throws when its size is not `size`. */
function pictureIn(chunks: Iterable<{ type: string; body: Uint8Array }>, size: Size): Still | null {
  let alpha: Uint8Array = new Uint8Array(0)
  for (const { type, body } of chunks) {
    if (type === 'ALPH') alpha = body
    if (type !== 'VP8 ' && type !== 'VP8L') continue
    const own = readWebpChunk(type, body)
    if (own?.width !== size.width || own.height !== size.height) throw new Error('WebP: two different sizes')
    return { isLossless: type === 'VP8L', data: body, alpha }
  }
  return null
}
