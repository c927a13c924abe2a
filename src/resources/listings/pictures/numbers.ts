/**
 * Writes pictures whose numbers change. Triggers look at what visitors see after each row, and any difference counts as a change. So a
 * write that leaves what they see as it is must do so after each row, too. An upsert takes its rows in the order of its
 * select; an update has no order of its own.
 */
import { type SQL, sql } from 'drizzle-orm'
import { jsonParts } from '../../../db/bulk.ts'
import { valuesOf } from '../../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../../db/statements.ts'
import { fileNameOf } from '../../../files/references.ts'
import type { PictureTable } from './tables.ts'

/** Most pictures without a file for which the others make room: two statements each. */
export const MAX_HIDDEN = 50

/** The condition that a picture has no file, and so is not shown. Such pictures come by import. */
export const isHidden = ({ columns: [first, second] }: PictureTable) =>
  sql.raw(`coalesce(${first}, ${second}) is null`)

/** The pictures of a listing, in order. */
export interface NumberedPictures {
  id: number
  pictures: object[]
}

/** Statements that make `pictures` those of each listing, numbered from 1. Rows that stay equal are not written. */
export function replacePictures(table: PictureTable, listings: NumberedPictures[]): Statement[] {
  if (listings.length === 0) return []
  const name = sql.identifier(table.table)
  const ids = listings.map(({ id }) => id)
  const lengths = JSON.stringify(listings.map(({ id, pictures }) => [id, pictures.length]))
  const hidden = listings.flatMap(({ id, pictures }) =>
    pictures.flatMap((picture, index) => (isEmpty(table, picture) ? [{ id, ordernum: index + 1 }] : [])),
  )
  return [
    sqlStatement(sql`delete from ${name} where listing_id in (${valuesOf(ids)}) and ${isHidden(table)}`),
    closeGaps(table, ids),
    ...hidden.slice(0, MAX_HIDDEN).map(({ id, ordernum }) => makeRoom(table, id, ordernum)),
    sqlStatement(sql`delete from ${name} where rowid in (
      select picture.rowid from json_each(${lengths}) kept
      cross join ${name} picture on picture.listing_id = kept.value ->> 0 and picture.ordernum > kept.value ->> 1)`),
    ...upsertPictures(table, listings),
  ]
}

/** The statement that numbers the pictures of listings from 1, in their order. Each moves down behind the one before. */
export function closeGaps({ table }: PictureTable, listingIds: number[]): Statement {
  const name = sql.identifier(table)
  const before = sql`from ${name} before where before.listing_id = excluded.listing_id`
  return sqlStatement(sql`insert into ${name} select * from ${name}
    where listing_id in (${valuesOf(listingIds)}) and ordernum > 1 order by listing_id, ordernum
    on conflict (listing_id, ordernum) do update set ordernum = 1 + coalesce(
      (select max(before.ordernum) ${before} and before.ordernum between 1 and excluded.ordernum - 1), 0)
    where not exists (select 1 ${before} and before.ordernum = excluded.ordernum - 1)`)
}

/** The statement that moves the pictures from `ordernum` on up by one, the last one first. */
export function makeRoom({ table }: PictureTable, listingId: number, ordernum: number): Statement {
  const name = sql.identifier(table)
  return sqlStatement(sql`insert into ${name} select * from ${name}
    where listing_id = ${listingId} and ordernum >= ${ordernum} order by ordernum desc
    on conflict (listing_id, ordernum) do update set ordernum = excluded.ordernum + 1`)
}

/** A picture whose file the listing has already keeps its size. */
function upsertPictures(
  { table, columns, description }: PictureTable,
  listings: NumberedPictures[],
): Statement[] {
  const names = [...columns, ...Object.keys(description)]
  const rows = listings.flatMap(({ id, pictures }) =>
    pictures.map((picture, index) => {
      const values = valuesOfPicture(picture)
      return [id, index + 1, ...names.map((name) => toColumn(values.get(name) ?? description[name]))]
    }),
  )
  const into = sql.identifier(table)
  const listed = (prefix: string, of = names) => sql.raw(of.map((name) => prefix + name).join(', '))
  const values = sql.raw(names.map((_, index) => `sent.value ->> ${index + 2}`).join(', '))
  const all = [...names, 'width', 'height']
  const [file] = columns
  const upsert = (json: string): SQL => sql`insert into ${into} (listing_id, ordernum, ${listed('', all)})
    select sent.value ->> 0, sent.value ->> 1, ${values}, known.width, known.height
    from json_each(${json}) sent left join ${into} known on known.rowid = (
      select same.rowid from ${into} same where ${fileNameOf(sql.raw(`same.${file}`))} = ${fileNameOf(sql.raw('sent.value ->> 2'))}
        and same.listing_id = sent.value ->> 0 and same.${sql.raw(file)} = sent.value ->> 2 limit 1)
    where true
    on conflict (listing_id, ordernum) do update set (${listed('', all)}) = (${listed('excluded.', all)})
    where (${listed(`${table}.`)}) is not (${listed('excluded.')})`
  const { parts, tooLarge } = jsonParts(rows)
  return [...parts, ...tooLarge.map((row) => JSON.stringify([row]))].map((json) => sqlStatement(upsert(json)))
}

/** The value of a column; lists are stored as JSON. */
function toColumn(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : (value ?? null)
}

function isEmpty({ columns }: PictureTable, picture: object): boolean {
  const values = valuesOfPicture(picture)
  return columns.every((column) => values.get(column) == null)
}

const valuesOfPicture = (picture: object) => new Map<string, unknown>(Object.entries(picture))
