/**
 * Parses `multipart/form-data` (RFC 7578) as a stream. Each file is in memory once, in a buffer that can be released
 * separately. Parts that are not files are discarded, except for the first few names. The parsers of the platform and
 * of libraries collect chunks first, so they need twice the memory.
 *
 *     const { files, others } = await readMultipart(chunks, 'multipart/form-data; boundary=x', 3_000_000)
 */
import { createHash, type Hash } from 'node:crypto'
import { ApiError } from '../errors.ts'
import { ByteCollector } from './gather.ts'
import { type PartHeaders, parseParameters, parsePartHeaders } from './multipart-headers.ts'
import { MAX_NAMED } from './object-keys.ts'

export interface Multipart {
  /** The content of each file, in order. */
  files: Uint8Array[]
  /** The name of each file; empty if it has none. */
  names: string[]
  /** Distinct names of parts that are not files, in order; at most `MAX_NAMED`. */
  others: string[]
}

/** Maximum number of parts, bytes of a part's headers, and characters of its name. */
const MAX_PARTS = 1000
const MAX_HEADER_BYTES = 8192
const MAX_NAME = 255
/** Maximum length of a boundary (RFC 2046). */
const MAX_BOUNDARY = 70

const LINE_END = Buffer.from('\r\n')
/** The separator of headers and content, including the end of the last header. */
const HEADERS_END = Buffer.from('\r\n\r\n')
const EMPTY_BYTES = new Uint8Array(0)

/**
 * Reads a multipart body to its end. Throws 400 if it is malformed, 413 for too many parts, and what `chunks` throws.
 * @param length bytes of the whole body, 0 if unknown
 * @param hash is updated with the parts but not the boundary, so the same parts always give the same hash
 */
