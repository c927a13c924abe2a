/** Chooses the rows of a page in an order, without sorting the others. */
import { countRows, hasRow, listRows, type Rows } from './bits.ts'
import type { CodeColumn, NumberColumn } from './columns.ts'
import type { FieldName } from './fields.ts'
import type { ListingIndex, View } from './listing-index.ts'
import { type Criteria, distanceOf } from './matching.ts'

interface PageOrder {
  /** The name of a field, `id` or `distance`; with `-` in front for the descending order. */
  sort: string
  near?: Criteria['near']
  offset: number
  limit: number
}

/** The ids of the rows `offset` to `offset + limit` in the order. */
export function chooseIds(
  index: ListingIndex,
  view: View,
  rows: Rows,
  { sort, near, offset, limit }: PageOrder,
): number[] {
  const isDescending = sort.startsWith('-')
  const name = sort.replace('-', '')
  if (name === 'id' && index.isAscending) return idsInOrder(index, rows, isDescending, offset, limit)
  const isField = name !== 'id' && name !== 'distance'
  const column = isField ? (index.column(name as FieldName, view) as SortColumn) : null
  const list = listRows(column ? narrow(column, rows, isDescending, offset + limit) : rows)
  const keys =
    column?.sortKeys(list) ??
    (name === 'distance' ? distances(index, view, list, near) : new Float64Array(list.length))
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0
    // The other direction of the same order; rows without a value are last in both.
    keys[at] = Number.isNaN(key) ? Number.POSITIVE_INFINITY : isDescending ? -key : key
  }
  const ids = index.columns.id.sortKeys(list)
  const idSign = name === 'id' && !isDescending ? 1 : -1
  const compare = (a: number, b: number) => {
    const [x, y] = [keys[a] ?? 0, keys[b] ?? 0]
    return x < y ? -1 : x > y ? 1 : idSign * ((ids[a] ?? 0) - (ids[b] ?? 0))
  }
  const end = Math.min(offset + limit, list.length)
  const page =
    end > MAX_SORTED
      ? deepPage(list.length, offset, end, compare)
      : firstOf(list.length, end, compare).slice(offset)
  return Array.from(page, (at) => ids[at] ?? 0)
}

type SortColumn = NumberColumn | CodeColumn<number>

/** Rows of fewer are sorted as they are. */
const MIN_NARROWED = 4000
/** Rows in a sample, at most. */
const SAMPLES = 256

/**
 * Takes out most rows that cannot be among the first `wanted`: those beyond a value that a sample of the rows suggests.
 * Returns all rows if it would leave too few.
 */
function narrow(column: SortColumn, rows: Rows, isDescending: boolean, wanted: number): Rows {
  const count = countRows(rows)
  if (count < MIN_NARROWED) return rows
  const sample: (number | null)[] = []
  for (let index = 0; index < rows.length; index += Math.ceil(rows.length / SAMPLES)) {
    const word = rows[index] ?? 0
    if (word !== 0) sample.push(column.get((index << 5) | (31 - Math.clz32(word))))
  }
  const values = sample.filter((value) => value !== null).toSorted((a, b) => (isDescending ? b - a : a - b))
  // Twice as many rows as are wanted, and some more, as a sample is not exact.
  const last = values[Math.ceil((2 * wanted * sample.length) / count) + 4] ?? null
  if (last === null) return rows
  const narrowed = rows.slice()
  column.keepBetween(narrowed, isDescending ? last : null, isDescending ? null : last)
  return countRows(narrowed) < wanted ? rows : narrowed
}

type Compare = (a: number, b: number) => number

/** Rows before and on a page that are sorted. */
const MAX_SORTED = 4000
/** Rows that are gathered at least before they are sorted. */
const MIN_GATHERED = 512

/** The first `wanted` of so many in an order. Those behind as many others are passed over. */
function firstOf(count: number, wanted: number, compare: Compare): number[] {
  const most = Math.max(MIN_GATHERED, 2 * wanted)
  let first: number[] = []
  let last: number | undefined
  // Backwards, as most orders have the newest of equal rows first.
  for (let at = count - 1; at >= 0; at--) {
    if (last !== undefined && compare(at, last) > 0) continue
    if (first.push(at) < most) continue
    first = first.sort(compare).slice(0, wanted)
    last = first.at(-1)
  }
  return first.sort(compare).slice(0, wanted)
}

/** How far rows are from a point, in metres. */
function distances(index: ListingIndex, view: View, rows: Uint32Array, near: Criteria['near']): Float64Array {
  if (!near) throw new Error('There is no distance without a point')
  return Float64Array.from(rows, distanceOf(index, view, near))
}

/** Rows are in the order of ids: the page is where so many are before it. */
function idsInOrder(index: ListingIndex, rows: Rows, isDescending: boolean, offset: number, limit: number) {
  const ids: number[] = []
  let before = 0
  const step = isDescending ? -1 : 1
  for (let row = isDescending ? index.count - 1 : 0; row >= 0 && row < index.count; row += step) {
    if (!hasRow(rows, row) || before++ < offset) continue
    if (ids.push(index.idOf(row)) === limit) break
  }
  return ids
}

/** The rows `offset` to `end` of so many in an order. Only these are sorted. */
function deepPage(count: number, offset: number, end: number, compare: Compare): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, at) => at)
  partition(order, offset, 0, compare)
  partition(order, end, offset, compare)
  return order.subarray(offset, end).sort(compare)
}

/** Rearranges what begins at `low`, so that what comes before place `at` in the order comes before it (quickselect). */
function partition(order: Uint32Array, at: number, low: number, compare: Compare): void {
  for (let high = order.length - 1; low < high && at <= high; ) {
    const pivot = order[low + Math.floor(Math.random() * (high - low + 1))] ?? 0
    let [left, right] = [low, high]
    while (left <= right) {
      while (compare(order[left] ?? 0, pivot) < 0) left++
      while (compare(pivot, order[right] ?? 0) < 0) right--
      if (left > right) break
      const moved = order[left] ?? 0
      order[left++] = order[right] ?? 0
      order[right--] = moved
    }
    if (at <= right) high = right
    else if (at >= left) low = left
    else return
  }
}
