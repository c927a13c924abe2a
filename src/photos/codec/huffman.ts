/**
 * JPEG's entropy coding, reading side: Huffman tables and a bit reader that knows when a file ran out of bits.
 *
 *     const reader = new BitReader(bytes, offsetBehindSos)
 *     const symbol = reader.symbol(table)
 *     const value = reader.signed(symbol & 15)
 *     const next = reader.finish() // offset of the marker behind the scan
 *
 * Standard: ITU-T T.81 annexes C and F.2.2.
 */

const FAST_BITS = 9
/** Stray bytes in front of a marker that are forgiven: some cameras pad their scans. */
const MAX_STRAY_BYTES = 2

/** A Huffman table prepared for decoding. */
export interface HuffmanTable {
  /** For the next 9 bits: code length << 8 | symbol, or 0 when the code is longer. */
  fast: Uint16Array
  /** Largest code of each length 1–16, or -1. */
  maxCode: Int32Array
  /** What to add to a code of each length to find its symbol. */
  offset: Int32Array
  symbols: Uint8Array
}

/**
 * Builds a table from the 16 code counts and the symbols of a DHT segment. Throws when there are more codes than the
 * lengths allow.
 */
export function buildHuffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const fast = new Uint16Array(1 << FAST_BITS)
  const maxCode = new Int32Array(17).fill(-1)
  const offset = new Int32Array(17)
  let code = 0
  let next = 0
  for (let length = 1; length <= 16; length++) {
    const count = counts[length - 1] ?? 0
    offset[length] = next - code
    for (let i = 0; i < count; i++, next++, code++) {
      if (length > FAST_BITS) continue
      const first = code << (FAST_BITS - length)
      fast.fill((length << 8) | (symbols[next] ?? 0), first, first + (1 << (FAST_BITS - length)))
    }
    if (code > 1 << length) throw new Error('JPEG: impossible Huffman table')
    if (count > 0) maxCode[length] = code - 1
    code <<= 1
  }
  return { fast, maxCode, offset, symbols }
}

/** Reads the bits of one scan. Past the next marker it supplies zeros, and `assertReal` tells whether any were used. */
export class BitReader {
  private readonly data: Uint8Array
  private at: number
  /** The next bits, from the top of 32. */
  private bits = 0
  private count = 0
  /** How many of the buffered bits lie behind the marker and were made up. */
  private invented = 0

  constructor(data: Uint8Array, at: number) {
    this.data = data
    this.at = at
  }

  /** The next Huffman symbol; throws on a code that the table does not have. */
  symbol(table: HuffmanTable): number {
    if (this.count < 16) this.fill()
    const entry = table.fast[this.bits >>> (32 - FAST_BITS)] as number
    if (entry !== 0) {
      this.bits <<= entry >> 8
      this.count -= entry >> 8
      return entry & 0xff
    }
    for (let length = FAST_BITS + 1; length <= 16; length++) {
      const code = this.bits >>> (32 - length)
      if (code > (table.maxCode[length] as number)) continue
      this.bits <<= length
      this.count -= length
      return table.symbols[code + (table.offset[length] as number)] as number
    }
    throw new Error('JPEG: invalid Huffman code')
  }

  /** The next `length` (0–16) bits as an unsigned number. */
  unsigned(length: number): number {
    if (length === 0) return 0
    if (this.count < length) this.fill()
    const value = this.bits >>> (32 - length)
    this.bits <<= length
    this.count -= length
    return value
  }

  /** The next `length` bits as JPEG's signed number: a leading 0 marks the negative half. */
  signed(length: number): number {
    if (length === 0) return 0
    const value = this.unsigned(length)
    return value < 1 << (length - 1) ? value - (1 << length) + 1 : value
  }

  /** Throws when bits behind the end of the data were used: the picture is cut short. */
  assertReal(): void {
    if (this.count < this.invented) throw new Error('JPEG: data ends too early')
  }

  /** Passes over the restart marker that is due now. */
  restart(number: number): void {
    const marker = this.finish()
    if (this.data[marker + 1] !== 0xd0 + number) throw new Error('JPEG: restart marker missing')
    this.at = marker + 2
    this.bits = 0
    this.count = 0
    this.invented = 0
  }

  /** The offset of the marker behind the scan's data; throws when data is missing or a good deal is left over. */
  finish(): number {
    this.assertReal()
    let stray = (this.count - this.invented) >> 3
    let at = this.at
    while (!this.isMarkerAt(at)) {
      if (at >= this.data.length) throw new Error('JPEG: no marker behind the scan')
      at += 1
      stray += 1
    }
    if (stray > MAX_STRAY_BYTES) throw new Error('JPEG: more data than pixels')
    // Any number of 0xFF may fill the space before a marker.
    while (this.data[at + 1] === 0xff) at += 1
    return at
  }

  private fill(): void {
    while (this.count <= 24) {
      if (this.at >= this.data.length || this.isMarkerAt(this.at)) {
        this.invented += 8
      } else {
        const byte = this.data[this.at] as number
        this.bits |= byte << (24 - this.count)
        // A 0xFF in the data is followed by a stuffed zero.
        this.at += byte === 0xff ? 2 : 1
      }
      this.count += 8
    }
  }

  private isMarkerAt(at: number): boolean {
    return this.data[at] === 0xff && this.data[at + 1] !== 0
  }
}
