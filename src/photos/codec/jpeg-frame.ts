/**
 * The tables and the frame header of a JPEG: what has to be known before its scans can be read.
 *
 *     const tables = createTables()
 *     readTables(segment, tables) // DQT, DHT, DRI, APP0, APP14
 *     const frame = readFrame(segment)
 *
 * Standard: ITU-T T.81 annex B; the colour rules are those of ITU-T T.872 (Adobe marker).
 */

import { APP0, APP14, DHT, DQT, DRI, type JpegSegment, textAt, viewOf } from '../containers.ts'
import { ZIGZAG } from './dct.ts'
import { buildHuffmanTable, type HuffmanTable } from './huffman.ts'

/** What the components of a frame mean. CMYK is the way Adobe stores it (255 = no ink) or upright. */
export type ColourModel = 'grey' | 'ycc' | 'rgb' | 'cmyk' | 'inverted-cmyk' | 'inverted-ycck'

/** Everything that segments before a scan can define. */
export interface JpegTables {
  /** Quantisers in row order, by table number. */
  quantisers: (Uint16Array | undefined)[]
  dc: (HuffmanTable | undefined)[]
  ac: (HuffmanTable | undefined)[]
  /** Restart interval in MCUs; 0: none. */
  restartInterval: number
  hasJfif: boolean
  /** The transform byte of an Adobe marker, if there is one. */
  adobeTransform: number | null
}

/** One colour component and its share of the block grid. */
export interface Component {
  id: number
  /** Sampling factors 1–4. */
  h: number
  v: number
  quantiserId: number
  /** Blocks that hold picture, without the filling up to whole MCUs. */
  blocksWide: number
  blocksHigh: number
  /** Blocks with the filling. */
  paddedWide: number
  paddedHigh: number
}

/** A Huffman-coded frame with 8 bits per sample. */
export interface Frame {
  progressive: boolean
  width: number
  height: number
  components: Component[]
  maxH: number
  maxV: number
  mcusWide: number
  mcusHigh: number
}

/** Tables as they are at the start of a file. */
export function createTables(): JpegTables {
  return { quantisers: [], dc: [], ac: [], restartInterval: 0, hasJfif: false, adobeTransform: null }
}

/** Takes over what a segment defines; segments of other kinds are passed over. */
export function readTables({ marker, body }: JpegSegment, tables: JpegTables): void {
  if (marker === DQT) readQuantisers(body, tables)
  if (marker === DHT) readHuffmanTables(body, tables)
  if (marker === DRI) tables.restartInterval = viewOf(body).getUint16(0)
  if (marker === APP0 && textAt(body, 0, 5) === 'JFIF\0') tables.hasJfif = true
  if (marker === APP14 && textAt(body, 0, 5) === 'Adobe' && body.length >= 12)
    tables.adobeTransform = body[11] ?? 0
}

/** The frame in a SOF segment; throws for lossless, arithmetic-coded, hierarchical and 12-bit frames. */
export function readFrame({ marker, body }: JpegSegment): Frame {
  if (marker > 0xc2) throw new Error(`JPEG: coding process ${marker - 0xc0} is not supported`)
  const view = viewOf(body)
  const count = view.getUint8(5)
  if (view.getUint8(0) !== 8) throw new Error('JPEG: only 8 bits per sample are supported')
  if (count !== 1 && count !== 3 && count !== 4) throw new Error(`JPEG: ${count} components`)
  const [width, height] = [view.getUint16(3), view.getUint16(1)]
  const components = Array.from({ length: count }, (_, i) => {
    const sampling = view.getUint8(7 + i * 3)
    // The only component of a scan is never interleaved, whatever its sampling factors say.
    const [h, v] = count === 1 ? [1, 1] : [sampling >> 4, sampling & 15]
    if (h < 1 || h > 4 || v < 1 || v > 4) throw new Error('JPEG: impossible sampling factor')
    return { id: view.getUint8(6 + i * 3), h, v, quantiserId: view.getUint8(8 + i * 3) }
  })
  const maxH = Math.max(...components.map(({ h }) => h))
  const maxV = Math.max(...components.map(({ v }) => v))
  const mcusWide = Math.ceil(width / (8 * maxH))
  const mcusHigh = Math.ceil(height / (8 * maxV))
  return {
    progressive: marker === 0xc2,
    width,
    height,
    maxH,
    maxV,
    mcusWide,
    mcusHigh,
    components: components.map((component) => ({
      ...component,
      blocksWide: Math.ceil((width * component.h) / maxH / 8),
      blocksHigh: Math.ceil((height * component.v) / maxV / 8),
      paddedWide: mcusWide * component.h,
      paddedHigh: mcusHigh * component.v,
    })),
  }
}

/** What the components mean, by the markers and, without them, by the components' names. */
export function colourModel(frame: Frame, tables: JpegTables): ColourModel {
  const adobe = tables.adobeTransform
  if (frame.components.length === 1) return 'grey'
  if (frame.components.length === 4) {
    if (adobe === null) return 'cmyk'
    return adobe === 2 ? 'inverted-ycck' : 'inverted-cmyk'
  }
  if (tables.hasJfif) return 'ycc'
  if (adobe !== null) return adobe === 0 ? 'rgb' : 'ycc'
  return String.fromCharCode(...frame.components.map(({ id }) => id)) === 'RGB' ? 'rgb' : 'ycc'
}

function readQuantisers(body: Uint8Array, tables: JpegTables): void {
  const view = viewOf(body)
  for (let at = 0; at < body.length; ) {
    const [wide, id] = [view.getUint8(at) >> 4, view.getUint8(at) & 15]
    const table = new Uint16Array(64)
    at += 1
    for (const position of ZIGZAG) {
      table[position] = wide ? view.getUint16(at) : view.getUint8(at)
      at += wide ? 2 : 1
    }
    tables.quantisers[id] = table
  }
}

function readHuffmanTables(body: Uint8Array, tables: JpegTables): void {
  for (let at = 0; at < body.length; ) {
    const [kind, id] = [(body[at] ?? 0) >> 4, (body[at] ?? 0) & 15]
    const counts = body.subarray(at + 1, at + 17)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const symbols = body.subarray(at + 17, at + 17 + total)
    if (kind > 1 || id > 3 || total > 256 || symbols.length < total)
      throw new Error('JPEG: damaged Huffman table')
    tables[kind === 0 ? 'dc' : 'ac'][id] = buildHuffmanTable(counts, symbols)
    at += 17 + total
  }
}
