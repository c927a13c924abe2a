/**
 * Decodes a WebP through libwebp (`@jsquash/webp`), whose version is old: each photo gets an instance of its own, so
 * that a hostile file can spoil nothing but its own memory. Its pixels go on to the codec, a few rows at a time.
 *
 *     await decodeWebp(codec, bytes, info, false)
 *
 * Standard: RFC 9649.
 */

import createLibwebp from '@jsquash/webp/codec/dec/webp_dec.js'
import libwebpWasm from '@jsquash/webp/codec/dec/webp_dec.wasm'
import type { Codec } from '../codec-instance.ts'
import { riffChunks, viewOf } from '../containers.ts'
import { readPhotoInfo } from '../dimensions.ts'
import type { Size } from '../fit.ts'

/**
 * Most memory for one photo: the file, libwebp's two copies of it, and per pixel 4 bytes of result with, as measured,
 * 1 byte of working space for lossy and 4 for lossless pictures.
 */
export const MAX_WEBP_BYTES = 96 * 1024 * 1024

/** The bit of the extended header that announces transparency. */
const HAS_ALPHA = 0x10

/** A still picture and its place on the canvas. */
interface Still extends Size {
  file: Uint8Array
  left: number
  top: number
}

/** What is handed to the codec at once, about. */
const STAGE_BYTES = 64 * 1024

/** Decodes the picture; of an animation the first frame. Throws when the file is damaged or cut short. */
export async function decodeWebp(
  codec: Codec,
  bytes: Uint8Array,
  size: Size,
  keepsAlpha: boolean,
): Promise<void> {
  // The length in the header counts everything behind it.
  if (viewOf(bytes).getUint32(4, true) + 8 > bytes.length) throw new Error('WebP: file ends too early')
  const still = firstStill(bytes, size)
  if (!still) throw new Error('WebP: no picture')
  if (memoryFor(still) > MAX_WEBP_BYTES) throw new Error('WebP: too large')
  let done = false
  await runLibwebp(still.file, (pixels, width, height) => {
    if (width !== still.width || height !== still.height) throw new Error('WebP: two different sizes')
    codec.exports.startRgba(size.width, size.height, Number(keepsAlpha))
    pushOnCanvas(codec, pixels, still, size)
    codec.exports.finishRgba()
    done = true
  })
  if (!done) throw new Error('WebP: not decoded')
}

function memoryFor({ file, width, height }: Still): number {
  const isLossy = [...riffChunks(file)].every(({ type }) => type !== 'VP8L' && type !== 'ALPH')
  return file.length * 3 + width * height * (isLossy ? 5 : 8)
}

/** The file itself, or a file made of the first frame of an animation; null when there is no picture in it. */
function firstStill(bytes: Uint8Array, size: Size): Still | null {
  for (const { type, body } of riffChunks(bytes)) {
    if (type === 'VP8 ' || type === 'VP8L') return { file: bytes, left: 0, top: 0, ...size }
    if (type === 'ANMF') return stillFromFrame(body, size)
  }
  return null
}

/**
 * A frame's chunks in a file of their own. The frame header begins with four 24-bit fields: its place and its size.
 * Throws when the frame sticks out of the canvas, whose size alone has been judged.
 */
function stillFromFrame(frame: Uint8Array, canvas: Size): Still | null {
  if (frame.length < 16) return null
  const view = viewOf(frame)
  const field = (at: number) => view.getUint32(at, true) & 0xffffff
  const chunks = frame.subarray(16)
  const hasAlpha = [...riffChunks(chunks, 0)].some(({ type }) => type === 'ALPH')
  const header = hasAlpha ? 18 : 0
  const file = new Uint8Array(12 + header + chunks.length)
  const out = viewOf(file)
  file.set(new TextEncoder().encode('RIFF\0\0\0\0WEBP'))
  out.setUint32(4, file.length - 8, true)
  if (hasAlpha) {
    // A separate alpha chunk is only allowed behind an extended header.
    file.set(new TextEncoder().encode('VP8X\x0a\0\0\0'), 12)
    file[20] = HAS_ALPHA
    file.set(frame.subarray(6, 12), 24)
  }
  file.set(chunks, 12 + header)
  const info = readPhotoInfo(file, 'image/webp')
  if (!info || info.width !== field(6) + 1 || info.height !== field(9) + 1) return null
  const still = { file, left: field(0) * 2, top: field(3) * 2, width: info.width, height: info.height }
  if (still.left + still.width > canvas.width || still.top + still.height > canvas.height) {
    throw new Error('WebP: frame outside the canvas')
  }
  return still
}

/** Hands the canvas over in groups of rows: transparent around the picture. */
function pushOnCanvas({ exports, view }: Codec, pixels: Uint8Array, still: Still, canvas: Size): void {
  const rowBytes = canvas.width * 4
  const pictureBytes = still.width * 4
  const group = Math.max(1, Math.floor(STAGE_BYTES / rowBytes))
  const stage = exports.reserve(group * rowBytes)
  for (let from = 0; from < canvas.height; from += group) {
    const count = Math.min(group, canvas.height - from)
    const rows = view(stage, count * rowBytes)
    if (still.width === canvas.width && still.height === canvas.height) {
      rows.set(pixels.subarray(from * rowBytes, (from + count) * rowBytes))
    } else {
      rows.fill(0)
      for (let y = Math.max(from, still.top); y < Math.min(from + count, still.top + still.height); y++) {
        const row = pixels.subarray((y - still.top) * pictureBytes, (y - still.top + 1) * pictureBytes)
        rows.set(row, (y - from) * rowBytes + still.left * 4)
      }
    }
    exports.pushRgba(stage, count, rowBytes)
  }
}

/**
 * Runs the decoder and lends its pixels to `take` while they are still in its memory, which spares a copy of 4 bytes
 * per pixel.
 */
async function runLibwebp(file: Uint8Array, take: TakePixels): Promise<void> {
  const start = () =>
    createLibwebp({
      noInitialRun: true,
      instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
        const instance = new WebAssembly.Instance(libwebpWasm, imports)
        done(instance)
        return instance.exports
      },
    })
  const decoder = await lendingPixels(take, start)
  lendingPixels(take, () => decoder.decode(file))
}

type TakePixels = (pixels: Uint8Array, width: number, height: number) => void

/**
 * Runs `task` while other constructors stand in for the two that the decoder makes its result with. It looks them up
 * when it starts or when it first decodes; both happen in one synchronous go, so nothing else can see them.
 */
function lendingPixels<T>(take: TakePixels, task: () => T): T {
  const globals: Record<string, unknown> = globalThis
  const { Uint8ClampedArray: clampedArray, ImageData: imageData } = globals
  // These are called with `new`; what a constructor returns is the result.
  globals.Uint8ClampedArray = function lendView(view: Uint8Array) {
    return view
  }
  globals.ImageData = function takePixels(view: Uint8Array, width: number, height: number) {
    take(view, width, height)
    return {}
  }
  try {
    return task()
  } finally {
    globals.Uint8ClampedArray = clampedArray
    globals.ImageData = imageData
  }
}
