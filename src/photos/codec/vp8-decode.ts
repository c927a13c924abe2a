/**
 * Decodes a VP8 key frame, which is what lossy WebPs are made of (RFC 6386, RFC 9649 section 2.5), a row of macroblocks
 * at a time: 16 × 16 samples of luma and 8 × 8 of each chroma component.
 *
 * A macroblock is put together in a work area together with its neighbours, as prediction wants them unsmoothed, then
 * moved to the strip. There a whole row is smoothed; its last rows wait for the row below, whose smoothing changes them.
 */

import { AlphaPlane } from './alpha-plane'
import { allocate, create, VECTOR_SLACK } from './arena'
import { Failure, fail } from './failure'
import { pushPlanar } from './planar'
import { BoolReader } from './vp8-bits'
import { setStrength, smoothLying, smoothLyingPair, smoothUpright, smoothUprightPair } from './vp8-filter'
import { Vp8Header } from './vp8-header'
import { Macroblock } from './vp8-modes'
import { predictBlock, predictSquare, STRIDE } from './vp8-predict'
import { CHROMA, DC_APART, readBlock, WITH_DC, WITHOUT_DC } from './vp8-tokens'
import { addBlock, addFlatBlock, BLOCK_BYTES, spreadDc } from './vp8-transform'

/** Rows of luma that wait for the next row of macroblocks; half as many of chroma. */
const WAITING: i32 = 8
const LUMA_ROWS: i32 = 16 + WAITING
const CHROMA_ROWS: i32 = 8 + (WAITING >> 1)

/** Samples beyond the frame. */
const ABOVE_FRAME: u8 = 127
const LEFT_OF_FRAME: u8 = 129

/** In the work area: blocks of luma, blue and red; above each a row, and to the left of it a column, of neighbours. */
const WORK_ROWS: i32 = 1 + 16 + 1 + 8
const LUMA_AT: usize = 32 + 8
const BLUE_AT: usize = (1 + 16 + 1) * 32 + 8
const RED_AT: usize = (1 + 16 + 1) * 32 + 24

/** Bytes for each macroblock that say whether blocks had coefficients: 4 of luma, 2 and 2 of chroma, 1 of DC apart. */
const CONTEXTS: usize = 9
const BLOCKS: usize = 25

/** How a macroblock of the row at hand is smoothed. */
@unmanaged
class Smoothing {
  limit: u8
  interior: u8
  highVariance: u8
  isInner: bool
}

@unmanaged
export class Vp8Frame {
  private header: Vp8Header
  /** Macroblocks in each direction. */
  private across: i32
  private down: i32
  private macroblock: Macroblock
  private work: usize
  /** 24 blocks of coefficients, and those of DC apart. */
  private coefficients: usize
  /** What each block has: 0 nothing, 1 a DC coefficient, 2 more. */
  private contents: usize
  private contextsAbove: usize
  private contextsLeft: usize
  /** The last rows of the macroblocks above. */
  private lumaAbove: usize
  private blueAbove: usize
  private redAbove: usize
  private smoothings: usize
  private luma: usize
  private blue: usize
  private red: usize
  private lumaStride: i32
  private chromaStride: i32
  /** Alpha of the picture, or null; and two rows of it. */
  private alpha: AlphaPlane | null
  private alphaRows: usize

