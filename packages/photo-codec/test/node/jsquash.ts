/**
 * Pictures as the decoders of jsquash see them: mozjpeg, the Rust crate png, libwebp.
 *
 *     const { width, height, data } = await readWithJsquash(bytes, 'jpeg')
 */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import createJpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import jpegWasm from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import { decode as decodePng, initSync } from '@jsquash/png/codec/pkg/squoosh_png.js'
import createWebpDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import webpWasm from '@jsquash/webp/codec/dec/webp_dec.wasm'
import type { Rgb } from '../../fixtures/scene.ts'

/** Formats that jsquash reads. */
export type JsquashFormat = 'jpeg' | 'png' | 'webp'

function instantiate(module: WebAssembly.Module) {
  return {
    noInitialRun: true,
    printErr: (warning: string) => {
      throw new Error(warning)
    },
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports)
      done(instance)
      return instance.exports
    },
  }
}

const jpegDecoder = createJpegDecoder(instantiate(jpegWasm))
const webpDecoder = createWebpDecoder(instantiate(webpWasm))
// Its wasm has declarations of its own, which know no module.
initSync(await readFile(createRequire(import.meta.url).resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm')))

/** The picture on white, not turned. Throws for a warning, too. */
export async function readWithJsquash(bytes: Uint8Array, format: JsquashFormat): Promise<Rgb> {
  const picture = await decode(bytes, format)
  if (!picture) throw new Error('Not decoded')
  const { width, height, data } = picture
  const rgb = new Uint8Array(width * height * 3)
  for (let i = 0; i < rgb.length; i++) {
    const at = Math.floor(i / 3) * 4
    const alpha = (data[at + 3] ?? 255) / 255
    rgb[i] = Math.round((data[at + (i % 3)] ?? 0) * alpha + 255 * (1 - alpha))
  }
  return { width, height, data: rgb }
}

async function decode(bytes: Uint8Array, format: JsquashFormat) {
  if (format === 'jpeg') return (await jpegDecoder).decode(bytes, false)
  if (format === 'webp') return (await webpDecoder).decode(bytes)
  return decodePng(bytes)
}
