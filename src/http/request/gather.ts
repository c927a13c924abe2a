/**
 * Bytes that come piece by piece, put together in one buffer of their own.
 *
 *     const gatherer = new Gatherer(expected)
 *     for await (const chunk of body) gatherer.add(chunk)
 *     const bytes = gatherer.end()
 *
 * What is outgrown is given back at once: garbage of this size would not be collected in time.
 */

/** Room to begin with: most parts of a form are no longer. */
const INITIAL_BYTES = 64 * 1024
/** Room that may be left over at the end; for less, nothing is copied. */
const MAX_SPARE_BYTES = 4096

export class ByteCollector {
  private readonly expected: number
  private readonly limit: number
  private bytes: Uint8Array<ArrayBuffer>
  private length = 0

  /**
   * @param expected bytes that are likely to come; 0 when unknown
   * @param limit maximum bytes that are ever added
   */
  constructor(expected: number, limit = Number.POSITIVE_INFINITY) {
    this.expected = expected
    this.limit = limit
    this.bytes = new Uint8Array(Math.min(expected || INITIAL_BYTES, INITIAL_BYTES))
  }

  add(chunk: Uint8Array): void {
    const needed = this.length + chunk.byteLength
    if (needed > this.bytes.length) {
      // A body may be longer than announced: its announced length is that of its compressed form.
      this.resize(needed <= this.expected ? this.expected : Math.min(this.limit, needed * 2))
    }
    this.bytes.set(chunk, this.length)
    this.length = needed
  }

  /** All that was added, in a buffer that nothing else is in. */
  end(): Uint8Array<ArrayBuffer> {
    if (this.bytes.length - this.length > MAX_SPARE_BYTES) this.resize(this.length)
    return this.bytes.subarray(0, this.length)
  }

  private resize(length: number): void {
    this.bytes = new Uint8Array(this.bytes.buffer.transfer(length))
  }
}

/** What `Content-Length` says; 0 where it says nothing, or no length: beside chunks it may be anything. */
export function contentLengthOf(headers: Headers): number {
  const length = headers.get('content-length') ?? ''
  return /^\d+$/.test(length) ? Number(length) : 0
}

/** Frees the whole buffer that `bytes` are in, which leaves them empty. */
export function releaseBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
