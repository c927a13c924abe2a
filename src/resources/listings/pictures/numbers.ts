/**
 * Writes pictures whose numbers change. Triggers look at what visitors see after each row, and any difference counts as a change. So a
 * write that leaves what they see as it is must do so after each row, too. An upsert takes its rows in the order of its
 * select; an update has no order of its own.
 */
import { type SQL, sql } from 'drizzle-orm'
import { jsonParts } from '../../../db/bulk.ts'
import { valuesOf } from '../../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../../db/statements.ts'
import type { PictureTable } from './rows.ts'

/** Most pictures without a file for which the others make room: two statements each. */
export const MAX_HIDDEN = 50

/** The condition that a picture has no file, and so is not shown. Such pictures come by import. */
export const isHidden = ({ columns: [first, second] }: PictureTable) =>
  sql.raw(`coalesce(${first}, ${second}) is null`)

/** The pictures of a listing, in order. */
export interface NumberedPictures {
  id: number
  pictures: Record<string, string | null>[]
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

function upsertPictures({ table, columns }: PictureTable, listings: NumberedPictures[]): Statement[] {
  const rows = listings.flatMap(({ id, pictures }) =>
    pictures.map((picture, index) => [id, index + 1, ...columns.map((column) => picture[column] ?? null)]),
  )
  const named = (prefix: string) => sql.raw(columns.map((column) => prefix + column).join(', '))
  const upsert = (
    json: string,
  ): SQL => sql`insert into ${sql.identifier(table)} (listing_id, ordernum, ${named('')})
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${json}) where true
    on conflict (listing_id, ordernum) do update set (${named('')}) = (${named('excluded.')})
    where (${named(`${table}.`)}) is not (${named('excluded.')})`
  const { parts, tooLarge } = jsonParts(rows)
  return [...parts, ...tooLarge.map((row) => JSON.stringify([row]))].map((json) => sqlStatement(upsert(json)))
}

function isEmpty({ columns }: PictureTable, picture: Record<string, string | null>): boolean {
  return columns.every((column) => picture[column] === null)
}
