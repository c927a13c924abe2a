/**
 * From the bytes of a photo to the bytes of finished JPEGs: the only door to everything in `codec/`. Nothing outside
 * knows how pixels are kept.
 *
 *     const watermark = await readWatermark(watermarkBytes, watermarkInfo, { width: 1920, height: 1440 })
 *     const [plain, marked] = await renderJpegs(bytes, info, [{ bounds }, { bounds, watermark }])
 *
 * Rows stream from the decoder through the fitting into the encoders, so a photo is never whole in memory unless its
 * format demands it: progressive JPEG (see `MAX_COEFFICIENT_BYTES`), interlaced PNG (`MAX_INTERLACED_PIXELS`), GIF,
 * WebP (`MAX_WEBP_BYTES`), and photos that have to be turned (`MAX_TURNED_PIXELS`, counted after fitting).
 */

import { createFitter } from './codec/fitter.ts'
import { decodeGif } from './codec/gif-decode.ts'
import { decodeJpeg } from './codec/jpeg-decode.ts'
import { createJpegEncoder, type JpegEncoder } from './codec/jpeg-encode.ts'
import { decodePng } from './codec/png-decode.ts'
import { collect, flatten, premultiply, type RowSink, tee, turnUpright } from './codec/rows.ts'
import { createStamp, type Watermark } from './codec/watermark.ts'
import { decodeWebp } from './codec/webp-decode.ts'
import type { PhotoType } from './detect.ts'
import type { PhotoInfo } from './dimensions.ts'
import { PHOTO_ERRORS, PhotoError } from './errors.ts'
import { fitInside, type Size, uprightSize } from './fit.ts'
import { readProfile } from './profile.ts'

/** Most pixels of a photo by format. */
export const MAX_PIXELS: Record<PhotoType, number> = {
  'image/jpeg': 100_000_000,
  'image/png': 64_000_000,
  'image/gif': 16_000_000,
  'image/webp': 16_000_000,
}

/** Longest side in pixels: JPEG, which everything becomes, counts in 16 bits. */
export const MAX_SIDE = 65_535

/** Most pixels, after fitting, of a photo whose orientation has to be applied: it is held whole, at 3 bytes each. */
export const MAX_TURNED_PIXELS = 12_000_000

const QUALITY = 90

/** One JPEG that is wanted of a photo. */
export interface Copy {
  /** The upright copy fits into these. */
  bounds: Size
  /** Laid over the middle; not larger than the copy. */
  watermark?: Watermark | null
}

/** A finished JPEG and its size in pixels. */
export interface Rendering {
  bytes: Uint8Array
  width: number
  height: number
}

/**
 * Renders JPEGs at quality 90, one for each copy, in one pass over the photo: scaled down to its bounds, upright,
 * white where it was transparent, with the photo's colour profile and no other metadata. Throws a PhotoError.
 */
export async function renderJpegs(
  bytes: Uint8Array,
  info: PhotoInfo,
  copies: readonly Copy[],
): Promise<Rendering[]> {
  assertDecodable(info)
  const profile = await readProfile(bytes, info.type)
  const upright = uprightSize(info, info.orientation)
  const sizes = copies.map(({ bounds }) => fitInside(upright, bounds))
  const encoders = sizes.map((size) => createJpegEncoder(size, QUALITY, profile))
  await decode(bytes, info, (opaque) => {
    const outputs = encoders.map((encoder, i) => createOutput(info, copies[i], sizes[i] ?? upright, encoder))
    const all = tee(shareFitters(info, outputs))
    return opaque ? all : flatten(info.width, all)
  })
  return encoders.map((encoder, i) => ({ bytes: encoder.finish(), ...(sizes[i] ?? upright) }))
}

/**
 * Decodes a watermark, shrunk to fit into `bounds` if it is larger. Orientation metadata is not applied. Throws a
 * PhotoError.
 */
export async function readWatermark(bytes: Uint8Array, info: PhotoInfo, bounds: Size): Promise<Watermark> {
  assertDecodable(info)
  const size = fitInside(info, bounds)
  if (size.width * size.height > MAX_TURNED_PIXELS) throw new PhotoError(PHOTO_ERRORS.undecodable)
  const picture = collect(size, 4)
  await decode(bytes, info, (opaque) => {
    const fitter = createFitter(info, size, 4, picture)
    return opaque ? makeOpaque(info.width, fitter) : premultiply(info.width, fitter)
  })
  return { ...size, samples: picture.samples }
}

function assertDecodable({ type, width, height }: PhotoInfo): void {
  if (width * height > MAX_PIXELS[type] || width > MAX_SIDE || height > MAX_SIDE) {
    throw new PhotoError(PHOTO_ERRORS.undecodable, {
      cause: new Error(`${width} × ${height} pixels are too many`),
    })
  }
}

/** Runs the format's decoder; `sinkFor` is told whether its rows are opaque RGB or RGBA. */
async function decode(
  bytes: Uint8Array,
  info: PhotoInfo,
  sinkFor: (opaque: boolean) => RowSink,
): Promise<void> {
  try {
    if (info.type === 'image/jpeg') decodeJpeg(bytes, info, sinkFor(true))
    else if (info.type === 'image/png') await decodePng(bytes, info, sinkFor(false))
    else if (info.type === 'image/gif') decodeGif(bytes, info, sinkFor(false))
    else await decodeWebp(bytes, info, sinkFor(false))
  } catch (cause) {
    // Decoders written in C throw numbers and objects of their own.
    throw new PhotoError(PHOTO_ERRORS.undecodable, { cause })
  }
}

/** What happens to the fitted rows of one copy. */
interface Output {
  /** Size as stored, before it is turned. */
  stored: Size
  sink: RowSink
}

function createOutput(info: PhotoInfo, copy: Copy | undefined, size: Size, encoder: JpegEncoder): Output {
  const stored = uprightSize(size, info.orientation)
  const watermark = copy?.watermark
  const stamped = watermark ? createStamp(watermark, size, encoder) : encoder
  if (info.orientation !== 1 && size.width * size.height > MAX_TURNED_PIXELS) {
    throw new Error('Too large to be turned')
  }
  return { stored, sink: stamped }
}

/** One fitter, and one turn, for all copies of the same size. */
function shareFitters(info: PhotoInfo, outputs: readonly Output[]): RowSink[] {
  const sizes = new Map(outputs.map(({ stored }) => [`${stored.width}x${stored.height}`, stored]))
  return [...sizes.values()].map((stored) => {
    const same = outputs.filter(
      (output) => output.stored.width === stored.width && output.stored.height === stored.height,
    )
    const upright = turnUpright(stored, info.orientation, tee(same.map(({ sink }) => sink)))
    return createFitter(info, stored, 3, upright)
  })
}

/** RGB in, RGBA out. */
function makeOpaque(width: number, next: RowSink): RowSink {
  const out = new Uint8Array(width * 4).fill(255)
  return {
    push(row) {
      for (let x = 0; x < width; x++) out.set(row.subarray(x * 3, x * 3 + 3), x * 4)
      next.push(out)
    },
  }
}
