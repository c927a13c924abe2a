/** Columns give back what is stored in them, whatever widths and units that takes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addRow,
  countRows,
  listRows,
  noRows,
  type Rows,
} from '../../../../src/resources/listings/search/bits.ts'
import {
  CodeColumn,
  type Column,
  KeysColumn,
  NumberColumn,
} from '../../../../src/resources/listings/search/columns.ts'
import { decodePortion, encodePortion } from '../../../../src/resources/listings/search/portion-format.ts'

/** A column with these values. */
function columnOf<C extends Column>(column: C, values: readonly unknown[]): C {
  column.resize(values.length)
  for (const [row, value] of values.entries()) column.set(row, value)
  return column
}

function allRows(count: number): Rows {
  const rows = noRows(count)
  for (let row = 0; row < count; row++) addRow(rows, row)
  return rows
}

/** The rows that are left of `count`. */
function kept(count: number, keep: (rows: Rows) => void): number[] {
  const rows = allRows(count)
  keep(rows)
  expect(countRows(rows)).toBe(listRows(rows).length)
  return [...listRows(rows)]
}

const rowsOf = (values: readonly unknown[], test: (value: never) => boolean) =>
  values.flatMap((value, row) => (test(value as never) ? row : []))

const within = (value: number | null, min: number | null, max: number | null) =>
  value !== null && (min === null || value >= min) && (max === null || value <= max)

/** What a column of other values becomes by adding these from row `first` on, as they come out of a stored portion. */
function fillStored(column: Column, first: number, packed: Column, rows: number): void {
  const words = { text: new Uint8Array(), offsets: new Uint32Array(1), starts: new Uint32Array(1) }
  const text = encodePortion({
    rows,
    // One of an odd length before it, as the arrays stand behind each other.
    columns: { odd: columnOf(new CodeColumn(), ['x']).pack(1), column: packed.pack(rows) },
    words: { ...words, rows: new Uint16Array() },
  })
  const portion = decodePortion(text)
  expect(portion.rows).toBe(rows)
  if (!portion.columns.column) throw new Error('The column is missing')
  column.fill(first, portion.columns.column)
}

/** Numbers at the bounds of each width, and decimals of which the product with 100 is not exact. */
const NUMBERS = [
  ...[0, 1, -1, 0x7fff, -0x7fff, -0x8000, 0x8000, 0x7fffffff, -0x7fffffff, -0x80000000, 0x80000000],
  ...[
    0.29, 0.57, 1.005, 1.1, 8.41, 4.35, 64.1, -0.5, -0.29, 327.67, 327.68, -327.68, 21474836.47, 21474836.48,
    0.285, 0.290000001, 0.289999999,
  ],
  ...[
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    2 ** 53 - 1,
    90071992547409.91,
    90071992547409.94,
    2 ** 53 + 2,
    90071992547411.31,
    90071992547411.33,
  ],
]
const number = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 3, arbitrary: fc.integer({ min: -40_000, max: 40_000 }).map((cents) => cents / 100) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0) },
)
const plain = fc.integer({ min: -100, max: 100 }).map((cents) => cents / 100)
const numbers = fc.oneof(
  fc.array(fc.option(number), { maxLength: 70 }),
  fc.array(fc.option(plain), { maxLength: 70 }),
)
const scale = fc.constantFrom(1, 100)

