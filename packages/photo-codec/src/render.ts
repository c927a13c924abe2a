/**
 * Renders the bytes of a photo to the bytes of finished JPEGs, or to pixels. This is the only module that decodes pixels:
 * no other one depends on how they are stored.
 *
 *     const watermark = readWatermark(watermarkBytes, watermarkInfo, { width: 1920, height: 1440 })
 *     const [{ bytes, marked }] = renderJpegs(bytes, info, [{ bounds, watermark }])
 *     const file = renderPixels(bytes, info, { bounds }, ({ rgba, width, height, profile }) => encode(rgba))
 *
 * Rows stream from the decoder through the resampling into the encoders. So a photo is never whole in memory unless its
 * format or orientation requires it; `assembly/index.ts` explains how.
 */

import { type Codec, withCodec } from './codec-instance.ts'
import type { PhotoType } from './detect.ts'
import type { PhotoInfo } from './dimensions.ts'
import { CODEC_ERRORS, PhotoError } from './errors.ts'
import { fitWithin, type Size, uprightSize } from './fit.ts'
import { decodeGif } from './formats/gif.ts'
import { decodeJpeg } from './formats/jpeg.ts'
import { decodePng } from './formats/png.ts'
import { decodeWebp } from './formats/webp.ts'
import { type PhotoColours, profileSegments, readColours } from './profile.ts'

/** Maximum pixels of a photo by format. The codec has a lower limit for progressive JPEG. */
const MAX_PIXELS: Record<PhotoType, number> = {
  'image/jpeg': 100_000_000,
  'image/png': 64_000_000,
  'image/gif': 64_000_000,
  'image/webp': 40_000_000,
}

/** Maximum side in pixels: all output is JPEG, whose sizes have 16 bits. */
const MAX_SIDE = 65_535

/** Quality of a JPEG that nothing else is asked of. */
const QUALITY = 90

/** Maximum pixels of a fitted watermark: it is in memory as a whole, at 4 bytes a pixel. */
const MAX_WATERMARK_PIXELS = 4_000_000

/** Passes a photo to the codec. Throws when it is damaged. */
type Decoder = (
  codec: Codec,
  bytes: Uint8Array,
  info: PhotoInfo,
  options: { keepsAlpha: boolean; consume: boolean },
) => void

const DECODERS: Record<PhotoType, Decoder> = {
  'image/jpeg': decodeJpeg,
  'image/png': decodePng,
  'image/gif': decodeGif,
  'image/webp': decodeWebp,
}

/** A decoded watermark, ready to be laid over a copy: luma, chroma and alpha, in the layout of the codec. */
export interface Watermark extends Size {
  planes: Uint8Array
}

/** One requested size of a photo. */
export interface Copy {
  /** The upright copy fits into these. */
  bounds: Size
  /** Laid over the middle of a second JPEG of this size; not larger than the copy. */
  watermark?: Watermark | null
  /** Quality of the JPEG, from 50 to 100; 90 by default. */
  quality?: number
  /** Whether both sides are scaled by the factor of the width, whatever is rounded; otherwise the copy is filled. */
  keepsRatio?: boolean
}

/** Finished JPEGs and their size in pixels. */
export interface Rendering {
  bytes: Uint8Array
  /** The one with the watermark, if there is one. */
  marked: Uint8Array | null
  width: number
  height: number
}

/** A picture as opaque pixels. */
export interface Pixels extends Size {
  /** Row by row, 4 bytes each. */
  rgba: Uint8Array<ArrayBuffer>
  /** The anonymous profile of the colours; null for sRGB. */
  profile: Uint8Array | null
}

/**
 * Renders JPEGs of one or two sizes in one pass over the photo. They are scaled down to their bounds, upright, white where the photo was transparent, with its colour profile and no other metadata. With `consume`, `bytes`
 * may be empty afterwards, so that the file is not in memory twice. Throws a PhotoError.
 */
