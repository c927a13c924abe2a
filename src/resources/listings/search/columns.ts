/**
 * Columns of values, one a row of the index, in typed arrays. Each array is the narrowest that holds its values, and is
 * replaced by a wider one when a value does not fit.
 */
import { keepBetween, keepCodes, keepRows, type Rows } from './bits.ts'

/** The values of a column as a portion stores them (`portion-format.ts`): arrays, and what describes them. */
export interface Packed {
  /** The values that the codes of a column of codes stand for, from code 1 on. */
  values?: readonly (string | number)[]
  /** How often 1 is in a unit of a column of numbers. */
  scale?: number
  array: TypedArray
}

export type TypedArray = Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float64Array

export interface Column {
  /** Makes room for so many rows. New rows have no value. */
  resize(rows: number): void
  /** Stores the value of a row as SQL gives it. */
  set(row: number, value: unknown): void
  /** Stores the values of a portion from row `first` on. */
  fill(first: number, packed: Packed): void
  /** The values by which rows are sorted; NaN for null. */
  sortKeys(rows: Uint32Array): Float64Array
  readonly bytes: number
  /** The values of the first `rows` rows. */
  pack(rows: number): Packed
}

const NUMBERS = [Int16Array, Int32Array, Float64Array] as const
/** The place of the type of an array among these. */
const kindOf = (array: Numbers) => NUMBERS.findIndex((Type) => array instanceof Type)
type Numbers = Int16Array | Int32Array | Float64Array

/** What stands for null: the lowest integer, or NaN. */
const noneOf = (array: Numbers) =>
  array instanceof Int16Array ? -0x8000 : array instanceof Int32Array ? -0x80000000 : Number.NaN

/** Whether an array holds a number. The lowest integer stands for null. */
const holds = (array: Numbers, value: number) =>
  array instanceof Float64Array ||
  (Number.isInteger(value) && Math.abs(value) < (array instanceof Int16Array ? 0x8000 : 0x80000000))

/** Numbers, or null. Decimals are integers of a smaller unit as long as that is exact. */
export class NumberColumn implements Column {
  #scale: number
  #values: Numbers = new Int16Array(0)

  /** @param scale 100 stores two decimals as an integer */
  constructor(scale = 1) {
    this.#scale = scale
  }

  resize(rows: number): void {
    this.#become(kindOf(this.#values), rows)
  }

