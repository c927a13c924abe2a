/** The contender that this repository ships: the door of `src/photos`, in Node and in workerd alike. */
import * as codec from '../../src/photos/codec.ts'
import { processPhoto } from '../../src/photos/process.ts'
import type { Copies } from './memory.ts'

/** Bytes of the WebAssembly memory of the codec. */
export function codecBytes(): number {
  const measure: unknown = Reflect.get(codec, 'codecMemory')
  return typeof measure === 'function' ? Number(measure()) : 0
}

export async function processOurs(picture: Uint8Array, watermark: Uint8Array): Promise<Copies> {
  const { original, watermarked } = await processPhoto(picture, { maxSide: 1920, watermark })
  if (!watermarked) throw new Error('The watermark was not drawn')
  return { original, watermarked }
}
