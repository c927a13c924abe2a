/** What Linux reports of a process; elsewhere nothing is known. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How long all threads of a process have computed, in microseconds. */
export function computedBy(pid: number): number {
  const tasks = join('/proc', String(pid), 'task')
  if (!existsSync(tasks)) return Number.NaN
  // Its first number is the time in nanoseconds.
  const times = readdirSync(tasks).map((task) => Number(read(join(tasks, task, 'schedstat')).split(' ')[0]))
  return times.reduce((sum, time) => sum + time, 0) / 1000
}

/** The text of a file that may be gone at any time. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
