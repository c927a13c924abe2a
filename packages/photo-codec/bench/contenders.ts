/** The contenders, and how each runs a job. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Request } from './child.ts'
import { startBundle } from './workerd.ts'

/** What a contender made of a picture the first time. Memory is in bytes, null where it is not known. */
export interface First {
  original: Uint8Array
  codec: number | null
  peak: number | null
}

/** A contender that holds a picture and a watermark. */
export interface Session {
  first(): Promise<First>
  /** Milliseconds of one job: the mean of so many in a row. */
  run(times: number): Promise<number>
  close(): Promise<void>
}

export interface Contender {
  name: string
  title: string
  open(bundle: string, picture: Uint8Array, watermark: Uint8Array): Promise<Session>
}

export const CONTENDERS: readonly Contender[] = [
  { name: 'ours-workerd', title: 'Estia in workerd', open: openWorkerd },
  { name: 'ours-node', title: 'Estia in Node', open: openChild('ours-node') },
  { name: 'sharp', title: 'sharp, 1 thread', open: openChild('sharp') },
]

/** Time does not advance in workerd while it computes, so a call is timed from here, minus the time of an empty call. */
async function openWorkerd(bundle: string, picture: Uint8Array, watermark: Uint8Array): Promise<Session> {
  const miniflare = startBundle(bundle)
  const url = await miniflare.ready
  const call = async (path: string, body?: Uint8Array) => {
    const answer = await fetch(new URL(path, url), { method: 'POST', ...(body ? { body } : {}) })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(Buffer.from(bytes).toString().split('\n')[0])
    return { bytes, headers: answer.headers }
  }
  const time = async (path: string) => {
    const start = performance.now()
    await call(path)
    return performance.now() - start
  }
  return {
    async first() {
      await call('/picture', picture)
      await call('/watermark', watermark)
      const { bytes, headers } = await call('/first')
      const [codec = 0, peak = 0] = (headers.get('X-Memory') ?? '').split(' ').map(Number)
      return { original: bytes, codec, peak }
    },
    async run(times) {
      const empty: number[] = []
      for (let request = 0; request < 5; request += 1) empty.push(await time('/empty'))
      return ((await time(`/run?times=${times}`)) - median(empty)) / times
    },
    close: () => miniflare.dispose(),
  }
}

function openChild(name: string): Contender['open'] {
  return async (_bundle, picture, watermark) => {
    const child = fork(join(import.meta.dirname, 'child.ts'), [name], { serialization: 'advanced' })
    return {
      async first() {
        const answer = await ask(child, { picture, watermark })
        if (!('original' in answer)) throw new Error('Out of turn')
        return answer
      },
      async run(times) {
        const answer = await ask(child, { times })
        if (!('ms' in answer)) throw new Error('Out of turn')
        return answer.ms
      },
      async close() {
        child.kill()
        while (child.exitCode === null && child.signalCode === null) await wait(10)
      },
    }
  }
}

/** One request to a child; throws what it throws, or when it dies. */
function ask(child: ChildProcess, request: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('out of memory'))
    child.once('exit', ended)
    child.once('message', (answer: Answer) => {
      child.off('exit', ended)
      if ('error' in answer) reject(new Error(answer.error))
      else resolve(answer)
    })
    child.send(request, (error) => error && ended())
  })
}

/** The middle of the values. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
