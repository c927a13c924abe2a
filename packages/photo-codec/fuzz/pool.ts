/** Threads that can be stopped: one that takes too long is terminated and reported as a hang. */

import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Outcome, Setup, Task, Verdict } from './thread.ts'

/** A verdict, or that there was none in time. */
export interface Result extends Omit<Verdict, 'outcome'> {
  outcome: Outcome | 'hang'
}

/** A thread that processes one input at a time. */
export interface FuzzWorker {
  run(task: Task): Promise<Result>
  /** Clears all state that earlier inputs may have left. */
  renew(): Promise<void>
}

const THREAD = fileURLToPath(import.meta.resolve('./thread.ts'))

/** A busy machine stalls threads: a hang is measured in processor time, or in so many times that of wall-clock time. */
const VERDICT_TIMEOUT_MS = 10

/** A worker whose inputs may take `limitMs` milliseconds each. Its thread starts with its first input. */
export function openWorker(setup: Setup, limitMs: number): FuzzWorker {
  let thread: Worker | undefined
  /** Processor time that the thread had used before the present input. */
  let cpuMsBefore = 0
  let resolveOnce: ((result: Result) => void) | undefined
  /** The end of a thread between two inputs: an error that nothing awaited. It is reported with the next input. */
  let late: Result | undefined

  const renew = async () => {
    const old = thread
    thread = undefined
    await old?.terminate()
  }

  const start = (): Promise<Worker> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(THREAD, { workerData: setup })
      const end = (reason: string, stack?: string) => {
        if (thread !== worker) return
        thread = undefined
        late = { ...noVerdict('foreign', reason, 0), stack: stack ?? '' }
        resolveOnce?.(late)
      }
      worker.on('message', (message: Verdict | 'ready') => {
        if (message === 'ready') resolve(worker)
        else resolveOnce?.(message)
      })
      worker.on('error', (error) => {
        reject(error)
        end(`nothing awaited ${error}`, error instanceof Error ? error.stack : '')
      })
      worker.on('exit', () => end('the thread ended'))
    })

  const answer = (worker: Worker, task: Task): Promise<Result> =>
    new Promise((resolve) => {
      const started = performance.now()
      const watch = async () => {
        const ms = performance.now() - started
        const cpuMs = (await cpuMsOf(worker)) - cpuMsBefore
        if (resolveOnce !== finish) return
        if (ms > VERDICT_TIMEOUT_MS * limitMs || cpuMs > limitMs)
          finish(noVerdict('hang', 'no end in time', ms))
        else timer = setTimeout(watch, limitMs / 4)
      }
      let timer = setTimeout(watch, limitMs)
      const finish = (result: Result) => {
        clearTimeout(timer)
        resolveOnce = undefined
        late = undefined
        resolve(result)
      }
      resolveOnce = finish
      if (late) finish(late)
      else worker.postMessage(task)
    })

  const run = async (task: Task): Promise<Result> => {
    if (!thread) {
      thread = await start()
      cpuMsBefore = await cpuMsOf(thread)
    }
    const result = await answer(thread, task)
    const cpuMs = result.cpuMs - cpuMsBefore
    cpuMsBefore = result.cpuMs
    if (result.outcome === 'hang') await renew()
    return cpuMs > limitMs ? { ...result, outcome: 'hang', detail: 'no end in time' } : result
  }

  return { run, renew }
}

function noVerdict(outcome: 'hang' | 'foreign', detail: string, ms: number): Result {
  return { outcome, detail, ms, stack: '', cpuMs: 0, checksum: 0, wasmBytes: 0 }
}

/** Processor time of a thread since it began, also while it is busy. 0 once it has ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}
