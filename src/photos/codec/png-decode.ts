/**
 * Decodes PNG of every kind: grey, RGB, palette, alpha, 1 to 16 bits, interlaced. Every checksum is verified.
 *
 *     await decodePng(bytes, info, flatten(info.width, fitter)) // pushes RGBA rows
 *
 * The platform inflates; rows are unfiltered and handed on as they come, so only interlaced pictures are ever whole in
 * memory.
 *
 * Standard: W3C Portable Network Graphics (third edition), sections 5, 7, 9 and 11.
 */

import { crc32 } from 'node:zlib'
import { type Chunk, pngChunks, viewOf } from '../containers.ts'
import type { Size } from '../fit.ts'
import { createUnpacker, type PngHeader, SAMPLES_PER_PIXEL } from './png-pixels.ts'
import { collect, type RowSink } from './rows.ts'

/** Largest interlaced PNG in pixels: it needs 4 bytes for each. */
export const MAX_INTERLACED_PIXELS = 12_000_000

/** What is given to the inflater at once: at most a thousand times as much comes out. */
const INFLATE_STEP = 16 * 1024

/** Adam7: origin and distance of the pixels of each pass. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Takes unfiltered rows of packed samples, pass after pass. */
interface Pass extends Size {
  take(row: Uint8Array): void
}

/** Pushes the picture's rows as RGBA. Throws when a checksum is wrong, or data is missing, damaged or left over. */
export async function decodePng(bytes: Uint8Array, size: Size, sink: RowSink): Promise<void> {
  const chunks = readChunks(bytes)
  const header = readHeader(chunks)
  const data = chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body)
  if (header.width !== size.width || header.height !== size.height)
    throw new Error('PNG: two different sizes')
  const passes = header.interlaced ? interlacedPasses(header, sink) : [wholePass(header, sink)]
  const rowReader = createRowReader(header, passes)
  const reader = inflate(data).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      rowReader.take(value)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  rowReader.finish()
}

/** All chunks up to IEND with their checksums verified. */
function readChunks(bytes: Uint8Array): Chunk[] {
  const view = viewOf(bytes)
  const chunks: Chunk[] = []
  for (const chunk of pngChunks(bytes)) {
    const { at, body, type } = chunk
    if (view.getUint32(at + 8 + body.length) !== crc32(bytes.subarray(at + 4, at + 8 + body.length))) {
      throw new Error(`PNG: checksum of ${type} is wrong`)
    }
    if (type === 'IEND') return chunks
    chunks.push(chunk)
  }
  throw new Error('PNG: file ends too early')
}

function readHeader(chunks: Chunk[]): PngHeader {
  const header = chunks.find(({ type }) => type === 'IHDR')
  if (header?.body.length !== 13) throw new Error('PNG: no header')
  const view = viewOf(header.body)
  const depth = view.getUint8(8)
  const colourType = view.getUint8(9)
  const palette = chunks.find(({ type }) => type === 'PLTE')?.body
  const allowed = DEPTHS[colourType]
  const methodsAreKnown = view.getUint8(10) === 0 && view.getUint8(11) === 0 && view.getUint8(12) <= 1
  if (!allowed?.includes(depth) || !methodsAreKnown) throw new Error('PNG: impossible header')
  if (colourType === 3 && (!palette || palette.length % 3 !== 0)) throw new Error('PNG: palette missing')
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth,
    colourType,
    interlaced: view.getUint8(12) === 1,
    palette: palette ?? new Uint8Array(0),
    transparency: chunks.find(({ type }) => type === 'tRNS')?.body ?? new Uint8Array(0),
  }
}

/** Bit depths that go with each colour type. */
const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function inflate(parts: Uint8Array[]): ReadableStream<Uint8Array> {
  let part = 0
  let at = 0
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      while (part < parts.length && at >= (parts[part]?.length ?? 0)) {
        part += 1
        at = 0
      }
      const current = parts[part]
      if (!current) return controller.close()
      controller.enqueue(current.slice(at, at + INFLATE_STEP))
      at += INFLATE_STEP
    },
  })
  return source.pipeThrough(new DecompressionStream('deflate'))
}

