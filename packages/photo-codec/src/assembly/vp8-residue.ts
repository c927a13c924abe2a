/** The coefficients of a VP8 macroblock (RFC 6386 section 13). */

import { allocate, create } from './arena'
import { BoolReader } from './vp8-bits'
import { Vp8Header } from './vp8-header'
import { Macroblock } from './vp8-modes'
import { STRIDE } from './vp8-predict'
import { CHROMA, readBlock, WITH_DC, WITHOUT_DC, Y2 } from './vp8-tokens'
import { addBlock, addFlatBlock, BLOCK_BYTES, inverseWalshHadamard } from './vp8-transform'

/** Bytes for each macroblock that say whether blocks had coefficients: 4 of luma, 2 and 2 of chroma, 1 of Y2. */
const CONTEXTS: usize = 9
const BLOCKS: usize = 25

@unmanaged
export class Residue {
  private header: Vp8Header
  /** 24 blocks of coefficients, and Y2, the block that has the DC coefficients of luma. */
  private coefficients: usize
  /** What each block has: 0 nothing, 1 a DC coefficient, 2 more. */
  private contents: usize
  private above: usize
  private left: usize

  /** `across`: macroblocks in a row. */
  static create(header: Vp8Header, across: i32): Residue {
    const residue = create<Residue>()
    residue.header = header
    residue.coefficients = allocate(BLOCKS * BLOCK_BYTES)
    residue.contents = allocate(BLOCKS)
    residue.above = allocate(usize(across) * CONTEXTS)
    residue.left = allocate(CONTEXTS)
    return residue
  }

  startRow(): void {
    memory.fill(this.left, 0, CONTEXTS)
  }

  /** Reads those of macroblock number `x` of the row. Returns whether there are any. */
  read(reader: BoolReader, macroblock: Macroblock, x: i32): bool {
    const above = this.above + usize(x) * CONTEXTS
    memory.fill(this.contents, 0, BLOCKS)
    if (!macroblock.isSkipped) return this.readBlocks(reader, macroblock, above)
    // A split macroblock has no Y2, and leaves its context as it is.
    const count = macroblock.isSplit ? CONTEXTS - 1 : CONTEXTS
    memory.fill(above, 0, count)
    memory.fill(this.left, 0, count)
    return false
  }

  private readBlocks(reader: BoolReader, macroblock: Macroblock, above: usize): bool {
    const left = this.left
    const probabilities = this.header.probabilities
    const factors = this.header.quantisersOf(macroblock.segment)
    memory.fill(this.coefficients, 0, BLOCKS * BLOCK_BYTES)
    let first = 0
    let kind = WITH_DC
    if (!macroblock.isSplit) {
      const context = i32(load<u8>(above, 8)) + i32(load<u8>(left, 8))
      const y2 = this.coefficients + 24 * BLOCK_BYTES
      const last = readBlock(reader, probabilities, Y2, context, 0, factors.y2Dc, factors.y2Ac, y2)
      store<u8>(above, u8(last > 0), 8)
      store<u8>(left, u8(last > 0), 8)
      if (last > 0) inverseWalshHadamard(y2, this.coefficients)
      first = 1
      kind = WITHOUT_DC
    }
    let hasAny = false
    for (let block = 0; block < 24; block++) {
      // Luma: four by four. Chroma: two by two of blue, then of red.
      const isLuma = block < 16
      const column = isLuma ? block & 3 : 4 + ((block - 16) >> 2) * 2 + (block & 1)
      const row = isLuma ? block >> 2 : 4 + ((block - 16) >> 2) * 2 + ((block >> 1) & 1)
      const context = i32(load<u8>(above + column)) + i32(load<u8>(left + row))
      const target = this.coefficients + usize(block) * BLOCK_BYTES
      const last = readBlock(
        reader,
        probabilities,
        isLuma ? kind : CHROMA,
        context,
        isLuma ? first : 0,
        isLuma ? factors.lumaDc : factors.chromaDc,
        isLuma ? factors.lumaAc : factors.chromaAc,
        target,
      )
      const isFilled = last > (isLuma ? first : 0)
      store<u8>(above + column, u8(isFilled))
      store<u8>(left + row, u8(isFilled))
      const content = last > 1 ? 2 : load<i16>(target) !== 0 ? 1 : 0
      store<u8>(this.contents + block, u8(content))
      if (content !== 0) hasAny = true
    }
    return hasAny
  }

  /** Adds a block to the predicted samples at `at`. */
  add(block: i32, at: usize): void {
    const content = load<u8>(this.contents + block)
    const source = this.coefficients + usize(block) * BLOCK_BYTES
    if (content === 2) addBlock(source, at, STRIDE)
    else if (content === 1) addFlatBlock(source, at, STRIDE)
  }
}
