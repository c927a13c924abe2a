/** Prints the output of `wrangler dev` without the runtime's reports of its own exceptions. */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** An exception inside workerd, with its source location. The affected calls get a reply all the same. */
const RUNTIME_FAILURE = /\be = kj\/[\w./+-]+:\d+: failed: /
/** The line after it: addresses in the program. */
const RUNTIME_STACK = /^\s*stack: .*workerd@/

/** Copies lines as they come, except those that are only useful to developers of the runtime. */
export function passOutput(from: Readable, to: Writable): void {
  let isDropping = false
  createInterface({ input: from }).on('line', (line) => {
    const text = stripVTControlCharacters(line)
    const isDropped = RUNTIME_FAILURE.test(text) || RUNTIME_STACK.test(text)
    // Both have blank lines around them.
    isDropping = isDropped || (isDropping && text.trim() === '')
    if (!isDropping) to.write(`${line}\n`)
  })
}
