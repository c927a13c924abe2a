/**
 * Passes a GIF to the codec: finds its first frame, and checks its structure.
 *
 *     decodeGif(codec, bytes, info, { keepsAlpha: false })
 *
 * Standard: CompuServe GIF89a, sections 18–23.
 */

import type { Codec } from '../codec-instance.ts'
import {
  firstGifBlock,
  GIF_EXTENSION,
  gifPaletteBytes,
  readGifFrame,
  skipGifSubBlocks,
} from '../containers.ts'
import type { Size } from '../fit.ts'
import { rgbaPalette } from './palette.ts'

const GRAPHIC_CONTROL = 0xf9

/** Decodes the first frame, of the size that `readPhotoInfo` found. Throws when it is damaged or truncated. */
export function decodeGif(
  { exports, place }: Codec,
  bytes: Uint8Array,
  { width, height }: Size,
  { keepsAlpha }: { keepsAlpha: boolean },
): void {
  const at = firstGifBlock(bytes)
  const frame = readGifFrame(bytes, at)
  if (!frame) throw new Error('GIF: no frame')
  const { flags } = frame
  const dataAt = at + 10 + gifPaletteBytes(flags)
  const globalEnd = 13 + gifPaletteBytes(bytes[10] ?? 0)
  const palette = gifPaletteBytes(flags) > 0 ? bytes.subarray(at + 10, dataAt) : bytes.subarray(13, globalEnd)
  if (palette.length === 0) throw new Error('GIF: palette missing')
  const clear = readTransparentIndex(bytes, globalEnd)
  const data = bytes.subarray(dataAt, skipGifSubBlocks(bytes, dataAt + 1))
  exports.decodeGif(
    width,
    height,
    (flags & 0x40) !== 0,
    place(rgbaPalette(palette, (index) => (index === clear ? 0 : 255))),
    clear === null,
    place(data),
    data.length,
    keepsAlpha,
  )
}

/** Index of the transparent colour, from the last graphic control block before the first frame; null for none. */
function readTransparentIndex(bytes: Uint8Array, from: number): number | null {
  let clear: number | null = null
  for (let at = from; bytes[at] === GIF_EXTENSION; at = skipGifSubBlocks(bytes, at + 2)) {
    if (bytes[at + 1] !== GRAPHIC_CONTROL || bytes[at + 2] !== 4) continue
    clear = ((bytes[at + 3] ?? 0) & 1) === 1 ? (bytes[at + 6] ?? null) : null
  }
  return clear
}
