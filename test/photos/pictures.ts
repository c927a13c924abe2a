/**
 * Pictures for the tests of photos, made by other hands than the code under test: JPEG and WebP by jsquash's encoders,
 * GIF by omggif, PNG byte by byte. Pixels come back through jsquash's JPEG decoder.
 *
 *     const jpeg = await toJpeg(quadrants(32, 16), { orientation: 6 })
 *     const { width, pixel } = await readJpeg(output)
 */

import createJpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import jpegDecoderWasm from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import createJpegEncoder, { type EncodeOptions } from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import jpegEncoderWasm from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import { defaultOptions as jpegDefaults } from '@jsquash/jpeg/meta.js'
import createWebpEncoder from '@jsquash/webp/codec/enc/webp_enc.js'
import webpEncoderWasm from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions as webpDefaults } from '@jsquash/webp/meta.js'
import { GifWriter } from 'omggif'
import { concat } from '../../fixtures/bytes.ts'
import { exifSegment, profileSegments } from '../../fixtures/containers.ts'
import { encodePng, packPng } from '../../fixtures/png.ts'

/** Red, green, blue and alpha, 0–255. */
export type Colour = readonly [number, number, number, number]

/** A picture as RGBA bytes. */
export interface Picture {
  width: number
  height: number
  data: Uint8ClampedArray
}

export const RED: Colour = [220, 30, 30, 255]
export const GREEN: Colour = [20, 160, 40, 255]
export const BLUE: Colour = [40, 40, 210, 255]
export const GREY: Colour = [128, 128, 128, 255]
export const WHITE: Colour = [255, 255, 255, 255]

/** A picture of one colour per pixel. */
export function paint(width: number, height: number, colourAt: (x: number, y: number) => Colour): Picture {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colourAt(x, y), (y * width + x) * 4)
  }
  return { width, height, data }
}

/** Red and green above blue and grey. */
export function quadrants(width: number, height: number): Picture {
  return paint(width, height, (x, y) => {
    if (y < height / 2) return x < width / 2 ? RED : GREEN
    return x < width / 2 ? BLUE : GREY
  })
}

/** A picture with something happening everywhere, so that no part of a file can be missed. */
export function texture(width: number, height: number): Picture {
  return paint(width, height, (x, y) => [(x * 37 + y * 11) % 256, (x * y) % 256, (x * 5 + y * 53) % 256, 255])
}

function instantiate(module: WebAssembly.Module) {
  return {
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports)
      done(instance)
      return instance.exports
    },
  }
}

const jpegEncoder = createJpegEncoder(instantiate(jpegEncoderWasm))
const jpegDecoder = createJpegDecoder({ ...instantiate(jpegDecoderWasm), printErr: fail })
const webpEncoder = createWebpEncoder(instantiate(webpEncoderWasm))

function fail(warning: string): never {
  throw new Error(`The JPEG is not sound: ${warning}`)
}

/** What stands in a JPEG besides its pixels. */
export interface JpegExtras {
  /** Writes an Exif segment with this orientation and a GPS position. */
  orientation?: number
  profile?: Uint8Array
  encoder?: Partial<EncodeOptions>
}

/** A JPEG at quality 95 without chroma subsampling, unless `encoder` says otherwise. */
export async function toJpeg(picture: Picture, extras: JpegExtras = {}): Promise<Uint8Array> {
  const { width, height, data } = picture
  const options = { ...jpegDefaults, baseline: true, progressive: false, quality: 95, ...extras.encoder }
  const encoded = (await jpegEncoder).encode(data, width, height, options)
  const segments: Uint8Array[] = []
  if (extras.orientation !== undefined) segments.push(exifSegment(extras.orientation))
  if (extras.profile) segments.push(...profileSegments(extras.profile))
  return concat(encoded.subarray(0, 2), ...segments, encoded.subarray(2))
}

/** A JPEG decoded: its size and the colour at a place; damage of any kind throws. */
export async function readJpeg(bytes: Uint8Array) {
  const picture = (await jpegDecoder).decode(bytes, false)
  if (!picture) throw new Error('Not a JPEG')
  const { width, height, data } = picture
  const pixel = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]
  return { width, height, data, pixel }
}

/** A WebP, lossless unless told otherwise. */
export async function toWebp(picture: Picture, lossless = true): Promise<Uint8Array> {
  const options = { ...webpDefaults, lossless: lossless ? 1 : 0, exact: 1 }
  const encoded = (await webpEncoder).encode(picture.data, picture.width, picture.height, options)
  if (!encoded) throw new Error('Not encoded')
  return encoded.slice()
}

/** A GIF of frames that share one palette of four colours; frames are palette indexes. */
export function toGif(
  width: number,
  height: number,
  palette: readonly Colour[],
  frames: readonly {
    indexes: number[]
    x?: number
    y?: number
    width?: number
    height?: number
    transparent?: number
  }[],
): Uint8Array {
  const out = new Uint8Array(10_000 + frames.length * width * height * 2)
  const colours = palette.map(([red, green, blue]) => (red << 16) | (green << 8) | blue)
  const writer = new GifWriter(out, width, height, { palette: colours })
  for (const { indexes, x = 0, y = 0, transparent, ...size } of frames) {
    const options = transparent === undefined ? { delay: 10 } : { delay: 10, transparent }
    writer.addFrame(x, y, size.width ?? width, size.height ?? height, indexes, options)
  }
  return out.slice(0, writer.end())
}

/** How the samples of a PNG are packed. */
export interface PngKind {
  colourType: number
  depth: number
  /** Bytes of all rows, without filter bytes. */
  rows: Uint8Array[]
  /** Chunks between IHDR and IDAT. */
  before?: Uint8Array[]
  interlaced?: boolean
}

/** A PNG with 8-bit RGBA samples. */
export function toPng({ width, height, data }: Picture, before: Uint8Array[] = []): Uint8Array {
  return encodePng({ width, height, colourType: 6, depth: 8, samples: data, filter: 0, before })
}

/** A PNG of any kind; rows carry no filter. Rows of an interlaced one are those of its passes, in order. */
export function buildPng(width: number, height: number, { rows, ...kind }: PngKind): Uint8Array {
  return packPng({ width, height, ...kind }, concat(...rows.map((row) => concat([0], row))), kind)
}
