/** The processor time of a process: on a busy machine wall-clock time says little. */
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds that all threads of a process have had a processor (Linux). */
export function cpuTime(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  }
  return nanoseconds / 1e6
}
