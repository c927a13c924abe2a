/** How much memory a call takes, seen from within the isolate and from outside the process. */
import { readFileSync } from 'node:fs'
import type { Inspector, Usage } from './inspector.ts'

/** Milliseconds between two looks at the process, and between two stops beside the marks. */
const LOOK = 5
const PAUSE = 50

/** The most that the isolate holds during `call`, once garbage is collected: at its marks, and now and then between. */
export async function watchIsolate(
  _pid: number,
  inspector: Inspector,
  call: () => Promise<void>,
): Promise<Usage> {
  let most: Usage = { heap: 0, buffers: 0, codec: 0 }
  await inspector.stopAtMarks((usage) => {
    if (sum(usage) > sum(most)) most = usage
  })
  const timer = setInterval(() => inspector.stop(), PAUSE)
  try {
    await call()
  } finally {
    clearInterval(timer)
  }
  return most
}

/**
 * What the isolate of the process `pid` holds before `call`, and how much the whole process grows by it, in bytes. Counts
 * all garbage, and what the simulators of D1, R2 and KV keep.
 */
export async function watchProcess(
  pid: number,
  inspector: Inspector,
  call: () => Promise<void>,
): Promise<number> {
  const idle = await inspector.usage()
  const before = residentBytes(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, LOOK)
  try {
    await call()
  } finally {
    clearInterval(timer)
  }
  return sum(idle) + most - before
}

export function sum({ heap, buffers, codec }: Usage): number {
  return heap + buffers + codec
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}
