/**
 * Collects chunks of bytes in one buffer.
 *
 *     const collector = new ByteCollector(expected)
 *     for await (const chunk of body) collector.add(chunk)
 *     const bytes = collector.end()
 *
 * A buffer that has become too small is released immediately: garbage of this size would not be collected in time.
 */

/** Initial size of the buffer, which is enough for most parts of a multipart body. */
const INITIAL_BYTES = 64 * 1024
/** Maximum number of unused bytes at the end; copying costs more than keeping fewer. */
const MAX_SPARE_BYTES = 4096

export class ByteCollector {
  private readonly expected: number
  private readonly limit: number
  private bytes: Uint8Array<ArrayBuffer>
  private length = 0

  /**
   * @param expected likely number of bytes; 0 if unknown
   * @param limit maximum number of bytes that the caller adds
   */
  constructor(expected: number, limit = Number.POSITIVE_INFINITY) {
    this.expected = expected
    this.limit = limit
    this.bytes = new Uint8Array(Math.min(expected || INITIAL_BYTES, INITIAL_BYTES))
  }

  add(chunk: Uint8Array): void {
    const needed = this.length + chunk.byteLength
    if (needed > this.bytes.length) {
      // The body may exceed `expected`: Content-Length counts compressed bytes.
      this.resize(needed <= this.expected ? this.expected : Math.min(this.limit, needed * 2))
    }
    this.bytes.set(chunk, this.length)
    this.length = needed
  }

  /** All bytes, in a buffer that holds nothing else. */
  end(): Uint8Array<ArrayBuffer> {
    if (this.bytes.length - this.length > MAX_SPARE_BYTES) this.resize(this.length)
    return this.bytes.subarray(0, this.length)
  }

  private resize(length: number): void {
    this.bytes = new Uint8Array(this.bytes.buffer.transfer(length))
  }
}

/** The value of `Content-Length`; 0 if it is absent or invalid, which chunked transfer allows. */
export function contentLengthOf(headers: Headers): number {
  const length = headers.get('content-length') ?? ''
  return /^\d+$/.test(length) ? Number(length) : 0
}

/** Frees the whole buffer of `bytes`; `bytes` is empty afterwards. */
export function releaseBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
