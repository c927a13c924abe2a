/**
 * Encodes pixels as WebP, by libwebp as WebAssembly.
 *
 *     const encode = await openWebpEncoder()
 *     const file = encode({ rgba, width, height, profile }, 80)
 *
 * The instance is reused, unless a picture has made its memory large, because WebAssembly memory cannot shrink.
 *
 * Standard: RFC 9649 section 2.7 (the extended file format, for a profile).
 */

import type { EncodeOptions } from '@jsquash/webp/codec/enc/webp_enc.js'
import createInstance from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import encoderModule from '@jsquash/webp/codec/enc/webp_enc_simd.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { bytesOf, joinBytes, viewOf } from './containers.ts'
import type { Pixels } from './render.ts'

/** Encodes pixels at a quality from 0 to 100. Throws an Error if the encoder fails. */
export type WebpEncoder = (pixels: Pixels, quality: number) => Uint8Array

/** An instance whose memory has grown beyond this is not reused. A picture of 1.5 megapixels needs less. */
const MAX_KEPT_BYTES = 24 * 1024 * 1024

/**
 * Half of libwebp's own noise shaping, which saves bits where it expects texture to hide the loss. In full it takes up to
 * 3 dB from some pictures with hard edges, for 1 to 3 % of their size.
 */
const OPTIONS = { ...defaultOptions, sns_strength: 25 }

/** Pixels up to which the encoder may take more memory than it needs: of a larger, noisy picture 30 MB more. */
const MAX_FAST_PIXELS = 1_500_000

/** Bytes of `RIFF`, a length and `WEBP`. */
const RIFF_BYTES = 12

/** The flag of the VP8X chunk for a colour profile. */
const HAS_PROFILE = 0x20

/** The instance, of which the package's own types know only a part. */
interface Instance {
  HEAPU8: Uint8Array
  encode(rgba: Uint8Array, width: number, height: number, options: EncodeOptions): Uint8Array | null
}

type InstanceFactory = (options: {
  noInitialRun: boolean
  instantiateWasm: (
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports
}) => Promise<Instance>

let kept: Instance | null = null

/** Makes the encoder ready. It works synchronously. */
export async function openWebpEncoder(): Promise<WebpEncoder> {
  const instance = kept ?? (await start())
  return (pixels, quality) => {
    // Only an instance that has not failed is reused.
    kept = null
    const { rgba, width, height, profile } = pixels
    const file = instance.encode(rgba, width, height, {
      ...OPTIONS,
      quality,
      low_memory: width * height > MAX_FAST_PIXELS ? 1 : 0,
    })
    if (!file) throw new Error('The encoder of WebP failed')
    if (instance.HEAPU8.buffer.byteLength <= MAX_KEPT_BYTES) kept = instance
    return profile ? withProfile(file, profile, pixels) : new Uint8Array(file)
  }
}

/** Gives back the instance that is kept for reuse. */
export function forgetEncoder(): void {
  kept = null
}

/** Starts an instance from the module that is compiled already: a Worker may compile none. */
function start(): Promise<Instance> {
  return (createInstance as unknown as InstanceFactory)({
    noInitialRun: true,
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(encoderModule, imports)
      receive(instance)
      return instance.exports
    },
  })
}

/** A simple file as an extended one with a colour profile. */
function withProfile(file: Uint8Array, profile: Uint8Array, { width, height }: Pixels): Uint8Array {
  const header = new Uint8Array(10)
  const view = viewOf(header)
  view.setUint8(0, HAS_PROFILE)
  // Both are less 1 and have 24 bits; the second is written over the fourth byte of the first, which is 0.
  view.setUint32(4, width - 1, true)
  view.setUint16(7, (height - 1) & 0xffff, true)
  view.setUint8(9, (height - 1) >> 16)
  const body = joinBytes([chunk('VP8X', header), chunk('ICCP', profile), file.subarray(RIFF_BYTES)])
  return joinBytes([chunkHeader('RIFF', body.length + 4), bytesOf('WEBP'), body])
}

/** A chunk, padded to an even length. */
function chunk(type: string, body: Uint8Array): Uint8Array {
  return joinBytes([chunkHeader(type, body.length), body, new Uint8Array(body.length & 1)])
}

function chunkHeader(type: string, length: number): Uint8Array {
  const header = new Uint8Array(8)
  header.set(bytesOf(type))
  viewOf(header).setUint32(4, length, true)
  return header
}
