/**
 * A listing's whole row as one JSON text, for a statement that needs the rows of some of its results only: SQLite
 * evaluates neither the columns nor the sub-selects of an `ifnull` that has a value. A page whose rows had columns of
 * their own, all of them null, took a quarter longer to read.
 *
 *     `select ifnull(documents.document, ${ROW_JSON}) as document from listings left join …`
 *     if (isRowJson(document)) presentListing(parseRow(document), …)
 */
import { type Column, is, type SQL, sql } from 'drizzle-orm'
import { SQLiteReal, SQLiteTextJson } from 'drizzle-orm/sqlite-core'
import { decoderOf } from '../../../db/columns.ts'
import { JsonField, sqlStatement } from '../../../db/statements.ts'
import { FIELDS, type ListingRow } from '../queries.ts'

/** Arguments that a function takes on D1, and so the values of one `json_array`. */
const MAX_ARGUMENTS = 32

/** Stands for a number that SQLite cannot write exactly. */
const INEXACT = 'inexact'

const fields = Object.entries<Column | JsonField<unknown>>(FIELDS).map(([name, field]) => ({
  name,
  source: jsonSource(field),
  decode: field instanceof JsonField || is(field, SQLiteTextJson) ? null : decoderOf(field),
  isReal: is(field, SQLiteReal),
}))

/** A row in SQL. */
export const ROW_JSON = sqlStatement(
  jsonArray(
    Array.from({ length: Math.ceil(fields.length / MAX_ARGUMENTS) }, (_, index) =>
      jsonArray(fields.slice(index * MAX_ARGUMENTS, (index + 1) * MAX_ARGUMENTS).map(({ source }) => source)),
    ),
  ),
).sql

/** The value of a field within JSON. */
function jsonSource(field: Column | JsonField<unknown>): SQL {
  if (field instanceof JsonField) return sql`json(${field.source})`
  if (is(field, SQLiteTextJson)) return sql`json(${field})`
  return is(field, SQLiteReal) ? exactNumber(field) : sql`${field}`
}

/**
 * SQLite itself writes numbers into JSON with 15 digits. With 17, those between the bounds are read back as they are
 * stored, as 600,000 random ones from 1e-26 to 1e21 were; beyond, the last digit may be wrong.
 */
function exactNumber(column: Column): SQL {
  return sql`case when ${column} is null then null
    when ${column} = 0 or abs(${column}) between 1e-20 and 1e20 then json(format('%!.17g', ${column}))
    else ${sql.raw(`'${INEXACT}'`)} end`
}

function jsonArray(values: SQL[]): SQL {
  return sql`json_array(${sql.join(values, sql`, `)})`
}

/** Whether a text is a row; a document begins with the id of its listing. */
export function isRowJson(text: string): boolean {
  return text.startsWith('[')
}

/** A row that has no exact JSON: its columns are to be read. */
export class InexactRow extends Error {}

/** The row of `ROW_JSON`. Throws `InexactRow`. */
export function parseRow(json: string): ListingRow {
  const values = (JSON.parse(json) as unknown[][]).flat(1)
  const row: Record<string, unknown> = {}
  for (const [index, { name, decode, isReal }] of fields.entries()) {
    const value = values[index]
    if (isReal && value === INEXACT) throw new InexactRow()
    row[name] = decode && value !== null ? decode(String(value)) : value
  }
  // Every one of FIELDS is in it.
  return row as unknown as ListingRow
}
