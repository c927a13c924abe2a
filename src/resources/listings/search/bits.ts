/** Sets of rows: one bit a row, 32 to a number. Loops skip the numbers without a bit. */

/** A set of rows. Sets of one index have the same length. */
export type Rows = Uint32Array<ArrayBuffer>

/** The empty set for so many rows. */
export function noRows(count: number): Rows {
  return new Uint32Array((count + 31) >>> 5)
}

/** Adds a row. */
export function addRow(rows: Rows, row: number): void {
  rows[row >>> 5] = (rows[row >>> 5] ?? 0) | (1 << (row & 31))
}

/** Takes a row out. */
export function removeRow(rows: Rows, row: number): void {
  rows[row >>> 5] = (rows[row >>> 5] ?? 0) & ~(1 << (row & 31))
}

/** Whether a row is in the set. */
export function hasRow(rows: Rows, row: number): boolean {
  return ((rows[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0
}

/** Keeps the rows that pass a test. */
export function keepRows(rows: Rows, test: (row: number) => boolean): void {
  for (let index = 0; index < rows.length; index++) {
    let kept = 0
    for (let rest = rows[index] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      if (test((index << 5) | bit)) kept |= 1 << bit
    }
    rows[index] = kept
  }
}

/** Keeps the rows whose value is within bounds, which are inclusive. NaN is within none. */
export function keepBetween(rows: Rows, values: ArrayLike<number>, low: number, high: number): void {
  for (let index = 0; index < rows.length; index++) {
    let kept = 0
    for (let rest = rows[index] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      const value = values[(index << 5) | bit] ?? 0
      if (value >= low && value <= high) kept |= 1 << bit
    }
    rows[index] = kept
  }
}

/** Keeps the rows whose code is wanted. */
export function keepCodes(rows: Rows, codes: ArrayLike<number>, isWanted: Uint8Array): void {
  for (let index = 0; index < rows.length; index++) {
    let kept = 0
    for (let rest = rows[index] ?? 0; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest)
      // Without a branch, which would often be guessed wrong.
      kept |= (isWanted[codes[(index << 5) | bit] ?? 0] ?? 0) << bit
    }
    rows[index] = kept
  }
}

/** Keeps the rows that are in the other set, too. */
export function intersect(rows: Rows, other: Rows): void {
  for (let index = 0; index < rows.length; index++) rows[index] = (rows[index] ?? 0) & (other[index] ?? 0)
}

/** Adds the rows of the other set. */
export function unite(rows: Rows, other: Rows): void {
  for (let index = 0; index < rows.length; index++) rows[index] = (rows[index] ?? 0) | (other[index] ?? 0)
}

/** How many rows are in the set. */
export function countRows(rows: Rows): number {
  let count = 0
  for (let index = 0; index < rows.length; index++) {
    // Sums of the bits in pairs, fours and bytes; the product adds the four bytes.
    let bits = rows[index] ?? 0
    bits -= (bits >>> 1) & 0x55555555
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

/** The rows of the set, ascending. */
export function listRows(rows: Rows): Uint32Array {
  const list = new Uint32Array(countRows(rows))
  let next = 0
  for (let index = 0; index < rows.length; index++)
    for (let rest = rows[index] ?? 0; rest !== 0; rest &= rest - 1)
      list[next++] = (index << 5) | (31 - Math.clz32(rest & -rest))
  return list
}
