/**
 * Decodes the first frame of a GIF, drawn on its canvas.
 *
 *     decodeGif(bytes, info, flatten(info.width, fitter)) // pushes RGBA rows
 *
 * Written here because decoders at hand either hang on, or quietly fill up, files that are damaged.
 *
 * Standard: CompuServe GIF89a, sections 18–23 and appendix F.
 */

import {
  firstGifBlock,
  GIF_EXTENSION,
  GIF_IMAGE,
  GIF_TRAILER,
  gifPaletteBytes,
  skipGifSubBlocks,
  viewOf,
} from '../containers.ts'
import type { Size } from '../fit.ts'
import type { RowSink } from './rows.ts'

const GRAPHIC_CONTROL = 0xf9
const MAX_CODES = 4096

/** First row and distance of the rows of each pass of an interlaced frame. */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const

/** The first frame: its place on the canvas, its colours, and where its data begins. */
interface GifFrame extends Size {
  left: number
  top: number
  interlaced: boolean
  palette: Uint8Array
  /** Index of the transparent colour, or -1. */
  clear: number
  dataAt: number
}

/** Pushes the canvas rows as RGBA. Throws when the frame is damaged or cut short. */
export function decodeGif(bytes: Uint8Array, size: Size, sink: RowSink): void {
  const frame = readFirstFrame(bytes)
  const { width, height, left, top } = frame
  if (width < 1 || height < 1 || left + width > size.width || top + height > size.height) {
    throw new Error('GIF: frame outside the canvas')
  }
  assertComplete(bytes, frame.dataAt)
  const indexes = new Uint8Array(frame.width * frame.height)
  unpackLzw(bytes, frame.dataAt, indexes)
  const order = frame.interlaced ? interlacedOrder(frame.height) : null
  const out = new Uint8Array(size.width * 4)
  for (let y = 0; y < size.height; y++) {
    out.fill(0)
    const row = y - frame.top
    if (row >= 0 && row < frame.height) {
      const stored = order ? (order[row] ?? 0) : row
      drawRow(indexes.subarray(stored * frame.width, (stored + 1) * frame.width), frame, out)
    }
    sink.push(out)
  }
}

/** Reads the first image descriptor and the control block in front of it. */
function readFirstFrame(bytes: Uint8Array): GifFrame {
  const view = viewOf(bytes)
  const globalEnd = 13 + gifPaletteBytes(view.getUint8(10))
  const at = firstGifBlock(bytes)
  if (bytes[at] !== GIF_IMAGE) throw new Error('GIF: no frame')
  const own = view.getUint8(at + 9)
  const dataAt = at + 10 + gifPaletteBytes(own)
  return {
    left: view.getUint16(at + 1, true),
    top: view.getUint16(at + 3, true),
    width: view.getUint16(at + 5, true),
    height: view.getUint16(at + 7, true),
    interlaced: (own & 0x40) !== 0,
    palette: gifPaletteBytes(own) > 0 ? bytes.subarray(at + 10, dataAt) : bytes.subarray(13, globalEnd),
    clear: readTransparentIndex(bytes, globalEnd),
    dataAt,
  }
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

/** Walks over the rest of the file to its trailer: a file that was cut behind the first frame is no good either. */
function assertComplete(bytes: Uint8Array, dataAt: number): void {
  let at = skipGifSubBlocks(bytes, dataAt + 1)
  while (bytes[at] !== GIF_TRAILER) {
    if (bytes[at] === GIF_EXTENSION) at = skipGifSubBlocks(bytes, at + 2)
    else if (bytes[at] === GIF_IMAGE)
      at = skipGifSubBlocks(bytes, at + 11 + gifPaletteBytes(bytes[at + 9] ?? 0))
    else throw new Error('GIF: file ends too early')
  }
}

/** Draws a row of the frame where it lies on the canvas. */
function drawRow(indexes: Uint8Array, { left, palette, clear }: GifFrame, out: Uint8Array): void {
  for (let x = 0, to = left * 4; x < indexes.length; x++, to += 4) {
    const index = indexes[x] as number
    if (index === clear) continue
    if (index * 3 + 2 >= palette.length) throw new Error('GIF: colour outside the palette')
    out[to] = palette[index * 3] as number
    out[to + 1] = palette[index * 3 + 1] as number
    out[to + 2] = palette[index * 3 + 2] as number
    out[to + 3] = 255
  }
}

/** For each row of an interlaced frame, which of the stored rows it is. */
function interlacedOrder(height: number): Uint32Array {
  const order = new Uint32Array(height)
  let stored = 0
  for (const [first, step] of PASSES) {
    for (let row = first; row < height; row += step) order[row] = stored++
  }
  return order
}

/** Fills `out` with colour indexes; throws when a code is impossible or the codes end before it is full. */
function unpackLzw(bytes: Uint8Array, at: number, out: Uint8Array): void {
  const codeBits = bytes[at] ?? 0
  if (codeBits < 1 || codeBits > 8) throw new Error('GIF: impossible code size')
  const reader = createCodeReader(bytes, at + 1)
  const [clear, end] = [1 << codeBits, (1 << codeBits) + 1]
  // An entry is the one before it plus an index; the text of an entry is found again in what was written already.
  const starts = new Uint32Array(MAX_CODES)
  const lengths = new Uint32Array(MAX_CODES)
  let bits = codeBits + 1
  let next = end + 1
  let before = -1
  let written = 0
  while (written < out.length) {
    const code = reader(bits)
    if (code === end) throw new Error('GIF: data ends too early')
    if (code === clear) {
      bits = codeBits + 1
      next = end + 1
      before = -1
      continue
    }
    if (code > next || (code === next && before < 0)) throw new Error('GIF: impossible code')
    const start = written
    if (code < clear) {
      out[written++] = code
    } else {
      // The entry being made right now repeats the string before it and adds that string's first index.
      const from = code === next ? before : (starts[code] as number)
      const length = code === next ? start - before + 1 : (lengths[code] as number)
      for (let i = 0; i < length && written < out.length; i++) out[written++] = out[from + i] as number
    }
    if (before >= 0 && next < MAX_CODES) {
      starts[next] = before
      lengths[next] = start - before + 1
      next += 1
      if (next === 1 << bits && bits < 12) bits += 1
    }
    before = start
  }
}

/** Reads codes of 3–12 bits, lowest bit first, across sub-blocks. */
function createCodeReader(bytes: Uint8Array, start: number): (bits: number) => number {
  let at = start
  let blockEnd = start
  let pending = 0
  let count = 0
  return (bits) => {
    while (count < bits) {
      if (at === blockEnd) {
        const length = bytes[at] ?? 0
        if (length === 0) throw new Error('GIF: data ends too early')
        at += 1
        blockEnd = at + length
      }
      if (at >= bytes.length) throw new Error('GIF: file ends too early')
      pending |= (bytes[at++] as number) << count
      count += 8
    }
    const code = pending & ((1 << bits) - 1)
    pending >>>= bits
    count -= bits
    return code
  }
}
