/** Threads that can be stopped: one that takes too long is terminated and reported as a hang. */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Outcome } from './outcome.ts'
import type { Task, Verdict } from './thread.ts'

/** A verdict, or that there was none in time. */
export interface Result extends Omit<Outcome, 'kind'> {
  kind: Outcome['kind'] | 'hang'
  ms: number
}

/** A thread that processes one file at a time. */
export interface FuzzWorker {
  run(task: Task): Promise<Result>
  /** Clears all state that earlier files may have left. */
  renew(): Promise<void>
}

const THREAD = fileURLToPath(import.meta.resolve('./thread.ts'))

/** A busy machine stalls threads: a hang is measured in processor time, or in so many times that of wall-clock time. */
const STALLED = 10

/** A worker whose files may take `limitMs` milliseconds each. Its thread starts with its first file. */
export function openWorker(limitMs: number): FuzzWorker {
  let thread: Worker | undefined
  /** Processor time that the thread had used before the present file. */
  let cpuMsBefore = 0

  let settle: (message: Verdict | string) => void = () => {}
  /** The next message of the thread, or why there will be none. */
  const next = () =>
    new Promise<Verdict | string>((resolve) => {
      settle = resolve
    })

  const renew = async () => {
    const old = thread
    thread = undefined
    await old?.terminate()
  }

  const run = async (task: Task): Promise<Result> => {
    if (!thread) {
      thread = new Worker(THREAD)
      // What ends a thread between two files is reported with the next one, which gets no answer.
      thread.on('message', (message) => settle(message))
      thread.on('error', (error) => settle(`nothing awaited ${error}`))
      thread.on('exit', () => settle('the thread ended'))
      await next()
      cpuMsBefore = await cpuMsOf(thread)
    }
    const worker = thread
    const started = performance.now()
    const isLate = async () =>
      performance.now() - started > STALLED * limitMs || (await cpuMsOf(worker)) - cpuMsBefore > limitMs
    const answer = next()
    worker.postMessage(task)
    const verdict = await Promise.race([answer, untilLate(isLate, limitMs)])
    const ms = performance.now() - started
    if (verdict !== null && typeof verdict === 'object' && verdict.cpuMs - cpuMsBefore <= limitMs) {
      cpuMsBefore = verdict.cpuMs
      return { ...verdict, ms }
    }
    await renew()
    if (typeof verdict === 'string') return { kind: 'foreign', detail: verdict, stack: '', ms }
    return { kind: 'hang', detail: 'no end in time', stack: '', ms }
  }
  return { run, renew }
}

async function untilLate(isLate: () => Promise<boolean>, limitMs: number): Promise<null> {
  do {
    await new Promise((resolve) => setTimeout(resolve, limitMs / 2).unref())
  } while (!(await isLate()))
  return null
}

/** Processor time of a thread since it began, also while it is busy. 0 once it has ended. */
async function cpuMsOf(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}
