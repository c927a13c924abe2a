/**
 * The coefficients of a JPEG between transform and output, as the symbols of its Huffman codes: 3 bytes each, a
 * symbol and up to 16 bits that go with it. They are about four times as long as the file will be, and a tenth of
 * what the coefficients would be. Optimal codes need all of them to be counted before the first can be written.
 */

import { allocate, create } from './arena'

export const TOKEN_BYTES: usize = 3
/** Tokens are stored and loaded as 32 bits. */
const OVERLAP: usize = 1
const CHUNK_BYTES: usize = 64 << 10

/** Tokens of whole MCUs. */
@unmanaged
export class Chunk {
  next: Chunk | null
  start: usize
  end: usize
}

/** A list that only grows. */
@unmanaged
export class Tokens {
  first: Chunk
  last: Chunk
  /** End of the room after the last chunk; 0 where it belongs to another list. */
  private limit: usize

  static create(): Tokens {
    const tokens = create<Tokens>()
    tokens.first = tokens.last = tokens.newChunk()
    return tokens
  }

  /** Where up to `count` tokens may be written; `commit` tells where they ended. */
  reserve(count: usize): usize {
    if (this.last.end + count * TOKEN_BYTES + OVERLAP > this.limit) {
      const chunk = this.newChunk()
      this.last.next = chunk
      this.last = chunk
    }
    return this.last.end
  }

  commit(end: usize): void {
    this.last.end = end
  }

  /** Appends what another list has from the address `from` in its chunk `chunk` on. Its tokens are shared, not copied. */
  share(chunk: Chunk, from: usize): void {
    this.append(from, chunk.end)
    let next = chunk.next
    while (next !== null) {
      this.append(next.start, next.end)
      next = next.next
    }
  }

  private append(start: usize, end: usize): void {
    if (start === end) return
    if (this.limit === 0 && this.last.end === start) {
      this.last.end = end
      return
    }
    const chunk = create<Chunk>()
    chunk.start = start
    chunk.end = end
    this.limit = 0
    this.last.next = chunk
    this.last = chunk
  }

  private newChunk(): Chunk {
    const chunk = create<Chunk>()
    chunk.start = allocate(CHUNK_BYTES)
    chunk.end = chunk.start
    this.limit = chunk.start + CHUNK_BYTES
    return chunk
  }
}