describe('a column of numbers', () => {
  it('keeps two decimals in 16 bits, and more of them as they are', () => {
    const column = columnOf(new NumberColumn(100), [0.29, 75.5, null])
    expect([column.bytes, column.pack(3).scale]).toEqual([3 * 2, 100])
    column.set(1, 1.005)
    expect([column.bytes, column.pack(3).scale]).toEqual([3 * 8, 1])
    expect([0, 1, 2].map((row) => column.get(row))).toEqual([0.29, 1.005, null])
  })

  it('gives back what was stored', () => {
    fc.assert(
      fc.property(scale, numbers, (unit, values) => {
        const column = columnOf(new NumberColumn(unit), values)
        expect(values.map((_, row) => column.get(row))).toEqual(values)
        const keys = column.sortKeys(Uint32Array.from(values.keys()))
        const inOrder = (get: (row: number) => number) =>
          [...values.keys()].filter((row) => values[row] !== null).sort((a, b) => get(a) - get(b) || a - b)
        expect([...keys].map(Number.isNaN)).toEqual(values.map((value) => value === null))
        expect(inOrder((row) => Math.sign(keys[row] ?? 0) * Math.log1p(Math.abs(keys[row] ?? 0)))).toEqual(
          inOrder(
            (row) => Math.sign(values[row] ?? 0) * Math.log1p(unitOf(column) * Math.abs(values[row] ?? 0)),
          ),
        )
      }),
      { numRuns: 300 },
    )
  })

  const unitOf = (column: NumberColumn) => column.pack(0).scale ?? 1

  it('keeps the rows within bounds, which are exact, and none without a value', () => {
    const column = columnOf(new NumberColumn(100), [0.28, 0.29, 0.3, null])
    const keep = (min: number | null, max: number | null) =>
      kept(4, (rows) => column.keepBetween(rows, min, max))
    expect(keep(0.29, 0.29)).toEqual([1])
    expect(keep(0.285, 0.295)).toEqual([1])
    expect(keep(0.290000001, null)).toEqual([2])
    expect(keep(null, 0.289999999)).toEqual([0])
    expect(keep(null, null)).toEqual([0, 1, 2])
    expect(keep(-1e308, 1e308)).toEqual([0, 1, 2])
    expect(keep(1e308, null)).toEqual([])
    expect(keep(null, -1e308)).toEqual([])
    // Hundredths that a number does not hold exactly any more.
    const large = columnOf(new NumberColumn(100), [90071992547411.31])
    expect(kept(1, (rows) => large.keepBetween(rows, 90071992547411.33, null))).toEqual([])
    expect(kept(1, (rows) => large.keepBetween(rows, null, 90071992547411.31))).toEqual([0])
    fc.assert(
      fc.property(scale, numbers, fc.option(number), fc.option(number), (unit, values, min, max) => {
        const filled = columnOf(new NumberColumn(unit), values)
        // Bounds that are values, too.
        for (const [low, high] of [
          [min, max],
          [values[0] ?? null, max],
          [min, values[0] ?? null],
        ] as const)
          expect(kept(values.length, (rows) => filled.keepBetween(rows, low, high))).toEqual(
            rowsOf(values, (value: number | null) => within(value, low, high)),
          )
      }),
      { numRuns: 500 },
    )
  })

  it('takes what other columns have packed, in any unit and width', () => {
    fc.assert(
      fc.property(scale, numbers, numbers, numbers, (unit, first, second, third) => {
        const column = columnOf(new NumberColumn(unit), first)
        const values = [...first, ...second, ...third]
        column.resize(values.length)
        let start = first.length
        for (const part of [second, third]) {
          fillStored(column, start, columnOf(new NumberColumn(unit), part), part.length)
          start += part.length
        }
        expect(values.map((_, row) => column.get(row))).toEqual(values)
        // What is written later finds room as well.
        for (const [row, value] of first.entries()) column.set(values.length - 1 - row, value)
        const after = [...values.slice(0, values.length - first.length), ...first.toReversed()]
        expect(after.map((_, row) => column.get(row))).toEqual(after)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a column of codes', () => {
  it.each([
    [255, 1],
    [256, 2],
    [65_535, 2],
    [65_536, 4],
  ])('with %i values takes %i bytes a row', (count, bytes) => {
    const values = Array.from({ length: count }, (_, index) => `v${index}`)
    const column = columnOf(new CodeColumn<string>(), [null, ...values])
    const ofValues = values.reduce((sum, value) => sum + 64 + 2 * value.length, 0)
    expect(column.bytes).toBe((count + 1) * bytes + ofValues)
    expect([0, 1, 255, count].map((row) => column.get(row))).toEqual([null, 'v0', 'v254', `v${count - 1}`])
    const last = kept(count + 1, (rows) => column.keep(rows, (value) => value === `v${count - 1}`))
    expect(last).toEqual([count])
    const grown = columnOf(new CodeColumn<string>(), ['other', null])
    grown.resize(count + 3)
    fillStored(grown, 2, column, count + 1)
    const found = [0, 1, 2, 3, count + 2].map((row) => grown.get(row))
    expect(found).toEqual(['other', null, null, 'v0', `v${count - 1}`])
  })

  const value = fc.option(fc.constantFrom(-2, 0, 1, 2, 2.5, 10))
  const values = fc.array(value, { maxLength: 70 })

  it('keeps, counts and packs as plain values', () => {
    fc.assert(
      fc.property(values, values, fc.option(fc.integer({ min: -3, max: 11 })), (first, second, bound) => {
        const column = columnOf(new CodeColumn<number>(), first)
        column.resize(first.length + second.length)
        fillStored(column, first.length, columnOf(new CodeColumn<number>(), second), second.length)
        const all = [...first, ...second]
        expect(all.map((_, row) => column.get(row))).toEqual(all)
        for (const [min, max] of [
          [bound, null],
          [null, bound],
          [bound, bound],
          [null, null],
        ] as const)
          expect(kept(all.length, (rows) => column.keepBetween(rows, min, max))).toEqual(
            rowsOf(all, (one: number | null) => within(one, min, max)),
          )
        const keys = [...column.sortKeys(Uint32Array.from(all.keys()))]
        expect(keys).toEqual(all.map((one) => one ?? Number.NaN))
        const counts = column.count(Uint32Array.from(all.keys()))
        expect(counts[0]).toBe(all.filter((one) => one === null).length)
        for (const [at, one] of column.values.entries())
          expect(counts[at + 1]).toBe(all.filter((other) => other === one).length)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a column of keys', () => {
  // More than eight take more than a byte a row.
  const KEYS = Array.from({ length: 19 }, (_, index) => `key${index}`)
  const list = fc.subarray([...KEYS, 'unknown', ''])
  const lists = fc.array(list, { maxLength: 70 })
  const columnOfKeys = (values: string[][]) =>
    columnOf(
      new KeysColumn(KEYS),
      values.map((keys) => JSON.stringify(keys)),
    )

  it('keeps the rows that have all keys, and counts each; unknown ones are left out', () => {
    fc.assert(
      fc.property(lists, lists, fc.subarray(KEYS, { maxLength: 3 }), (first, second, wanted) => {
        const column = columnOfKeys(first)
        column.resize(first.length + second.length)
        fillStored(column, first.length, columnOfKeys(second), second.length)
        const all = [...first, ...second]
        expect(kept(all.length, (rows) => column.keep(rows, wanted))).toEqual(
          rowsOf(all, (keys: string[]) => wanted.every((key) => keys.includes(key))),
        )
        const counts = column.count(Uint32Array.from(all.keys()))
        expect(KEYS.map((_, at) => counts[at])).toEqual(
          KEYS.map((key) => all.filter((keys) => keys.includes(key)).length),
        )
        expect([...counts].slice(KEYS.length).every((count) => count === 0)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('forgets the keys that a row had', () => {
    const column = columnOfKeys([['key0', 'key18'], ['key1']])
    column.set(0, '["key1"]')
    expect(kept(2, (rows) => column.keep(rows, ['key1']))).toEqual([0, 1])
    for (const key of ['key0', 'key18']) expect(kept(2, (rows) => column.keep(rows, [key]))).toEqual([])
  })
})
