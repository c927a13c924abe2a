/** The thread that processes files, so that one that never ends can be stopped from outside. */
import { parentPort } from 'node:worker_threads'
import '../scripts/wasm-hook.ts'
import type { Outcome, Use } from './outcome.ts'

const { outcomeOf } = await import('./outcome.ts')

/** A file, and what is done with it. */
export interface Task {
  bytes: Uint8Array
  use: Use
}

/** What became of it, and the processor time of the thread since it began, in milliseconds. */
export interface Verdict extends Outcome {
  cpuMs: number
}

parentPort?.on('message', ({ bytes, use }: Task) => {
  const outcome = outcomeOf(bytes, use)
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ ...outcome, cpuMs: (user + system) / 1000 } satisfies Verdict)
})
parentPort?.postMessage('ready')
