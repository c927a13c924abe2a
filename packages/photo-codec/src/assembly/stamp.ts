/**
 * A watermark: luma, chroma and alpha at full size, one plane of width × height samples after the other, luma and
 * chroma already multiplied by alpha. It is laid over the rows of a copy just before they are encoded.
 *
 *     result = photo · (1 − alpha) + watermark        (chroma counted from its neutral value)
 */

import { allocate, create } from './arena'
import { NEUTRAL } from './colour'
import { McuRow } from './jpeg-encode'

const STAMP_PLANES: usize = 4

@unmanaged
export class Stamp {
  width: i32
  height: i32
  /** Where its upper left corner lies on the upright copy. */
  left: i32
  top: i32
  luma: usize
  blue: usize
  red: usize
  alpha: usize

  /** A transparent one; its planes are to be filled. */
  static create(width: i32, height: i32, left: i32, top: i32): Stamp {
    const stamp = create<Stamp>()
    const samples = usize(width) * height
    stamp.width = width
    stamp.height = height
    stamp.left = left
    stamp.top = top
    stamp.luma = allocate(samples * STAMP_PLANES)
    stamp.blue = stamp.luma + samples
    stamp.red = stamp.blue + samples
    stamp.alpha = stamp.red + samples
    return stamp
  }

  /** Whether a part of it lies on rows `from` to `to` of the copy. */
  reaches(from: i32, to: i32): bool {
    return from < this.top + this.height && to > this.top
  }

  /** Blends the part that lies on rows `from` to `to` of the copy; chroma rows are half as many and half as long. */
  blend(rows: McuRow, from: i32, to: i32): void {
    const first = max(from, this.top)
    const last = min(to, this.top + this.height)
    for (let y = first; y < last; y++) this.blendLuma(y, rows.luma + (y - from) * rows.lumaStride)
    for (let y = first & ~1; y < last; y += 2) {
      const row = ((y - from) >> 1) * rows.chromaStride
      this.blendChroma(y, rows.blue + row, rows.red + row)
    }
  }

  private blendLuma(y: i32, row: usize): void {
    const offset = usize(y - this.top) * this.width
    const target = row + this.left
    for (let x = 0; x < this.width; x++) {
      const alpha = i32(load<u8>(this.alpha + offset + x))
      if (alpha === 0) continue
      const kept = (i32(load<u8>(target + x)) * (255 - alpha) + 127) / 255
      store<u8>(target + x, u8(min(255, kept + i32(load<u8>(this.luma + offset + x)))))
    }
  }

  /** A chroma sample gets the mean of the 2 × 2 samples of the watermark that lie on it. */
  private blendChroma(y: i32, blueRow: usize, redRow: usize): void {
    const end = this.left + this.width
    for (let x = this.left & ~1; x < end; x += 2) {
      let alpha = 0
      let blue = 0
      let red = 0
      for (let part = 0; part < 4; part++) {
        const column = x + (part & 1) - this.left
        const row = y + (part >> 1) - this.top
        if (column < 0 || column >= this.width || row < 0 || row >= this.height) continue
        const place = usize(row) * this.width + column
        alpha += i32(load<u8>(this.alpha + place))
        blue += i32(load<u8>(this.blue + place)) - NEUTRAL
        red += i32(load<u8>(this.red + place)) - NEUTRAL
      }
      if (alpha === 0) continue
      mix(blueRow + (x >> 1), alpha, blue)
      mix(redRow + (x >> 1), alpha, red)
    }
  }
}

/** Mixes sums of four samples into one. */
function mix(place: usize, alphas: i32, sum: i32): void {
  const kept = ((i32(load<u8>(place)) - NEUTRAL) * (4 * 255 - alphas)) / (4 * 255)
  store<u8>(place, u8(max(0, min(255, NEUTRAL + kept + sum / 4))))
}
