/**
 * Makes a smaller copy of a photo for pages that show it small.
 *
 *     const { bytes, type } = await resizePhoto(photo, { width: 640, format: 'webp' })
 *
 * Colours, orientation and transparency follow the rules of `processPhoto`. Only the width is asked for, so both sides are
 * scaled by its factor, and the height is rounded.
 */

import { forgetCodec } from './codec-instance.ts'
import type { PhotoInfo } from './dimensions.ts'
import { CODEC_ERRORS, PhotoError } from './errors.ts'
import { fitWithin, type Size, uprightSize } from './fit.ts'
import { inspectPhoto } from './process.ts'
import { renderJpegs, renderPixels } from './render.ts'
import { forgetEncoder, openWebpEncoder } from './webp-encoder.ts'

/** Maximum side of a WebP in pixels: its encoder needs all pixels at once. */
export const MAX_WEBP_SIDE = 1920

/** Quality of both formats. */
const QUALITY = 80

/** The formats of smaller copies. */
export type SizeFormat = 'jpeg' | 'webp'

/** What a smaller copy should be. */
export interface ResizeOptions {
  /** Maximum width in pixels; Infinity keeps the photo's own. */
  width: number
  format: SizeFormat
  /** Whether the caller no longer needs the photo's bytes: their memory is freed as soon as possible. */
  consume?: boolean
}

/** A smaller copy of a photo. */
export interface ResizedPhoto extends Size {
  bytes: Uint8Array
  type: 'image/jpeg' | 'image/webp'
}

/** Gives back the memory that is kept for the next photo, up to 56 MB. That photo starts the codec anew. */
export function releaseCodec(): void {
  forgetCodec()
  forgetEncoder()
}

/** The size of a photo once it stands upright and is at most `width` pixels wide. */
export function sizeAtWidth(info: PhotoInfo, width: number): Size {
  return fitWithin(uprightSize(info, info.orientation), { width, height: Number.POSITIVE_INFINITY })
}

/** Makes a copy that is at most `width` pixels wide. Throws a PhotoError, also for a WebP that would be too large. */
export async function resizePhoto(
  bytes: Uint8Array,
  { width, format, consume }: ResizeOptions,
): Promise<ResizedPhoto> {
  const bounds = { width, height: Number.POSITIVE_INFINITY }
  if (format === 'webp') {
    // Before any work, so that nothing waits while a picture is in memory.
    const encode = await openWebpEncoder()
    const info = inspectPhoto(bytes)
    const size = sizeAtWidth(info, width)
    if (Math.max(size.width, size.height) > MAX_WEBP_SIDE) {
      throw new PhotoError(CODEC_ERRORS.undecodable, {
        cause: new Error(`A WebP of ${size.width} × ${size.height} pixels is too large`),
      })
    }
    const file = renderPixels(bytes, info, { bounds, consume }, (pixels) => encode(pixels, QUALITY))
    return { bytes: file, type: 'image/webp', ...size }
  }
  const [copy] = renderJpegs(
    bytes,
    inspectPhoto(bytes),
    [{ bounds, quality: QUALITY, keepsRatio: true }],
    consume,
  )
  if (!copy) throw new PhotoError(CODEC_ERRORS.undecodable)
  return { bytes: copy.bytes, type: 'image/jpeg', width: copy.width, height: copy.height }
}
