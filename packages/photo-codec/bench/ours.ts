/** The contender that this repository ships: the door of `src/photos`, in Node and in workerd alike. */
import { codecMemory } from '../src/codec-instance.ts'
import { processPhoto } from '../src/process.ts'
import type { Copies } from './memory.ts'

/** Bytes of the WebAssembly memory of the codec. */
export const codecBytes = codecMemory

export async function processOurs(picture: Uint8Array, watermark: Uint8Array): Promise<Copies> {
  const { original, watermarked } = processPhoto(picture, { maxSide: 1920, watermark })
  if (!watermarked) throw new Error('The watermark was not drawn')
  return { original, watermarked }
}
