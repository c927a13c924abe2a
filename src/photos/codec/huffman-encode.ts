/**
 * JPEG's entropy coding, writing side: the best Huffman code for counted symbols, and a bit writer.
 *
 *     const code = codeLengths(histogram)
 *     writer.bytes(countsSegment(code, 1, 0)) // DHT segment of AC table 0
 *     writer.write(code.codes[symbol], code.lengths[symbol])
 *
 * Standard: ITU-T T.81 annexes C and K.2.
 */

const LONGEST_CODE = 16
/** A made-up symbol that takes the code of all ones, which the standard forbids. */
const RESERVED = 256

/** A canonical code: its shape as DHT wants it, and each symbol's code and length. */
export interface HuffmanCode {
  /** How many codes have 1 to 16 bits. */
  counts: Uint8Array
  /** Symbols by code length, then value. */
  symbols: Uint8Array
  codes: Uint16Array
  lengths: Uint8Array
}

/** The shortest code of at most 16 bits for symbols 0–255 that occur as often as `histogram` says. */
export function codeLengths(histogram: ArrayLike<number>): HuffmanCode {
  const depths = treeDepths(histogram)
  const counts = limitLengths(depths)
  const symbols = Array.from({ length: RESERVED }, (_, symbol) => symbol)
    .filter((symbol) => (depths[symbol] ?? 0) > 0)
    .sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0) || a - b)
  const codes = new Uint16Array(RESERVED)
  const lengths = new Uint8Array(RESERVED)
  let code = 0
  let next = 0
  counts.forEach((count, i) => {
    for (let c = 0; c < count; c++, code++, next++) {
      const symbol = symbols[next] ?? 0
      codes[symbol] = code
      lengths[symbol] = i + 1
    }
    code <<= 1
  })
  return { counts, symbols: Uint8Array.from(symbols), codes, lengths }
}

/** The DHT segment of a code; class 0 is DC, 1 is AC. */
export function countsSegment(code: HuffmanCode, tableClass: 0 | 1, id: number): number[] {
  const length = 19 + code.symbols.length
  return [0xff, 0xc4, length >> 8, length & 0xff, (tableClass << 4) | id, ...code.counts, ...code.symbols]
}

/** Depth of every symbol in the Huffman tree, the reserved one included. */
function treeDepths(histogram: ArrayLike<number>): Uint8Array {
  const depths = new Uint8Array(RESERVED + 1)
  let trees = Array.from({ length: RESERVED + 1 }, (_, symbol) => ({
    // The reserved symbol is rarer than any other, so that it gets one of the longest codes.
    weight: symbol === RESERVED ? 0.5 : (histogram[symbol] ?? 0),
    symbols: [symbol],
  })).filter(({ weight }) => weight > 0)
  while (trees.length > 1) {
    trees.sort((a, b) => a.weight - b.weight)
    const [first, second, ...rest] = trees
    if (!first || !second) break
    const symbols = [...first.symbols, ...second.symbols]
    for (const symbol of symbols) depths[symbol] = (depths[symbol] ?? 0) + 1
    trees = [...rest, { weight: first.weight + second.weight, symbols }]
  }
  return depths
}

/** Counts of code lengths with none above 16 and the reserved code taken out (T.81 figure K.3). */
function limitLengths(depths: Uint8Array): Uint8Array {
  const counts = new Array<number>(RESERVED + 1).fill(0)
  for (const depth of depths) if (depth > 0) counts[depth] = (counts[depth] ?? 0) + 1
  const add = (length: number, change: number) => {
    counts[length] = (counts[length] ?? 0) + change
  }
  for (let length = RESERVED; length > LONGEST_CODE; length--) {
    while ((counts[length] ?? 0) > 0) {
      let shorter = length - 2
      while (counts[shorter] === 0) shorter -= 1
      // A pair moves up: one takes the place of its parent, the other pairs with a shorter code that moves down.
      add(length, -2)
      add(length - 1, 1)
      add(shorter + 1, 2)
      add(shorter, -1)
    }
  }
  let longest = LONGEST_CODE
  while (longest > 0 && counts[longest] === 0) longest -= 1
  add(longest, -1)
  return Uint8Array.from(counts.slice(1, LONGEST_CODE + 1))
}

const WRITER_CHUNK = 1 << 18

/** Collects the file: whole bytes for segments, bits for the scan. Grows in pieces, so that nothing is copied twice. */
export class BitWriter {
  private readonly full: Uint8Array[] = []
  private chunk = new Uint8Array(WRITER_CHUNK)
  private used = 0
  private pending = 0
  private count = 0

  /** Appends bytes as they are; only between scans. */
  bytes(values: ArrayLike<number>): void {
    for (let i = 0; i < values.length; i++) this.byte(values[i] as number)
  }

  /** Appends the lowest `bits` (0–16) bits of a value. */
  write(value: number, bits: number): void {
    // At most 7 bits wait, so 23 fit.
    this.pending = (this.pending << bits) | value
    this.count += bits
    while (this.count >= 8) {
      this.count -= 8
      const byte = (this.pending >>> this.count) & 0xff
      this.byte(byte)
      // A 0xFF in the data is told from a marker by a zero behind it.
      if (byte === 0xff) this.byte(0)
    }
    this.pending &= (1 << this.count) - 1
  }

  /** Fills the last byte with ones. */
  flush(): void {
    if (this.count > 0) this.write((1 << (8 - this.count)) - 1, 8 - this.count)
  }

  /** The whole file. */
  result(): Uint8Array {
    const out = new Uint8Array(this.full.length * WRITER_CHUNK + this.used)
    this.full.forEach((chunk, i) => {
      out.set(chunk, i * WRITER_CHUNK)
    })
    out.set(this.chunk.subarray(0, this.used), this.full.length * WRITER_CHUNK)
    return out
  }

  private byte(value: number): void {
    if (this.used === WRITER_CHUNK) {
      this.full.push(this.chunk)
      this.chunk = new Uint8Array(WRITER_CHUNK)
      this.used = 0
    }
    this.chunk[this.used++] = value
  }
}
