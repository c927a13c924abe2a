/**
 * The photo codec: one WebAssembly module between the bytes of a picture and the bytes of JPEGs, or RGBA pixels.
 *
 * A 48-megapixel photo is 190 MB of pixels, but a Worker has 128 MB in all. So whole pictures are kept in memory only if
 * unavoidable, and pixels are converted to RGB only if necessary. A JPEG consists of luma and chroma, with chroma at half
 * the size: it is shrunk and encoded again in that form.
 *
 *     JPEG file ── jpeg-frame, jpeg-scan ── jpeg-sequential ─────────────┐
 *                                        └─ jpeg-progressive (keeps n×n) ┤
 *                                                                        ├─ jpeg-plane, inverse-dct: n×n of 8×8 samples
 *                                                                        │
 *     WebP, lossy ── vp8-decode (modes, tokens, predict, …) ── planar ───┤
 *     its alpha ──── alpha-plane ─────────────────────────────┘          │
 *     WebP, lossless ─ vp8l-decode, -image, -transforms ─┐               │
 *     PNG data ────── inflate, png-decode, -pixels ──────┼── rgba ───────┤
 *     GIF file ────── gif-decode, gif-lzw ───────────────┘               │
 *                                                                        │
 *                                                                        ▼
 *                                     resample (Lanczos, row by row, each plane by itself)
 *                                                                        ▼
 *                         copies: rows of MCUs ── copy-plane ────── jpeg-encode ── jpeg-write ── host
 *                                                                ├─ stamp ── jpeg-encode ── jpeg-write ── host
 *                                                                └─ raster ── host, for its encoder of WebP
 *
 * A table of the host converts inks (`ink-table`). Such a JPEG becomes RGBA pixels as well, see `jpeg-colour`.
 *
 * **One call, one photo.** The host calls `reset`, requests one or two copies, passes the picture and then fetches
 * the files. `fail` refuses an invalid picture. An instance that trapped is discarded.
 *
 * **Memory.** Everything lives in blocks of `arena`, which only grow until the next `reset`, with a guard word between
 * any two. The largest are: the file (as long as it is), the kept coefficients of a progressive JPEG (n² · 2 + 8 bytes
 * for each block, none for n = 1 but 2, and 128 for one at the edge; at most 48 MB), the last two million pixels of a
 * lossless WebP (8 MB) and what its transforms keep (at most a quarter of a byte for each pixel, four times), rings of rows
 * (128 rows per copy and plane), and tokens (about four times the output).
 * Data is written only into blocks whose size was worked out from the same numbers that bound the writing loop; bytes
 * of the file are only read up to its end or, where that would cost time, up to INPUT_SLACK after it and judged later.
 *
 * **Words.** A *plane* is one component of a picture, an *MCU* the group of blocks that JPEG codes together, *n* or
 * `points` the samples that a block keeps in each direction. `usize` numbers are addresses or bytes.
 *
 * **Sources.** ITU-T T.81 (JPEG) with T.871 (JFIF) and T.872 (CMYK); W3C Portable Network Graphics, third edition;
 * RFC 1950 and 1951 (zlib, deflate); CompuServe GIF89a; RFC 9649 (WebP) and 6386 (VP8); TIFF 6.0 (orientation). Sections are named where they are used. The language is AssemblyScript:
 * TypeScript with the numbers of WebAssembly, compiled by `scripts/build.ts`.
 */

import { AlphaPlane } from './alpha-plane'
import { allocateFor, release } from './arena'
import { addCopy as addCopyOf, clearCopies, copyAt, finishCopies } from './copies'
import { clearFilters } from './filter'
import { clearInkTable } from './ink-table'
import { Encoder } from './jpeg-encode'
import { INPUT_SLACK } from './jpeg-scan'
import { writeJpeg } from './jpeg-write'
import { startPlanar } from './planar'
import { Raster } from './raster'
import { Stamp } from './stamp'
import { Vp8Frame } from './vp8-decode'
import { decodeLossless } from './vp8l-decode'

