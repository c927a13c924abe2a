/**
 * Lists, removes and orders the pictures of a listing by their numbers. The sweep deletes the files of removed
 * pictures.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../../db/client.ts'
import { changeRecord, mergeRecord } from '../../../db/merge.ts'
import { nextVersion, selectRecordVersion } from '../../../db/record-versions.ts'
import { updateRow } from '../../../db/rows.ts'
import { fragmentOf, type Statement, sqlStatement, textStatement } from '../../../db/statements.ts'
import { listings, STAYS_MATCHED } from '../../../db/tables/listings.ts'
import { enterChangesWhere, jsonNames } from '../../../db/trail.ts'
import { formatDateTime } from '../../../fields/values.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import { notFound } from '../../../http/errors.ts'
import type { Draft } from '../../../http/request/check.ts'
import { asOneChange } from './batch.ts'
import { enterPictures, raiseListingVersion } from './rows.ts'
import type { PictureTable, PictureTableOf } from './tables.ts'

export type NumberedPicture<Row> = Row & { ordernum: number; width: number | null; height: number | null }

/** The pictures of a listing in order, with the keys of their files. Throws 404. */
export async function findPictures<Row>(
  db: Database,
  listingId: number,
  { table, columns, description }: PictureTableOf<Row>,
): Promise<NumberedPicture<Row>[]> {
  const names = ['ordernum', ...columns, ...Object.keys(description)]
  const { listing, pictures } = await batch(db, {
    listing: selectVersion(listingId),
    pictures: textStatement<NumberedPicture<Row> & { captions: string }>(
      `select ${names.join(', ')}, nullif(width, 0) as width, nullif(height, 0) as height
      from ${table} where listing_id = ? order by ordernum`,
      [listingId],
    ),
  })
  if (listing.length === 0) throw notFound('Listing')
  return pictures.map((picture) => ({ ...picture, captions: JSON.parse(picture.captions) }))
}

/** Removes a picture from a listing; the others keep their numbers. Throws 404 and 412. */
export async function removePicture(
  db: Database,
  record: RecordRef,
  { table, field }: PictureTable,
  ordernum: number,
): Promise<void> {
  const { id } = record
  const ofPicture = sql`from ${sql.identifier(table)} where listing_id = ${id} and ordernum = ${ordernum}`
  const { results } = await changeRecord(db, record, {
    listing: selectVersion(id),
    trail: enterChangesWhere(listings, sql`id = ${id} and exists (select 1 ${ofPicture})`, {
      others: jsonNames(field),
    }),
    change: raiseListingVersion(id, nextVersion(listings, record), sql`exists (select 1 ${ofPicture})`),
    removed: sqlStatement<{ ordernum: number }>(sql`delete ${ofPicture} returning ordernum`),
    recordVersion: selectRecordVersion(record),
  })
  const { listing, removed, recordVersion } = results
  if (listing.length === 0) throw notFound(record.name)
  if (removed.length === 0) throw notFound('Photo')
  if (recordVersion[0]) record.reportVersion(recordVersion[0])
}

/**
 * Renumbers the pictures of a listing from 1, in the order of the body. Throws 404, 412, 400, and 409 if other calls
 * keep changing the listing.
 */
export async function orderPictures(
  db: Database,
  record: RecordRef,
  pictures: PictureTable,
  draft: Draft<{ order: number[] }>,
): Promise<void> {
  const { id } = record
  const reading = {
    current: selectVersion(id),
    lookups: sqlStatement<{ ordernum: number }>(
      sql`select ordernum from ${sql.identifier(pictures.table)} where listing_id = ${id} order by ordernum`,
    ),
  }
  await mergeRecord(db, record, reading, (listing, rows) => {
    const present = rows.map(({ ordernum }) => ordernum)
    // Checked at each attempt, as another call may have added or removed a picture.
    if (draft.values.order) checkOrder(draft, draft.values.order, present)
    const { order } = draft.complete()
    if (order.every((ordernum, index) => ordernum === index + 1)) return null
    const row = { date_updated: formatDateTime(new Date()) }
    return {
      row: updateRow(listings, { id, version: listing.version }, row, [
        fragmentOf(sql`matched_version = ${STAYS_MATCHED}`),
      ]),
      pictures: renumber(pictures, id, order),
      trail: enterPictures(pictures, { id, version: listing.version }),
    }
  })
}

/** Statements that number the pictures of a listing from 1, in `order`. Numbers are unique, so all first get negative ones. */
function renumber(pictures: PictureTable, id: number, order: number[]): Statement[] {
  const table = sql.identifier(pictures.table)
  return asOneChange(
    [id],
    [
      // The limit keeps the lookups apart: otherwise, SQLite reads the whole order for each picture.
      sqlStatement(sql`update ${table} set ordernum = wanted.ordernum from (
        select picture.rowid as picture, -(place.key + 1) as ordernum from json_each(${JSON.stringify(order)}) place
        cross join ${table} picture on picture.listing_id = ${id} and picture.ordernum = place.value limit -1) wanted
        where ${table}.rowid = wanted.picture`),
      sqlStatement(sql`update ${table} set ordernum = -ordernum where listing_id = ${id} and ordernum < 0`),
    ],
  )
}

/** Refuses an order that does not name every present picture exactly once. */
function checkOrder(draft: Draft<{ order: number[] }>, order: number[], present: number[]): void {
  const [known, named] = [new Set(present), new Set(order)]
  const unknown = order.find((ordernum) => !known.has(ordernum))
  const missing = present.find((ordernum) => !named.has(ordernum))
  const refuse = (reason: string) => draft.refuse('order', `Invalid order: ${reason}`)
  if (unknown !== undefined) refuse(`there is no photo ${unknown}`)
  if (named.size < order.length) refuse('a photo is named twice')
  if (missing !== undefined) refuse(`photo ${missing} is missing`)
}

/** The statement that reads the version of a listing. */
export function selectVersion(listingId: number): Statement<{ version: number }> {
  return sqlStatement(sql`select version from listings where id = ${listingId}`)
}
