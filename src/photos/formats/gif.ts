/**
 * Hands a GIF to the codec: finds its first frame, which is drawn on the canvas, and makes sure of the rest.
 *
 *     decodeGif(codec, bytes, info, { keepsAlpha: false })
 *
 * Standard: CompuServe GIF89a, sections 18–23.
 */

import type { Codec } from '../codec-instance.ts'
import {
  firstGifBlock,
  GIF_EXTENSION,
  GIF_IMAGE,
  gifPaletteBytes,
  skipGifSubBlocks,
  viewOf,
} from '../containers.ts'
import type { Size } from '../fit.ts'

const GRAPHIC_CONTROL = 0xf9

/** Largest first frame in pixels, be it that most of it lies beyond the canvas: it is kept whole, a byte for each. */
const MAX_FRAME_PIXELS = 16_000_000

/**
 * Decodes the first frame, of which only what lies on the canvas is drawn. Throws when it is damaged or not whole; what
 * comes behind it is not looked at.
 */
export function decodeGif(
  { exports, place }: Codec,
  bytes: Uint8Array,
  canvas: Size,
  { keepsAlpha }: { keepsAlpha: boolean },
): void {
  const view = viewOf(bytes)
  const at = firstGifBlock(bytes)
  if (bytes[at] !== GIF_IMAGE) throw new Error('GIF: no frame')
  const [left, top] = [view.getUint16(at + 1, true), view.getUint16(at + 3, true)]
  const [width, height] = [view.getUint16(at + 5, true), view.getUint16(at + 7, true)]
  if (width < 1 || height < 1) throw new Error('GIF: empty frame')
  if (width * height > MAX_FRAME_PIXELS) throw new Error('GIF: frame too large')
  if (left >= canvas.width || top >= canvas.height) throw new Error('GIF: frame outside the canvas')
  const flags = view.getUint8(at + 9)
  const dataAt = at + 10 + gifPaletteBytes(flags)
  const globalEnd = 13 + gifPaletteBytes(view.getUint8(10))
  const palette = gifPaletteBytes(flags) > 0 ? bytes.subarray(at + 10, dataAt) : bytes.subarray(13, globalEnd)
  const data = bytes.subarray(dataAt, skipGifSubBlocks(bytes, dataAt + 1))
  exports.decodeGif(
    canvas.width,
    canvas.height,
    left,
    top,
    width,
    height,
    (flags & 0x40) !== 0,
    place(rgbaPalette(palette)),
    palette.length / 3,
    readTransparentIndex(bytes, globalEnd),
    place(data),
    data.length,
    keepsAlpha,
  )
}

/** The transparent colour that the last graphic control block in front of the first frame names, or -1. */
function readTransparentIndex(bytes: Uint8Array, from: number): number {
  let clear = -1
  for (let at = from; bytes[at] === GIF_EXTENSION; at = skipGifSubBlocks(bytes, at + 2)) {
    if (bytes[at + 1] !== GRAPHIC_CONTROL || bytes[at + 2] !== 4) continue
    clear = ((bytes[at + 3] ?? 0) & 1) === 1 ? (bytes[at + 6] ?? -1) : -1
  }
  return clear
}

/** 256 opaque RGBA colours. */
function rgbaPalette(palette: Uint8Array): Uint8Array {
  const out = new Uint8Array(256 * 4).fill(255)
  for (let i = 0; i < palette.length / 3; i++) out.set(palette.subarray(i * 3, i * 3 + 3), i * 4)
  return out
}
