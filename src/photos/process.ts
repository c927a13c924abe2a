/**
 * What is done to an uploaded photo: judge it by its bytes, shrink it, turn it upright, put the watermark on.
 *
 *     const { original, watermarked, width, height } = await processPhoto(bytes, { maxSide: 1920, watermark })
 *     const { image, thumb } = await processPanorama(bytes)
 *
 * A photo is worked on in one go: an isolate's 128 MB are shared by all requests that run in it. The photos of requests
 * take turns, so that none waits for all of another's.
 */

import { takeTurn } from '../http/turns.ts'
import { type Budget, BudgetSpent, panoramaCost, photoCost } from './budget.ts'
import { holdsPicture } from './content.ts'
import { detectType, isPhotoType, type PhotoType } from './detect.ts'
import { type PhotoInfo, readPhotoInfo } from './dimensions.ts'
import { MAX_PHOTO_BYTES } from './download.ts'
import { PHOTO_ERRORS, PhotoError, unsupportedType } from './errors.ts'
import { fitInside, type Size, uprightSize } from './fit.ts'
import { readWatermark, renderJpegs, type Watermark } from './render.ts'

/** Widest panorama that is kept, in pixels. */
const PANORAMA_WIDTH = 8192

/** Width of a panorama's small picture, in pixels. */
const PANORAMA_THUMB_WIDTH = 1024

/** Types a watermark may have. */
const WATERMARK_TYPES = new Set<string>(['image/png', 'image/webp', 'image/jpeg'] satisfies PhotoType[])

/** Where photos wait for their turn. */
const LINE = 'photos'

/** The call that a photo belongs to. */
export interface PhotoCall {
  /** Pays for the photo and its watermark. */
  budget?: Budget
  /** Called when the photo's turn has come. */
  began?: () => void
}

/** How a photo is processed. */
export interface PhotoOptions extends PhotoCall {
  /** Bound for the longer side in pixels. */
  maxSide: number
  /** The watermark's file, or null for none. */
  watermark: Uint8Array | null
  /** Whether the photo's bytes are not needed any more: their memory is given back as soon as possible. */
  consume?: boolean
}

/** A processed photo: JPEG files and their common size in pixels. */
export interface ProcessedPhoto {
  original: Uint8Array
  /** Null without a watermark, or when the watermark cannot be read. */
  watermarked: Uint8Array | null
  /** Why the watermark cannot be read. */
  watermarkError: PhotoError | null
  width: number
  height: number
}

/** A processed panorama: JPEG files. */
export interface ProcessedPanorama {
  image: Uint8Array
  thumb: Uint8Array
}

/** Makes the stored copies of a photo. Throws a PhotoError whose message is the API's text. */
export function processPhoto(
  bytes: Uint8Array,
  { maxSide, watermark, consume, ...call }: PhotoOptions,
): Promise<ProcessedPhoto> {
  return inTurn(call, () => {
    const info = inspectPhoto(bytes)
    call.budget?.pay(photoCost(info))
    const bounds = { width: maxSide, height: maxSide }
    const fitted = fitInside(uprightSize(info, info.orientation), bounds)
    const mark = watermark ? tryWatermark(watermark, fitted, call.budget) : null
    const read = mark instanceof PhotoError ? null : mark
    const [copy] = renderJpegs(bytes, info, [{ bounds, watermark: read }], consume)
    if (!copy) throw new PhotoError(PHOTO_ERRORS.undecodable)
    return {
      original: copy.bytes,
      watermarked: copy.marked,
      watermarkError: mark instanceof PhotoError ? mark : null,
      width: copy.width,
      height: copy.height,
    }
  })
}

/** Makes the stored copies of a 360° panorama, bounded in width only. Throws a PhotoError. */
export function processPanorama(bytes: Uint8Array, call: PhotoCall = {}): Promise<ProcessedPanorama> {
  return inTurn(call, () => {
    const info = inspectPhoto(bytes)
    call.budget?.pay(panoramaCost(info))
    const widths = [PANORAMA_WIDTH, PANORAMA_THUMB_WIDTH]
    const copies = widths.map((width) => ({ bounds: { width, height: Number.POSITIVE_INFINITY } }))
    const [image, thumb] = renderJpegs(bytes, info, copies)
    if (!image || !thumb) throw new PhotoError(PHOTO_ERRORS.undecodable)
    return { image: image.bytes, thumb: thumb.bytes }
  })
}

/** Runs `work` when it is its turn; the time until then is not the call's. */
function inTurn<T>({ budget, began }: PhotoCall, work: () => T): Promise<T> {
  const queued = Date.now()
  return takeTurn(LINE, async () => {
    budget?.excuse(Date.now() - queued)
    began?.()
    return work()
  })
}

/** Whether a file can be a watermark: a PNG, WebP or JPEG that decodes to its end. */
export function isWatermarkImage(bytes: Uint8Array): Promise<boolean> {
  // Nobody looks at the result, so it may as well be small.
  const bounds = { width: 16, height: 16 }
  return inTurn({}, () => !(tryWatermark(bytes, bounds) instanceof PhotoError))
}

/** Type and size of a photo by its header. Throws the PhotoErrors that come before decoding. */
export function inspectPhoto(bytes: Uint8Array): PhotoInfo {
  const type = detectType(bytes)
  if (!isPhotoType(type)) throw unsupportedType(type)
  const info = readPhotoInfo(bytes, type)
  if (!info) throw new PhotoError(PHOTO_ERRORS.noDimensions)
  if (!holdsPicture(bytes, type)) throw new PhotoError(PHOTO_ERRORS.typeMismatch)
  if (bytes.length > MAX_PHOTO_BYTES) throw new PhotoError(PHOTO_ERRORS.undecodable)
  return info
}

/** The watermark that was read last, as all photos of a call have the same. */
const lastRead = new WeakMap<Uint8Array, Watermark>()

/**
 * The watermark at its natural size or shrunk into `bounds`; the reason when it cannot be read, which is no failure.
 * Throws a PhotoError when the budget is too small to read it.
 */
function tryWatermark(bytes: Uint8Array, bounds: Size, budget?: Budget): Watermark | PhotoError {
  try {
    const type = detectType(bytes)
    if (!WATERMARK_TYPES.has(type)) throw unsupportedType(type)
    const info = inspectPhoto(bytes)
    const size = fitInside(info, bounds)
    const known = lastRead.get(bytes)
    if (known?.width === size.width && known.height === size.height) return known
    budget?.pay(photoCost(info))
    const watermark = readWatermark(bytes, info, bounds)
    lastRead.set(bytes, watermark)
    return watermark
  } catch (error) {
    if (error instanceof PhotoError && !(error instanceof BudgetSpent)) return error
    throw error
  }
}
