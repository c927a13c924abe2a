/**
 * Pictures on the move: every stage of the codec takes rows from top to bottom and hands rows on, so no stage needs
 * the whole picture.
 *
 *     decodePng(bytes, info, flatten(createFitter(source, target, 3, encoder)))
 *
 * A row is a Uint8Array of interleaved samples that is only valid during `push`: its owner reuses it.
 */

import { type Size, uprightSize } from '../fit.ts'

/** Takes a picture row by row; a stage throws when it cannot go on. */
export interface RowSink {
  push(row: Uint8Array): void
}

/** Hands every row to several sinks. */
export function tee(sinks: readonly RowSink[]): RowSink {
  const [only] = sinks
  if (sinks.length === 1 && only) return only
  return {
    push(row) {
      for (const sink of sinks) sink.push(row)
    },
  }
}

/** RGBA in, RGB out: what is transparent becomes white, as it would look on a page. */
export function flatten(width: number, next: RowSink): RowSink {
  const out = new Uint8Array(width * 3)
  return {
    push(row) {
      for (let from = 0, to = 0; to < out.length; from += 4, to += 3) {
        const alpha = row[from + 3] as number
        out[to] = overWhite(row[from] as number, alpha)
        out[to + 1] = overWhite(row[from + 1] as number, alpha)
        out[to + 2] = overWhite(row[from + 2] as number, alpha)
      }
      next.push(out)
    },
  }
}

/** RGBA in, RGBA out with colours multiplied by alpha, so that hidden colours cannot bleed when rows are mixed. */
export function premultiply(width: number, next: RowSink): RowSink {
  const out = new Uint8Array(width * 4)
  return {
    push(row) {
      for (let i = 0; i < out.length; i += 4) {
        const alpha = row[i + 3] as number
        out[i] = Math.round(((row[i] as number) * alpha) / 255)
        out[i + 1] = Math.round(((row[i + 1] as number) * alpha) / 255)
        out[i + 2] = Math.round(((row[i + 2] as number) * alpha) / 255)
        out[i + 3] = alpha
      }
      next.push(out)
    },
  }
}

/** Keeps the whole picture; `samples` is complete once every row has come. */
export function collect(size: Size, channels: number): RowSink & { samples: Uint8Array } {
  const samples = new Uint8Array(size.width * size.height * channels)
  let at = 0
  return {
    samples,
    push(row) {
      samples.set(row, at)
      at += row.length
    },
  }
}

/**
 * RGB rows in stored order in, RGB rows of the upright picture out (TIFF 6.0, tag 274). Anything but orientation 1
 * needs the whole picture first, which is why this stage stands behind the fitting.
 */
export function turnUpright(size: Size, orientation: number, next: RowSink): RowSink {
  if (orientation === 1) return next
  const stored = collect(size, 3)
  let missing = size.height
  return {
    push(row) {
      stored.push(row)
      missing -= 1
      if (missing === 0) emitUpright(stored.samples, size, orientation, next)
    },
  }
}

/** Where the upright picture's first pixel is stored, and the steps right and down from there, in pixels. */
function walk({ width, height }: Size, orientation: number): { start: number; right: number; down: number } {
  const [top, bottom, last] = [0, (height - 1) * width, width - 1]
  switch (orientation) {
    case 2:
      return { start: last, right: -1, down: width }
    case 3:
      return { start: bottom + last, right: -1, down: -width }
    case 4:
      return { start: bottom, right: 1, down: -width }
    case 5:
      return { start: top, right: width, down: 1 }
    case 6:
      return { start: bottom, right: -width, down: 1 }
    case 7:
      return { start: bottom + last, right: -width, down: -1 }
    case 8:
      return { start: last, right: width, down: -1 }
    default:
      return { start: top, right: 1, down: width }
  }
}

function emitUpright(samples: Uint8Array, size: Size, orientation: number, next: RowSink): void {
  const upright = uprightSize(size, orientation)
  const { start, right, down } = walk(size, orientation)
  const out = new Uint8Array(upright.width * 3)
  for (let y = 0; y < upright.height; y++) {
    let from = (start + y * down) * 3
    for (let to = 0; to < out.length; to += 3) {
      out[to] = samples[from] as number
      out[to + 1] = samples[from + 1] as number
      out[to + 2] = samples[from + 2] as number
      from += right * 3
    }
    next.push(out)
  }
}

function overWhite(value: number, alpha: number): number {
  return alpha === 255 ? value : Math.round((value * alpha + 255 * (255 - alpha)) / 255)
}
