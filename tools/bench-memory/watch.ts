/** How much memory a call takes, seen from within the isolate and from outside the process. */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Inspector, Usage } from './inspector.ts'

/** Milliseconds between two looks at the process, and between two questions to the isolate. */
const LOOK = 5
const QUESTION = 10

/**
 * The most that the isolate holds during `call`: at its marks once garbage is collected, and between computations with
 * what garbage there is.
 */
export async function watchIsolate(inspector: Inspector, call: () => Promise<void>): Promise<Usage> {
  let most = await inspector.usage()
  const note = (usage: Usage) => {
    if (sum(usage) > sum(most)) most = usage
  }
  await inspector.stopAtMarks(note)
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      note(await inspector.usage())
      await wait(QUESTION)
    }
  })()
  try {
    await call()
  } finally {
    isOver = true
  }
  await looking
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
