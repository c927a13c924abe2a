/**
 * Processes a photo: checks its bytes, shrinks it, turns it upright and applies the watermark.
 *
 *     const { original, watermarked, width, height } = processPhoto(bytes, { maxSide: 1920, watermark })
 *     const { image, thumb } = processPanorama(bytes)
 *
 * Processing is synchronous, so two photos are never in memory at once.
 */

import { detectType, isPhotoType, type PhotoType } from './detect.ts'
import { containsPicture, type PhotoInfo, readPhotoInfo } from './dimensions.ts'
import { CODEC_ERRORS, PhotoError, unsupportedType } from './errors.ts'
import { fitWithin, type Size, uprightSize } from './fit.ts'
import { readWatermark, renderJpegs, type Watermark } from './render.ts'

/** Maximum bytes of a photo. */
export const MAX_PHOTO_BYTES = 20 * 1024 * 1024

/** Maximum width of a stored panorama, in pixels. */
const PANORAMA_WIDTH = 8192

/** Width of a panorama's thumbnail, in pixels. */
const PANORAMA_THUMB_WIDTH = 1024

/** Types a watermark may have. */
const WATERMARK_TYPES = new Set<string>(['image/png', 'image/webp', 'image/jpeg'] satisfies PhotoType[])

/** How a panorama is processed. */
export interface PanoramaOptions {
  /** Called with the header's data before a picture is decoded. An error that it throws ends the call. */
  admit?: (info: PhotoInfo) => void
}

/** How a photo is processed. */
export interface PhotoOptions extends PanoramaOptions {
  /** Maximum of the longer side, in pixels. */
  maxSide: number
  /** The watermark's file, or null for none. `admit` is called for it, too. */
  watermark: Uint8Array | null
  /** Whether the caller no longer needs the photo's bytes: their memory is freed as soon as possible. */
  consume?: boolean
}

/** A processed photo: JPEG files and their common size in pixels. */
export interface ProcessedPhoto {
  original: Uint8Array
  /** Null without a watermark, or when the watermark cannot be read. */
  watermarked: Uint8Array | null
  /** Why the watermark cannot be read; null otherwise. */
  watermarkError: PhotoError | null
  width: number
  height: number
}

/** A processed panorama: JPEG files. */
export interface ProcessedPanorama {
  image: Uint8Array
  thumb: Uint8Array
  /** Of the image, in pixels. */
  width: number
  height: number
}

/** Makes the JPEGs of a photo. Throws a PhotoError. */
export function processPhoto(
  bytes: Uint8Array,
  { maxSide, watermark, consume, admit }: PhotoOptions,
): ProcessedPhoto {
  const info = inspectPhoto(bytes)
  admit?.(info)
  const bounds = { width: maxSide, height: maxSide }
  const fitted = fitWithin(uprightSize(info, info.orientation), bounds)
  const mark = watermark ? tryWatermark(watermark, fitted, admit) : null
  const read = mark instanceof PhotoError ? null : mark
  const [copy] = renderJpegs(bytes, info, [{ bounds, watermark: read }], consume)
  if (!copy) throw new PhotoError(CODEC_ERRORS.undecodable)
  return {
    original: copy.bytes,
    watermarked: copy.marked,
    watermarkError: mark instanceof PhotoError ? mark : null,
    width: copy.width,
    height: copy.height,
  }
}

/** Makes the JPEGs of a 360° panorama, bounded in width only. Throws a PhotoError. */
export function processPanorama(bytes: Uint8Array, { admit }: PanoramaOptions = {}): ProcessedPanorama {
  const info = inspectPhoto(bytes)
  admit?.(info)
  const widths = [PANORAMA_WIDTH, PANORAMA_THUMB_WIDTH]
  const copies = widths.map((width) => ({ bounds: { width, height: Number.POSITIVE_INFINITY } }))
  const [image, thumb] = renderJpegs(bytes, info, copies)
  if (!image || !thumb) throw new PhotoError(CODEC_ERRORS.undecodable)
  return { image: image.bytes, thumb: thumb.bytes, width: image.width, height: image.height }
}

/** Whether a file can be a watermark: a PNG, WebP or JPEG that decodes to its end. */
export function isWatermarkImage(bytes: Uint8Array): boolean {
  // The result is discarded, so a small one is enough.
  const bounds = { width: 16, height: 16 }
  return !(tryWatermark(bytes, bounds) instanceof PhotoError)
}

/**
 * The upright size of a photo whose file begins with `bytes`, in pixels. Null if they do not contain it, or begin no photo.
 */
export function readPhotoSize(bytes: Uint8Array): Size | null {
  const type = detectType(bytes)
  const info = isPhotoType(type) ? readPhotoInfo(bytes, type) : null
  return info && uprightSize(info, info.orientation)
}

/** Type and size of a photo from its header. Throws a PhotoError for what can be refused without decoding. */
export function inspectPhoto(bytes: Uint8Array): PhotoInfo {
  const type = detectType(bytes)
  if (!isPhotoType(type)) throw unsupportedType(type)
  const info = readPhotoInfo(bytes, type)
  if (!info) throw new PhotoError(CODEC_ERRORS.noDimensions)
  if (!containsPicture(bytes, type)) throw new PhotoError(CODEC_ERRORS.typeMismatch)
  if (bytes.length > MAX_PHOTO_BYTES) throw new PhotoError(CODEC_ERRORS.undecodable)
  return info
}

/** The last decoded watermark of a file, because many photos in a row have the same. */
const lastRead = new WeakMap<Uint8Array, Watermark>()

/**
 * The watermark at its natural size or shrunk into `bounds`. Returns the error if it cannot be read, because the photo is
 * processed all the same. Throws what `admit` throws.
 */
function tryWatermark(
  bytes: Uint8Array,
  bounds: Size,
  admit?: (info: PhotoInfo) => void,
): Watermark | PhotoError {
  const type = detectType(bytes)
  if (!WATERMARK_TYPES.has(type)) return unsupportedType(type)
  const info = orRefusal(() => inspectPhoto(bytes))
  if (info instanceof PhotoError) return info
  const size = fitWithin(info, bounds)
  const known = lastRead.get(bytes)
  if (known?.width === size.width && known.height === size.height) return known
  admit?.(info)
  const watermark = orRefusal(() => readWatermark(bytes, info, bounds))
  if (!(watermark instanceof PhotoError)) lastRead.set(bytes, watermark)
  return watermark
}

/** What `work` returns, or the PhotoError that it throws. */
function orRefusal<T>(work: () => T): T | PhotoError {
  try {
    return work()
  } catch (error) {
    if (error instanceof PhotoError) return error
    throw error
  }
}
