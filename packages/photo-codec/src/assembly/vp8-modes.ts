/** Reads how each macroblock of a VP8 key frame is predicted (RFC 6386 sections 8 and 11). */

import { allocate, create } from './arena'
import { BoolReader } from './vp8-bits'
import { Vp8Header } from './vp8-header'
import { DC, HORIZONTAL, TRUE_MOTION, VERTICAL } from './vp8-predict'
import { MODE_PROBABILITIES } from './vp8-tables'

const MODES: i32 = 10

/** The tree of the modes of single blocks: two ways at each node, to another node, or to a mode (less 32). */
const TREE: usize = memory.data<i8>([
  -32, 1, -31, 2, -30, 3, 4, 6, -29, 5, -28, -27, -26, 7, -25, 8, -24, -23,
])

@unmanaged
export class Macroblock {
  segment: i32
  /** Whether it has no coefficients at all. */
  isSkipped: bool
  /** Whether each of its 16 blocks of luma is predicted by itself. */
  isSplit: bool
  lumaMode: i32
  chromaMode: i32
  /** A byte for the mode of each block. */
  blockModes: usize
  private header: Vp8Header
  /** Modes of the blocks above, four for each macroblock, and of the four to the left. */
  private above: usize
  private left: usize

  static create(header: Vp8Header, across: i32): Macroblock {
    const macroblock = create<Macroblock>()
    macroblock.header = header
    macroblock.blockModes = allocate(16)
    macroblock.above = allocate(across * 4)
    macroblock.left = allocate(4)
    return macroblock
  }

  /** Beyond the left edge all blocks count as DC. */
  startRow(): void {
    memory.fill(this.left, u8(DC), 4)
  }

  /** Reads the next macroblock, number `x` of its row. */
  read(x: i32): void {
    const reader = this.header.modes
    if (this.header.hasSegmentMap) this.segment = this.readSegment(reader)
    const skipping = this.header.coefficientsProbability
    this.isSkipped = skipping > 0 && reader.bit(skipping) !== 0
    this.isSplit = reader.bit(145) === 0
    if (this.isSplit) this.readBlockModes(reader, this.above + x * 4)
    else {
      if (reader.bit(156) !== 0) this.lumaMode = reader.bit(128) !== 0 ? TRUE_MOTION : HORIZONTAL
      else this.lumaMode = reader.bit(163) !== 0 ? VERTICAL : DC
      memory.fill(this.above + x * 4, u8(this.lumaMode), 4)
      memory.fill(this.left, u8(this.lumaMode), 4)
    }
    if (reader.bit(142) === 0) this.chromaMode = DC
    else if (reader.bit(114) === 0) this.chromaMode = VERTICAL
    else this.chromaMode = reader.bit(183) !== 0 ? TRUE_MOTION : HORIZONTAL
  }

  private readSegment(reader: BoolReader): i32 {
    const probabilities = this.header.segmentProbabilities
    if (reader.bit(load<u8>(probabilities)) === 0) return reader.bit(load<u8>(probabilities, 1))
    return 2 + reader.bit(load<u8>(probabilities, 2))
  }

  private readBlockModes(reader: BoolReader, above: usize): void {
    for (let y = 0; y < 4; y++) {
      let left = i32(load<u8>(this.left + y))
      for (let x = 0; x < 4; x++) {
        const probabilities = MODE_PROBABILITIES + (i32(load<u8>(above + x)) * MODES + left) * (MODES - 1)
        let node: i32 = 0
        do {
          node = load<i8>(TREE + node * 2 + reader.bit(load<u8>(probabilities + node)))
        } while (node > 0)
        left = node + 32
        store<u8>(above + x, u8(left))
        store<u8>(this.blockModes + y * 4 + x, u8(left))
      }
      store<u8>(this.left + y, u8(left))
    }
  }
}
