/**
 * The thread that processes inputs, so that one that never ends can be stopped from outside. It decides what counts as a
 * bug, and replies with the result of each input.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { seeded } from '../fixtures/random.ts'
import { PhotoError } from '../src/errors.ts'
import { inputAt, type Use } from './input.ts'
import { png } from './seed-rows.ts'
import type { Seed } from './seeds.ts'
import { largestMemory, takeTrap, watchInstances } from './watch.ts'
import '../scripts/wasm-hook.ts'

/** What every thread of a run is given. */
export interface Setup {
  seeds: readonly Seed[]
  runSeed: number
}

/** An input of the run by its index, or any bytes. */
export type Task = { index: number } | { bytes: Uint8Array; use: Use }

export type Outcome = 'rendered' | 'refused' | 'trap' | 'guard' | 'foreign'

/** What became of an input. */
export interface Verdict {
  outcome: Outcome
  /** The error in one line; empty for what was rendered. */
  detail: string
  stack: string
  ms: number
  /** Processor time of the thread since it began, in milliseconds. */
  cpuMs: number
  /** A digest that identifies the output. */
  checksum: number
  /** Bytes of the largest WebAssembly memory of the thread so far. */
  wasmBytes: number
}

watchInstances()
const { processPanorama, processPhoto } = await import('../src/process.ts')
const { seeds, runSeed } = workerData as Setup
const PLAIN_PHOTO = png(seeded(1), { width: 40, height: 30, depth: 8, colourType: 2 })

parentPort?.on('message', async (task: Task) => {
  if ('bytes' in task) {
    parentPort?.postMessage(await judged(task.bytes, task.use))
    return
  }
  const input = inputAt(seeds, runSeed, task.index)
  parentPort?.postMessage(await judged(input.bytes(), input.use))
})
parentPort?.postMessage('ready')

async function judged(bytes: Uint8Array, use: Use): Promise<Verdict> {
  takeTrap()
  const started = performance.now()
  const [outcome, detail, stack, checksum] = await outcomeOf(bytes, use)
  const ms = performance.now() - started
  // A watermark that cannot be read is left out silently, for any reason.
  const hidden = takeTrap()
  const { user, system } = process.threadCpuUsage()
  const cpuMs = (user + system) / 1000
  const verdict = { outcome, detail, stack, checksum, ms, cpuMs, wasmBytes: largestMemory() }
  if (!hidden || isBug(outcome)) return verdict
  return { ...verdict, outcome: 'trap', detail: hidden.message, stack: hidden.stack ?? '' }
}

function isBug(outcome: Outcome): boolean {
  return outcome !== 'rendered' && outcome !== 'refused'
}

async function outcomeOf(
  bytes: Uint8Array,
  use: Use,
): Promise<[Outcome, detail: string, stack: string, checksum: number]> {
  try {
    const pictures = await render(bytes, use)
    if (!pictures) return ['refused', 'left out', '', 0]
    if (!pictures.every(isWholeJpeg)) return ['foreign', 'the output is no JPEG', '', 0]
    return ['rendered', '', '', pictures.reduce((sum, picture) => crc32(picture, sum), 0)]
  } catch (error) {
    return blame(error)
  }
}

async function render(bytes: Uint8Array, use: Use): Promise<Uint8Array[] | null> {
  if (use === 'panorama') {
    const { image, thumb } = processPanorama(bytes)
    return [image, thumb]
  }
  if (use === 'watermark') {
    const { watermarked } = processPhoto(PLAIN_PHOTO, { maxSide: 1920, watermark: bytes })
    return watermarked && [watermarked]
  }
  const { original } = processPhoto(bytes, { maxSide: Number(use.slice(4)), watermark: null })
  return [original]
}

function isWholeJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9
}

/** Follows the causes of an error to see if it is a refusal, or a mistake that passes for one. */
function blame(thrown: unknown): [Outcome, detail: string, stack: string, checksum: number] {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const kind = bugKind(error)
    if (kind) return [kind, `${error.name}: ${error.message}`, error.stack ?? '', 0]
  }
  if (thrown instanceof PhotoError) {
    const reason = thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ''
    return ['refused', thrown.message + reason, '', 0]
  }
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  return ['foreign', String(thrown), stack, 0]
}

function bugKind(error: Error): Outcome | undefined {
  if (error instanceof WebAssembly.RuntimeError) return 'trap'
  if (error.name === 'GuardError') return 'guard'
  const mistake = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return mistake && !isRefusal(error) ? 'foreign' : undefined
}

/** A DataView refuses to read past a header's end, and the platform's inflater refuses data with TypeErrors. */
function isRefusal(error: Error): boolean {
  if (error.message === 'Offset is outside the bounds of the DataView') return true
  if (error.message === 'Decompression failed.') return true
  return 'code' in error && /^Z_|^ERR_TRAILING_JUNK/.test(String(error.code))
}
