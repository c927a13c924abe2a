/** How much memory a call takes, seen from outside and from within. */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Inspector, Usage } from './inspector.ts'

export interface Peak {
  /** Most that was held once garbage was collected, in bytes; only looked at while nothing was computed. */
  held: Usage
  /**
   * What the isolate held before and how much the whole process grew: no peak is higher. Counts garbage, too, and what
   * the simulators of D1 and R2 keep.
   */
  bound: number
}

/** Milliseconds between two looks at the process, and between two questions to the isolate. */
const LOOK = 5
const QUESTION = 10

/** The most that `call` takes of the process `pid`. */
export async function watchMemory(
  pid: number,
  inspector: Inspector,
  call: () => Promise<void>,
): Promise<Peak> {
  const idle = await inspector.usage()
  if (!idle) throw new Error('The inspector does not answer')
  const before = residentBytes(pid)
  let most = before
  let held = idle
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, LOOK)
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const usage = await inspector.usage()
      if (usage && sum(usage) > sum(held)) held = usage
      await wait(QUESTION)
    }
  })()
  try {
    await call()
  } finally {
    isOver = true
    clearInterval(timer)
  }
  await looking
  return { held, bound: sum(idle) + most - before }
}

export function sum({ heap, embedder, buffers }: Usage): number {
  return heap + embedder + buffers
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}
