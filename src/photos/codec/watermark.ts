/**
 * A watermark on its way through the codec: decoded to premultiplied RGBA, laid over rows of a photo.
 *
 *     const stamp = createStamp(watermark, photoSize, encoder)
 *     for (const row of rgbRows) stamp.push(row)
 */

import type { Size } from '../fit.ts'
import type { RowSink } from './rows.ts'

/** A watermark in pixels: RGBA, colours multiplied by alpha. */
export interface Watermark extends Size {
  samples: Uint8Array
}

/** RGB rows of a photo in, the same with the watermark in the middle out. The watermark must not be larger. */
export function createStamp(watermark: Watermark, photo: Size, next: RowSink): RowSink {
  const { width, height, samples } = watermark
  const left = Math.floor((photo.width - width) / 2)
  const top = Math.floor((photo.height - height) / 2)
  const out = new Uint8Array(photo.width * 3)
  let y = 0
  return {
    push(row) {
      const line = y - top
      y += 1
      if (line < 0 || line >= height) return next.push(row)
      out.set(row)
      const end = (line + 1) * width * 4
      for (let from = line * width * 4, to = left * 3; from < end; from += 4, to += 3) {
        const through = 255 - (samples[from + 3] as number)
        for (let c = 0; c < 3; c++) {
          const below = Math.round(((row[to + c] as number) * through) / 255)
          // Filtering may leave a colour a little above its alpha.
          out[to + c] = Math.min(255, (samples[from + c] as number) + below)
        }
      }
      next.push(out)
    },
  }
}