/** The one pass of a picture that is not interlaced. */
function wholePass(header: PngHeader, sink: RowSink): Pass {
  const unpack = createUnpacker(header)
  const out = new Uint8Array(header.width * 4)
  return {
    width: header.width,
    height: header.height,
    take(row) {
      unpack(row, out, header.width)
      sink.push(out)
    },
  }
}

/** The seven passes; the last row of the last one releases the picture. */
function interlacedPasses(header: PngHeader, sink: RowSink): Pass[] {
  const { width, height } = header
  if (width * height > MAX_INTERLACED_PIXELS) throw new Error('PNG: too large for an interlaced photo')
  const unpack = createUnpacker(header)
  const { samples } = collect(header, 4)
  const line = new Uint8Array(width * 4)
  const passes = PASSES.map(([left, top, right, down]): Pass => {
    const size = { width: Math.ceil((width - left) / right), height: Math.ceil((height - top) / down) }
    let y = top
    return {
      ...size,
      take(row) {
        unpack(row, line, size.width)
        for (let x = 0; x < size.width; x++) {
          samples.set(line.subarray(x * 4, x * 4 + 4), (y * width + left + x * right) * 4)
        }
        y += down
      },
    }
  }).filter((pass) => pass.width > 0 && pass.height > 0)
  const last = passes.at(-1)
  if (!last) return []
  let missing = last.height
  const finished: Pass = {
    ...last,
    take(row) {
      last.take(row)
      missing -= 1
      for (let y = 0; missing === 0 && y < height; y++)
        sink.push(samples.subarray(y * width * 4, (y + 1) * width * 4))
    },
  }
  return [...passes.slice(0, -1), finished]
}

/** Cuts the inflated stream into rows and undoes their filters. */
function createRowReader(header: PngHeader, passes: Pass[]) {
  const pixelBits = (SAMPLES_PER_PIXEL[header.colourType] ?? 1) * header.depth
  const step = Math.max(1, pixelBits >> 3)
  let pass = 0
  let rowsLeft = 0
  let row = new Uint8Array(0)
  let above = new Uint8Array(0)
  let filled = 0
  const startPass = () => {
    const { width, height } = passes[pass] ?? { width: 0, height: 0 }
    const length = Math.ceil((width * pixelBits) / 8)
    rowsLeft = height
    row = new Uint8Array(1 + length)
    above = new Uint8Array(1 + length)
  }
  startPass()
  return {
    take(data: Uint8Array) {
      for (let at = 0; at < data.length; ) {
        if (rowsLeft === 0) throw new Error('PNG: more data than pixels')
        const part = data.subarray(at, at + row.length - filled)
        row.set(part, filled)
        filled += part.length
        at += part.length
        if (filled < row.length) return
        unfilter(row, above, step)
        passes[pass]?.take(row.subarray(1))
        ;[row, above] = [above, row]
        filled = 0
        rowsLeft -= 1
        if (rowsLeft > 0) continue
        pass += 1
        startPass()
      }
    },
    finish() {
      if (pass < passes.length) throw new Error('PNG: data ends too early')
    },
  }
}

/** Undoes a row's filter in place. Byte 0 of both rows is the filter type; `step` is the distance of like bytes. */
function unfilter(row: Uint8Array, above: Uint8Array, step: number): void {
  const [filter] = row
  if (filter === undefined || filter > 4) throw new Error('PNG: unknown filter')
  if (filter === 0) return
  for (let i = 1; i < row.length; i++) {
    const left = i > step ? (row[i - step] as number) : 0
    const up = above[i] as number
    const corner = i > step ? (above[i - step] as number) : 0
    const value = row[i] as number
    if (filter === 1) row[i] = value + left
    else if (filter === 2) row[i] = value + up
    else if (filter === 3) row[i] = value + ((left + up) >> 1)
    else row[i] = value + paeth(left, up, corner)
  }
}

/** Whichever neighbour is nearest to left + up - corner. */
function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - corner - corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
