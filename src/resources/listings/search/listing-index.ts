/**
 * All listings in memory, by what they are searched by: a column for each field, one row a listing. A listing that
 * changes keeps its row. Calls read the index without waiting in between, so none sees half a change.
 */
import { addRow, noRows, type Rows, removeRow } from './bits.ts'
import { CodeColumn, type Column, NumberColumn, type Packed } from './columns.ts'
import { type ColumnName, FIELD_LIST, shownName } from './fields.ts'
import { PER_DEGREE } from './geometry.ts'
import type { Places } from './places.ts'
import { WordIndex, type WordList, wordList } from './word-index.ts'
import { listingWords } from './words.ts'

/** A listing as `SOURCE_COLUMNS` select it. */
export interface SourceRow {
  id: number
  is_shown: number
  code: string | null
  titles: string
  [column: string]: unknown
}

const unitsOf = (column: string) => `cast(round(${column} * ${PER_DEGREE}) as integer)`
const isKnown = 'not (listings.latitude = 0 and listings.longitude = 0)'

/** The columns beside those of fields: SQL, and what they are made with. */
const OTHERS = {
  id: { sql: 'listings.id', make: () => new NumberColumn() },
  is_shown: { sql: 'visible.id is not null', make: () => new CodeColumn<number>() },
  latitude: { sql: `iif(${isKnown}, ${unitsOf('listings.latitude')}, null)`, make: () => new NumberColumn() },
  longitude: {
    sql: `iif(${isKnown}, ${unitsOf('listings.longitude')}, null)`,
    make: () => new NumberColumn(),
  },
  shown_latitude: { sql: unitsOf('visible.latitude'), make: () => new NumberColumn() },
  shown_longitude: { sql: unitsOf('visible.longitude'), make: () => new NumberColumn() },
  is_circle: { sql: `display_address = 'fake'`, make: () => new CodeColumn<number>() },
}

/** SQL of every column by name, over `listings` and, where visitors see them, `public_listings visible`. */
const SOURCES: Record<string, string> = Object.fromEntries([
  ...Object.entries(OTHERS).map(([name, { sql }]) => [name, sql]),
  ...FIELD_LIST.flatMap(([name, { options }]) => [
    [name, options.stored ?? `listings.${name}`],
    ...(options.shown ? [[shownName(name), options.shown]] : []),
  ]),
])

/** SQL of what the index needs of a listing. */
export const SOURCE_COLUMNS = [
  ...Object.entries(SOURCES).map(([name, source]) => `${source} as "${name}"`),
  'code',
  `(select json_group_array(title) from (select title from listing_translations
    where listing_id = listings.id and title is not null order by language_id)) as titles`,
].join(',\n  ')

/** The tables of `SOURCE_COLUMNS`. */
export const SOURCE_TABLES = 'listings left join public_listings visible on visible.id = listings.id'

type Columns = { [Name in keyof typeof OTHERS]: ReturnType<(typeof OTHERS)[Name]['make']> } & {
  [Name in ColumnName]?: Column
}

function makeColumns(): Columns {
  return Object.fromEntries([
    ...Object.entries(OTHERS).map(([name, { make }]) => [name, make()]),
    ...FIELD_LIST.flatMap(([name, field]) => [
      [name, field.makeColumn()],
      ...(field.options.shown ? [[shownName(name), field.makeColumn()]] : []),
    ]),
  ])
}

/** Listings of neighbouring ids, ready to be stored. */
export interface Portion {
  rows: number
  columns: Record<string, Packed>
  words: WordList
}

/** Makes a portion of listings in the order of their ids. */
export function makePortion(listings: readonly SourceRow[]): Portion {
  const columns = Object.entries(makeColumns()) as [string, Column][]
  const packed = columns.map(([name, column]) => {
    column.resize(listings.length)
    for (const [row, listing] of listings.entries()) column.set(row, listing[name])
    return [name, column.pack(listings.length)]
  })
  return {
    rows: listings.length,
    columns: Object.fromEntries(packed),
    words: wordList(listings.map(wordsOf)),
  }
}

const wordsOf = ({ code, titles }: SourceRow) => listingWords({ code, titles: JSON.parse(titles) })

/** What a row takes in a map of rows, about. */
const ENTRY_BYTES = 40

/** Rows by which an index grows at least. */
const MIN_GROWTH = 256