  set(row: number, value: unknown): void {
    if (value === null) {
      this.#values[row] = noneOf(this.#values)
      return
    }
    const number = Number(value)
    const scaled = Math.round(number * this.#scale)
    if (scaled / this.#scale !== number || !Number.isSafeInteger(scaled)) this.#unscale()
    const stored = this.#scale === 1 ? number : scaled
    while (!holds(this.#values, stored)) this.#widen()
    this.#values[row] = stored
  }

  /** The value of a row; null without one. */
  get(row: number): number | null {
    const value = this.#values[row] ?? Number.NaN
    return this.#isNone(value) ? null : value / this.#scale
  }

  /** The values by which rows are sorted: those of the column in its own unit, and NaN for null. */
  sortKeys(rows: Uint32Array): Float64Array {
    const keys = new Float64Array(rows.length)
    for (let index = 0; index < rows.length; index++) {
      const value = this.#values[rows[index] ?? 0] ?? 0
      keys[index] = this.#isNone(value) ? Number.NaN : value
    }
    return keys
  }

  /** Keeps the rows with a value within bounds, which are inclusive; null means no bound. */
  keepBetween(rows: Rows, min: number | null, max: number | null): void {
    const lowest = this.#values instanceof Float64Array ? Number.NEGATIVE_INFINITY : noneOf(this.#values) + 1
    const low = min === null ? lowest : Math.max(lowest, this.#bound(min, 1))
    keepBetween(rows, this.#values, low, max === null ? Number.POSITIVE_INFINITY : this.#bound(max, -1))
  }

  fill(first: number, { array, scale = 1 }: Packed): void {
    const part = array as Numbers
    if (first === 0) this.#adopt(part, scale)
    if (scale !== this.#scale) this.#unscale()
    while (this.#values.BYTES_PER_ELEMENT < part.BYTES_PER_ELEMENT) this.#widen()
    if (scale === this.#scale && this.#values.BYTES_PER_ELEMENT === part.BYTES_PER_ELEMENT) {
      this.#values.set(part, first)
      return
    }
    const none = noneOf(part)
    for (let index = 0; index < part.length; index++) {
      const value = part[index] ?? none
      const isNone = value === none || Number.isNaN(value)
      this.#values[first + index] = isNone
        ? noneOf(this.#values)
        : scale === this.#scale
          ? value
          : value / scale
    }
  }

  pack(rows: number): Packed {
    return { scale: this.#scale, array: this.#values.slice(0, rows) }
  }

  get bytes(): number {
    return this.#values.byteLength
  }

  /** Takes over the kind and the unit of the first values, as there are none to convert. */
  #adopt(part: Numbers, scale: number): void {
    this.#values = new (NUMBERS[kindOf(part)] ?? Float64Array)(this.#values.length)
    this.#values.fill(noneOf(this.#values))
    this.#scale = scale
  }

  #isNone(value: number): boolean {
    return Number.isNaN(value) || value === noneOf(this.#values)
  }

  /** A bound in the unit of the column: the outermost stored value that is within it. */
  #bound(value: number, inwards: 1 | -1): number {
    if (this.#scale === 1) return value
    const isWithin = (stored: number) => inwards * (stored / this.#scale - value) >= 0
    let bound = Math.round(value * this.#scale) - inwards
    // Multiplying rounds, so the neighbours are tried as well. Beyond all stored values, that makes no difference.
    while (Number.isSafeInteger(bound) && !isWithin(bound)) bound += inwards
    return bound
  }

  #widen(): void {
    this.#become(kindOf(this.#values) + 1, this.#values.length)
  }

  /** A value has more decimals than the unit: from now on, the values are stored as they are. */
  #unscale(): void {
    const scale = this.#scale
    if (scale === 1) return
    this.#become(NUMBERS.indexOf(Float64Array), this.#values.length)
    this.#scale = 1
    for (let row = 0; row < this.#values.length; row++) this.#values[row] = (this.#values[row] ?? 0) / scale
  }

  #become(kind: number, rows: number): void {
    const Type = NUMBERS[kind] ?? Float64Array
    const before = this.#values
    const after = new Type(rows)
    after.set(before.subarray(0, rows))
    if (!(before instanceof Type)) {
      const none = noneOf(before)
      for (let row = 0; row < before.length && row < rows; row++)
        if (before[row] === none) after[row] = noneOf(after)
    }
    after.fill(noneOf(after), before.length)
    this.#values = after
  }
}

const CODES = [Uint8Array, Uint16Array, Uint32Array] as const

/** What a value takes beside its characters, about: in the list of values and in that of their codes. */
const VALUE_BYTES = 64

/** Values that repeat, as codes. Code 0 stands for null. */
export class CodeColumn<Value extends string | number = string | number> implements Column {
  /** What the codes stand for, from code 1 on. */
  readonly values: Value[] = []
  readonly #codes = new Map<Value, number>()
  #array: Uint8Array | Uint16Array | Uint32Array = new Uint8Array(0)
  #valueBytes = 0

  get array(): Uint8Array | Uint16Array | Uint32Array {
    return this.#array
  }

  resize(rows: number): void {
    this.#become(this.#array.BYTES_PER_ELEMENT, rows)
  }

  set(row: number, value: unknown): void {
    // A new code may replace the array.
    const code = value === null ? 0 : this.#codeOf(value as Value)
    this.#array[row] = code
  }

  /** The value of a row; null without one. */
  get(row: number): Value | null {
    return this.values[(this.#array[row] ?? 0) - 1] ?? null
  }

  keep(rows: Rows, isWanted: (value: Value) => boolean): void {
    keepCodes(rows, this.#array, this.wantedCodes(isWanted))
  }

  /** 1 for the code of each value that is wanted. */
  wantedCodes(isWanted: (value: Value) => boolean): Uint8Array {
    const wanted = new Uint8Array(this.values.length + 1)
    for (const [index, value] of this.values.entries()) if (isWanted(value)) wanted[index + 1] = 1
    return wanted
  }

  /** Keeps the rows with a value within bounds, which are inclusive; null means no bound. */
  keepBetween(rows: Rows, min: number | null, max: number | null): void {
    const [low, high] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY]
    this.keep(rows, (value) => Number(value) >= low && Number(value) <= high)
  }

  sortKeys(rows: Uint32Array): Float64Array {
    return Float64Array.from(rows, (row) => Number(this.get(row) ?? Number.NaN))
  }

  /** How many of the rows have each code. */
  count(rows: Uint32Array): Uint32Array {
    const counts = new Uint32Array(this.values.length + 1)
    const array = this.#array
    for (let index = 0; index < rows.length; index++) {
      const code = array[rows[index] ?? 0] ?? 0
      counts[code] = (counts[code] ?? 0) + 1
    }
    return counts
  }

  fill(first: number, { array, values = [] }: Packed): void {
    const codes = Uint32Array.from([0, ...values.map((value) => this.#codeOf(value as Value))])
    const target = this.#array
    for (let index = 0; index < array.length; index++) target[first + index] = codes[array[index] ?? 0] ?? 0
  }

  pack(rows: number): Packed {
    return { values: this.values, array: this.#array.slice(0, rows) }
  }

  get bytes(): number {
    return this.#array.byteLength + this.#valueBytes
  }

  #codeOf(value: Value): number {
    const known = this.#codes.get(value)
    if (known !== undefined) return known
    const code = this.values.push(value)
    this.#valueBytes += VALUE_BYTES + (typeof value === 'string' ? 2 * value.length : 0)
    this.#codes.set(value, code)
    const width = CODES.find((Type) => code < 256 ** Type.BYTES_PER_ELEMENT)?.BYTES_PER_ELEMENT ?? 4
    if (width > this.#array.BYTES_PER_ELEMENT) this.#become(width, this.#array.length)
    return code
  }

  #become(width: number, rows: number): void {
    const Type = CODES.find(({ BYTES_PER_ELEMENT }) => BYTES_PER_ELEMENT === width) ?? Uint32Array
    const after = new Type(rows)
    after.set(this.#array.subarray(0, rows))
    this.#array = after
  }
}

/** The list in a JSON column; empty if there is none, as one row must not stop the search of all. */
function listIn(json: unknown): readonly string[] {
  try {
    const value: unknown = JSON.parse(String(json))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** Lists of keys of a known vocabulary, one bit a key. */
export class KeysColumn implements Column {
  /** The vocabulary, in the order of the bits. */
  readonly keys: readonly string[]
  readonly #width: number
  #array = new Uint8Array(0)

  constructor(keys: readonly string[]) {
    this.keys = keys
    this.#width = Math.ceil(keys.length / 8)
  }

  resize(rows: number): void {
    const after = new Uint8Array(rows * this.#width)
    after.set(this.#array.subarray(0, after.length))
    this.#array = after
  }

  /** @param value the keys as JSON; those outside the vocabulary are left out */
  set(row: number, value: unknown): void {
    this.#array.set(this.#maskOf(listIn(value)), row * this.#width)
  }

  keep(rows: Rows, wanted: readonly string[]): void {
    const [array, width] = [this.#array, this.#width]
    for (const [byte, mask] of this.#maskOf(wanted).entries())
      if (mask > 0) keepRows(rows, (row) => ((array[row * width + byte] ?? 0) & mask) === mask)
  }

  keepAny(rows: Rows, wanted: readonly string[]): void {
    const [array, width] = [this.#array, this.#width]
    const masks = [...this.#maskOf(wanted).entries()].filter(([, mask]) => mask > 0)
    keepRows(rows, (row) => masks.some(([byte, mask]) => ((array[row * width + byte] ?? 0) & mask) > 0))
  }

  /** How many of the rows have each key. */
  count(rows: Uint32Array): Uint32Array {
    const counts = new Uint32Array(this.#width * 8)
    const [array, width] = [this.#array, this.#width]
    for (let index = 0; index < rows.length; index++) {
      const start = (rows[index] ?? 0) * width
      for (let byte = 0; byte < width; byte++)
        for (let rest = array[start + byte] ?? 0; rest !== 0; rest &= rest - 1) {
          const key = (byte << 3) | (31 - Math.clz32(rest & -rest))
          counts[key] = (counts[key] ?? 0) + 1
        }
    }
    return counts
  }

  sortKeys(rows: Uint32Array): Float64Array {
    return new Float64Array(rows.length).fill(Number.NaN)
  }

  fill(first: number, { array }: Packed): void {
    this.#array.set(array as Uint8Array, first * this.#width)
  }

  pack(rows: number): Packed {
    return { array: this.#array.slice(0, rows * this.#width) }
  }

  get bytes(): number {
    return this.#array.byteLength
  }

  #maskOf(keys: readonly string[]): Uint8Array {
    const mask = new Uint8Array(this.#width)
    for (const key of keys) {
      const index = this.keys.indexOf(key)
      if (index >= 0) mask[index >> 3] = (mask[index >> 3] ?? 0) | (1 << (index & 7))
    }
    return mask
  }
}
