/**
 * Portions as bytes: a JSON head, and the arrays behind it, each at a multiple of 8 bytes, so that they are read without
 * a copy. The bytes are stored in base64, as D1 returns binary values number by number.
 */
import type { Packed, TypedArray } from './columns.ts'
import type { Portion } from './listing-index.ts'

const TYPES = { Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float64Array }

/** An array in the bytes: its type and length. */
type ArrayHead = [type: keyof typeof TYPES, length: number]

interface Head {
  rows: number
  columns: [name: string, array: ArrayHead, rest: Omit<Packed, 'array'>][]
  words: [name: string, array: ArrayHead][]
}

const aligned = (length: number) => (length + 7) & ~7

/** The text in which a portion is stored. */
export function encodePortion({ rows, columns, words }: Portion): string {
  const arrays: TypedArray[] = []
  const headOf = (array: TypedArray): ArrayHead => {
    arrays.push(array)
    return [array.constructor.name as ArrayHead[0], array.length]
  }
  const head: Head = {
    rows,
    columns: Object.entries(columns).map(([name, { array, ...rest }]) => [name, headOf(array), rest]),
    words: Object.entries(words).map(([name, array]) => [name, headOf(array)]),
  }
  const text = new TextEncoder().encode(JSON.stringify(head))
  const first = aligned(4 + text.length)
  const bytes = new Uint8Array(arrays.reduce((sum, array) => sum + aligned(array.byteLength), first))
  new DataView(bytes.buffer).setUint32(0, text.length, true)
  bytes.set(text, 4)
  let offset = first
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset)
    offset += aligned(array.byteLength)
  }
  return bytes.toBase64()
}

/** The portion of a stored text. */
export function decodePortion(text: string): Portion {
  const bytes = Uint8Array.fromBase64(text)
  const length = new DataView(bytes.buffer).getUint32(0, true)
  const head: Head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)))
  let offset = aligned(4 + length)
  const read = ([type, count]: ArrayHead): TypedArray => {
    const array = new TYPES[type](bytes.buffer, offset, count)
    offset += aligned(array.byteLength)
    return array
  }
  const columns = head.columns.map(([name, array, rest]): [string, Packed] => [
    name,
    { ...rest, array: read(array) },
  ])
  // A copy: the index keeps them, and would keep all of the bytes.
  const words = head.words.map(([name, array]) => [name, read(array).slice()])
  return { rows: head.rows, columns: Object.fromEntries(columns), words: Object.fromEntries(words) }
}
