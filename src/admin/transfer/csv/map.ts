/** The map of a table: which column is which field, and how its cells are read. A draft is made from the table itself. */
import { z } from 'zod'
import { belongsTo, CATEGORIES } from '../../../catalogue/property-enums.ts'
import { foldText } from '../../../db/fold.ts'
import { ENCODINGS } from './decode.ts'
import {
  choicesOf,
  FEATURE_NAMES,
  FIELD_KINDS,
  fieldOf,
  foldedName,
  type Kind,
  unambiguous,
} from './fields.ts'
import { DELIMITERS, type Row, type Table } from './table.ts'
import { dayOrderOf, decimalOf, isNumeric, readAnswer } from './values.ts'

/** The ids of a place and of those that contain it, the largest first: a listing names all of them. */
const placeIds = z.array(z.int()).min(1).max(3)

const column = z.strictObject({
  heading: z.string(),
  field: z.string().nullable(),
  decimal: z.enum([',', '.']).nullish(),
  order: z.enum(['d/m/y', 'm/d/y']).nullish(),
  values: z.record(z.string(), z.union([z.string(), z.int(), z.boolean(), placeIds]).nullable()).optional(),
})

export const csvMap = z.strictObject({
  encoding: z.enum(ENCODINGS),
  delimiter: z.enum(DELIMITERS),
  columns: z.array(column),
  skip_lines: z.array(z.int()),
  first_id: z.int().min(1).nullish(),
  /** Values of fields that no column has, the same in every line. */
  every: z.record(z.string(), z.json()),
})
export type CsvMap = z.output<typeof csvMap>
export type ColumnMap = CsvMap['columns'][number]

export interface Place {
  id: number
  level: number
  parent_id: number | null
  name_el: string | null
  name_en: string | null
}

/** Maximum different values of a column that a draft lists. */
const MAX_VALUES = 500

/** Names of the last row of a table that adds up the others. */
const TOTALS = ['συνολο', 'συνολα', 'γενικο συνολο', 'total', 'totals', 'grand total', 'sum']

/** An id above those of all listings, deleted ones included. It leaves room for those created before the import. */
export const idAbove = (highest: number): number =>
  highest === 0 ? 1 : Math.ceil((highest + 100) / 1000) * 1000 + 1

/**
 * The map that the headings and cells of a table suggest. What is unclear is null, such as a name that several places have.
 * @param firstId the first id that is free; null if that is not known
 */
export function draftMap(
  { encoding, delimiter, headings, rows }: Table,
  places: Place[] = [],
  firstId: number | null = null,
): CsvMap {
  const skipped = rows.filter(isTotal)
  const records = rows.filter((row) => !skipped.includes(row))
  const taken = new Set<string>()
  const columns = headings.map((heading, index): ColumnMap => {
    const found = fieldOf(heading)
    // Photos and features may be in several columns.
    const isFree = found !== null && (!taken.has(found) || found === 'photos' || found === 'features')
    if (found === null || !isFree) return { heading, field: null }
    taken.add(found)
    return columnOf({ headings, rows: records }, index, found, places)
  })
  const every: CsvMap['every'] = { store_id: 1, created_by: 1, users: [1], language_id: 1 }
  if (!taken.has('category') && !taken.has('subcategory')) every.category = null
  if (!taken.has('availability')) every.availability = null
  if (!taken.has('status')) every.status = 'active'
  return {
    encoding,
    delimiter,
    columns,
    skip_lines: skipped.map(({ line }) => line),
    ...(taken.has('id') ? {} : { first_id: firstId }),
    every,
  }
}

/** A column of a table as `field`: how its cells are read, as far as they show it. */
export function columnOf(
  { headings, rows }: Pick<Table, 'headings' | 'rows'>,
  index: number,
  field: string,
  places: Place[] = [],
): ColumnMap {
  const isGreek = headings.some((heading) => /\p{Script=Greek}/u.test(heading))
  const cells = rows.map((row) => row.cells[index] ?? '').filter((cell) => cell !== '')
  const details = detailsOf(field, cells, isGreek, places)
  return { heading: headings[index] ?? '', field, ...details }
}

function isTotal({ cells }: Row): boolean {
  const [first = '', ...others] = cells.filter((cell) => cell !== '')
  const name = foldedName(first)
  return TOTALS.includes(name) || (others.every(isNumeric) && TOTALS.some((total) => name.startsWith(total)))
}

function detailsOf(field: string, cells: string[], isGreek: boolean, places: Place[]): Partial<ColumnMap> {
  const kind: Kind = FIELD_KINDS.get(field) ?? 'text'
  const named = (names: string[], known: ReadonlyMap<string, number[]> = new Map()) =>
    names.length > 0 ? { values: valuesOf(names, known) } : {}
  if (kind === 'whole' || kind === 'number') {
    const { mark, isOpen } = decimalOf(cells, kind === 'whole')
    const words = cells.filter((cell) => !isNumeric(cell))
    return { ...(mark === null && !isOpen ? {} : { decimal: mark }), ...named(words) }
  }
  if (kind === 'answer') return named(cells.filter((cell) => readAnswer(foldText(cell)) === null))
  if (kind === 'date') {
    const isIso = cells.every((cell) => /^\d{4}-/.test(cell))
    return isIso ? {} : { order: dayOrderOf(cells) ?? (isGreek ? 'd/m/y' : null) }
  }
  if (kind === 'choice') return { values: valuesOf(cells, choicesOf(field)) }
  if (kind === 'features') return { values: valuesOf(cells.flatMap(splitList), FEATURE_NAMES) }
  // Names in place of ids: only the agency knows which, but for places.
  return kind === 'id'
    ? named(
        cells.filter((cell) => !/^\d+$/.test(cell)),
        idsOf(field, places),
      )
    : {}
}

/** The ids of a place and of those that contain it, the largest first. */
export function pathTo({ id, parent_id, level }: Place, places: Place[]): number[] {
  const parent = level > 1 ? places.find((place) => place.id === parent_id) : undefined
  return parent && parent.level < level ? [...pathTo(parent, places), id] : [id]
}

function idsOf(field: string, places: Place[]): Map<string, number[]> {
  const ofLevel = places.filter(({ level }) => field === `location.area_level${level}`)
  return unambiguous(
    ofLevel.flatMap((place) => {
      const ids = pathTo(place, places)
      return [place.name_el, place.name_en].map((name): [string, number[]] => [foldedName(name ?? ''), ids])
    }),
  )
}

function valuesOf<T extends string | number[]>(
  cells: string[],
  known: ReadonlyMap<string, T>,
): Record<string, T | null> {
  const distinct = [...new Set(cells)].slice(0, MAX_VALUES)
  return Object.fromEntries(distinct.map((cell) => [cell, known.get(foldedName(cell)) ?? null]))
}

/** The entries of a list in a cell. */
export function splitList(cell: string): string[] {
  return cell
    .split(/[,;|\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** The category of a subcategory; null if it is none. */
export function categoryOf(subcategory: unknown): string | null {
  return (
    CATEGORIES.find((category) => typeof subcategory === 'string' && belongsTo(subcategory, category)) ?? null
  )
}
