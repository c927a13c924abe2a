/**
 * Imports any number of lines. Splits them into requests, and sends refused lines again at the end while that helps:
 * the records that they refer to may be in later lines.
 */
import { adminCall, type Service } from './admin.ts'

const NEWLINE = Buffer.from('\n')
const BLANKS = new Set(Buffer.from(' \t\r'))

/** Limits of one request; the bytes are a little below the limit of the service. */
const MAX_LINES = 1000
const MAX_BYTES = 8_000_000

interface ImportError {
  line: number
  entity: string | null
  id: number | string | null
  message: string
}

interface Ignored {
  line: number
  fields: string[]
}

export interface ImportTotals {
  accepted: number
  rejected: number
  errors: ImportError[]
  /** Lines with unknown keys: the first hundred of each request. */
  ignored: Ignored[]
}

/** A line of the file. */
interface Line {
  /** Counting from 1. */
  number: number
  bytes: Uint8Array
}

type Lines = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

type Progress = (totals: ImportTotals, bytes: number) => void

/**
 * Sends `lines` in as many requests as needed, and calls `onProgress` after each.
 * @param replace whether each line replaces the whole record, as for a restore
 */
export async function importLines(
  service: Service,
  lines: Lines,
  onProgress: Progress,
  replace = false,
): Promise<ImportTotals> {
  const totals: ImportTotals = { accepted: 0, rejected: 0, errors: [], ignored: [] }
  const refused = new Refused()
  let bytes = 0
  for await (const request of requestsOf(numbered(lines, totals))) {
    const answer = await send(service, request, replace)
    totals.accepted += answer.accepted
    totals.ignored.push(...answer.ignored)
    totals.errors.push(...answer.errors)
    refused.note(request, answer.errors)
    bytes += request.reduce((sum, line) => sum + line.bytes.length + 1, 0)
    onProgress({ ...totals, rejected: totals.errors.length }, bytes)
  }
  await sendAgain(service, totals, refused, replace)
  totals.errors.sort((a, b) => a.line - b.line)
  totals.rejected = totals.errors.length
  return totals
}

/** Lines to send again: refused ones, and all later lines of the same record, so that the last line still wins. */
class Refused {
  readonly lines = new Map<number, Line>()
  /** Number of refused lines among them. */
  count = 0
  private readonly records = new Set<string>()

  /** Adds the lines of a request that must be sent again. */
  note(request: Line[], errors: ImportError[]): void {
    const byNumber = new Map(errors.map((error) => [error.line, error]))
    for (const line of request) {
      const error = byNumber.get(line.number)
      const isAbove = this.records.size > 0 && this.records.has(recordOf(line))
      if (error || isAbove) this.lines.set(line.number, line)
      if (!error) continue
      this.count++
      if (error.entity !== null && error.id !== null) this.records.add(recordOf(line))
    }
  }
}

/** Identifies the record of a line; empty if the line names none. */
function recordOf({ bytes }: Line): string {
  try {
    const { entity, data } = JSON.parse(Buffer.from(bytes).toString())
    return JSON.stringify([entity, data?.id ?? data?.key])
  } catch {
    return ''
  }
}

/** Sends refused lines again, as long as their number decreases. */
async function sendAgain(
  service: Service,
  totals: ImportTotals,
  first: Refused,
  replace: boolean,
): Promise<void> {
  let refused = first
  for (let before = Number.POSITIVE_INFINITY; refused.count > 0 && refused.count < before; ) {
    before = refused.count
    const again = refused.lines
    refused = new Refused()
    totals.errors = totals.errors.filter(({ line }) => !again.has(line))
    for await (const request of requestsOf(again.values())) {
      const { errors } = await send(service, request, replace)
      totals.errors.push(...errors)
      refused.note(request, errors)
    }
    totals.accepted += before - refused.count
  }
}

/** Sends one request. Line numbers in the result are those of the file. */
async function send(service: Service, request: Line[], replace: boolean): Promise<ImportTotals> {
  const path = `/admin/import?errors=all${replace ? '&mode=replace' : ''}`
  const answer = await adminCall(service, 'POST', path, joined(request)).catch((error: unknown) => {
    const [first] = request
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `From line ${first?.number} on, lines may not be stored; import the file again. ${reason}`,
    )
  })
  const { data } = (await answer.json()) as { data: ImportTotals }
  const inFile = <T extends { line: number }>(entry: T) => ({
    ...entry,
    line: request[entry.line - 1]?.number ?? entry.line,
  })
  return { ...data, errors: data.errors.map(inFile), ignored: data.ignored.map(inFile) }
}

/** Numbers the lines and skips blank ones. A line that is too long for a request is refused here. */
async function* numbered(lines: Lines, totals: ImportTotals): AsyncGenerator<Line> {
  let number = 0
  for await (const line of lines) {
    number++
    const bytes = typeof line === 'string' ? Buffer.from(line) : line
    if (bytes.every((byte: number) => BLANKS.has(byte))) continue
    if (bytes.length < MAX_BYTES) {
      yield { number, bytes }
      continue
    }
    const message = `Line too long: at most ${MAX_BYTES} bytes are accepted`
    totals.errors.push({ line: number, entity: null, id: null, message })
  }
}

/** Groups lines into requests. */
async function* requestsOf(lines: AsyncIterable<Line> | Iterable<Line>): AsyncGenerator<Line[]> {
  let request: Line[] = []
  let length = 0
  for await (const line of lines) {
    const size = line.bytes.length + 1
    if (request.length === MAX_LINES || (request.length > 0 && length + size > MAX_BYTES)) {
      yield request
      request = []
      length = 0
    }
    request.push(line)
    length += size
  }
  if (request.length > 0) yield request
}

function joined(request: Line[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(request.flatMap(({ bytes }) => [bytes, NEWLINE])))
}

/**
 * Splits a file into lines of bytes; the service refuses invalid UTF-8. Of a line that is too long for a request, only
 * the beginning is kept.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    if (length <= MAX_BYTES) parts.push(part)
    length += part.length
  }
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      yield Buffer.concat(parts)
      parts = []
      length = 0
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield Buffer.concat(parts)
}