  /** Refuses a frame of another size than the one that was announced. */
  static open(data: usize, length: usize, width: i32, height: i32, alpha: AlphaPlane | null): Vp8Frame {
    const header = Vp8Header.read(data, length)
    if (header.width !== width || header.height !== height) fail(Failure.Damaged)
    const frame = create<Vp8Frame>()
    frame.header = header
    frame.alpha = alpha
    frame.across = (width + 15) >> 4
    frame.down = (height + 15) >> 4
    const across = usize(frame.across)
    frame.macroblock = Macroblock.create(header, frame.across)
    frame.work = allocate(WORK_ROWS * STRIDE + VECTOR_SLACK)
    frame.coefficients = allocate(BLOCKS * BLOCK_BYTES)
    frame.contents = allocate(BLOCKS)
    frame.contextsAbove = allocate(across * CONTEXTS)
    frame.contextsLeft = allocate(CONTEXTS)
    frame.lumaAbove = allocate(across * 16 + VECTOR_SLACK)
    frame.blueAbove = allocate(across * 8 + VECTOR_SLACK)
    frame.redAbove = allocate(across * 8 + VECTOR_SLACK)
    frame.smoothings = allocate(across * offsetof<Smoothing>())
    frame.lumaStride = frame.across * 16
    frame.chromaStride = frame.across * 8
    frame.luma = allocate(usize(frame.lumaStride) * LUMA_ROWS + VECTOR_SLACK)
    frame.blue = allocate(usize(frame.chromaStride) * CHROMA_ROWS + VECTOR_SLACK)
    frame.red = allocate(usize(frame.chromaStride) * CHROMA_ROWS + VECTOR_SLACK)
    frame.alphaRows = allocate(usize(width) * 2 + VECTOR_SLACK)
    return frame
  }

  /** Decodes the frame and hands its rows on. */
  decode(): void {
    for (let y = 0; y < this.down; y++) {
      const reader = this.header.partitionOf(y)
      this.macroblock.startRow()
      memory.fill(this.contextsLeft, 0, CONTEXTS)
      for (let x = 0; x < this.across; x++) this.decodeMacroblock(reader, x, y)
      if (reader.isOverrun || this.header.modes.isOverrun) fail(Failure.Truncated)
      if (this.header.isFiltered) for (let x = 0; x < this.across; x++) this.smooth(x, y)
      this.emit(y)
    }
  }

  private decodeMacroblock(reader: BoolReader, x: i32, y: i32): void {
    const macroblock = this.macroblock
    macroblock.read(x)
    const contexts = this.contextsAbove + usize(x) * CONTEXTS
    let hasCoefficients = false
    memory.fill(this.contents, 0, BLOCKS)
    if (!macroblock.isSkipped) hasCoefficients = this.readCoefficients(reader, contexts)
    else {
      // DC apart has a context of its own, which a split macroblock leaves alone.
      const count = macroblock.isSplit ? CONTEXTS - 1 : CONTEXTS
      memory.fill(contexts, 0, count)
      memory.fill(this.contextsLeft, 0, count)
    }
    this.fetchNeighbours(x, y)
    this.predict(x, y)
    this.keepNeighbours(x)
    this.moveToStrip(x)
    const strength = this.header.strengthOf(macroblock.segment, macroblock.isSplit)
    const smoothing = this.smoothingOf(x)
    smoothing.limit = strength.limit
    smoothing.interior = strength.interior
    smoothing.highVariance = strength.highVariance
    smoothing.isInner = macroblock.isSplit || hasCoefficients
  }

  private smoothingOf(x: i32): Smoothing {
    return changetype<Smoothing>(this.smoothings + usize(x) * offsetof<Smoothing>())
  }

