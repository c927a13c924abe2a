/**
 * Symbols of a JPEG on their way to the file. They wait until enough are there to know the best Huffman code for them:
 * all of a photo of usual size, the first two million of a larger one. That makes smooth pictures a third smaller than
 * the code of the standard's annex would, and keeps the memory bounded.
 *
 *     const tokens = createTokenWriter(writer, (codes) => writeHeader(writer, codes))
 *     tokens.put(0, bitLength, valueBits) // table, symbol, bits behind the symbol
 *     tokens.finish()
 */

import { type BitWriter, codeLengths, type HuffmanCode } from './huffman-encode.ts'

const CHUNK = 1 << 16
const MAX_CHUNKS = 32

/** Tables: 0 and 1 are DC of luma and chroma, 2 and 3 are AC. */
const TABLES = 4

/** Takes symbols in the order of the file. */
export interface TokenWriter {
  /** A symbol of a table, and the value whose number of bits the symbol's lower half tells. */
  put(table: number, symbol: number, value: number): void
  /** Writes what still waits. */
  finish(): void
}

/** A token writer; `begin` is called once with the codes of the four tables, before the first symbol is written. */
export function createTokenWriter(
  writer: BitWriter,
  begin: (codes: readonly HuffmanCode[]) => void,
): TokenWriter {
  const histograms = Array.from({ length: TABLES }, () => new Float64Array(256))
  let codes: HuffmanCode[] | null = null
  // A token holds 16 bits of value, 8 of symbol, 2 of table number.
  let waiting: Uint32Array[] = [new Uint32Array(CHUNK)]
  let chunk = waiting[0] as Uint32Array
  let used = 0

  const write = (chosen: HuffmanCode[], token: number) => {
    const code = chosen[token >>> 24] as HuffmanCode
    const symbol = (token >>> 16) & 0xff
    writer.write(code.codes[symbol] as number, code.lengths[symbol] as number)
    writer.write(token & 0xffff, symbol & 15)
  }

  const release = (): HuffmanCode[] => {
    const chosen = histograms.map(codeLengths)
    begin(chosen)
    waiting.forEach((tokens, i) => {
      const end = i === waiting.length - 1 ? used : CHUNK
      for (let t = 0; t < end; t++) write(chosen, tokens[t] as number)
    })
    waiting = []
    return chosen
  }

  /** Room for one more token; when there is none left, the codes are fixed. */
  const makeRoom = () => {
    if (waiting.length === MAX_CHUNKS) {
      histograms.forEach(allowEverySymbol)
      codes = release()
      return
    }
    chunk = new Uint32Array(CHUNK)
    waiting.push(chunk)
    used = 0
  }

  return {
    put(table, symbol, value) {
      if (!codes && used === CHUNK) makeRoom()
      const token = (table << 24) | (symbol << 16) | value
      if (codes) {
        write(codes, token)
        return
      }
      chunk[used++] = token
      const histogram = histograms[table] as Float64Array
      histogram[symbol] = (histogram[symbol] as number) + 1
    },
    finish() {
      codes ??= release()
    },
  }
}

/** Counts symbols that did not occur yet as seen once, so that the code has a place for them. */
function allowEverySymbol(histogram: Float64Array, table: number): void {
  for (let symbol = 0; symbol < 256; symbol++) {
    const [zeros, bits] = [symbol >> 4, symbol & 15]
    // Baseline: DC differences have up to 11 bits; AC values 1 to 10, or none in the two special symbols.
    const exists = table < 2 ? symbol <= 11 : bits === 0 ? zeros === 0 || zeros === 15 : bits <= 10
    if (exists) histogram[symbol] = Math.max(1, histogram[symbol] as number)
  }
}
