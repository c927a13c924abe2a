/** Keeps the log of the service, a line a call, to the test that fails: each line would be sent to the runner by itself. */
import { afterEach, beforeEach } from 'vitest'

/** The lines that are kept of a test. */
const MOST = 100

const kept: string[] = []
const keep = (line: unknown) => {
  kept.push(String(line))
  if (kept.length > MOST) kept.shift()
}

const output: Pick<Console, 'log'> = console
let print = output.log

/** The log of each test is printed if it fails. */
export function keepLog(): void {
  if (output.log !== keep) print = output.log
  output.log = keep
  beforeEach(() => {
    kept.length = 0
  })
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') for (const line of kept) print(line)
  })
}
