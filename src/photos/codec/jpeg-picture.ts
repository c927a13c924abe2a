/**
 * From coefficients to pixels: inverse DCT, chroma brought to full size, colours turned into RGB.
 *
 *     const picture = createPicture(frame, tables, sink)
 *     picture.pushMcuRow(coefficientsByComponent, mcuRow) // 8 or 16 RGB rows
 *
 * Chroma samples are repeated, not smoothed: the encoder averages them again at the same places, so a photo that keeps
 * its size keeps its colours exactly.
 */

import { inverseDct, inverseTable } from './dct.ts'
import { type ColourModel, type Component, colourModel, type Frame, type JpegTables } from './jpeg-frame.ts'
import type { RowSink } from './rows.ts'

/** Turns rows of MCUs into RGB rows. */
export interface Picture {
  /** Fixes a component's quantiser at its first scan, after which the file may redefine the table. */
  setQuantiser(component: number, quantiserId: number): void
  /** Blocks of all components in row order; `mcuRow` counts from the start of the arrays. */
  pushMcuRow(coefficients: readonly Int16Array[], mcuRow: number): void
}

/** One component's samples for a row of MCUs. */
interface Plane {
  component: Component
  samples: Uint8ClampedArray
  stride: number
  table: Float32Array | null
  /** A line at the picture's full width, where the component has fewer samples. */
  wide: Uint8ClampedArray | null
  /** The sample line that `wide` holds. */
  wideLine: number
}

/** The line of each component at full width, and where the pixels go. */
type Converter = (lines: readonly Uint8ClampedArray[], out: Uint8ClampedArray) => void

/** A picture that pushes `frame.height` rows of RGB into `sink`. */
export function createPicture(frame: Frame, tables: JpegTables, sink: RowSink): Picture {
  const planes = frame.components.map((component) => createPlane(component, frame))
  const bytes = new Uint8Array(frame.width * 3)
  // The clamped view rounds and saturates what is written; the sink gets the same memory.
  const out = new Uint8ClampedArray(bytes.buffer)
  let converter: Converter | null = null
  let missing = frame.height
  return {
    setQuantiser(index, quantiserId) {
      const plane = planes[index]
      if (!plane || plane.table) return
      const quantisers = tables.quantisers[quantiserId]
      if (!quantisers) throw new Error('JPEG: quantisation table missing')
      plane.table = inverseTable(quantisers)
    },
    pushMcuRow(coefficients, mcuRow) {
      converter ??= CONVERTERS[colourModel(frame, tables)]
      planes.forEach((plane, i) => {
        transformRow(plane, coefficients[i] as Int16Array, mcuRow)
      })
      const height = Math.min(missing, frame.maxV * 8)
      for (let y = 0; y < height; y++) {
        const lines = planes.map((plane) => lineAt(plane, y, frame))
        converter(lines, out)
        sink.push(bytes)
      }
      missing -= height
    },
  }
}

function createPlane(component: Component, frame: Frame): Plane {
  const stride = component.paddedWide * 8
  return {
    component,
    samples: new Uint8ClampedArray(stride * component.v * 8),
    stride,
    table: null,
    wide: component.h === frame.maxH ? null : new Uint8ClampedArray(frame.width),
    wideLine: -1,
  }
}

function transformRow(plane: Plane, coefficients: Int16Array, mcuRow: number): void {
  const { paddedWide, v } = plane.component
  plane.wideLine = -1
  let at = mcuRow * v * paddedWide * 64
  for (let row = 0; row < v; row++) {
    for (let column = 0; column < paddedWide; column++, at += 64) {
      const offset = row * 8 * plane.stride + column * 8
      inverseDct(coefficients, at, plane.table as Float32Array, plane.samples, offset, plane.stride)
    }
  }
}

/** The samples of a component for the picture's line `y` of this row of MCUs, one per pixel. */
function lineAt(plane: Plane, y: number, { maxH, maxV, width }: Frame): Uint8ClampedArray {
  const { h, v } = plane.component
  const line = Math.floor((y * v) / maxV)
  const samples = plane.samples.subarray(line * plane.stride, (line + 1) * plane.stride)
  if (!plane.wide) return samples
  if (plane.wideLine !== line) {
    if (h * 2 === maxH) for (let x = 0; x < width; x++) plane.wide[x] = samples[x >> 1] as number
    else for (let x = 0; x < width; x++) plane.wide[x] = samples[Math.floor((x * h) / maxH)] as number
    plane.wideLine = line
  }
  return plane.wide
}

const CONVERTERS: Record<ColourModel, Converter> = {
  grey: ([grey], out) => {
    if (!grey) return
    for (let to = 0, x = 0; to < out.length; to += 3, x++) out.fill(grey[x] as number, to, to + 3)
  },
  rgb: ([red, green, blue], out) => {
    if (!red || !green || !blue) return
    for (let to = 0, x = 0; to < out.length; to += 3, x++) {
      out[to] = red[x] as number
      out[to + 1] = green[x] as number
      out[to + 2] = blue[x] as number
    }
  },
  ycc: convertYcc,
  cmyk: (lines, out) => convertCmyk(lines, out, 255),
  'inverted-cmyk': (lines, out) => convertCmyk(lines, out, 0),
  'inverted-ycck': (lines, out) => {
    // The colours of YCCK are those of an RGB negative; see ITU-T T.872 6.5.3.
    convertYcc(lines, out)
    const black = lines[3]
    if (!black) return
    for (let to = 0, x = 0; to < out.length; to += 3, x++) {
      const light = (black[x] as number) / 255
      out[to] = (255 - (out[to] as number)) * light
      out[to + 1] = (255 - (out[to + 1] as number)) * light
      out[to + 2] = (255 - (out[to + 2] as number)) * light
    }
  },
}

/** ITU-T T.871 section 7. */
function convertYcc([luma, cb, cr]: readonly Uint8ClampedArray[], out: Uint8ClampedArray): void {
  if (!luma || !cb || !cr) return
  for (let to = 0, x = 0; to < out.length; to += 3, x++) {
    const y = luma[x] as number
    const b = (cb[x] as number) - 128
    const r = (cr[x] as number) - 128
    out[to] = y + 1.402 * r
    out[to + 1] = y - 0.344136286 * b - 0.714136286 * r
    out[to + 2] = y + 1.772 * b
  }
}

/** Ink as a filter on white paper: 255 is no ink where `flip` is 0, full ink where it is 255. */
function convertCmyk(lines: readonly Uint8ClampedArray[], out: Uint8ClampedArray, flip: 0 | 255): void {
  const [cyan, magenta, yellow, black] = lines
  if (!cyan || !magenta || !yellow || !black) return
  for (let to = 0, x = 0; to < out.length; to += 3, x++) {
    const light = ((black[x] as number) ^ flip) / 255
    out[to] = ((cyan[x] as number) ^ flip) * light
    out[to + 1] = ((magenta[x] as number) ^ flip) * light
    out[to + 2] = ((yellow[x] as number) ^ flip) * light
  }
}
