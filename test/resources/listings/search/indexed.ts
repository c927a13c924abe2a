/** Indexes that are filled without a database, and what any of them holds. */
import { listRows } from '../../../../src/resources/listings/search/bits.ts'
import {
  CodeColumn,
  type Column,
  KeysColumn,
  NumberColumn,
} from '../../../../src/resources/listings/search/columns.ts'
import { ListingIndex, type SourceRow } from '../../../../src/resources/listings/search/listing-index.ts'
import { Places } from '../../../../src/resources/listings/search/places.ts'

/** An index of listings with these values, in this order; other columns are empty. */
export function indexOf(listings: readonly ({ id: number } & Record<string, unknown>)[]): ListingIndex {
  const index = new ListingIndex(0, new Places([]))
  const empty = Object.fromEntries(
    Object.entries(index.columns).map(([name, column]) => [name, column instanceof KeysColumn ? '[]' : null]),
  )
  index.apply(
    listings.map((values): SourceRow => ({ ...empty, is_shown: 1, code: null, titles: '[]', ...values })),
  )
  return index
}

/** What an index holds of each listing, by its id: the columns, whether visitors see it, and which of `words` it has. */
export function contentsOf(index: ListingIndex, words: readonly string[] = []): Map<number, unknown> {
  const found = words.map((word) => [word, new Set(listRows(index.words.find(word)))] as const)
  const shown = new Set(listRows(index.views.shown))
  const entries = [...listRows(index.views.stored)].map((row) => {
    const columns = Object.entries(index.columns).map(([name, column]) => [name, storedIn(column, row)])
    const has = found.flatMap(([word, rows]) => (rows.has(row) ? word : []))
    return [index.idOf(row), { ...Object.fromEntries(columns), isShown: shown.has(row), words: has }] as const
  })
  return new Map(entries.toSorted(([a], [b]) => a - b))
}

/** The ids of the listings of an index, ascending. */
export const idsIn = (index: ListingIndex) => [...contentsOf(index).keys()]

function storedIn(column: Column, row: number): unknown {
  if (column instanceof NumberColumn || column instanceof CodeColumn) return column.get(row)
  if (!(column instanceof KeysColumn)) throw new Error('This column is not known')
  const counts = column.count(Uint32Array.of(row))
  return column.keys.filter((_, at) => counts[at])
}
