/** Recognises files that are not in the import format at all, before any of their lines is sent. */

/** Lines that are looked at; a broken one among good ones is left to the service, which names it. */
const SAMPLE = 5
/** Most lines held back meanwhile, blank ones included. */
const MAX_HELD = 1000

/** `lines` unchanged. Throws what the format is when none of the first lines is a JSON object. */
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
