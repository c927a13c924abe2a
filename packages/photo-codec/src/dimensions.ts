/**
 * A photo's size and orientation, read from the header before a decoder gets the file.
 *
 *     const info = readPhotoInfo(bytes, 'image/jpeg') // { type, width: 4032, height: 3024, orientation: 6 }
 *
 * Sizes are in pixels as stored, before the orientation is applied. The same walk through the file checks whether it really
 * contains a picture, or only pretends to be one; the decoder checks whether the picture is valid.
 */

import {
  APP1,
  EOI,
  firstGifBlock,
  GIF_IMAGE,
  isFrameMarker,
  isPngChunkIntact,
  jpegSegments,
  pngChunks,
  readGifFrame,
  riffChunks,
  textAt,
  viewOf,
} from './containers.ts'
import type { PhotoType } from './detect.ts'

/** What the header says about a photo. */
export interface PhotoInfo {
  type: PhotoType
  /** Stored width in pixels, at least 1. */
  width: number
  /** Stored height in pixels, at least 1. */
  height: number
  /** EXIF orientation 1–8 (TIFF 6.0, tag 274); 1 when there is none or it is out of range. */
  orientation: number
}

const ORIENTATION_TAG = 0x0112
/** A padding byte follows the name; it need not be zero. */
const EXIF_NAME = 'Exif\0'
const EXIF_PREFIX_BYTES = 6
/** TIFF 6.0 section 2: the types of whole numbers, with their lengths in bytes. */
const INTEGER_BYTES: Record<number, 1 | 2 | 4> = { 1: 1, 3: 2, 4: 4, 6: 1, 8: 2, 9: 4 }

/** Reads the header of a photo of a known type; null when it has no usable size. */
export function readPhotoInfo(bytes: Uint8Array, type: PhotoType): PhotoInfo | null {
  const size = READERS[type](bytes)
  if (!size || size.width < 1 || size.height < 1) return null
  return { type, width: size.width, height: size.height, orientation: size.orientation ?? 1 }
}

/**
 * False when the structure of the file ends, or becomes invalid, without picture data. True for a file that is truncated
 * before its picture data.
 */
export function containsPicture(bytes: Uint8Array, type: PhotoType): boolean {
  return READERS[type](bytes)?.hasPicture ?? false
}

/** A size in pixels as stored, and the orientation if there is one. */
interface StoredSize {
  width: number
  height: number
  orientation?: number | undefined
}

type Header = StoredSize & { hasPicture: boolean }

const READERS: Record<PhotoType, (bytes: Uint8Array) => Header | null> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
}

/** Reads on after the frame header, because some programs write Exif there. */
function readJpeg(bytes: Uint8Array): Header | null {
  let size: StoredSize | null = null
  let orientation: number | undefined
  let hasPicture = true
  for (const { marker, body } of jpegSegments(bytes)) {
    // The first Exif segment with an orientation counts; APP1 may also hold XMP.
    if (marker === APP1 && textAt(body, 0, EXIF_NAME.length) === EXIF_NAME) {
      orientation ??= readOrientation(body.subarray(EXIF_PREFIX_BYTES))
    }
    if (marker === EOI) hasPicture = false
    if (isFrameMarker(marker) && !size) {
      if (body.length < 6) return null
      const view = viewOf(body)
      size = { width: view.getUint16(3), height: view.getUint16(1) }
    }
  }
  return size && { ...size, orientation, hasPicture }
}

function readPng(bytes: Uint8Array): Header | null {
  let size: Header | null = null
  for (const chunk of pngChunks(bytes)) {
    const { type, body } = chunk
    if (!size) {
      if (type !== 'IHDR' || body.length !== 13) return null
      size = { width: viewOf(body).getUint32(0), height: viewOf(body).getUint32(4), hasPicture: true }
    } else if (type === 'eXIf' && isPngChunkIntact(bytes, chunk)) {
      size.orientation = readOrientation(body)
    } else if (type === 'IDAT') {
      break
    } else if (type === 'IEND') {
      size.hasPicture = false
    }
  }
  return size
}

