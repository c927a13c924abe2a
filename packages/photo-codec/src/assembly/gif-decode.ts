/**
 * Decodes the first frame of a GIF, drawn on its canvas (CompuServe GIF89a, sections 20, 22 and appendix E), row by row.
 *
 * The passes of an interlaced frame follow each other. So the data are first unpacked up to the start of the last pass, and
 * each pass gets its own unpacker at its start. All unpackers then advance together.
 */

import { allocate, create, VECTOR_SLACK } from './arena'
import { LzwUnpacker } from './gif-lzw'
import { pushRgba, startRgba } from './rgba'

/** First row and distance of the rows of each pass of an interlaced frame. */
const PASSES: usize = memory.data<u8>([0, 8, 4, 8, 2, 4, 1, 2])
const PASS_COUNT: i32 = 4

/** The frame: its place on the canvas and its colours. */
@unmanaged
export class GifFrame {
  canvasWidth: i32
  canvasHeight: i32
  left: i32
  top: i32
  width: i32
  height: i32
  isInterlaced: bool
  /** 256 RGBA colours, and whether none is transparent. */
  palette: usize
  isOpaque: bool

  static create(): GifFrame {
    const frame = create<GifFrame>()
    frame.palette = allocate(256 * 4)
    return frame
  }

  get coversCanvas(): bool {
    return this.width === this.canvasWidth && this.height === this.canvasHeight
  }
}

/** Decodes the image data at `data`: the minimum code size, then sub-blocks, which end before `end`. */
export function decodeGif(frame: GifFrame, data: usize, end: usize, keepsAlpha: bool): void {
  const unpacker = LzwUnpacker.create(data, end, frame.width)
  const passes = frame.isInterlaced ? openPasses(unpacker, frame) : 0
  const rowBytes = usize(frame.canvasWidth) * 4
  const rgba = allocate(rowBytes + VECTOR_SLACK)
  const isOpaque = frame.isOpaque && frame.coversCanvas
  startRgba(frame.canvasWidth, frame.canvasHeight, keepsAlpha)
  for (let y = 0; y < frame.canvasHeight; y++) {
    // The receiver of the rows may change them.
    if (!frame.coversCanvas) memory.fill(rgba, 0, rowBytes)
    const row = y - frame.top
    if (row >= 0 && row < frame.height) {
      const source = passes === 0 ? unpacker : passAt(passes, passOf(row))
      drawRow(frame, source.next(frame.width), rgba + frame.left * 4)
    }
    pushRgba(rgba, isOpaque)
  }
}

function drawRow(frame: GifFrame, indexes: usize, rgba: usize): void {
  const palette = frame.palette
  const end = indexes + frame.width
  for (; indexes < end; indexes++, rgba += 4) {
    store<u32>(rgba, load<u32>(palette + (usize(load<u8>(indexes)) << 2)))
  }
}

/** An unpacker at the beginning of each pass: their addresses. */
function openPasses(unpacker: LzwUnpacker, frame: GifFrame): usize {
  const passes = allocate(PASS_COUNT * sizeof<usize>())
  for (let pass = 0; pass < PASS_COUNT; pass++) {
    const isLast = pass === PASS_COUNT - 1
    const own = isLast ? unpacker : unpacker.clone()
    store<usize>(passes + pass * sizeof<usize>(), changetype<usize>(own))
    const step = i32(load<u8>(PASSES + pass * 2, 1))
    for (let y = i32(load<u8>(PASSES + pass * 2)); y < frame.height && !isLast; y += step) {
      unpacker.next(frame.width)
    }
  }
  return passes
}

function passAt(passes: usize, pass: i32): LzwUnpacker {
  return changetype<LzwUnpacker>(load<usize>(passes + pass * sizeof<usize>()))
}

/** The pass that a row of the frame comes in. */
function passOf(row: i32): i32 {
  if ((row & 1) !== 0) return 3
  if ((row & 2) !== 0) return 2
  return (row & 4) !== 0 ? 1 : 0
}
