/**
 * A listing's whole row in few columns, for a statement that needs the row of some of its results only. SQLite
 * evaluates neither the columns nor the sub-selects of a CASE that does not apply.
 *
 *     select({ id: listings.id, ...rowFields(sql`documents.document is null`) }, sql`from listings left join …`)
 *     if (read.packed !== null) presentListing(decodeRow(read), …)
 */
import { type Column, is, type SQL, sql } from 'drizzle-orm'
import { SQLiteReal, SQLiteTextJson } from 'drizzle-orm/sqlite-core'
import { decoderOf } from '../../../db/columns.ts'
import { JsonField } from '../../../db/statements.ts'
import { FIELDS, type ListingRow } from '../queries.ts'

/** Arguments that a function takes on D1, and so the values of one `json_array`. */
const MAX_ARGUMENTS = 32

/** Long values have columns of their own, as D1 allows none of more than 2 MB. */
const LONG = new Set(['floor_configuration', 'translations', 'photos', 'panoramas'])

interface RowField {
  name: string
  source: SQL
  /** Makes a value of what D1 gives; null where that is the value itself. */
  decode: ((stored: string) => unknown) | null
}

const all = Object.entries<Column | JsonField<unknown>>(FIELDS)
/** SQLite rounds numbers in JSON to 15 digits, so real numbers have columns of their own, too. */
const isSeparate = ([name, field]: (typeof all)[number]) => LONG.has(name) || is(field, SQLiteReal)

const separate = all
  .filter(isSeparate)
  .map(
    ([name, field]): RowField =>
      field instanceof JsonField
        ? { name, source: field.source, decode: field.parse }
        : { name, source: sql`${field}`, decode: decoderOf(field) },
  )
const packed = all
  .filter((entry) => !isSeparate(entry))
  .map(([name, field]): RowField => {
    if (field instanceof JsonField) return { name, source: sql`json(${field.source})`, decode: null }
    if (is(field, SQLiteTextJson)) return { name, source: sql`json(${field})`, decode: null }
    return { name, source: sql`${field}`, decode: decoderOf(field) }
  })

/** The names of the columns of `rowFields`, in their order. */
export const ROW_FIELDS = ['packed', ...separate.map(({ name }) => name)]

/** These columns as D1 gives them. */
export interface RowFields extends Record<string, unknown> {
  /** Null where the row was not asked for. */
  packed: string | null
}

/** The columns that give a listing's row where `condition` holds, and null elsewhere. */
export function rowFields(condition: SQL): Record<string, SQL> {
  const arrays = Array.from({ length: Math.ceil(packed.length / MAX_ARGUMENTS) }, (_, index) =>
    jsonArray(packed.slice(index * MAX_ARGUMENTS, (index + 1) * MAX_ARGUMENTS).map(({ source }) => source)),
  )
  const columns = [{ name: 'packed', source: jsonArray(arrays) }, ...separate]
  return Object.fromEntries(
    columns.map(({ name, source }) => [name, sql`case when ${condition} then ${source} end`]),
  )
}

const jsonArray = (values: SQL[]) => sql`json_array(${sql.join(values, sql`, `)})`

/** The row of what was read. */
export function decodeRow(read: RowFields): ListingRow {
  const values = (JSON.parse(read.packed ?? '[]') as unknown[][]).flat(1)
  const row: Record<string, unknown> = {}
  const decode = (field: RowField, value: unknown) => {
    row[field.name] = field.decode && value !== null ? field.decode(String(value)) : value
  }
  for (const [index, field] of packed.entries()) decode(field, values[index])
  for (const field of separate) decode(field, read[field.name])
  // By now it has every one of FIELDS.
  return row as unknown as ListingRow
}
