/** A thread that processes the inputs of a run, so that one that never ends can be stopped from outside. */
import { parentPort, workerData } from 'node:worker_threads'
import '../scripts/wasm-hook.ts'
import { inputAt, type Run } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import type { FormatName } from './parts.ts'

const { outcomeOf } = await import('./outcome.ts')

/** The inputs of a thread: `from`, and every `step` further on. */
export interface Share extends Run {
  from: number
  step: number
  /** How many inputs the run has. */
  inputs: number
}

/** `drift`: a sound file gave another picture than at first, so an earlier input left something behind. */
export type Kind = Outcome['kind'] | 'drift' | 'hang'

/** What became of an input. */
export interface Verdict extends Omit<Outcome, 'kind'> {
  index: number
  format: FormatName
  kind: Kind
}

/** A verdict, or that the first input begins, with the thread's processor time since it began, in milliseconds. */
export interface Message {
  verdict?: Verdict
  cpuMs: number
}

/** The pictures of sound files. */
const expected = new Map<string, string>()

function verdictOn(index: number, run: Run): Verdict {
  const { format, bytes, use, isSound, sample } = inputAt(index, run)
  const outcome = { index, format, ...outcomeOf(bytes, use) }
  if (!isSound || outcome.kind !== 'rendered') return outcome
  const right = expected.get(sample.name) ?? outcome.detail
  expected.set(sample.name, right)
  return right === outcome.detail ? outcome : { ...outcome, kind: 'drift' }
}

function post(verdict?: Verdict): void {
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ ...(verdict && { verdict }), cpuMs: (user + system) / 1000 } satisfies Message)
}

const { from, step, inputs, ...run }: Share = workerData
post()
for (let index = from; index < inputs; index += step) post(verdictOn(index, run))
