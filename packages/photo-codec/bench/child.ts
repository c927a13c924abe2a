/** A separate process for one contender in Node, so that its memory is freed at its end. Started by `contenders.ts`. */
import { accountedBytes, type Copies } from './memory.ts'
import '../scripts/wasm-hook.ts'

/** What the parent says first, and from then on. */
export type Request = { picture: Uint8Array; watermark: Uint8Array } | { times: number }

/** The answer to the first request, to the others, and to one that failed. */
export type Answer =
  | { original: Uint8Array; codec: number | null; peak: number | null }
  | { ms: number }
  | { error: string }

interface Contender {
  run: (picture: Uint8Array, watermark: Uint8Array) => Promise<Copies>
  codecBytes?: () => number
  /** Set where memory is not WebAssembly's. */
  native?: true
}

const LOAD: Record<string, () => Promise<Contender>> = {
  'ours-node': async () => {
    const { codecBytes, processOurs } = await import('./ours.ts')
    return { run: processOurs, codecBytes }
  },
  sharp: async () => {
    const { processSharp } = await import('./native.ts')
    return { run: processSharp, native: true }
  },
}

let job: (() => Promise<Copies>) | undefined

async function answer(request: Request): Promise<Answer> {
  if ('picture' in request) {
    // What crosses between processes is a Buffer, a piece of something larger.
    const [picture, watermark] = [new Uint8Array(request.picture), new Uint8Array(request.watermark)]
    const contender = await LOAD[process.argv[2] ?? '']?.()
    if (!contender) throw new Error(`No contender is called ${process.argv[2]}`)
    job = () => contender.run(picture, watermark)
    const copies = await job()
    return {
      original: copies.original,
      codec: contender.codecBytes?.() ?? null,
      peak: contender.native ? null : accountedBytes(picture, copies),
    }
  }
  const start = performance.now()
  for (let time = 0; time < request.times; time += 1) await job?.()
  return { ms: (performance.now() - start) / request.times }
}

process.on('message', async (request: Request) => {
  process.send?.(await answer(request).catch((error: unknown) => ({ error: message(error) })))
})

/** Emscripten throws objects that are no errors, but have a message. */
function message(error: unknown): string {
  return typeof error === 'object' && error && 'message' in error ? String(error.message) : String(error)
}
