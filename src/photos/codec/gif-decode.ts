/**
 * Decodes the first frame of a GIF, drawn on its canvas (CompuServe GIF89a, sections 20, 22 and appendix F).
 */

import { allocate, create, VECTOR_SLACK } from './arena'
import { Failure, fail } from './failure'
import { pushRgba, startRgba } from './rgba'

const MAX_CODES: i32 = 4096
const MAX_CODE_BITS: i32 = 12
/** Longest minimum code size: indexes have 8 bits. */
const MAX_INDEX_BITS: i32 = 8

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
  /** 256 RGBA colours, and how many of them there are. */
  palette: usize
  colours: i32
  /** Index of the transparent colour, or -1. */
  clear: i32

  static create(): GifFrame {
    const frame = create<GifFrame>()
    frame.palette = allocate(256 * 4)
    return frame
  }
}

/** Decodes the image data at `data`: the minimum code size, then sub-blocks, which end before `end`. */
export function decodeGif(frame: GifFrame, data: usize, end: usize, keepsAlpha: bool): void {
  const pixels = usize(frame.width) * frame.height
  const indexes = allocate(pixels)
  unpack(data, end, indexes, pixels)
  const order = frame.isInterlaced ? interlacedOrder(frame.height) : 0
  const rgba = allocate(usize(frame.canvasWidth) * 4 + VECTOR_SLACK)
  startRgba(frame.canvasWidth, frame.canvasHeight, keepsAlpha)
  for (let y = 0; y < frame.canvasHeight; y++) {
    // Rows are changed by whoever takes them.
    memory.fill(rgba, 0, usize(frame.canvasWidth) * 4)
    const row = y - frame.top
    if (row >= 0 && row < frame.height) {
      const stored = order === 0 ? row : load<i32>(order + row * 4)
      drawRow(frame, indexes + usize(stored) * frame.width, rgba + frame.left * 4)
    }
    pushRgba(rgba, false)
  }
}

function drawRow(frame: GifFrame, indexes: usize, rgba: usize): void {
  const width = min(frame.width, frame.canvasWidth - frame.left)
  for (let x = 0; x < width; x++, rgba += 4) {
    const index = i32(load<u8>(indexes + x))
    if (index === frame.clear) continue
    if (index >= frame.colours) fail(Failure.Damaged)
    store<u32>(rgba, load<u32>(frame.palette + index * 4))
  }
}

/** For each row of the frame, which one of the stored rows it is. */
function interlacedOrder(height: i32): usize {
  const order = allocate(usize(height) * 4)
  let stored = 0
  for (let pass = 0; pass < PASS_COUNT; pass++) {
    const step = i32(load<u8>(PASSES + pass * 2, 1))
    for (let y = i32(load<u8>(PASSES + pass * 2)); y < height; y += step) store<i32>(order + y * 4, stored++)
  }
  return order
}

/** Bits out of sub-blocks: each has its length in front, an empty one ends them. */
@unmanaged
class SubBlockReader {
  at: usize
  end: usize
  /** Bytes left in the sub-block at hand. */
  private left: i32
  private window: u32
  private count: i32

  /** The next `size` bits, lowest first. */
  read(size: i32): i32 {
    while (this.count < size) {
      this.window |= u32(this.nextByte()) << this.count
      this.count += 8
    }
    const bits = i32(this.window & ((1 << size) - 1))
    this.window >>= size
    this.count -= size
    return bits
  }

  private nextByte(): u8 {
    if (this.left === 0) {
      this.left = this.at < this.end ? i32(load<u8>(this.at++)) : 0
      if (this.left === 0) fail(Failure.Truncated)
    }
    if (this.at >= this.end) fail(Failure.Truncated)
    this.left -= 1
    return load<u8>(this.at++)
  }
}

/**
 * Unpacks LZW codes (appendix F) to exactly `pixels` indexes. An entry of the code table is the string before it and
 * one index more: it is found again in what was written already.
 */
function unpack(data: usize, end: usize, indexes: usize, pixels: usize): void {
  const indexBits = data < end ? i32(load<u8>(data)) : 0
  if (indexBits < 1 || indexBits > MAX_INDEX_BITS) fail(Failure.Damaged)
  const reader = create<SubBlockReader>()
  reader.at = data + 1
  reader.end = end
  const clear = 1 << indexBits
  const endCode = clear + 1
  const starts = allocate(MAX_CODES * 4)
  const lengths = allocate(MAX_CODES * 4)
  const last = indexes + pixels
  let next = endCode + 1
  let size = indexBits + 1
  let before: usize = 0
  for (let at = indexes; at < last; ) {
    const code = reader.read(size)
    if (code === endCode) fail(Failure.Truncated)
    if (code === clear) {
      next = endCode + 1
      size = indexBits + 1
      before = 0
      continue
    }
    if (code > next || (code === next && before === 0)) fail(Failure.Damaged)
    const start = at
    if (code < clear) store<u8>(at++, u8(code))
    else {
      // The entry being made right now repeats the string before it and adds that string's first index.
      const from = code === next ? before : load<u32>(starts + code * 4)
      const length = code === next ? start - before + 1 : load<u32>(lengths + code * 4)
      const stop = min(at + length, last)
      for (let source = from; at < stop; ) store<u8>(at++, load<u8>(source++))
    }
    if (before !== 0 && next < MAX_CODES) {
      store<u32>(starts + next * 4, u32(before))
      store<u32>(lengths + next * 4, u32(start - before + 1))
      next += 1
      if (next === 1 << size && size < MAX_CODE_BITS) size += 1
    }
    before = start
  }
}