/** Which listings are searched: all as they are stored, or the active ones as visitors see them. */
export type View = 'stored' | 'shown'

export class ListingIndex {
  /** The position in the change feed up to which the index has all changes. */
  cursor: number
  places: Places
  readonly columns = makeColumns()
  readonly words = new WordIndex()
  /** The rows of each view. */
  readonly views: Record<View, Rows> = { stored: noRows(0), shown: noRows(0) }
  #count = 0
  #capacity = 0
  /** How many of the first rows have ascending ids. */
  #ascending = 0
  /** The rows of all others. */
  readonly #rowOf = new Map<number, number>()

  constructor(cursor: number, places: Places) {
    this.cursor = cursor
    this.places = places
  }

  /** Rows in use; those of deleted listings count. */
  get count(): number {
    return this.#count
  }

  /** Whether the rows are in the order of ids. */
  get isAscending(): boolean {
    return this.#ascending === this.#count
  }

  /** Makes room for so many more rows. */
  reserve(more: number): void {
    const needed = this.#count + more
    if (needed <= this.#capacity) return
    this.#capacity = needed + Math.max(MIN_GROWTH, needed >> 5)
    for (const column of this.#all()) column.resize(this.#capacity)
    this.words.resize(this.#capacity)
    for (const view of ['stored', 'shown'] as const) {
      const rows = noRows(this.#capacity)
      rows.set(this.views[view])
      this.views[view] = rows
    }
  }

  /** Adds a portion. Its ids are above all ids before. */
  fill({ rows, columns, words }: Portion): void {
    this.reserve(rows)
    const first = this.#count
    for (const [name, column] of Object.entries(this.columns)) {
      const packed = columns[name]
      if (!packed) throw new Error(`A portion has no column ${name}`)
      column.fill(first, packed)
    }
    this.words.fill(first, rows, words)
    this.#count = this.#ascending = first + rows
    for (let row = first; row < this.#count; row++) this.#show(row)
  }

  /** Stores listings as they are now. */
  apply(listings: readonly SourceRow[]): void {
    this.reserve(listings.length)
    const columns = Object.entries(this.columns)
    for (const listing of listings) {
      const row = this.rowOf(listing.id) ?? this.#add(listing.id)
      for (const [name, column] of columns) column.set(row, listing[name])
      this.words.set(row, wordsOf(listing))
      this.#show(row)
    }
  }

  /** Takes out listings that are gone. */
  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const row = this.rowOf(id)
      if (row !== null) for (const rows of Object.values(this.views)) removeRow(rows, row)
    }
  }

  /** The row of a listing, which may be deleted; null without one. */
  rowOf(id: number): number | null {
    let [low, high] = [0, this.#ascending]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.idOf(middle) < id) low = middle + 1
      else high = middle
    }
    return low < this.#ascending && this.idOf(low) === id ? low : (this.#rowOf.get(id) ?? null)
  }

  idOf(row: number): number {
    return this.columns.id.get(row) ?? 0
  }

  column(name: ColumnName, view: View): Column {
    const shown = view === 'shown' ? this.columns[`shown.${name}` as ColumnName] : undefined
    const column = shown ?? this.columns[name]
    if (!column) throw new Error(`There is no column ${name}`)
    return column
  }

  points(view: View): { latitude: NumberColumn; longitude: NumberColumn } {
    const { latitude, longitude, shown_latitude, shown_longitude } = this.columns
    return view === 'shown'
      ? { latitude: shown_latitude, longitude: shown_longitude }
      : { latitude, longitude }
  }

  /** The bytes of memory that it takes, but for the places. */
  get bytes(): number {
    const { stored, shown } = this.views
    const rows = stored.byteLength + shown.byteLength + this.#rowOf.size * ENTRY_BYTES
    return this.#all().reduce((sum, column) => sum + column.bytes, this.words.bytes + rows)
  }

  #all(): Column[] {
    return Object.values(this.columns)
  }

  #add(id: number): number {
    const row = this.#count++
    if (this.#ascending === row && (row === 0 || this.idOf(row - 1) < id)) this.#ascending = row + 1
    else this.#rowOf.set(id, row)
    return row
  }

  #show(row: number): void {
    addRow(this.views.stored, row)
    if (this.columns.is_shown.get(row) === 1) addRow(this.views.shown, row)
    else removeRow(this.views.shown, row)
  }
}
