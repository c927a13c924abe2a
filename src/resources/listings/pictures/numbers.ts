/** Replaces the pictures of listings. */
import { type SQL, sql } from 'drizzle-orm'
import { jsonParts } from '../../../db/bulk.ts'
import { type Statement, sqlStatement } from '../../../db/statements.ts'
import { fileNameOf } from '../../../files/references.ts'
import { asOneChange } from './batch.ts'
import type { PictureTable } from './tables.ts'

export interface NumberedPictures {
  id: number
  pictures: object[]
}

/** Statements that make `pictures` those of each listing, numbered from 1. Rows that stay equal are not written. */
export function replacePictures(table: PictureTable, listings: NumberedPictures[]): Statement[] {
  if (listings.length === 0) return []
  const name = sql.identifier(table.table)
  const lengths = JSON.stringify(listings.map(({ id, pictures }) => [id, pictures.length]))
  return asOneChange(
    listings.map(({ id }) => id),
    [
      ...upsertPictures(table, listings),
      sqlStatement(sql`delete from ${name} where rowid in (
        select picture.rowid from json_each(${lengths}) kept
        cross join ${name} picture on picture.listing_id = kept.value ->> 0 and picture.ordernum > kept.value ->> 1)`),
    ],
  )
}

/** A picture whose file the listing has already keeps its size, if that is known. */
function upsertPictures(
  { table, columns, description }: PictureTable,
  listings: NumberedPictures[],
): Statement[] {
  const names = [...columns, ...Object.keys(description)]
  const rows = listings.flatMap(({ id, pictures }) =>
    pictures.map((picture, index) => {
      const values = valuesOfPicture(picture)
      const sent = names.map((name) => toColumn(values.get(name) ?? description[name]))
      return [id, index + 1, ...sent, values.get('width') ?? null, values.get('height') ?? null]
    }),
  )
  const into = sql.identifier(table)
  const listed = (prefix: string, of = names) => sql.raw(of.map((name) => prefix + name).join(', '))
  const values = sql.raw(names.map((_, index) => `sent.value ->> ${index + 2}`).join(', '))
  const all = [...names, 'width', 'height']
  const [file] = columns
  const size = sql.raw(
    ['width', 'height']
      .map(
        (side, index) =>
          `iif(known.width > 0, known.${side}, coalesce(sent.value ->> ${names.length + 2 + index}, known.${side}))`,
      )
      .join(', '),
  )
  const upsert = (json: string): SQL => sql`insert into ${into} (listing_id, ordernum, ${listed('', all)})
    select sent.value ->> 0, sent.value ->> 1, ${values}, ${size}
    from json_each(${json}) sent left join ${into} known on known.rowid = (
      select same.rowid from ${into} same where ${fileNameOf(sql.raw(`same.${file}`))} = ${fileNameOf(sql.raw('sent.value ->> 2'))}
        and same.listing_id = sent.value ->> 0 and same.${sql.raw(file)} = sent.value ->> 2 limit 1)
    where true
    on conflict (listing_id, ordernum) do update set (${listed('', all)}) = (${listed('excluded.', all)})
    where (${listed(`${table}.`)}) is not (${listed('excluded.')}) or excluded.width > coalesce(${into}.width, 0)`
  const { parts, tooLarge } = jsonParts(rows)
  return [...parts, ...tooLarge.map((row) => JSON.stringify([row]))].map((json) => sqlStatement(upsert(json)))
}

/** The value of a column; lists are stored as JSON. */
function toColumn(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : (value ?? null)
}

const valuesOfPicture = (picture: object) => new Map<string, unknown>(Object.entries(picture))
