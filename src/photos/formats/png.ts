/**
 * Hands a PNG to the codec: checks its chunks, inflates its data and passes that on as it comes.
 *
 *     await decodePng(codec, bytes, info, false)
 *
 * Standard: W3C Portable Network Graphics (third edition), sections 5 and 11. Every checksum is verified.
 */

import { crc32 } from 'node:zlib'
import type { Codec } from '../codec-instance.ts'
import { type Chunk, pngChunks, viewOf } from '../containers.ts'
import type { Size } from '../fit.ts'

/** Largest interlaced PNG in pixels: it needs 4 bytes for each. */
export const MAX_INTERLACED_PIXELS = 12_000_000

/** What is given to the inflater at once: at most a thousand times as much comes out. */
const INFLATE_STEP = 16 * 1024

/** Inflated bytes that are handed over at once. */
const STAGE_BYTES = 64 * 1024

const GREY = 0
const RGB = 2
const PALETTE = 3

/** Bit depths that go with each colour type. */
const DEPTHS: Record<number, readonly number[]> = {
  [GREY]: [1, 2, 4, 8, 16],
  [RGB]: [8, 16],
  [PALETTE]: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** Decodes a PNG of the size that its header was read to have. Throws when it is damaged in any way. */
export async function decodePng(
  codec: Codec,
  bytes: Uint8Array,
  size: Size,
  keepsAlpha: boolean,
): Promise<void> {
  const chunks = readChunks(bytes)
  const data = chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body)
  startPng(codec, chunks, size, keepsAlpha)
  const stage = codec.exports.reserve(STAGE_BYTES)
  const reader = inflate(data).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      for (let at = 0; at < value.length; at += STAGE_BYTES) {
        const part = value.subarray(at, at + STAGE_BYTES)
        codec.view(stage, part.length).set(part)
        codec.exports.pushPng(stage, part.length)
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  codec.exports.finishPng()
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

function startPng({ exports, place }: Codec, chunks: Chunk[], size: Size, keepsAlpha: boolean): void {
  const header = chunks.find(({ type }) => type === 'IHDR')?.body
  const palette = chunks.find(({ type }) => type === 'PLTE')?.body ?? new Uint8Array(0)
  const transparency = chunks.find(({ type }) => type === 'tRNS')?.body ?? new Uint8Array(0)
  if (header?.length !== 13) throw new Error('PNG: no header')
  const view = viewOf(header)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  const [depth, colourType, interlacing] = [view.getUint8(8), view.getUint8(9), view.getUint8(12)]
  const methodsAreKnown = view.getUint8(10) === 0 && view.getUint8(11) === 0 && interlacing <= 1
  if (!DEPTHS[colourType]?.includes(depth) || !methodsAreKnown) throw new Error('PNG: impossible header')
  if (width !== size.width || height !== size.height) throw new Error('PNG: two different sizes')
  if (interlacing === 1 && width * height > MAX_INTERLACED_PIXELS) {
    throw new Error('PNG: too large for an interlaced photo')
  }
  const colours = Math.min(256, palette.length / 3)
  if (colourType === PALETTE && (colours === 0 || palette.length % 3 !== 0)) {
    throw new Error('PNG: palette missing')
  }
  const table = colourType === PALETTE ? place(rgbaPalette(palette, transparency)) : 0
  const clear = clearSamples(colourType, transparency)
  exports.startPng(
    width,
    height,
    colourType,
    depth,
    interlacing,
    table,
    colours,
    clear ? place(clear) : 0,
    Number(keepsAlpha),
  )
}

/** 256 RGBA colours, alpha from the tRNS chunk. */
function rgbaPalette(palette: Uint8Array, transparency: Uint8Array): Uint8Array {
  const out = new Uint8Array(256 * 4).fill(255)
  for (let i = 0; i < Math.min(256, palette.length / 3); i++) {
    out.set(palette.subarray(i * 3, i * 3 + 3), i * 4)
    out[i * 4 + 3] = transparency[i] ?? 255
  }
  return out
}

/** The one colour of a grey or RGB picture that is transparent, as three samples of 32 bits; null for none. */
function clearSamples(colourType: number, transparency: Uint8Array): Uint8Array | null {
  const needed = colourType === GREY ? 2 : 6
  if ((colourType !== GREY && colourType !== RGB) || transparency.length < needed) return null
  const view = viewOf(transparency)
  const samples = new Int32Array(3)
  for (let i = 0; i < needed / 2; i++) samples[i] = view.getUint16(i * 2)
  return new Uint8Array(samples.buffer)
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
