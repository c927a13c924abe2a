/** Finds the rows that meet filters: each filter is one pass over a column, and leaves fewer rows to the next. */
import { AREAS } from '../../../db/areas.ts'
import { addRow, intersect, keepCodes, keepRows, noRows, type Rows, unite } from './bits.ts'
import { CodeColumn, KeysColumn } from './columns.ts'
import { FIELD_LIST, type FieldName } from './fields.ts'
import type { SearchFilters } from './filters.ts'
import { boundsAround, distanceTo, PER_DEGREE, spansOf } from './geometry.ts'
import type { ListingIndex, View } from './listing-index.ts'
import { rowsWith, type WordList, wordList } from './word-index.ts'
import { nameWords } from './words.ts'

/** Whose search it is. */
export interface Searcher {
  view: View
  /** The stores whose listings exist for the key; null means all. */
  stores: readonly number[] | null
}

export type Criteria = Partial<Omit<SearchFilters, 'search'>> & { found?: readonly number[] | undefined }

/** Keeps the rows that meet a filter. */
type Condition = (rows: Rows) => void

/** The rows that meet all filters. */
export function findRows(index: ListingIndex, searcher: Searcher, criteria: Criteria): Rows {
  const rows = index.views[searcher.view].slice()
  for (const { keep } of conditionsOf(index, searcher, criteria)) keep(rows)
  return rows
}

/**
 * Finds the rows for each of several questions, which leave out other filters. Each filter is looked at once. Questions that
 * leave out none have the same set.
 * @param without for each question, the names of the filters that do not count
 */
export function findRowsWithout(
  index: ListingIndex,
  searcher: Searcher,
  criteria: Criteria,
  without: readonly (readonly string[])[],
): Rows[] {
  const all = index.views[searcher.view]
  const met = conditionsOf(index, searcher, criteria).map(({ filter, keep }) => {
    const rows = all.slice()
    keep(rows)
    return { filter, rows }
  })
  const meet = (wanted: typeof met) => {
    const rows = all.slice()
    for (const one of wanted) intersect(rows, one.rows)
    return rows
  }
  const metByAll = meet(met)
  return without.map((names) => {
    const others = met.filter(({ filter }) => !names.includes(filter))
    return others.length === met.length ? metByAll : meet(others)
  })
}

function conditionsOf(index: ListingIndex, { view, stores }: Searcher, criteria: Criteria) {
  const ofFields = FIELD_LIST.flatMap(([name, field]) => {
    const value = criteria[name]
    if (value == null || isUnbounded(value)) return []
    return { filter: name, keep: (rows: Rows) => field.keep(index.column(name, view), rows, value) }
  })
  const { ids, areas, text, bounds, near, found } = criteria
  const others: Record<string, Condition | null | false | undefined> = {
    // Under a name that no facet leaves out.
    stores:
      stores && ((rows) => codes(index, 'store_id').keep(rows, (store) => stores.includes(Number(store)))),
    search: found && ((rows) => intersect(rows, rowsOf(index, found))),
    ids: ids && ((rows) => intersect(rows, rowsOf(index, ids))),
    areas: areas && ((rows) => intersect(rows, inPlaces(index, new Set(areas)))),
    text: text && ((rows) => keepWords(index, view, rows, text)),
    bounds: bounds && ((rows) => keepInside(index, view, rows, bounds)),
    near: near && ((rows) => keepNear(index, view, rows, near)),
  }
  return [...ofFields, ...Object.entries(others).flatMap(([filter, keep]) => (keep ? { filter, keep } : []))]
}

/** Whether it is a range without bounds, as an empty control of a form sends it: that is no filter. */
function isUnbounded(value: unknown): boolean {
  const { min, max } = value as { min?: unknown; max?: unknown }
  return min === null && max === null
}

/** A column of codes, which is the same in both views. */
function codes(index: ListingIndex, name: FieldName): CodeColumn {
  const column = index.column(name, 'stored')
  if (!(column instanceof CodeColumn)) throw new Error(`${name} has no codes`)
  return column
}

function rowsOf(index: ListingIndex, ids: readonly number[]): Rows {
  const rows = noRows(index.views.stored.length << 5)
  for (const id of ids) {
    const row = index.rowOf(id)
    if (row !== null) addRow(rows, row)
  }
  return rows
}

/** The rows in one of the places. Those within them are not looked for: a listing names the places of every level. */
function inPlaces(index: ListingIndex, places: ReadonlySet<number>): Rows {
  const found = noRows(index.views.stored.length << 5)
  for (const level of AREAS) {
    const column = codes(index, level)
    const wanted = column.wantedCodes((place) => places.has(Number(place)))
    if (!wanted.includes(1)) continue
    const rows = index.views.stored.slice()
    keepCodes(rows, column.array, wanted)
    unite(found, rows)
  }
  return found
}

function keepWords(index: ListingIndex, view: View, rows: Rows, words: readonly string[]): void {
  // A long word is rare, and leaves little to the others.
  for (const word of words.toSorted((a, b) => b.length - a.length)) {
    if (!rows.some((bits) => bits !== 0)) return
    const found = index.words.find(word)
    const places = index.places.withWord(word)
    if (places.size > 0) unite(found, inPlaces(index, places))
    for (const [field, values] of valuesNamed(word)) {
      const named = rows.slice()
      const column = index.column(field, view)
      if (column instanceof KeysColumn) column.keepAny(named, [...values])
      else if (column instanceof CodeColumn) column.keep(named, (value) => values.has(String(value)))
      unite(found, named)
    }
    intersect(rows, found)
  }
}

function keepInside(index: ListingIndex, view: View, rows: Rows, bounds: NonNullable<Criteria['bounds']>) {
  const { latitude, longitude } = index.points(view)
  const units = (degrees: number) => Math.round(degrees * PER_DEGREE)
  latitude.keepBetween(rows, units(bounds.south), units(bounds.north))
  const found = noRows(rows.length << 5)
  for (const [west, east] of spansOf(bounds)) {
    const inside = rows.slice()
    longitude.keepBetween(inside, units(west), units(east))
    unite(found, inside)
  }
  rows.set(found)
}

function keepNear(index: ListingIndex, view: View, rows: Rows, near: NonNullable<Criteria['near']>): void {
  keepInside(index, view, rows, boundsAround(near))
  const distance = distanceOf(index, view, near)
  keepRows(rows, (row) => distance(row) <= near.radius)
}

/** Makes the function for the distance of a row's point, in metres; NaN without a point. */
export function distanceOf(index: ListingIndex, view: View, near: NonNullable<Criteria['near']>) {
  const { latitude, longitude } = index.points(view)
  const distance = distanceTo(near)
  return (row: number) =>
    distance((latitude.get(row) ?? Number.NaN) / PER_DEGREE, (longitude.get(row) ?? Number.NaN) / PER_DEGREE)
}

const NAMED = FIELD_LIST.flatMap(([field, { options }]) =>
  Object.entries(options.names ?? {}).map(([value, [name_el, name_en]]) => ({
    field,
    value,
    name_el,
    name_en,
  })),
)

let words: WordList | null = null

/** The values that have a word in a name, by their fields. */
function valuesNamed(word: string): Map<FieldName, Set<string>> {
  words ??= wordList(NAMED.map(nameWords))
  const found = new Map<FieldName, Set<string>>()
  for (const row of rowsWith(words, word)) {
    const named = NAMED[row]
    if (named) found.set(named.field, (found.get(named.field) ?? new Set()).add(named.value))
  }
  return found
}
