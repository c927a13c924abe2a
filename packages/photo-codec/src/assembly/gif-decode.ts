/**
 * Decodes the first frame of a GIF (CompuServe GIF89a, sections 20, 22 and appendix E), row by row.
 *
 * The passes of an interlaced frame follow each other. So the data are first unpacked up to the start of the last pass, and
 * each pass gets its own unpacker at its start. All unpackers then advance together.
 */

import { allocate, allocateList, objectAt, putObject, VECTOR_SLACK } from './arena'
import { finishCopies } from './copies'
import { LzwUnpacker } from './gif-lzw'
import { pushRgba, startRgba } from './rgba'

/** First row and distance of the rows of each pass of an interlaced frame. */
const PASSES: usize = memory.data<u8>([0, 8, 4, 8, 2, 4, 1, 2])
const PASS_COUNT: i32 = 4

/**
 * Decodes `length` bytes of image data: the minimum code size, then sub-blocks. `palette`: 256 RGBA colours; `isOpaque`:
 * none of them is transparent.
 */
export function decodeGif(
  width: i32,
  height: i32,
  isInterlaced: bool,
  palette: usize,
  isOpaque: bool,
  data: usize,
  length: usize,
  keepsAlpha: bool,
): void {
  const unpacker = LzwUnpacker.create(data, data + length, width)
  const passes = isInterlaced ? openPasses(unpacker, width, height) : 0
  const rgba = allocate(usize(width) * 4 + VECTOR_SLACK)
  startRgba(width, height, keepsAlpha)
  for (let y = 0; y < height; y++) {
    const source = passes === 0 ? unpacker : objectAt<LzwUnpacker>(passes, passOf(y))
    const indexes = source.next(width)
    for (let x = 0; x < width; x++) {
      store<u32>(rgba + x * 4, load<u32>(palette + (usize(load<u8>(indexes + x)) << 2)))
    }
    pushRgba(rgba, isOpaque)
  }
  finishCopies()
}

/** A list of unpackers, each at the beginning of a pass. */
function openPasses(unpacker: LzwUnpacker, width: i32, height: i32): usize {
  const passes = allocateList(PASS_COUNT)
  const last = PASS_COUNT - 1
  for (let pass = 0; pass < last; pass++) {
    putObject(passes, pass, unpacker.clone())
    const step = i32(load<u8>(PASSES + pass * 2, 1))
    for (let y = i32(load<u8>(PASSES + pass * 2)); y < height; y += step) unpacker.next(width)
  }
  putObject(passes, last, unpacker)
  return passes
}

/** The pass that a row comes in. */
function passOf(row: i32): i32 {
  if ((row & 1) !== 0) return 3
  if ((row & 2) !== 0) return 2
  return (row & 4) !== 0 ? 1 : 0
}
