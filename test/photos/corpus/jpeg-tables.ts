/** The tables of ITU-T T.81 annex K, and Huffman codes made from them. */

/** Quantisers K.1 and K.2, row by row. */
export const QUANTISERS = {
  luma: [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78,
    87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ],
  chroma: [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  ],
}

/** Where the coefficients in the order of the file stand in a block. */
export const ZIGZAG = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]

/** A Huffman table as in a DHT segment: how many codes of each length from 1 to 16 bits, and their symbols. */
export interface HuffmanTable {
  counts: readonly number[]
  symbols: readonly number[]
}

/** Eleven codes of sizes, K.3 and K.4. */
export const DC_TABLES: readonly [HuffmanTable, HuffmanTable] = [
  {
    counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
    symbols: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  },
  {
    counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
    symbols: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  },
]

/**
 * Codes for every run of 0 to 15 zeros and size of 0 to 10 bits: six bits long, or twelve when the run is long or the
 * number large. Not those of annex K, so that a decoder which has these built in is found out.
 */
export const AC_TABLE: HuffmanTable = acTable()

function acTable(): HuffmanTable {
  const pairs = Array.from({ length: 256 }, (_, symbol) => ({ run: symbol >> 4, size: symbol & 15 }))
  const used = pairs.filter(({ size }) => size <= 10)
  const isCommon = ({ run, size }: { run: number; size: number }) => run < 4 && size < 6
  const symbols = [...used.filter(isCommon), ...used.filter((pair) => !isCommon(pair))].map(
    ({ run, size }) => run * 16 + size,
  )
  const common = used.filter(isCommon).length
  const counts = new Array<number>(16).fill(0)
  counts[5] = common
  counts[11] = symbols.length - common
  return { counts, symbols }
}

/** The code and its length in bits of every symbol. */
export function codesOf({ counts, symbols }: HuffmanTable): Map<number, { code: number; length: number }> {
  const codes = new Map<number, { code: number; length: number }>()
  let code = 0
  let next = 0
  counts.forEach((count, i) => {
    for (let n = 0; n < count; n++) {
      codes.set(symbols[next++] ?? 0, { code: code++, length: i + 1 })
    }
    code <<= 1
  })
  return codes
}
