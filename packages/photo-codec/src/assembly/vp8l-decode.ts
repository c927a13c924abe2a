/**
 * Decodes lossless WebPs (RFC 9649 section 3), row by row. Only the images of their transforms are in memory as a whole:
 * these have one pixel for each square of 4 to 512 pixels a side.
 */

import { allocate, allocateList, create, objectAt, putObject, VECTOR_SLACK } from './arena'
import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'
import { pushRgba, startRgba } from './rgba'
import { CodedImage } from './vp8l-image'
import { PALETTE, Transform } from './vp8l-transforms'

const SIGNATURE: u32 = 0x2f
const MAX_TRANSFORMS: i32 = 4

/** Decodes an image to rows of ARGB pixels. */
@unmanaged
export class LosslessRows {
  private bits: InflateBits
  private height: i32
  private transforms: usize
  private count: i32
  private image: CodedImage
  private packedWidth: i32
  private row: usize
  private y: i32

  /** Reads everything that precedes the pixels. */
  static open(bits: InflateBits, width: i32, height: i32): LosslessRows {
    const rows = create<LosslessRows>()
    rows.bits = bits
    rows.height = height
    rows.transforms = allocateList(MAX_TRANSFORMS)
    rows.packedWidth = width
    let seen = 0
    for (;;) {
      bits.refill()
      if (bits.take(1) === 0) break
      const kind = i32(bits.take(2))
      if ((seen & (1 << kind)) !== 0) fail(Failure.Damaged)
      seen |= 1 << kind
      const transform = Transform.read(bits, kind, rows.packedWidth, height)
      if (kind === PALETTE) rows.packedWidth = transform.packedWidth
      putObject(rows.transforms, rows.count++, transform)
    }
    rows.image = CodedImage.open(bits, rows.packedWidth, height, true)
    rows.row = allocate(usize(width) * 4 + VECTOR_SLACK)
    return rows
  }

  /** Decodes the next row. Returns its address, which is valid until the next call. */
  nextRow(): usize {
    memory.copy(this.row, this.image.nextRow(), usize(this.packedWidth) * 4)
    for (let i = this.count - 1; i >= 0; i--) objectAt<Transform>(this.transforms, i).undo(this.row, this.y)
    this.y += 1
    // Refuses data that ended before the last pixel.
    if (this.y === this.height) this.bits.refill()
    return this.row
  }
}

/** Decodes a picture and hands it to the copies. Refuses one of another size. */
export function decodeLossless(width: i32, height: i32, data: usize, length: usize, keepsAlpha: bool): void {
  const bits = InflateBits.create(data, length)
  bits.refill()
  if (bits.take(8) !== SIGNATURE) fail(Failure.Damaged)
  if (i32(bits.take(14)) + 1 !== width || i32(bits.take(14)) + 1 !== height) fail(Failure.Damaged)
  const hasAlpha = bits.take(1) !== 0
  if (bits.take(3) !== 0) fail(Failure.Unsupported)
  const rows = LosslessRows.open(bits, width, height)
  const rgba = allocate(usize(width) * 4 + VECTOR_SLACK)
  startRgba(width, height, keepsAlpha)
  for (let y = 0; y < height; y++) {
    toRgba(rows.nextRow(), rgba, width, hasAlpha)
    pushRgba(rgba, !hasAlpha)
  }
}

/** Converts a row of ARGB pixels. Both rows need VECTOR_SLACK. */
function toRgba(argb: usize, rgba: usize, count: i32, hasAlpha: bool): void {
  const order = i8x16(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15)
  const opaque = i32x4.splat(hasAlpha ? 0 : 0xff000000)
  for (const end = rgba + count * 4; rgba < end; rgba += 16, argb += 16) {
    v128.store(rgba, v128.or(i8x16.swizzle(v128.load(argb), order), opaque))
  }
}