export { guardsAreIntact as isIntact } from './arena'
export { decodeGif } from './gif-decode'
export { useInkTable } from './ink-table'
export { decodeJpeg } from './jpeg-decode'
export { decodePng } from './png-decode'

/** Forgets everything about the photo before. */
export function reset(): void {
  clearCopies()
  clearFilters()
  clearInkTable()
  release()
}

/** Room for `length` bytes, all of which the host fills in: a file, a colour table, rows. */
export function reserve(length: usize): usize {
  const start = allocateFor(length + INPUT_SLACK)
  memory.fill(start + length, 0, INPUT_SLACK)
  return start
}

/**
 * Asks for a JPEG of width × height pixels, as stored, turned by `orientation` (1–8), of this quality (50–100). Returns
 * the copy's number.
 */
export function addCopy(width: i32, height: i32, orientation: i32, quality: i32): i32 {
  const index = addCopyOf(width, height, orientation)
  const copy = copyAt(index)
  copy.encoder = Encoder.create(copy.uprightWidth, copy.uprightHeight, quality)
  return index
}

/** Scales a copy by the factor of its width in both directions, instead of filling its size. */
export function keepRatio(copy: i32): void {
  copyAt(copy).keepRatio()
}

/** Asks for the pixels of a copy that keeps its ratio, instead of a JPEG. Returns where they will be, as rows of RGBA. */
export function collectPixels(width: i32, height: i32, orientation: i32): usize {
  const copy = copyAt(addCopyOf(width, height, orientation))
  const raster = Raster.create(copy.uprightWidth, copy.uprightHeight)
  copy.raster = raster
  copy.keepRatio()
  return raster.pixels
}

/**
 * Asks for a second JPEG of a copy with a watermark on it, whose upper left corner lies at `left`, `top`; all of it must
 * lie on the copy. Returns where the host puts its planes: luma, blue, red and alpha, width × height bytes each.
 */
export function addWatermark(copy: i32, width: i32, height: i32, left: i32, top: i32): usize {
  const target = copyAt(copy)
  const isInside =
    left >= 0 && top >= 0 && left + width <= target.uprightWidth && top + height <= target.uprightHeight
  if (!isInside) unreachable()
  const stamp = Stamp.create(width, height, left, top)
  target.stamp = stamp
  const encoder = target.encoder
  if (encoder === null) return unreachable()
  target.markedEncoder = Encoder.create(target.uprightWidth, target.uprightHeight, encoder.quality)
  return stamp.luma
}

/** Asks for the planes of a watermark instead of a JPEG. Returns where they will be, as `addWatermark` takes them. */
export function collectWatermark(width: i32, height: i32): usize {
  const copy = copyAt(addCopyOf(width, height, 1))
  const stamp = Stamp.create(width, height, 0, 0)
  copy.collected = stamp
  return stamp.luma
}

/**
 * Decodes a WebP: `length` bytes of a VP8 or, if it `isLossless`, of a VP8L chunk, and `alphaLength` bytes of an ALPH
 * chunk, if there is one.
 */
export function decodeWebp(
  width: i32,
  height: i32,
  isLossless: bool,
  data: usize,
  length: usize,
  alpha: usize,
  alphaLength: usize,
  keepsAlpha: bool,
): void {
  if (isLossless) decodeLossless(width, height, data, length, keepsAlpha)
  else {
    const plane = alphaLength > 0 ? AlphaPlane.open(alpha, alphaLength, width, height) : null
    const frame = Vp8Frame.open(data, length, width, height, plane)
    startPlanar(width, height, keepsAlpha)
    frame.decode()
  }
  finishCopies()
}

/** Writes the JPEG of a copy, or the one with the watermark, through the host's `write`. */
export function writeCopy(copy: i32, isMarked: bool, segments: usize, segmentBytes: usize): void {
  const encoder = isMarked ? copyAt(copy).markedEncoder : copyAt(copy).encoder
  if (encoder !== null) writeJpeg(encoder, segments, segmentBytes)
  else unreachable()
}
