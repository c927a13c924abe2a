/** PNGs of every kind with every row filter, taken apart and put together, and GIFs of every layout. */

import { deflateSync } from 'node:zlib'
import { GifWriter } from 'omggif'
import { bytesOf, concat, joined } from '../fixtures/bytes.ts'
import { PNG_SIGNATURE, type PngChunkLies, pngChunk } from '../fixtures/containers.ts'
import { type PngHeader, packPng, rowLengths } from '../fixtures/png.ts'
import type { Random } from '../fixtures/random.ts'
import { noise } from './bytes.ts'

/** A sound PNG whose rows use all filters. A filter makes a picture of any bytes, so nothing is filtered here. */
export function png(
  random: Random,
  header: PngHeader & { transparent?: boolean; colours?: number; profile?: Uint8Array },
): Uint8Array {
  const { depth, colourType, transparent = false, colours = 1 << Math.min(depth, 8), profile } = header
  const rows = rowLengths(header).map((length) => {
    const filter = random.int(0, 4)
    const calm = random.chance(0.8)
    return concat([filter], calm ? new Uint8Array(length).fill(random.int(0, 3)) : noise(random, length))
  })
  const keys: Record<number, number> = { 0: 2, 2: 6, 3: Math.min(colours, 7) }
  return packPng(header, joined(rows), {
    before: [
      ...(profile ? [pngChunk('iCCP', concat(bytesOf('name\0\0'), deflateSync(profile)))] : []),
      ...(colourType === 3 ? [pngChunk('PLTE', noise(random, 3 * colours))] : []),
      ...(transparent && keys[colourType] ? [pngChunk('tRNS', new Uint8Array(keys[colourType]))] : []),
    ],
  })
}

/** A chunk of a PNG. Its length and checksum are right unless given. */
export interface PngChunk extends PngChunkLies {
  type: string
  body: Uint8Array
}

/** The signature and the chunks. */
export function assemblePng(chunks: readonly PngChunk[]): Uint8Array {
  return joined([PNG_SIGNATURE, ...chunks.map(({ type, body, ...lies }) => pngChunk(type, body, lies))])
}

/** Takes a PNG apart, as far as it can be followed. */
export function parsePng(bytes: Uint8Array): PngChunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const chunks: PngChunk[] = []
  let at = PNG_SIGNATURE.length
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    chunks.push({ type, body: bytes.slice(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

/** What the first IHDR says, right or wrong. */
export function headerOf(chunks: readonly PngChunk[]): PngHeader | undefined {
  const body = chunks.find(({ type }) => type === 'IHDR')?.body
  if (!body || body.length < 13) return undefined
  const view = new DataView(body.buffer, body.byteOffset)
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth: view.getUint8(8),
    colourType: view.getUint8(9),
    interlaced: view.getUint8(12) === 1,
  }
}

/** The layout of a GIF. */
export interface GifLayout {
  width: number
  height: number
  /** A power of two. */
  colours: number
  frames?: number
  interlaced?: boolean
  transparent?: boolean
  /** Left, top, width and height of every frame; the whole canvas unless given. */
  frame?: readonly [number, number, number, number]
}

/** A sound GIF. Only its first frame is interlaced: the reader moves the rows, so the flag is all it takes. */
export function gif(random: Random, layout: GifLayout): Uint8Array {
  const { width, height, colours } = layout
  const [left, top, across, down] = layout.frame ?? [0, 0, width, height]
  const out = new Uint8Array(10_000 + (layout.frames ?? 1) * across * down * 2)
  const palette = Array.from({ length: colours }, () => random.int(0, 0xffffff))
  const writer = new GifWriter(out, width, height, { palette })
  for (let frame = 0; frame < (layout.frames ?? 1); frame++) {
    const step = random.int(3, 50)
    const indexes = Array.from({ length: across * down }, (_, i) =>
      i % 31 === 0 ? random.int(0, colours - 1) : Math.floor(i / step) % colours,
    )
    const extra = layout.transparent ? { transparent: 0 } : {}
    writer.addFrame(left, top, across, down, indexes, { delay: 10, ...extra })
  }
  const screen = 13
  const delay = 8
  if (layout.interlaced) out[screen + 3 * colours + delay + 9] = 0x40
  return out.slice(0, writer.end())
}
