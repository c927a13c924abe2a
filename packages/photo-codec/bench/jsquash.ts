/** The jsquash codecs, put together as their READMEs show and with the options that cost least. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import jpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import decodePng, { init as initPng } from '@jsquash/png/decode.js'
import resize, { initResize } from '@jsquash/resize'
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.wasm'
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js'
import type { Copies } from './memory.ts'

export interface JsquashOptions {
  resize: Partial<Parameters<typeof resize>[1]>
  encode: Parameters<typeof encodeJpeg>[1]
}

/** Only what a caller must say. */
export const README_OPTIONS: JsquashOptions = { resize: {}, encode: { quality: 90 } }

/** No linear light and no alpha while resizing; baseline and 4:2:0 while encoding. */
export const LITE_OPTIONS: JsquashOptions = {
  resize: { premultiply: false, linearRGB: false },
  encode: { quality: 90, progressive: false, auto_subsample: false },
}

type Raster = Awaited<ReturnType<typeof decodeJpeg>>

// These two describe their modules to TypeScript in a way that forbids importing them.
const find = createRequire(import.meta.url).resolve

const DECODERS = { jpeg: decodeJpeg, png: decodePng, webp: decodeWebp }

/** A job with these options, on instances of its own that live as long as the process. */
export async function loadJsquash(options: JsquashOptions) {
  await initJpegDecoder(jpegDecoder)
  await initJpegEncoder(jpegEncoder)
  await initWebp(webpDecoder)
  await initPng(readFileSync(find('@jsquash/png/codec/pkg/squoosh_png_bg.wasm')))
  await initResize(readFileSync(find('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm')))
  return async (picture: Uint8Array, watermark: Uint8Array): Promise<Copies> => {
    const fitted = await shrink(await decode(picture), options)
    const original = new Uint8Array(await encodeJpeg(fitted, options.encode))
    blend(fitted, await decode(watermark))
    return { original, watermarked: new Uint8Array(await encodeJpeg(fitted, options.encode)) }
  }
}

function decode(file: Uint8Array): Promise<Raster> {
  const kind = file[0] === 0xff ? 'jpeg' : file[0] === 0x89 ? 'png' : 'webp'
  return DECODERS[kind](new Uint8Array(file).buffer)
}

async function shrink(picture: Raster, options: JsquashOptions): Promise<Raster> {
  const scale = 1920 / Math.max(picture.width, picture.height)
  if (scale >= 1) return picture
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  return resize(picture, { ...options.resize, width, height })
}

/** Draws `mark` over the middle of `picture`. */
function blend(picture: Raster, mark: Raster): void {
  const [left, top] = [(picture.width - mark.width) >> 1, (picture.height - mark.height) >> 1]
  for (let y = 0; y < mark.height; y += 1) {
    for (let x = 0; x < mark.width; x += 1) {
      const from = (y * mark.width + x) * 4
      const to = ((top + y) * picture.width + left + x) * 4
      const alpha = (mark.data[from + 3] ?? 0) / 255
      for (let channel = 0; channel < 3; channel += 1) {
        const below = picture.data[to + channel] ?? 0
        picture.data[to + channel] = below + ((mark.data[from + channel] ?? 0) - below) * alpha
      }
    }
  }
}
