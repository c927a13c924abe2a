/**
 * Decodes JPEG: sequential and progressive Huffman coding with 8 bits, any sampling, restart markers, grey, YCbCr, RGB,
 * CMYK and YCCK. Strict where browsers are lenient: a file that was cut or damaged throws instead of turning grey.
 *
 *     decodeJpeg(bytes, info, fitter) // pushes RGB rows
 *
 * A sequential file with all components in one scan (nearly every photo) streams: a row of MCUs is all that is kept.
 * Anything else needs every coefficient of the picture, which is what `MAX_COEFFICIENT_BYTES` bounds.
 *
 * Standard: ITU-T T.81.
 */

import { EOI, isFrameMarker, type JpegSegment, jpegSegments, SOS } from '../containers.ts'
import type { Size } from '../fit.ts'
import { BitReader } from './huffman.ts'
import { createTables, type Frame, type JpegTables, readFrame, readTables } from './jpeg-frame.ts'
import { createPicture, type Picture } from './jpeg-picture.ts'
import { type BlockPlace, decodeScan, readScanHeader, type Scan } from './jpeg-scan.ts'
import type { RowSink } from './rows.ts'

/** Most memory for the coefficients of a progressive photo: 21 megapixels at 4:2:0, 11 at 4:4:4. */
export const MAX_COEFFICIENT_BYTES = 64 * 1024 * 1024

/** Cameras and encoders write 1 to 12 scans; a thousand would keep the processor busy for seconds. */
export const MAX_SCANS = 32

/** Everything known about the file while its scans come in. */
interface Decoding {
  bytes: Uint8Array
  tables: JpegTables
  frame: Frame
  picture: Picture
  /** All coefficients by component, once a scan needed them. */
  stored: Int16Array[] | null
  /** For each component, the lowest bit sent of each coefficient; -1: nothing yet. */
  progress: Int8Array[]
}

/** Pushes the picture's rows as RGB. Throws when the file is damaged, cut short or coded in an unsupported way. */
export function decodeJpeg(bytes: Uint8Array, size: Size, sink: RowSink): void {
  const tables = createTables()
  let decoding: Decoding | null = null
  let at = 2
  for (let scans = 0; scans <= MAX_SCANS; scans++) {
    const stop = readUntilScan(bytes, at, (segment) => {
      if (!isFrameMarker(segment.marker)) return readTables(segment, tables)
      if (decoding) throw new Error('JPEG: more than one frame')
      decoding = startFrame(bytes, segment, size, tables, sink)
    })
    if (!decoding) throw new Error('JPEG: scan without a frame')
    if (stop.marker === EOI) {
      finishPicture(decoding)
      return
    }
    at = decodeNextScan(decoding, stop)
  }
  throw new Error('JPEG: too many scans')
}

/** Hands segments over until the next scan or the end of the image, which it returns. */
function readUntilScan(bytes: Uint8Array, from: number, take: (segment: JpegSegment) => void): JpegSegment {
  for (const segment of jpegSegments(bytes, from)) {
    if (segment.marker === SOS || segment.marker === EOI) return segment
    take(segment)
  }
  throw new Error('JPEG: file ends too early')
}

function startFrame(
  bytes: Uint8Array,
  segment: JpegSegment,
  size: Size,
  tables: JpegTables,
  sink: RowSink,
): Decoding {
  const frame = readFrame(segment)
  if (frame.width !== size.width || frame.height !== size.height) throw new Error('JPEG: two different sizes')
  return {
    bytes,
    tables,
    frame,
    picture: createPicture(frame, tables, sink),
    stored: null,
    progress: frame.components.map(() => new Int8Array(64).fill(-1)),
  }
}

function decodeNextScan(decoding: Decoding, segment: JpegSegment): number {
  const { frame, picture, tables } = decoding
  const scan = readScanHeader(segment, frame, tables)
  for (const { index, component } of scan.components) picture.setQuantiser(index, component.quantiserId)
  noteProgress(decoding, scan)
  const reader = new BitReader(decoding.bytes, segment.end)
  const streams = !frame.progressive && scan.components.length === frame.components.length
  return streams ? streamScan(decoding, scan, reader) : storeScan(decoding, scan, reader)
}

/** Decodes a scan that holds the whole picture, keeping one row of MCUs. */
function streamScan({ frame, tables, picture }: Decoding, scan: Scan, reader: BitReader): number {
  const rows = frame.components.map(({ paddedWide, v }) => new Int16Array(paddedWide * v * 64))
  const place: BlockPlace = { coefficients: new Int16Array(0), at: 0 }
  return decodeScan(scan, frame, tables, reader, {
    blockOf(index, column, row) {
      const { paddedWide, v } = frame.components[index] as Frame['components'][number]
      place.coefficients = rows[index] as Int16Array
      place.at = ((row % v) * paddedWide + column) * 64
      return place
    },
    rowDone() {
      picture.pushMcuRow(rows, 0)
      for (const row of rows) row.fill(0)
    },
  })
}

/** Decodes a scan into the stored coefficients. */
function storeScan(decoding: Decoding, scan: Scan, reader: BitReader): number {
  const { frame, tables } = decoding
  const stored = decoding.stored ?? allocateCoefficients(frame)
  decoding.stored = stored
  const place: BlockPlace = { coefficients: new Int16Array(0), at: 0 }
  return decodeScan(scan, frame, tables, reader, {
    blockOf(index, column, row) {
      place.coefficients = stored[index] as Int16Array
      place.at = (row * (frame.components[index] as Frame['components'][number]).paddedWide + column) * 64
      return place
    },
  })
}

function allocateCoefficients(frame: Frame): Int16Array[] {
  const lengths = frame.components.map(({ paddedWide, paddedHigh }) => paddedWide * paddedHigh * 64)
  const total = lengths.reduce((sum, length) => sum + length * 2, 0)
  if (total > MAX_COEFFICIENT_BYTES) throw new Error('JPEG: too large for a progressive photo')
  return lengths.map((length) => new Int16Array(length))
}

/** Each scan must carry on where the one before stopped; a coefficient's first scan comes before its refinements. */
function noteProgress({ progress }: Decoding, { components, first, last, high, low }: Scan): void {
  for (const { index } of components) {
    const known = progress[index] as Int8Array
    for (let k = first; k <= last; k++) {
      const before = known[k] as number
      if (high === 0 ? before !== -1 : before !== high || low !== high - 1) {
        throw new Error('JPEG: scans do not follow each other')
      }
    }
    known.fill(low, first, last + 1)
  }
}

/**
 * At the end of the image every coefficient must have been sent to its last bit. The standard would let an encoder
 * leave some out, but none does: where some are missing, the file was cut between two scans and closed again.
 */
function finishPicture({ frame, picture, progress, stored }: Decoding): void {
  if (progress.some((known) => known.some((low) => low !== 0))) throw new Error('JPEG: scans are missing')
  if (!stored) return
  for (let row = 0; row < frame.mcusHigh; row++) picture.pushMcuRow(stored, row)
}
