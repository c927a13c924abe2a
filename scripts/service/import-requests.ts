/** The requests of an import: numbered lines, cut into as many requests as needed. */
import { adminCall, type Service } from './admin.ts'

const NEWLINE = Buffer.from('\n')
const BLANKS = new Set(Buffer.from(' \t\r'))

/** Limits of one request; the bytes are a little below the limit of the service. */
export const MAX_LINES = 1000
export const MAX_BYTES = 8_000_000

export interface ImportError {
  line: number
  entity: string | null
  id: number | string | null
  message: string
  problems: { field: string | null; message: string }[]
}

export interface ImportTotals {
  accepted: number
  rejected: number
  errors: ImportError[]
  warnings: { line: number; message: string }[]
  /** Lines with unknown keys: the first hundred of each request. */
  ignored: { line: number; fields: string[] }[]
}

export const noLines = (): ImportTotals => ({
  accepted: 0,
  rejected: 0,
  errors: [],
  warnings: [],
  ignored: [],
})

/** How lines are imported. */
export interface ImportOptions {
  /** Whether each line replaces the whole record, as for a restore. */
  replace?: boolean | undefined
  /** Whether the photos of listings at other addresses are downloaded. */
  fetchPhotos?: boolean | undefined
  /** Whether lines are refused for what POST refuses. */
  strict?: boolean | undefined
  /** Whether nothing is stored. */
  dryRun?: boolean
}

/** A line of the file. */
export interface Line {
  /** Counting from 1. */
  number: number
  bytes: Uint8Array
}

export type Lines = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/** Reports what is done, and how many bytes of the file that was. */
export type Progress = (totals: ImportTotals, bytes: number) => void

/** What the service says of a request, in how many calls. Line numbers are those of the file. */
export interface Answer extends ImportTotals {
  calls: number
}

/** Sends one request. Where the service stops within it, another call goes on from there. */
export async function send(service: Service, request: Line[], options: ImportOptions): Promise<Answer> {
  const sum = { ...noLines(), calls: 0 }
  for (let rest = request; rest.length > 0; ) {
    const { next, ...answer } = await call(service, rest, options)
    sum.accepted += answer.accepted
    sum.rejected += answer.rejected
    sum.errors.push(...answer.errors)
    sum.warnings.push(...answer.warnings)
    sum.ignored.push(...answer.ignored)
    sum.calls++
    if (next === 1) throw new Error(`The service has not looked at line ${rest[0]?.number}.`)
    rest = next ? rest.slice(next - 1) : []
  }
  return sum
}

async function call(
  service: Service,
  request: Line[],
  { replace, fetchPhotos, strict, dryRun }: ImportOptions,
): Promise<ImportTotals & { next?: number | null }> {
  const query = new URLSearchParams({
    errors: 'all',
    ...(replace ? { mode: 'replace' } : {}),
    ...(fetchPhotos ? { photos: 'fetch' } : {}),
    ...(strict ? { strict: 'true' } : {}),
    ...(dryRun ? { dry_run: 'true' } : {}),
  })
  const answer = await adminCall(service, 'POST', `/admin/import?${query}`, joined(request)).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      if (dryRun) throw new Error(`Nothing is stored. ${reason}`)
      const [first] = request
      throw new Error(
        `From line ${first?.number} on, lines may not be stored; import the file again. ${reason}`,
      )
    },
  )
  const { data } = (await answer.json()) as { data: ImportTotals & { next?: number | null } }
  const inFile = <T extends { line: number }>(entry: T) => ({
    ...entry,
    line: request[entry.line - 1]?.number ?? entry.line,
  })
  return {
    ...data,
    errors: data.errors.map(inFile),
    warnings: data.warnings.map(inFile),
    ignored: data.ignored.map(inFile),
  }
}

/**
 * Sends all lines in as many requests as needed. Each answer comes with its request, and with the bytes of the file up to there;
 * its warnings and ignored lines are added to `totals`.
 */
export async function* sendAll(
  service: Service,
  lines: Lines,
  totals: ImportTotals,
  options: ImportOptions,
): AsyncGenerator<{ request: Line[]; answer: Answer; bytes: number }> {
  let bytes = 0
  for await (const request of requestsOf(numbered(lines, totals))) {
    const answer = await send(service, request, options)
    totals.warnings.push(...answer.warnings)
    totals.ignored.push(...answer.ignored)
    bytes += lengthOf(request)
    yield { request, answer, bytes }
  }
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
    totals.errors.push({
      line: number,
      entity: null,
      id: null,
      message,
      problems: [{ field: null, message }],
    })
  }
}

/** Groups lines into requests. */
export async function* requestsOf(lines: AsyncIterable<Line> | Iterable<Line>): AsyncGenerator<Line[]> {
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

/** Bytes of lines in a file. */
export function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.bytes.length + 1, 0)
}

function joined(request: Line[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(request.flatMap(({ bytes }) => [bytes, NEWLINE])))
}

/** What a line says of its record; null if it says nothing. */
export function recordOf({ bytes }: Line): { entity: unknown; id: unknown } | null {
  try {
    const { entity, data } = JSON.parse(Buffer.from(bytes).toString())
    return { entity, id: data?.id ?? data?.key }
  } catch {
    return null
  }
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
