/**
 * Which rows have which words. The words of a portion are sorted, each with the rows that have it, so the words that begin
 * alike stand side by side. A row that changes gets its words anew elsewhere; what is left of it is passed over.
 */
import { addRow, noRows, type Rows } from './bits.ts'

/** The words of a portion. Rows are counted from its first one. */
export interface WordList {
  /** The words in UTF-8, one behind the other, in the order of their bytes. */
  text: Uint8Array
  /** Where each word begins in `text`, and where the last one ends. */
  offsets: Uint32Array
  /** Where the rows of each word begin in `rows`, and where those of the last one end. */
  starts: Uint32Array
  rows: Uint16Array | Uint32Array
}

interface Part extends WordList {
  rowOf: (row: number) => number
}

/** Changed rows that are looked through one by one, before they become a part of their own. */
const MAX_CHANGED = 2000
/** Parts of changed rows that become one. */
const MAX_PARTS_OF_CHANGES = 32

/** Whether a word is found only as a whole: a single character. Others are the beginnings of words, too. */
export const isWhole = (word: string) => word.length <= 2 && [...word].length === 1

const encoder = new TextEncoder()

/** Sorts the words of rows: `words[row]` has those of a row. */
export function wordList(words: readonly (readonly string[])[]): WordList {
  const rowsOf = new Map<string, number[]>()
  for (const [row, list] of words.entries())
    for (const word of list) {
      const rows = rowsOf.get(word)
      if (rows) rows.push(row)
      else rowsOf.set(word, [row])
    }
  const Numbers = words.length > 0x10000 ? Uint32Array : Uint16Array
  const sorted = [...rowsOf]
    .map(([word, rows]) => ({ bytes: encoder.encode(word), rows }))
    .sort((a, b) => compare(a.bytes, b.bytes))
  return {
    text: Uint8Array.from(sorted.flatMap(({ bytes }) => [...bytes])),
    offsets: sums(sorted.map(({ bytes }) => bytes.length)),
    starts: sums(sorted.map(({ rows }) => rows.length)),
    rows: Numbers.from(sorted.flatMap(({ rows }) => rows)),
  }
}

export class WordIndex {
  /** Those of portions, then those of changed rows. Part 0 is missing: its number stands for the rows changed last. */
  readonly #parts: Part[] = []
  /** The number of the part that has the words of a row. */
  #home = new Uint32Array(0)
  #changed = new Map<number, readonly string[]>()
  /** Parts that were made of changed rows. */
  #partsOfChanges = 0

  /** Makes room for so many rows. */
  resize(rows: number): void {
    const home = new Uint32Array(rows)
    home.set(this.#home.subarray(0, rows))
    this.#home = home
  }

  /** Adds the words of `count` rows from row `first` on. */
  fill(first: number, count: number, list: WordList): void {
    const number = this.#parts.push({ ...list, rowOf: (row) => first + row })
    this.#home.fill(number, first, first + count)
  }

  set(row: number, words: readonly string[]): void {
    this.#home[row] = 0
    this.#changed.set(row, words)
    if (this.#changed.size < MAX_CHANGED) return
    if (this.#partsOfChanges === MAX_PARTS_OF_CHANGES) this.#takeChangesBack()
    this.#makePart()
  }

  find(word: string): Rows {
    const found = noRows(this.#home.length)
    const home = this.#home
    const whole = isWhole(word)
    for (const [index, part] of this.#parts.entries()) {
      const rows = rowsWith(part, word)
      for (let next = 0; next < rows.length; next++) {
        const row = part.rowOf(rows[next] ?? 0)
        if (home[row] === index + 1) addRow(found, row)
      }
    }
    for (const [row, words] of this.#changed)
      if (words.some((one) => (whole ? one === word : one.startsWith(word)))) addRow(found, row)
    return found
  }

  /** The bytes of memory that it takes, but for the changed rows. */
  get bytes(): number {
    const ofParts = this.#parts.map(
      ({ text, offsets, starts, rows }) =>
        text.byteLength + offsets.byteLength + starts.byteLength + rows.byteLength,
    )
    return ofParts.reduce((sum, bytes) => sum + bytes, this.#home.byteLength)
  }

  #makePart(): void {
    const rows = Uint32Array.from(this.#changed.keys())
    const list = wordList([...this.#changed.values()])
    const number = this.#parts.push({ ...list, rowOf: (row) => rows[row] ?? 0 })
    for (const row of rows) this.#home[row] = number
    this.#changed = new Map()
    this.#partsOfChanges++
  }

  /** Takes the words that rows still have out of the parts of changes, so that the next part has them all. */
  #takeChangesBack(): void {
    const decoder = new TextDecoder()
    const wordsOf = new Map<number, string[]>()
    const from = this.#parts.length - this.#partsOfChanges
    for (const [at, { text, offsets, starts, rows, rowOf }] of this.#parts.splice(from).entries())
      for (let word = 0; word < offsets.length - 1; word++) {
        const decoded = decoder.decode(text.subarray(offsets[word], offsets[word + 1]))
        for (const listed of rows.subarray(starts[word], starts[word + 1])) {
          const row = rowOf(listed)
          if (this.#home[row] !== from + at + 1) continue
          const words = wordsOf.get(row)
          if (words) words.push(decoded)
          else wordsOf.set(row, [decoded])
        }
      }
    for (const [row, words] of wordsOf) this.#changed.set(row, words)
    this.#partsOfChanges = 0
  }
}

/** The rows of a list that have a word, or begin with it. A row may be there more than once. */
export function rowsWith(list: WordList, word: string): WordList['rows'] {
  const sought = encoder.encode(word)
  const from = firstAtLeast(list, sought)
  const to = isWhole(word) ? from + Number(isWord(list, from, sought)) : endOfPrefix(list, sought, from)
  return list.rows.subarray(list.starts[from], list.starts[to])
}

/** The number of the first word that is not below `sought`. */
function firstAtLeast({ text, offsets }: WordList, sought: Uint8Array): number {
  let [low, high] = [0, offsets.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(text.subarray(offsets[middle], offsets[middle + 1]), sought) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The number after the last word that begins with `prefix`; `from` is the first one not below it. */
function endOfPrefix({ text, offsets }: WordList, prefix: Uint8Array, from: number): number {
  let [low, high] = [from, offsets.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    const start = offsets[middle] ?? 0
    const end = Math.min(start + prefix.length, offsets[middle + 1] ?? 0)
    if (compare(text.subarray(start, end), prefix) === 0) low = middle + 1
    else high = middle
  }
  return low
}

function isWord({ text, offsets }: WordList, number: number, sought: Uint8Array): boolean {
  return (
    number < offsets.length - 1 && compare(text.subarray(offsets[number], offsets[number + 1]), sought) === 0
  )
}

/** The order of UTF-8, which is that of the code points. */
function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** 0, and the sums of the first numbers of `values`. */
function sums(values: readonly number[]): Uint32Array {
  const result = new Uint32Array(values.length + 1)
  for (const [index, value] of values.entries()) result[index + 1] = (result[index] ?? 0) + value
  return result
}
