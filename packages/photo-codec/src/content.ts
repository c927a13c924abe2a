/**
 * Checks whether a file with the right signature really contains a picture of that format. It detects files that only
 * pretend to be one; the decoder checks whether the picture is valid.
 *
 *     containsPicture(bytesOf('GIF89a<script>…'), 'image/gif') // false
 */

import { EOI, firstGifBlock, GIF_IMAGE, jpegSegments, pngChunks, riffChunks, SOS } from './containers.ts'
import type { PhotoType } from './detect.ts'

const WEBP_PICTURES = new Set(['VP8 ', 'VP8L', 'ANMF'])

/**
 * False when the structure of the file ends, or becomes invalid, without picture data. True for a file that is truncated
 * before its picture data.
 */
export function containsPicture(bytes: Uint8Array, type: PhotoType): boolean {
  return CHECKS[type](bytes)
}

const CHECKS: Record<PhotoType, (bytes: Uint8Array) => boolean> = {
  'image/jpeg': (bytes) => {
    for (const { marker } of jpegSegments(bytes)) if (marker === SOS || marker === EOI) return marker === SOS
    return true
  },
  'image/png': (bytes) => {
    for (const { type } of pngChunks(bytes)) if (type === 'IDAT' || type === 'IEND') return type === 'IDAT'
    return true
  },
  'image/gif': (bytes) => {
    const at = firstGifBlock(bytes)
    return at >= bytes.length || bytes[at] === GIF_IMAGE
  },
  'image/webp': (bytes) => {
    let end = 0
    for (const { type, body, at } of riffChunks(bytes)) {
      if (WEBP_PICTURES.has(type)) return true
      end = at + 8 + body.length
    }
    return end < bytes.length
  },
}
