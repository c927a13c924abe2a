/** What `wrangler dev` prints, without the log of the runtime's own failures. */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** An exception inside workerd, with the place in its source. Calls that it concerns are answered all the same. */
const RUNTIME_FAILURE = /\be = kj\/[\w./+-]+:\d+: failed: /
/** What follows it: addresses in the program. */
const RUNTIME_STACK = /^\s*stack: .*workerd@/

/** Passes lines on, as they come, except those that only developers of the runtime can use. */
export function passOutput(from: Readable, to: Writable): void {
  let isDropping = false
  createInterface({ input: from }).on('line', (line) => {
    const text = stripVTControlCharacters(line)
    const isDropped = RUNTIME_FAILURE.test(text) || RUNTIME_STACK.test(text)
    // Blank lines stand around both.
    isDropping = isDropped || (isDropping && text.trim() === '')
    if (!isDropping) to.write(`${line}\n`)
  })
}
