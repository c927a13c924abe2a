/** Prints of the output of `wrangler dev` its errors, without the runtime's reports of its own exceptions, and mails. */
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** An exception inside workerd, with its source location. The affected calls get a reply all the same. */
const RUNTIME_FAILURE = /\be = kj\/[\w./+-]+:\d+: failed: /
/** The line after it: addresses in the program. */
const RUNTIME_STACK = /^\s*stack: .*workerd@/

/** A warning of wrangler, which concerns those who configure it. Indented lines explain it. */
const WARNING = /^▲ \[WARNING\]/

/** Copies lines as they come, except those that are only useful to developers of the runtime. */
export function passOutput(from: Readable, to: Writable): void {
  let isDropping = false
  createInterface({ input: from }).on('line', (line) => {
    const text = stripVTControlCharacters(line)
    const isDropped = RUNTIME_FAILURE.test(text) || RUNTIME_STACK.test(text) || WARNING.test(text)
    // All have blank or indented lines after them.
    isDropping = isDropped || (isDropping && /^(\s*$| {2})/.test(text))
    if (!isDropping) to.write(`${line}\n`)
  })
}

/** What wrangler prints of a mail: this line, those of the headers, and one with the file that has the text. */
const MAIL = 'send_email binding called with MessageBuilder:'
const HEADER = /^(?:To|Subject): /
const FILE = /^Text: (.+)$/
/** How much of the text is shown. */
const SHOWN_LINES = 14

/** Prints the mails that wrangler simulates, and nothing else of its log. */
export function showMails(from: Readable, to: Writable): void {
  let headers: string[] | null = null
  createInterface({ input: from }).on('line', (line) => {
    const text = stripVTControlCharacters(line)
    const file = FILE.exec(text)?.[1]
    if (text === MAIL) headers = []
    else if (HEADER.test(text)) headers?.push(text)
    else if (headers && file !== undefined) {
      to.write(describeMail(headers, file))
      headers = null
    }
  })
}

function describeMail(headers: readonly string[], file: string): string {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  | ${stripVTControlCharacters(line)}`)
  const more = lines.length > SHOWN_LINES ? ['  | …'] : []
  return [
    '',
    'A mail, which is not sent:',
    ...headers.map((header) => `  ${header}`),
    ...shown,
    ...more,
    `  ${file}`,
    '',
    '',
  ].join('\n')
}
