/** Detects files that are not in the import format, before any line is sent. */

/** Number of lines to check. A few broken lines among valid ones are left to the service, which reports them. */
const SAMPLE = 5
/** Maximum number of lines to hold back during the check, including blank ones. */
const MAX_HELD = 1000

/** Returns `lines` unchanged. Throws a description of the format if none of the first lines is a JSON object. */
export async function* requireRecords(file: string, lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const held: Buffer[] = []
  let broken = 0
  let isKnown = false
  for await (const line of lines) {
    const text: string = isKnown ? '' : line.toString().trim()
    isKnown ||= isObject(text) || held.length === MAX_HELD
    if (isKnown) {
      yield* held.splice(0)
      yield line
      continue
    }
    held.push(line)
    if (text !== '' && ++broken === SAMPLE) throw otherFormat(file)
  }
  if (broken > 0 && !isKnown) throw otherFormat(file)
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function otherFormat(file: string): Error {
  return new Error(
    `${file} is not in the import format; nothing is stored. Each line has to be a JSON object (NDJSON), for example\n` +
      '  {"entity":"stores","data":{"id":1,"name":"Center"}}\n' +
      'docs/transfer.md names the entities and their fields; `npm run export` writes a file to compare with.',
  )
}