/** The size of the first frame, or that of the logical screen. */
function readGif(bytes: Uint8Array): Header | null {
  if (bytes.length < 13) return null
  const view = viewOf(bytes)
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  const at = firstGifBlock(bytes)
  const hasPicture = at >= bytes.length || bytes[at] === GIF_IMAGE
  return { ...(readGifFrame(bytes, at) ?? screen), hasPicture }
}

function readWebp(bytes: Uint8Array): Header | null {
  let size: StoredSize | null = null
  let [isFramed, hasPicture, end] = [false, false, 0]
  for (const { type, body, at } of riffChunks(bytes)) {
    // Of an animation, that of its first frame.
    if (!size || (type === 'ANMF' && !isFramed)) size = readWebpChunk(type, body)
    if (!size) return null
    isFramed ||= type === 'ANMF'
    hasPicture ||= WEBP_PICTURES.has(type)
    end = at + 8 + body.length
    if (type === 'EXIF') {
      size.orientation = readOrientation(
        textAt(body, 0, EXIF_NAME.length) === EXIF_NAME ? body.subarray(EXIF_PREFIX_BYTES) : body,
      )
    }
  }
  return size && { ...size, hasPicture: hasPicture || end < bytes.length }
}

const WEBP_PICTURES = new Set(['VP8 ', 'VP8L', 'ANMF'])

/** Bytes of the header of a frame in an animation. */
export const WEBP_FRAME_BYTES = 16
const MIN_BYTES: Record<string, number> = { VP8L: 5, ANMF: WEBP_FRAME_BYTES }

/** The size in a chunk: extended header, frame, lossy key frame (RFC 6386 9.1) or lossless header (RFC 9649 3.4). */
export function readWebpChunk(type: string, body: Uint8Array): StoredSize | null {
  if (body.length < (MIN_BYTES[type] ?? 10)) return null
  const view = viewOf(body)
  if (type === 'VP8X' || type === 'ANMF') {
    // Two numbers of 24 bits, read with the byte in front of them.
    const at = type === 'VP8X' ? 3 : 5
    return { width: (view.getUint32(at, true) >>> 8) + 1, height: (view.getUint32(at + 3, true) >>> 8) + 1 }
  }
  if (type === 'VP8L') {
    const bits = view.getUint32(1, true)
    return body[0] === 0x2f ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : null
  }
  if (type === 'VP8 ') {
    const keyFrame = ((body[0] ?? 1) & 1) === 0 && textAt(body, 3, 3) === '\x9d\x01\x2a'
    return keyFrame
      ? { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff }
      : null
  }
  return null
}

/** The orientation in a TIFF structure's first directory; undefined when it is missing, damaged or out of range. */
function readOrientation(tiff: Uint8Array): number | undefined {
  const order = textAt(tiff, 0, 4)
  if (tiff.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return undefined
  const little = order === 'II*\0'
  const view = viewOf(tiff)
  const directory = view.getUint32(4, little)
  if (directory + 2 > tiff.length) return undefined
  const entries = view.getUint16(directory, little)
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12
    if (entry + 12 > tiff.length) return undefined
    if (view.getUint16(entry, little) !== ORIENTATION_TAG) continue
    const value = readInteger(view, entry, little)
    if (value >= 1 && value <= 8) return value
  }
  return undefined
}

/**
 * The value of a directory entry with one integer, at the start of its four bytes. The standard requires a SHORT, but
 * programs write other integer types, too. 0 for all other types.
 */
function readInteger(view: DataView, entry: number, little: boolean): number {
  const bytes = INTEGER_BYTES[view.getUint16(entry + 2, little)]
  if (bytes === 4) return view.getUint32(entry + 8, little)
  if (bytes === 2) return view.getUint16(entry + 8, little)
  return bytes === 1 ? view.getUint8(entry + 8) : 0
}