export async function readMultipart(
  chunks: AsyncIterator<Uint8Array>,
  contentType: string,
  length: number,
  hash?: Hash,
): Promise<Multipart> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`)
  const body = new ByteReader(chunks)
  try {
    const form = await readParts(body, delimiter, length, hash)
    await body.passRest()
    return form
  } catch (error) {
    // The rest of a malformed body is read before the reply (`drain.ts`).
    await chunks.return?.()
    throw error
  }
}

async function readParts(
  body: ByteReader,
  delimiter: Buffer,
  length: number,
  hash: Hash | undefined,
): Promise<Multipart> {
  const files: Uint8Array[] = []
  const names: string[] = []
  const others = new Set<string>()
  // Anything before the first delimiter is ignored (RFC 2046).
  if (!(await body.passUntil(delimiter, () => undefined))) throw brokenMultipart('it has no part')
  for (let parts = 1; !(await isLastBoundary(body)); parts++) {
    if (parts > MAX_PARTS) throw new ApiError(413, `Body too large: at most ${MAX_PARTS} parts are accepted`)
    const headers = parsePartHeaders(await readHeaders(body))
    if (headers.name.length > MAX_NAME)
      throw brokenMultipart(`the name of a part has at most ${MAX_NAME} characters`)
    const { bytes, digest } = await readContent(body, delimiter, headers, length, hash !== undefined)
    const isFile = bytes !== undefined && (headers.isChosen || bytes.length > 0)
    if (isFile) {
      files.push(bytes)
      names.push(headers.fileName)
    } else if (headers.name === '') throw brokenMultipart('a part has neither a name nor a file')
    else if (others.size < MAX_NAMED) others.add(headers.name)
    hash?.update(`${JSON.stringify([isFile, headers.name, headers.type, digest])}\n`)
  }
  return { files, names, others: [...others] }
}

/** The bytes of a part if it may be a file, and the digest of any part if `isHashed`. */
async function readContent(
  body: ByteReader,
  delimiter: Buffer,
  { mayBeFile }: PartHeaders,
  length: number,
  isHashed: boolean,
): Promise<{ bytes: Uint8Array | undefined; digest: string | undefined }> {
  const content = mayBeFile ? new ByteCollector(Math.max(0, length - body.passed)) : undefined
  const hash = isHashed ? createHash('sha256') : undefined
  const isWhole = await body.passUntil(delimiter, (bytes) => {
    content?.add(bytes)
    hash?.update(bytes)
  })
  if (!isWhole) throw brokenMultipart('it ends too early')
  return { bytes: content?.end(), digest: hash?.digest('hex') }
}

/** 400: malformed multipart; `reason` ends the sentence. */
function brokenMultipart(reason: string): ApiError {
  return new ApiError(400, `Invalid form body: ${reason}`)
}

function boundaryOf(contentType: string): string {
  const boundary = parseParameters(contentType).get('boundary') ?? ''
  if (boundary === '') throw brokenMultipart('its Content-Type names no boundary')
  if (boundary.length > MAX_BOUNDARY)
    throw brokenMultipart(`a boundary has at most ${MAX_BOUNDARY} characters`)
  return boundary
}

/** Whether the delimiter just read is the last. Accepts spaces after it, and leaves the end of the line unread. */
async function isLastBoundary(body: ByteReader): Promise<boolean> {
  const line = await body.readUntil(LINE_END, MAX_HEADER_BYTES)
  if (line?.startsWith('--')) return true
  if (line === null || line.trim() !== '') throw brokenMultipart('a boundary is not followed by a new line')
  if (body.isOver()) throw brokenMultipart('it ends too early')
  body.giveBack(LINE_END)
  return false
}

/** The headers of a part, read in one step: awaiting each of thousands of lines would take much longer. */
async function readHeaders(body: ByteReader): Promise<string> {
  const text = await body.readUntil(HEADERS_END, MAX_HEADER_BYTES)
  if (text === null) throw brokenMultipart(`the headers of a part have at most ${MAX_HEADER_BYTES} bytes`)
  if (body.isOver()) throw brokenMultipart('it ends too early')
  return text
}

/** Reads a stream of bytes up to marks. Only a part of the stream is in memory. */
class ByteReader {
  /** Number of bytes received. */
  passed = 0
  private readonly chunks: AsyncIterator<Uint8Array>
  /** Received bytes not yet processed. The initial line end lets the first delimiter match at the start of the body. */
  private rest: Uint8Array = LINE_END
  private hasEnded = false

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.chunks = chunks
  }

  isOver(): boolean {
    return this.hasEnded
  }

  /** Passes the bytes before `mark` to `take` in chunks, and skips the mark. False if the stream ends first. */
  async passUntil(mark: Buffer, take: (bytes: Uint8Array) => void): Promise<boolean> {
    for (;;) {
      const at = textView(this.rest).indexOf(mark)
      if (at >= 0) {
        take(this.rest.subarray(0, at))
        this.rest = this.rest.subarray(at + mark.length)
        return true
      }
      // Keep the bytes that may begin the mark. Usually there are none, so the next chunk need not be copied.
      const earliest = Math.max(0, this.rest.length - mark.length + 1)
      const markStart = textView(this.rest).indexOf(mark.subarray(0, 1), earliest)
      const safe = markStart < 0 ? this.rest.length : markStart
      take(this.rest.subarray(0, safe))
      this.rest = this.rest.subarray(safe)
      if (!(await this.fetch())) return false
    }
  }

  /** The text before `mark`, or the rest if the stream ends first; null if it exceeds `limit` bytes. */
  async readUntil(mark: Buffer, limit: number): Promise<string | null> {
    const parts: Uint8Array[] = []
    let length = 0
    const isWhole = await this.passUntil(mark, (bytes) => {
      length += bytes.length
      if (length <= limit) parts.push(bytes)
    })
    if (length > limit) return null
    return Buffer.concat(isWhole ? parts : [...parts, this.rest]).toString('utf8')
  }

  /** Unreads the mark just skipped, because it also begins what follows. */
  giveBack(mark: Buffer): void {
    const { buffer, byteOffset, byteLength } = this.rest
    this.rest = new Uint8Array(buffer, byteOffset - mark.length, byteLength + mark.length)
  }

  /** Reads and ignores the rest of the stream. */
  async passRest(): Promise<void> {
    do this.rest = EMPTY_BYTES
    while (await this.fetch())
  }

  /** Appends the next chunk to `rest`. False at the end of the stream. */
  private async fetch(): Promise<boolean> {
    const { done, value } = await this.chunks.next()
    if (done) {
      this.hasEnded = true
      return false
    }
    this.passed += value.byteLength
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, value]) : value
    return true
  }
}

/** The same memory as a `Buffer`, for its search functions. */
function textView({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
