/**
 * Manages the WebAssembly instance of the codec. One instance is reused for all photos. It is replaced after a trap, and
 * when a photo has made its memory large, because WebAssembly memory cannot shrink.
 *
 *     const jpeg = withCodec((codec) => {
 *       const copy = codec.exports.addCopy(1920, 1440, 1)
 *       codec.exports.decodeJpeg(codec.place(bytes), bytes.length, 4000, 3000)
 *       return codec.fetch(copy, false, segments)
 *     })
 *
 * A task is synchronous, so two tasks never interleave. `assembly/index.ts` documents the calls.
 */

import type { instantiate } from '../build/codec.d.ts'
import codecModule from '../build/codec.wasm'
import { joinBytes } from './containers.ts'

/**
 * The exports of `assembly/index.ts`, as its compiler declares them. Addresses and lengths are in bytes. The calls go to
 * WebAssembly directly, so a returned boolean is 0 or 1.
 */
type CodecExports = Awaited<ReturnType<typeof instantiate>>

/** The imports of the codec. */
type CodecImports = Parameters<typeof instantiate>[1]

/** The instance as a task sees it. */
export interface Codec {
  exports: CodecExports
  /** Copies bytes into the codec's memory. Returns their address. */
  place(bytes: Uint8Array): number
  /** The same for numbers, which are as little-endian as those of WebAssembly. */
  placeNumbers(numbers: Int16Array | Int32Array | Float32Array): number
  /** A view of the codec's memory, valid until the next call. */
  view(address: number, length: number): Uint8Array<ArrayBuffer>
  /** The finished JPEG of a copy, with `segments` after its JFIF header. */
  fetch(copy: number, isMarked: boolean, segments: Uint8Array): Uint8Array
}

/** A write outside its memory block: a bug in the codec that the photo has revealed. */
class GuardError extends Error {
  override name = 'GuardError'
}

/** An instance whose memory has grown beyond this is not reused: it would stay beside a large body, which may need 67 MB. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024

/** The encoding of strings in AssemblyScript. */
const UTF_16 = new TextDecoder('utf-16le')

let kept: Codec | null = null

/** Runs a task with an instance without state of the previous photo. Throws an Error if the codec refuses the photo. */
export function withCodec<T>(task: (codec: Codec) => T): T {
  const codec = kept ?? start()
  // Only an instance whose task succeeded or was refused is reused.
  kept = null
  codec.exports.reset()
  let isSound = false
  try {
    const result = task(codec)
    isSound = true
    return result
  } catch (error) {
    isSound = !(error instanceof WebAssembly.RuntimeError)
    throw error
  } finally {
    if (isSound && !codec.exports.isIntact()) {
      // biome-ignore lint/correctness/noUnsafeFinally: after a bad write no result of the task can be trusted.
      throw new GuardError('The codec wrote outside a block of its memory')
    }
    if (isSound && codec.exports.memory.buffer.byteLength <= MAX_KEPT_BYTES) kept = codec
  }
}

/** Frees the memory of bytes that the codec has its own copy of, which leaves `bytes` empty. */
export function release(bytes: Uint8Array): void {
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}

/** Gives back the instance that is kept for reuse. */
export function forgetCodec(): void {
  kept = null
}

/** Bytes of memory of the instance that is kept for reuse. */
export function codecMemory(): number {
  return kept?.exports.memory.buffer.byteLength ?? 0
}

function start(): Codec {
  let parts: Uint8Array[] = []
  const imports = {
    failure: {
      refuse(reason: number, length: number): never {
        throw new Error(`The picture ${UTF_16.decode(view(reason, length))}`)
      },
    },
    'jpeg-write': {
      write(address: number, length: number) {
        parts.push(view(address, length).slice())
      },
    },
  } satisfies CodecImports
  // One run of the compiler makes both module and types, so they agree.
  const exports = new WebAssembly.Instance(codecModule, imports).exports as unknown as CodecExports
  const view = (address: number, length: number) => new Uint8Array(exports.memory.buffer, address, length)
  const place = (bytes: Uint8Array) => {
    const address = exports.reserve(bytes.length)
    view(address, bytes.length).set(bytes)
    return address
  }
  const placeNumbers = ({ buffer, byteOffset, byteLength }: Int16Array | Int32Array | Float32Array) =>
    place(new Uint8Array(buffer, byteOffset, byteLength))
  const fetch = (copy: number, isMarked: boolean, segments: Uint8Array) => {
    parts = []
    exports.writeCopy(copy, isMarked, place(segments), segments.length)
    return joinBytes(parts)
  }
  return { exports, place, placeNumbers, view, fetch }
}
