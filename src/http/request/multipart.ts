/**
 * Forms with files, `multipart/form-data` (RFC 7578), read as they come in. Each file is in memory once, in a buffer of its
 * own that can be let go of alone; of whatever else a form holds only the first names are kept. What the platform and the
 * libraries have for it gathers a file in pieces first, and so twice.
 *
 *     const { files, others } = await readMultipart(chunks, 'multipart/form-data; boundary=x', 3_000_000)
 */
import { createHash, type Hash } from 'node:crypto'
import { ApiError } from '../errors.ts'
import { ByteCollector } from './gather.ts'
import { type PartHeaders, parseParameters, parsePartHeaders } from './multipart-headers.ts'
import { MAX_NAMED } from './object-keys.ts'

/** What a multipart body holds. */
export interface Multipart {
  /** The content of each file, in order. */
  files: Uint8Array[]
  /** The names of the parts that are no files, each once, in order: the first ones, as many as an answer names. */
  others: string[]
}

/** Most parts of a form, most bytes of the headers of one, and most characters of its name. */
const MAX_PARTS = 1000
const MAX_HEADER_BYTES = 8192
const MAX_NAME = 255
/** Longest boundary, as RFC 2046 has it. */
const MAX_BOUNDARY = 70

const LINE_END = Buffer.from('\r\n')
/** Between the headers of a part and its content, the end of the last header included. */
const HEADERS_END = Buffer.from('\r\n\r\n')
const EMPTY_BYTES = new Uint8Array(0)

/**
 * Reads a form to its end. Throws 400 when it makes no sense, 413 when it has too many parts, and what `chunks` throws.
 * @param length bytes of the whole body, 0 when unknown
 * @param hash takes the parts: the same parts between other boundaries give the same hash
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
    // Where the form makes no sense, what is left of it is read before the answer (`drain.ts`).
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
  const others = new Set<string>()
  // What stands before the first delimiter means nothing.
  if (!(await body.passUntil(delimiter, () => undefined))) throw brokenMultipart('it has no part')
  for (let parts = 1; !(await isLastBoundary(body)); parts++) {
    if (parts > MAX_PARTS) throw tooManyParts()
    const headers = parsePartHeaders(await readHeaders(body))
    if (headers.name.length > MAX_NAME)
      throw brokenMultipart(`the name of a part has at most ${MAX_NAME} characters`)
    const { bytes, digest } = await readContent(body, delimiter, headers, length, hash !== undefined)
    const isFile = bytes !== undefined && (headers.isChosen || bytes.length > 0)
    if (isFile) files.push(bytes)
    else if (headers.name === '') throw brokenMultipart('a part has neither a name nor a file')
    else if (others.size < MAX_NAMED) others.add(headers.name)
    hash?.update(`${JSON.stringify([isFile, headers.name, headers.type, digest])}\n`)
  }
  return { files, others: [...others] }
}

/** The bytes of a part that may be a file, and the digest of those of any part where one is wanted. */
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

/** 400: a form that cannot be read; `reason` ends the sentence. */
function brokenMultipart(reason: string): ApiError {
  return new ApiError(400, `Invalid form body: ${reason}`)
}

/** 413: more parts than any form has need of. */
function tooManyParts(): ApiError {
  return new ApiError(413, `Body too large: at most ${MAX_PARTS} parts are accepted`)
}

function boundaryOf(contentType: string): string {
  const boundary = parseParameters(contentType).get('boundary') ?? ''
  if (boundary === '') throw brokenMultipart('its Content-Type names no boundary')
  if (boundary.length > MAX_BOUNDARY)
    throw brokenMultipart(`a boundary has at most ${MAX_BOUNDARY} characters`)
  return boundary
}

/** Whether the delimiter that was just passed is the last; spaces may stand behind it. The end of its line is left. */
async function isLastBoundary(body: ByteReader): Promise<boolean> {
  const line = await body.readUntil(LINE_END, MAX_HEADER_BYTES)
  if (line?.startsWith('--')) return true
  if (line === null || line.trim() !== '') throw brokenMultipart('a boundary is not followed by a new line')
  if (body.isOver()) throw brokenMultipart('it ends too early')
  body.giveBack(LINE_END)
  return false
}

/** The headers of a part, read at once: a turn for each of thousands of lines would take much longer than their bytes. */
async function readHeaders(body: ByteReader): Promise<string> {
  const text = await body.readUntil(HEADERS_END, MAX_HEADER_BYTES)
  if (text === null) throw brokenMultipart(`the headers of a part have at most ${MAX_HEADER_BYTES} bytes`)
  if (body.isOver()) throw brokenMultipart('it ends too early')
  return text
}

/** A body of which only a piece is in memory. */
class ByteReader {
  /** How many bytes have come. */
  passed = 0
  private readonly chunks: AsyncIterator<Uint8Array>
  /** What has come and is still to be looked at: the first delimiter may have no line before it. */
  private rest: Uint8Array = LINE_END
  private hasEnded = false

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.chunks = chunks
  }

  /** Whether nothing more will come. */
  isOver(): boolean {
    return this.hasEnded
  }

  /** Gives `take` what comes before `mark`, piece by piece, and passes both. False when the body ends first. */
  async passUntil(mark: Buffer, take: (bytes: Uint8Array) => void): Promise<boolean> {
    for (;;) {
      const at = textView(this.rest).indexOf(mark)
      if (at >= 0) {
        take(this.rest.subarray(0, at))
        this.rest = this.rest.subarray(at + mark.length)
        return true
      }
      // The mark may have begun. Where it has not, nothing is left that the next chunk would have to be copied to.
      const earliest = Math.max(0, this.rest.length - mark.length + 1)
      const begun = textView(this.rest).indexOf(mark.subarray(0, 1), earliest)
      const safe = begun < 0 ? this.rest.length : begun
      take(this.rest.subarray(0, safe))
      this.rest = this.rest.subarray(safe)
      if (!(await this.fetch())) return false
    }
  }

  /** What comes before `mark`, or is left where the body ends before it; null when it has more than `limit` bytes. */
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

  /** Takes back the mark that was just passed: it is the beginning of what follows. */
  giveBack(mark: Buffer): void {
    const { buffer, byteOffset, byteLength } = this.rest
    this.rest = new Uint8Array(buffer, byteOffset - mark.length, byteLength + mark.length)
  }

  /** Reads what follows, which means nothing. */
  async passRest(): Promise<void> {
    do this.rest = EMPTY_BYTES
    while (await this.fetch())
  }

  /** Adds the next chunk to the rest. False when there is none. */
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

/** The same memory with the searches of Node. */
function textView({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