  /** Reads all blocks of a macroblock (section 13.3). Returns whether there is anything in them. */
  private readCoefficients(reader: BoolReader, above: usize): bool {
    const left = this.contextsLeft
    const probabilities = this.header.probabilities
    const factors = this.header.quantisersOf(this.macroblock.segment)
    memory.fill(this.coefficients, 0, BLOCKS * BLOCK_BYTES)
    let first = 0
    let kind = WITH_DC
    if (!this.macroblock.isSplit) {
      const context = i32(load<u8>(above, 8)) + i32(load<u8>(left, 8))
      const apart = this.coefficients + 24 * BLOCK_BYTES
      const last = readBlock(
        reader,
        probabilities,
        DC_APART,
        context,
        0,
        factors.apartDc,
        factors.apartAc,
        apart,
      )
      store<u8>(above, u8(last > 0), 8)
      store<u8>(left, u8(last > 0), 8)
      if (last > 0) spreadDc(apart, this.coefficients)
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

  /** Brings the samples around the macroblock into the work area. */
  private fetchNeighbours(x: i32, y: i32): void {
    const luma = this.work + LUMA_AT
    const blue = this.work + BLUE_AT
    const red = this.work + RED_AT
    if (x > 0) {
      for (let row = -1; row < 16; row++)
        store<u8>(luma + row * STRIDE - 1, load<u8>(luma + row * STRIDE + 15))
      for (let row = -1; row < 8; row++) {
        store<u8>(blue + row * STRIDE - 1, load<u8>(blue + row * STRIDE + 7))
        store<u8>(red + row * STRIDE - 1, load<u8>(red + row * STRIDE + 7))
      }
    } else {
      const corner = y > 0 ? LEFT_OF_FRAME : ABOVE_FRAME
      for (let row = -1; row < 16; row++) store<u8>(luma + row * STRIDE - 1, row < 0 ? corner : LEFT_OF_FRAME)
      for (let row = -1; row < 8; row++) {
        store<u8>(blue + row * STRIDE - 1, row < 0 ? corner : LEFT_OF_FRAME)
        store<u8>(red + row * STRIDE - 1, row < 0 ? corner : LEFT_OF_FRAME)
      }
    }
    if (y === 0) {
      memory.fill(luma - STRIDE, ABOVE_FRAME, 20)
      memory.fill(blue - STRIDE, ABOVE_FRAME, 8)
      memory.fill(red - STRIDE, ABOVE_FRAME, 8)
    } else {
      memory.copy(luma - STRIDE, this.lumaAbove + x * 16, 16)
      memory.copy(blue - STRIDE, this.blueAbove + x * 8, 8)
      memory.copy(red - STRIDE, this.redAbove + x * 8, 8)
      // Four samples to the right of those above; at the edge the last one again.
      if (x < this.across - 1) store<u32>(luma - STRIDE + 16, load<u32>(this.lumaAbove + (x + 1) * 16))
      else memory.fill(luma - STRIDE + 16, load<u8>(this.lumaAbove + x * 16 + 15), 4)
    }
    // The blocks further down look at the same four.
    const corner = load<u32>(luma - STRIDE + 16)
    for (let row = 3; row < 15; row += 4) store<u32>(luma + row * STRIDE + 16, corner)
  }

  private predict(x: i32, y: i32): void {
    const macroblock = this.macroblock
    const luma = this.work + LUMA_AT
    if (!macroblock.isSplit) predictSquare(luma, 16, macroblock.lumaMode, x > 0, y > 0)
    for (let block = 0; block < 16; block++) {
      const at = luma + (block >> 2) * 4 * STRIDE + (block & 3) * 4
      if (macroblock.isSplit) predictBlock(at, load<u8>(macroblock.blockModes + block))
      this.addCoefficients(block, at)
    }
    predictSquare(this.work + BLUE_AT, 8, macroblock.chromaMode, x > 0, y > 0)
    predictSquare(this.work + RED_AT, 8, macroblock.chromaMode, x > 0, y > 0)
    for (let block = 0; block < 4; block++) {
      const offset = (block >> 1) * 4 * STRIDE + (block & 1) * 4
      this.addCoefficients(16 + block, this.work + BLUE_AT + offset)
      this.addCoefficients(20 + block, this.work + RED_AT + offset)
    }
  }

  private addCoefficients(block: i32, at: usize): void {
    const content = load<u8>(this.contents + block)
    const source = this.coefficients + usize(block) * BLOCK_BYTES
    if (content === 2) addBlock(source, at, STRIDE)
    else if (content === 1) addFlatBlock(source, at, STRIDE)
  }

  private keepNeighbours(x: i32): void {
    memory.copy(this.lumaAbove + x * 16, this.work + LUMA_AT + 15 * STRIDE, 16)
    memory.copy(this.blueAbove + x * 8, this.work + BLUE_AT + 7 * STRIDE, 8)
    memory.copy(this.redAbove + x * 8, this.work + RED_AT + 7 * STRIDE, 8)
  }

  private moveToStrip(x: i32): void {
    let target = this.luma + WAITING * this.lumaStride + x * 16
    let source = this.work + LUMA_AT
    for (let row = 0; row < 16; row++, target += this.lumaStride, source += STRIDE) {
      v128.store(target, v128.load(source))
    }
    const offset = (WAITING >> 1) * this.chromaStride + x * 8
    for (let row = 0; row < 8; row++) {
      const place = offset + row * this.chromaStride
      store<u64>(this.blue + place, load<u64>(this.work + BLUE_AT + row * STRIDE))
      store<u64>(this.red + place, load<u64>(this.work + RED_AT + row * STRIDE))
    }
  }

  /** Smooths the edges of a macroblock in the strip (section 15.1). */
  private smooth(x: i32, y: i32): void {
    const smoothing = this.smoothingOf(x)
    const limit = i32(smoothing.limit)
    if (limit === 0) return
    const interior = i32(smoothing.interior)
    const threshold = i32(smoothing.highVariance)
    const isSimple = this.header.isSimple
    const luma = this.luma + WAITING * this.lumaStride + x * 16
    const chroma = (WAITING >> 1) * this.chromaStride + x * 8
    const blue = this.blue + chroma
    const red = this.red + chroma
    const wide = this.lumaStride
    const narrow = this.chromaStride
    if (x > 0) {
      setStrength(limit + 4, interior, threshold)
      smoothUpright(luma, wide, true, isSimple)
      if (!isSimple) smoothUprightPair(blue, red, narrow, true)
    }
    setStrength(limit, interior, threshold)
    if (smoothing.isInner) {
      for (let at = 4; at < 16; at += 4) smoothUpright(luma + at, wide, false, isSimple)
      if (!isSimple) smoothUprightPair(blue + 4, red + 4, narrow, false)
    }
    if (y > 0) {
      setStrength(limit + 4, interior, threshold)
      smoothLying(luma, wide, true, isSimple)
      if (!isSimple) smoothLyingPair(blue, red, narrow, true)
    }
    if (!smoothing.isInner) return
    setStrength(limit, interior, threshold)
    for (let at = 4; at < 16; at += 4) smoothLying(luma + at * wide, wide, false, isSimple)
    if (!isSimple) smoothLyingPair(blue + 4 * narrow, red + 4 * narrow, narrow, false)
  }

  /** Hands on the rows that will not change any more, and moves the others to the upper end of the strip. */
  private emit(y: i32): void {
    const from = y === 0 ? WAITING : 0
    const top = y * 16 - WAITING
    const to = y === this.down - 1 ? this.header.height - top : 16
    const width = this.header.width
    for (let row = from; row < to; row += 2) {
      const count = min(2, to - row)
      const alpha = this.alpha
      if (alpha !== null) {
        for (let i = 0; i < count; i++) alpha.nextRow(this.alphaRows + i * width)
      }
      const chroma = (row >> 1) * this.chromaStride
      pushPlanar(
        this.luma + row * this.lumaStride,
        this.lumaStride,
        count,
        this.blue + chroma,
        this.red + chroma,
        alpha !== null ? this.alphaRows : 0,
      )
    }
    memory.copy(this.luma, this.luma + 16 * this.lumaStride, WAITING * this.lumaStride)
    memory.copy(this.blue, this.blue + 8 * this.chromaStride, (WAITING >> 1) * this.chromaStride)
    memory.copy(this.red, this.red + 8 * this.chromaStride, (WAITING >> 1) * this.chromaStride)
  }
}
