/** Chooses the rows of a page in an order, without sorting the others. */
import { hasRow, listRows, type Rows } from './bits.ts'
import type { FieldName } from './fields.ts'
import type { ListingIndex, View } from './listing-index.ts'
import { type Criteria, distanceOf } from './matching.ts'

/** An order, and which of the rows in it. */
export interface Choice {
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
  { sort, near, offset, limit }: Choice,
): number[] {
  const isDescending = sort.startsWith('-')
  const name = sort.replace('-', '')
  if (name === 'id' && index.isAscending) return idsInOrder(index, rows, isDescending, offset, limit)
  const list = listRows(rows)
  const keys = name === 'id' ? new Float64Array(list.length) : keysOf(index, view, list, name, near)
  // The other direction of the same order; NaN stays, and is last in both.
  if (isDescending) for (let at = 0; at < keys.length; at++) keys[at] = -(keys[at] ?? 0)
  const ids = index.columns.id.sortKeys(list)
  const idSign = name === 'id' && !isDescending ? 1 : -1
  const comesFirst = (a: number, b: number) => {
    const [x, y] = [keys[a] ?? 0, keys[b] ?? 0]
    if (x < y) return true
    if (x > y) return false
    if (x !== y && Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(y)
    return idSign * ((ids[a] ?? 0) - (ids[b] ?? 0)) < 0
  }
  const order = Uint32Array.from(list.keys())
  const end = Math.min(offset + limit, order.length)
  if (offset >= end) return []
  partition(order, offset, comesFirst, 0)
  partition(order, end, comesFirst, offset)
  const page = order.subarray(offset, end).sort((a, b) => (comesFirst(a, b) ? -1 : 1))
  return Array.from(page, (at) => ids[at] ?? 0)
}

function keysOf(
  index: ListingIndex,
  view: View,
  rows: Uint32Array,
  name: string,
  near: Criteria['near'],
): Float64Array {
  if (name === 'distance') {
    if (!near) throw new Error('There is no distance without a point')
    return Float64Array.from(rows, distanceOf(index, view, near))
  }
  return index.column(name as FieldName, view).sortKeys(rows)
}

/** Rows are in the order of ids: the page is where so many are before it. */
function idsInOrder(
  index: ListingIndex,
  rows: Rows,
  isDescending: boolean,
  offset: number,
  limit: number,
): number[] {
  const ids: number[] = []
  let before = 0
  const step = isDescending ? -1 : 1
  for (let row = isDescending ? index.count - 1 : 0; row >= 0 && row < index.count; row += step) {
    if (!hasRow(rows, row) || before++ < offset) continue
    if (ids.push(index.idOf(row)) === limit) break
  }
  return ids
}

/**
 * Rearranges `order` from `low` on so that whatever comes before place `at` comes first in the order, too (quickselect;
 * the pivot is the middle one of three).
 */
function partition(
  order: Uint32Array,
  at: number,
  comesFirst: (a: number, b: number) => boolean,
  low: number,
): void {
  let high = order.length - 1
  while (low < high && at <= high) {
    const pivot = middleOf(order[low] ?? 0, order[(low + high) >>> 1] ?? 0, order[high] ?? 0, comesFirst)
    let [left, right] = [low, high]
    while (left <= right) {
      while (comesFirst(order[left] ?? 0, pivot)) left++
      while (comesFirst(pivot, order[right] ?? 0)) right--
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

function middleOf(a: number, b: number, c: number, comesFirst: (a: number, b: number) => boolean): number {
  if (comesFirst(a, b)) return comesFirst(b, c) ? b : comesFirst(a, c) ? c : a
  return comesFirst(a, c) ? a : comesFirst(b, c) ? c : b
}
