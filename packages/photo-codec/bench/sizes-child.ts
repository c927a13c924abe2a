/** A separate process that makes sizes, so that its memory is counted from the beginning. Started by `sizes.ts`. */
import { wasmBytes } from './memory.ts'
import '../scripts/wasm-hook.ts'

/** A stored picture, and the size that is asked for; or a picture to store. */
export type SizeRequest =
  | { stored: Uint8Array; width: number | null; format: 'jpeg' | 'webp' }
  | { picture: Uint8Array }

/** The copy, the median of its times in ms, and the bytes of all WebAssembly memories after the first. */
export interface SizeAnswer {
  copy: Uint8Array
  ms: number
  memory: number
}

/** How often each copy is made. */
const TIMES = 5

const { processPhoto, resizePhoto } = await import('../src/index.ts')

async function answer(request: SizeRequest): Promise<SizeAnswer> {
  if ('picture' in request) {
    const { original } = processPhoto(new Uint8Array(request.picture), { maxSide: 1920, watermark: null })
    return { copy: original, ms: 0, memory: 0 }
  }
  const { stored, format } = request
  const times: number[] = []
  let memory = 0
  let copy = new Uint8Array(0) as Uint8Array
  for (let time = 0; time < TIMES; time += 1) {
    // What crosses between processes is a Buffer, a piece of something larger.
    const picture = new Uint8Array(stored)
    const start = performance.now()
    const width = request.width ?? Number.POSITIVE_INFINITY
    copy = (await resizePhoto(picture, { width, format, consume: true })).bytes
    times.push(performance.now() - start)
    memory ||= wasmBytes()
  }
  return { copy, ms: times.toSorted((a, b) => a - b)[TIMES >> 1] ?? 0, memory }
}

process.on('message', async (request: SizeRequest) => process.send?.(await answer(request)))