export function renderJpegs(
  bytes: Uint8Array,
  info: PhotoInfo,
  copies: readonly Copy[],
  consume = false,
): Rendering[] {
  return decode(bytes, info, { consume }, (codec, { profile }) => {
    const segments = profile ? profileSegments(profile) : new Uint8Array(0)
    const requested = copies.map((copy) => addCopy(codec, info, copy))
    return () =>
      requested.map(({ index, width, height, watermark }) => ({
        bytes: codec.fetch(index, false, segments),
        marked: watermark ? codec.fetch(index, true, segments) : null,
        width,
        height,
      }))
  })
}

/**
 * Renders the pixels of a photo by the rules of `renderJpegs`, keeping its ratio, and passes them to `use`. They are in the memory of the
 * codec, so that they are not in memory twice: valid only during the call. Throws a PhotoError.
 */
export function renderPixels<T>(
  bytes: Uint8Array,
  info: PhotoInfo,
  { bounds, consume }: { bounds: Size; consume?: boolean | undefined },
  use: (pixels: Pixels) => T,
): T {
  return decode(bytes, info, { consume }, (codec, { profile }) => {
    const size = fitWithin(uprightSize(info, info.orientation), bounds)
    const stored = uprightSize(size, info.orientation)
    const address = codec.exports.collectPixels(stored.width, stored.height, info.orientation)
    return () => use({ rgba: codec.view(address, size.width * size.height * 4), profile, ...size })
  })
}

/**
 * Decodes a watermark, shrunk to fit into `bounds` if it is larger. Orientation metadata is not applied. Throws a
 * PhotoError.
 */
export function readWatermark(bytes: Uint8Array, info: PhotoInfo, bounds: Size): Watermark {
  const size = fitWithin(info, bounds)
  if (size.width * size.height > MAX_WATERMARK_PIXELS) throw new PhotoError(CODEC_ERRORS.undecodable)
  return decode(bytes, info, { keepsAlpha: true }, (codec) => {
    const address = codec.exports.collectWatermark(size.width, size.height)
    return () => ({ ...size, planes: codec.view(address, size.width * size.height * 4).slice() })
  })
}

/**
 * Decodes a photo. `request` asks the codec for something and returns a function that takes it once the photo is decoded.
 * Turns every error of decoding, including bugs of the codec, into a PhotoError.
 */
function decode<T>(
  bytes: Uint8Array,
  info: PhotoInfo,
  { keepsAlpha = false, consume = false }: { keepsAlpha?: boolean; consume?: boolean | undefined },
  request: (codec: Codec, colours: PhotoColours) => () => T,
): T {
  assertDecodable(info)
  const colours = readColours(bytes, info.type)
  const { inks } = colours
  try {
    return withCodec((codec) => {
      const take = request(codec, colours)
      if (inks) codec.exports.useInkTable(codec.placeNumbers(inks.axes), codec.placeNumbers(inks.nodes))
      DECODERS[info.type](codec, bytes, info, { keepsAlpha, consume })
      return take()
    })
  } catch (cause) {
    throw new PhotoError(CODEC_ERRORS.undecodable, { cause })
  }
}

function assertDecodable({ type, width, height }: PhotoInfo): void {
  if (width * height > MAX_PIXELS[type] || width > MAX_SIDE || height > MAX_SIDE) {
    throw new PhotoError(CODEC_ERRORS.undecodable, {
      cause: new Error(`${width} × ${height} pixels are too many`),
    })
  }
}

/** Registers a copy with the codec. */
function addCopy(
  { exports, view }: Codec,
  info: PhotoInfo,
  { bounds, watermark, quality = QUALITY, keepsRatio = false }: Copy,
) {
  const size = fitWithin(uprightSize(info, info.orientation), bounds)
  const stored = uprightSize(size, info.orientation)
  const index = exports.addCopy(stored.width, stored.height, info.orientation, quality)
  if (keepsRatio) exports.keepRatio(index)
  if (watermark) {
    const left = Math.floor((size.width - watermark.width) / 2)
    const top = Math.floor((size.height - watermark.height) / 2)
    const address = exports.addWatermark(index, watermark.width, watermark.height, left, top)
    view(address, watermark.planes.length).set(watermark.planes)
  }
  return { index, watermark, ...size }
}
