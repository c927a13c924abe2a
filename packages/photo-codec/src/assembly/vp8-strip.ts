/**
 * A strip of a VP8 frame: a row of macroblocks, and the last rows of samples of the one above. Those wait, because
 * smoothing the edge between the two changes them (RFC 6386 section 15.1).
 */

import { AlphaPlane } from './alpha-plane'
import { allocate, create, VECTOR_SLACK } from './arena'
import { pushPlanar } from './planar'
import { setStrength, smoothHorizontalEdge, smoothHorizontalEdges, smoothVerticalEdges } from './vp8-filter'
import { FilterStrength, Vp8Header } from './vp8-header'
import { STRIDE } from './vp8-predict'

/** Rows of luma that wait; half as many of chroma. */
const WAITING: i32 = 8
const LUMA_ROWS: i32 = 16 + WAITING
const CHROMA_ROWS: i32 = 8 + (WAITING >> 1)

/** How a macroblock of the current row is smoothed. */
@unmanaged
class Smoothing {
  strength: FilterStrength
  /** Whether also between its blocks. */
  isInner: bool
}

@unmanaged
export class Strip {
  private header: Vp8Header
  private across: i32
  private smoothings: usize
  private luma: usize
  private blue: usize
  private red: usize
  private lumaStride: i32
  private chromaStride: i32
  /** Alpha of the picture, or null; and two rows of it. */
  private alpha: AlphaPlane | null
  private alphaRows: usize

  /** `across`: macroblocks in a row. */
  static create(header: Vp8Header, across: i32, alpha: AlphaPlane | null): Strip {
    const strip = create<Strip>()
    strip.header = header
    strip.across = across
    strip.alpha = alpha
    strip.smoothings = allocate(usize(across) * offsetof<Smoothing>())
    strip.lumaStride = across * 16
    strip.chromaStride = across * 8
    strip.luma = allocate(usize(strip.lumaStride) * LUMA_ROWS + VECTOR_SLACK)
    strip.blue = allocate(usize(strip.chromaStride) * CHROMA_ROWS + VECTOR_SLACK)
    strip.red = allocate(usize(strip.chromaStride) * CHROMA_ROWS + VECTOR_SLACK)
    strip.alphaRows = allocate(usize(header.width) * 2 + VECTOR_SLACK)
    return strip
  }

  /** How macroblock number `x` of the row is smoothed. */
  smoothingOf(x: i32): Smoothing {
    return changetype<Smoothing>(this.smoothings + usize(x) * offsetof<Smoothing>())
  }

  /** Copies macroblock number `x` of the row into the strip. Rows of the three sources are STRIDE apart. */
  put(x: i32, luma: usize, blue: usize, red: usize): void {
    let target = this.luma + WAITING * this.lumaStride + x * 16
    let source = luma
    for (let row = 0; row < 16; row++, target += this.lumaStride, source += STRIDE) {
      v128.store(target, v128.load(source))
    }
    const offset = (WAITING >> 1) * this.chromaStride + x * 8
    for (let row = 0; row < 8; row++) {
      const place = offset + row * this.chromaStride
      store<u64>(this.blue + place, load<u64>(blue + row * STRIDE))
      store<u64>(this.red + place, load<u64>(red + row * STRIDE))
    }
  }

  /** Smooths row number `y`, passes on the samples that no longer change, and keeps the others for the next row. */
  finishRow(y: i32, isLast: bool): void {
    if (this.header.isFiltered) for (let x = 0; x < this.across; x++) this.smoothOne(x, y)
    const from = y === 0 ? WAITING : 0
    const top = y * 16 - WAITING
    const to = isLast ? this.header.height - top : 16
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

  private smoothOne(x: i32, y: i32): void {
    const smoothing = this.smoothingOf(x)
    const strength = smoothing.strength
    if (strength.limit === 0) return
    const isSimple = this.header.isSimple
    const luma = this.luma + WAITING * this.lumaStride + x * 16
    const chroma = (WAITING >> 1) * this.chromaStride + x * 8
    const blue = this.blue + chroma
    const red = this.red + chroma
    const wide = this.lumaStride
    const narrow = this.chromaStride
    const end = smoothing.isInner ? 16 : 4
    for (let at = x > 0 ? 0 : 4; at < end; at += 4) {
      setStrength(strength, at === 0, isSimple)
      smoothVerticalEdges(luma + at, luma + at + 8 * wide, wide)
      if (hasChroma(at, isSimple)) smoothVerticalEdges(blue + (at >> 1), red + (at >> 1), narrow)
    }
    for (let at = y > 0 ? 0 : 4; at < end; at += 4) {
      setStrength(strength, at === 0, isSimple)
      smoothHorizontalEdge(luma + at * wide, wide)
      const offset = (at >> 1) * narrow
      if (hasChroma(at, isSimple)) smoothHorizontalEdges(blue + offset, red + offset, narrow)
    }
  }
}

/** Whether chroma, of half the size, has an edge at sample `at` of luma; the simple filter leaves chroma alone. */
function hasChroma(at: i32, isSimple: bool): bool {
  return !isSimple && (at & 7) === 0
}
