/**
 * Decodes a VP8 key frame, which is what lossy WebPs are made of (RFC 6386, RFC 9649 section 2.5), a row of macroblocks
 * at a time: 16 × 16 samples of luma and 8 × 8 of each chroma component.
 *
 * A macroblock is assembled in a work area beside its neighbours, because prediction needs these unsmoothed. Then it is
 * moved to the strip, where a whole row is smoothed.
 */

import { AlphaPlane } from './alpha-plane'
import { allocate, create, VECTOR_SLACK } from './arena'
import { Failure, fail } from './failure'
import { BoolReader } from './vp8-bits'
import { Vp8Header } from './vp8-header'
import { Macroblock } from './vp8-modes'
import { predictBlock, predictSquare, STRIDE } from './vp8-predict'
import { Residue } from './vp8-residue'
import { Strip } from './vp8-strip'

/** Samples beyond the frame. */
const ABOVE_FRAME: u8 = 127
const LEFT_OF_FRAME: u8 = 129

/** In the work area: blocks of luma, blue and red; above each a row, and to the left of it a column, of neighbours. */
const WORK_ROWS: i32 = 1 + 16 + 1 + 8
const LUMA_AT: usize = 32 + 8
const BLUE_AT: usize = (1 + 16 + 1) * 32 + 8
const RED_AT: usize = (1 + 16 + 1) * 32 + 24

@unmanaged
export class Vp8Frame {
  private header: Vp8Header
  /** Macroblocks in each direction. */
  private across: i32
  private down: i32
  private macroblock: Macroblock
  private work: usize
  private residue: Residue
  private strip: Strip
  /** The last rows of the macroblocks above. */
  private lumaAbove: usize
  private blueAbove: usize
  private redAbove: usize

  /** Refuses a frame of another size than the one that was announced. */
  static open(data: usize, length: usize, width: i32, height: i32, alpha: AlphaPlane | null): Vp8Frame {
    const header = Vp8Header.read(data, length)
    if (header.width !== width || header.height !== height) fail(Failure.Damaged)
    const frame = create<Vp8Frame>()
    frame.header = header
    frame.across = (width + 15) >> 4
    frame.down = (height + 15) >> 4
    const across = usize(frame.across)
    frame.macroblock = Macroblock.create(header, frame.across)
    frame.work = allocate(WORK_ROWS * STRIDE + VECTOR_SLACK)
    frame.residue = Residue.create(header, frame.across)
    frame.strip = Strip.create(header, frame.across, alpha)
    frame.lumaAbove = allocate(across * 16 + VECTOR_SLACK)
    frame.blueAbove = allocate(across * 8 + VECTOR_SLACK)
    frame.redAbove = allocate(across * 8 + VECTOR_SLACK)
    return frame
  }

  /** Decodes the frame and hands its rows on. */
  decode(): void {
    for (let y = 0; y < this.down; y++) {
      const reader = this.header.partitionOf(y)
      this.macroblock.startRow()
      this.residue.startRow()
      for (let x = 0; x < this.across; x++) this.decodeMacroblock(reader, x, y)
      if (reader.isOverrun || this.header.modes.isOverrun) fail(Failure.Truncated)
      this.strip.finishRow(y, y === this.down - 1)
    }
  }

  private decodeMacroblock(reader: BoolReader, x: i32, y: i32): void {
    const macroblock = this.macroblock
    macroblock.read(x)
    const hasCoefficients = this.residue.read(reader, macroblock, x)
    this.fetchNeighbours(x, y)
    this.predict(x, y)
    this.keepNeighbours(x)
    this.strip.put(x, this.work + LUMA_AT, this.work + BLUE_AT, this.work + RED_AT)
    const smoothing = this.strip.smoothingOf(x)
    smoothing.strength = this.header.strengthOf(macroblock.segment, macroblock.isSplit)
    smoothing.isInner = macroblock.isSplit || hasCoefficients
  }

  /** Brings the samples around the macroblock into the work area. */
  private fetchNeighbours(x: i32, y: i32): void {
    fetchPlane(this.work + LUMA_AT, 16, this.lumaAbove, x, y)
    fetchPlane(this.work + BLUE_AT, 8, this.blueAbove, x, y)
    fetchPlane(this.work + RED_AT, 8, this.redAbove, x, y)
    // Four samples to the right of those above; at the edge the last one again. The blocks further down look at the same.
    const corner = this.work + LUMA_AT - STRIDE + 16
    if (y === 0) memory.fill(corner, ABOVE_FRAME, 4)
    else if (x < this.across - 1) store<u32>(corner, load<u32>(this.lumaAbove + (x + 1) * 16))
    else memory.fill(corner, load<u8>(this.lumaAbove + x * 16 + 15), 4)
    for (let row = 4; row < 16; row += 4) store<u32>(corner + row * STRIDE, load<u32>(corner))
  }

  private predict(x: i32, y: i32): void {
    const macroblock = this.macroblock
    const luma = this.work + LUMA_AT
    if (!macroblock.isSplit) predictSquare(luma, 16, macroblock.lumaMode, x > 0, y > 0)
    for (let block = 0; block < 16; block++) {
      const at = luma + (block >> 2) * 4 * STRIDE + (block & 3) * 4
      if (macroblock.isSplit) predictBlock(at, load<u8>(macroblock.blockModes + block))
      this.residue.add(block, at)
    }
    predictSquare(this.work + BLUE_AT, 8, macroblock.chromaMode, x > 0, y > 0)
    predictSquare(this.work + RED_AT, 8, macroblock.chromaMode, x > 0, y > 0)
    for (let block = 0; block < 4; block++) {
      const offset = (block >> 1) * 4 * STRIDE + (block & 1) * 4
      this.residue.add(16 + block, this.work + BLUE_AT + offset)
      this.residue.add(20 + block, this.work + RED_AT + offset)
    }
  }

  private keepNeighbours(x: i32): void {
    memory.copy(this.lumaAbove + x * 16, this.work + LUMA_AT + 15 * STRIDE, 16)
    memory.copy(this.blueAbove + x * 8, this.work + BLUE_AT + 7 * STRIDE, 8)
    memory.copy(this.redAbove + x * 8, this.work + RED_AT + 7 * STRIDE, 8)
  }
}

/** Brings what lies above and to the left of the block of one plane beside it. `above`: the last rows of those above. */
function fetchPlane(at: usize, size: i32, above: usize, x: i32, y: i32): void {
  for (let row = -1; row < size; row++) {
    const left = at + row * STRIDE - 1
    // The last column of the block before.
    if (x > 0) store<u8>(left, load<u8>(left + size))
    else store<u8>(left, row < 0 && y === 0 ? ABOVE_FRAME : LEFT_OF_FRAME)
  }
  if (y === 0) memory.fill(at - STRIDE, ABOVE_FRAME, size)
  else memory.copy(at - STRIDE, above + x * size, size)
}
