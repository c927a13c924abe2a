/**
 * Whether a file with the right beginning goes on to hold a picture of that format. Meant for files that only pose as
 * one; whether the picture is sound is for the decoder to find out.
 *
 *     holdsPicture(bytesOf('GIF89a<script>…'), 'image/gif') // false
 */

import { EOI, firstGifBlock, GIF_IMAGE, jpegSegments, pngChunks, riffChunks, SOS } from './containers.ts'
import type { PhotoType } from './detect.ts'

const WEBP_PICTURES = new Set(['VP8 ', 'VP8L', 'ANMF'])

/**
 * False when the file's own structure ends, or turns into something else, without picture data. A file that was cut
 * before any is given the benefit of the doubt.
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
