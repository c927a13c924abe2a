/** The alpha of lossy WebPs (RFC 9649 section 2.7.1.2), row by row. */

import { allocate, create, VECTOR_SLACK } from './arena'
import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'
import { LosslessRows } from './vp8l-decode'

const RAW: i32 = 0
const LOSSLESS: i32 = 1

const NOTHING: i32 = 0
const HORIZONTAL: i32 = 1
const VERTICAL: i32 = 2

@unmanaged
export class AlphaPlane {
  private width: i32
  private filter: i32
  /** The row before. */
  private above: usize
  private y: i32
  /** The next byte of a plane that is not compressed. */
  private at: usize
  private rows: LosslessRows | null

  static open(data: usize, length: usize, width: i32, height: i32): AlphaPlane {
    if (length < 1) fail(Failure.Truncated)
    const plane = create<AlphaPlane>()
    plane.width = width
    plane.above = allocate(width + VECTOR_SLACK)
    const flags = i32(load<u8>(data))
    plane.filter = (flags >> 2) & 3
    if ((flags & 3) === RAW) {
      if (length - 1 < usize(width) * height) fail(Failure.Truncated)
      plane.at = data + 1
    } else if ((flags & 3) === LOSSLESS) {
      plane.rows = LosslessRows.open(InflateBits.create(data + 1, length - 1), width, height)
    } else fail(Failure.Unsupported)
    return plane
  }

  /** Writes the next row, a byte for each pixel. */
  nextRow(target: usize): void {
    const rows = this.rows
    if (rows !== null) {
      const argb = rows.nextRow()
      for (let x = 0; x < this.width; x++) store<u8>(target + x, load<u8>(argb + x * 4, 1))
    } else {
      memory.copy(target, this.at, this.width)
      this.at += this.width
    }
    if (this.filter !== NOTHING) this.undoFilter(target)
    memory.copy(this.above, target, this.width)
    this.y += 1
  }

  private undoFilter(row: usize): void {
    const above = this.above
    // The first row knows nothing but the left, the first column nothing but what is above.
    const filter = this.y === 0 ? HORIZONTAL : this.filter
    let left = this.y === 0 ? u8(0) : load<u8>(above)
    for (let x = 0; x < this.width; x++) {
      let predicted = left
      if (filter === VERTICAL) predicted = load<u8>(above + x)
      else if (filter !== HORIZONTAL && x > 0) {
        const sum = i32(left) + i32(load<u8>(above + x)) - i32(load<u8>(above + x - 1))
        predicted = u8(max(0, min(255, sum)))
      }
      left = load<u8>(row + x) + predicted
      store<u8>(row + x, left)
    }
  }
}
