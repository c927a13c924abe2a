/**
 * The life of the codec's WebAssembly instance. One is kept and used for photo after photo; it is replaced after it
 * trapped, and when a photo has made its memory large, which WebAssembly cannot give back.
 *
 *     const jpeg = await withCodec(async (codec) => {
 *       const copy = codec.exports.addCopy(1920, 1440, 1)
 *       codec.exports.decodeJpeg(codec.place(bytes), bytes.length, 4000, 3000)
 *       return codec.fetch(copy, false, segments)
 *     })
 *
 * One task at a time: see `queue.ts`. `src/photos/codec/index.ts` documents the calls.
 */

import codecModule from '../../build/photos.wasm'
import { joinBytes } from './containers.ts'

/** What `src/photos/codec/index.ts` exports. Addresses and lengths are in bytes, flags are 0 or 1. */
interface CodecExports {
  memory: WebAssembly.Memory
  reset(): void
  isIntact(): number
  reserve(length: number): number
  addCopy(width: number, height: number, orientation: number): number
  addWatermark(copy: number, width: number, height: number, left: number, top: number): number
  collectWatermark(width: number, height: number): number
  useInkTable(axes: number, nodes: number): void
  decodeJpeg(file: number, length: number, width: number, height: number): void
  decodePng(
    width: number,
    height: number,
    colourType: number,
    depth: number,
    isInterlaced: number,
    palette: number,
    colours: number,
    clear: number,
    data: number,
    length: number,
    keepsAlpha: number,
  ): void
  decodeGif(
    canvasWidth: number,
    canvasHeight: number,
    left: number,
    top: number,
    width: number,
    height: number,
    isInterlaced: number,
    palette: number,
    colours: number,
    clear: number,
    data: number,
    length: number,
    keepsAlpha: number,
  ): void
  decodeWebp(
    canvasWidth: number,
    canvasHeight: number,
    left: number,
    top: number,
    width: number,
    height: number,
    isLossless: number,
    data: number,
    length: number,
    alpha: number,
    alphaLength: number,
    keepsAlpha: number,
  ): void
  writeCopy(copy: number, isMarked: number, segments: number, segmentBytes: number): void
}

/** The instance as a task sees it. */
export interface Codec {
  exports: CodecExports
  /** Copies bytes into the codec's memory. Returns their address. */
  place(bytes: Uint8Array): number
  /** A view of the codec's memory, valid until the next call. */
  view(address: number, length: number): Uint8Array<ArrayBuffer>
  /** The finished JPEG of a copy, with marker segments behind its JFIF header. */
  fetch(copy: number, isMarked: boolean, segments: Uint8Array): Uint8Array
}

/** A write outside the block it was meant for: a mistake in the codec that the photo has brought to light. */
export class GuardError extends Error {
  override name = 'GuardError'
}

/** `Failure` in `codec/failure.ts`. */
const FAILURES: Record<number, string> = {
  1: 'needs too much memory',
  2: 'ends too early',
  3: 'is damaged',
  4: 'is of a kind that is not supported',
}

/** An instance whose memory has grown past this is not kept. */
const MAX_KEPT_BYTES = 48 * 1024 * 1024

let kept: Codec | null = null

/** Runs a task with an instance that knows nothing of the photo before. Throws what the codec refuses, as an Error. */
export async function withCodec<T>(task: (codec: Codec) => Promise<T>): Promise<T> {
  const codec = kept ?? start()
  // Only an instance that has come to a good end, or to a refusal, is used again.
  kept = null
  codec.exports.reset()
  let isSound = false
  try {
    const result = await task(codec)
    isSound = true
    return result
  } catch (error) {
    isSound = !(error instanceof WebAssembly.RuntimeError)
    throw error
  } finally {
    if (isSound && codec.exports.isIntact() === 0) {
      // biome-ignore lint/correctness/noUnsafeFinally: nothing the task did can be trusted.
      throw new GuardError('The codec wrote outside a block of its memory')
    }
    if (isSound && codec.exports.memory.buffer.byteLength <= MAX_KEPT_BYTES) kept = codec
  }
}

/** Bytes of WebAssembly memory that the kept instance holds. */
export function codecMemory(): number {
  return kept?.exports.memory.buffer.byteLength ?? 0
}

function start(): Codec {
  let parts: Uint8Array[] = []
  const imports = {
    failure: {
      fail(reason: number): never {
        throw new Error(`The picture ${FAILURES[reason] ?? 'was refused'}`)
      },
    },
    'jpeg-write': {
      write(address: number, length: number) {
        parts.push(view(address, length).slice())
      },
    },
  }
  // The module exports what `codec/index.ts` does; a test would not get past its first photo otherwise.
  const exports = new WebAssembly.Instance(codecModule, imports).exports as unknown as CodecExports
  const view = (address: number, length: number) => new Uint8Array(exports.memory.buffer, address, length)
  const place = (bytes: Uint8Array) => {
    const address = exports.reserve(bytes.length)
    view(address, bytes.length).set(bytes)
    return address
  }
  const fetch = (copy: number, isMarked: boolean, segments: Uint8Array) => {
    parts = []
    exports.writeCopy(copy, Number(isMarked), place(segments), segments.length)
    return joinBytes(parts)
  }
  return { exports, place, view, fetch }
}
