/**
 * Passes a WebP to the codec: finds its picture (the first frame of an animation) and its position on the canvas.
 *
 *     decodeWebp(codec, bytes, info, { keepsAlpha: false, consume: true })
 *
 * Standard: RFC 9649 section 2.
 */

import { type Codec, release } from '../codec-instance.ts'
import { riffChunks, viewOf } from '../containers.ts'
import { readWebpChunk } from '../dimensions.ts'
import type { Size } from '../fit.ts'

/** A still picture and its position on the canvas. */
interface Still extends Size {
  left: number
  top: number
  isLossless: boolean
  data: Uint8Array
  /** The ALPH chunk before a lossy picture; empty without one. */
  alpha: Uint8Array
}

/** Decodes the picture. Throws when the file is damaged or truncated. */
export function decodeWebp(
  codec: Codec,
  bytes: Uint8Array,
  canvas: Size,
  { keepsAlpha, consume }: { keepsAlpha: boolean; consume: boolean },
): void {
  // The length in the header counts all bytes after it.
  if (viewOf(bytes).getUint32(4, true) + 8 > bytes.length) throw new Error('WebP: file ends too early')
  const still = firstStill(bytes, canvas)
  if (!still) throw new Error('WebP: no picture')
  const { left, top, width, height } = still
  const [data, dataLength] = [codec.place(still.data), still.data.length]
  const [alpha, alphaLength] = [codec.place(still.alpha), still.alpha.length]
  if (consume) release(bytes)
  codec.exports.decodeWebp(
    canvas.width,
    canvas.height,
    left,
    top,
    width,
    height,
    still.isLossless,
    data,
    dataLength,
    alpha,
    alphaLength,
    keepsAlpha,
  )
}

function firstStill(bytes: Uint8Array, canvas: Size): Still | null {
  for (const { type, body } of riffChunks(bytes)) {
    if (type === 'ANMF') return stillFromFrame(body, canvas)
    if (type === 'VP8 ' || type === 'VP8L' || type === 'ALPH') return pictureIn(riffChunks(bytes), canvas)
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
    return { ...size, left: 0, top: 0, isLossless: type === 'VP8L', data: body, alpha }
  }
  return null
}

/**
 * The picture of a frame. Its header starts with four 24-bit fields: its position in units of 2 pixels, and its size
 * minus 1. Throws when it exceeds the canvas, because only the size of the canvas has been checked against the limits.
 */
function stillFromFrame(frame: Uint8Array, canvas: Size): Still | null {
  if (frame.length < 16) return null
  const view = viewOf(frame)
  const field = (at: number) => view.getUint32(at, true) & 0xffffff
  const [left, top, width, height] = [field(0) * 2, field(3) * 2, field(6) + 1, field(9) + 1]
  if (left + width > canvas.width || top + height > canvas.height) {
    throw new Error('WebP: frame outside the canvas')
  }
  const still = pictureIn(riffChunks(frame.subarray(16), 0), { width, height })
  return still && { ...still, left, top }
}
