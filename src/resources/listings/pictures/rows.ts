/** The rows behind a listing's pictures: what adding them has to know, and recording one. */
import { PhotoError } from '@estia/photo-codec'
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database, runStatement } from '../../../db/client.ts'
import { recordProgress, recordReply } from '../../../db/idempotency-store.ts'
import { recordVersionColumns, selectRecordVersion } from '../../../db/record-versions.ts'
import { type Statement, sqlStatement, textStatement } from '../../../db/statements.ts'
import { STAYS_MATCHED } from '../../../db/tables/listings.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import type { RecordVersion } from '../../../http/context.ts'
import { notFound } from '../../../http/errors.ts'
import { describeFailure, log } from '../../../http/log.ts'
import { dataBody } from '../../../http/reply/envelope.ts'
import { PHOTO_ERRORS } from '../../../photos/errors.ts'

/** A table of pictures, and the columns that hold the keys of its files. */
export interface PictureTable {
  table: string
  columns: readonly [string, string]
}

/** The same with what is in those columns. */
export interface PictureTableOf<Row> extends PictureTable {
  columns: readonly [keyof Row & string, keyof Row & string]
}

export const PHOTOS: PictureTableOf<{ original_image: string | null; watermark_image: string | null }> = {
  table: 'listing_photos',
  columns: ['original_image', 'watermark_image'],
}

export const PANORAMAS: PictureTableOf<{ image: string; thumb: string | null }> = {
  table: 'listing_panoramas',
  columns: ['image', 'thumb'],
}

/** A picture whose files are stored, but not its row, as far as is known. */
export class PictureNotRecorded extends PhotoError {}

export interface PhotoSettings {
  /** Bound for the longer side in pixels. */
  max_side: number
  store_id: number
  /** Where the office's watermark is, null when there is none or watermarks are off. */
  watermark: string | null
}

/** Throws 404 when there is no such listing. */
export async function findPhotoSettings(db: Database, listing: RecordRef): Promise<PhotoSettings> {
  const selecting = sqlStatement<PhotoSettings & RecordVersion>(sql`select
    cast(coalesce((select value from settings where key = 'listings_max_resize'), '1920') as integer) as max_side,
    store_id,
    case coalesce((select value from settings where key = 'watermark'), 'true') when 'true' then watermark end
      as watermark,
    ${sql.raw(recordVersionColumns('listings', 'listings.id'))}
    from listings join stores on stores.id = listings.store_id where listings.id = ${listing.id}`)
  const [row] = await runStatement(db, selecting)
  if (!row) throw notFound(listing.name)
  listing.reportVersion(row)
  return row
}

/** The statement that notes a change of a listing's pictures, which no match depends on, `where` that holds. */
export function raiseListingVersion(id: number, version: SQL, where: SQL = sql`true`): Statement {
  return sqlStatement(sql`update listings set version = ${version}, matched_version = ${STAYS_MATCHED},
    date_updated = datetime('now') where id = ${id} and ${where}`)
}

/** A picture whose files are stored. */
export interface NewPicture {
  keys: readonly [string, string | null]
  /** Statements to be run with it. */
  also?: readonly Statement[]
}

/**
 * Adds a picture behind those there are and gives its ordernum. A failure is answered by a second try, as the first may be
 * stored though its answer was lost; a picture that is there is not added again. Throws NotRecorded.
 * @param done makes what is done of the call by then, for whoever goes on with it
 */
export async function recordPicture(
  db: Database,
  listing: RecordRef,
  pictures: PictureTable,
  picture: NewPicture,
  done: (ordernum: number) => unknown,
): Promise<number> {
  const write = () => insertPicture(db, listing, pictures, picture, done)
  try {
    return await write().catch(write)
  } catch (cause) {
    log('error', { work: 'recording a picture', listing_id: listing.id, ...describeFailure(cause) })
    throw new PictureNotRecorded(PHOTO_ERRORS.notUploaded, { cause })
  }
}

async function insertPicture(
  db: Database,
  listing: RecordRef,
  { table, columns: [first, second] }: PictureTable,
  { keys, also = [] }: NewPicture,
  done: (ordernum: number) => unknown,
): Promise<number> {
  const isIt = { text: `listing_id = ? and ${first} = ?`, params: [listing.id, keys[0]] }
  const number = { text: `(select ordernum from ${table} where ${isIt.text})`, params: isIt.params }
  const { numbered, stamp: recordVersion } = await batch(db, {
    // One statement numbers and inserts, so that calls at the same time cannot take the same number.
    added: textStatement(
      `insert into ${table} (listing_id, ordernum, ${first}, ${second})
      select ?, (select coalesce(max(ordernum), 0) from ${table} where listing_id = ?) + 1, ?, ?
      where not exists (select 1 from ${table} where ${isIt.text})`,
      [listing.id, listing.id, ...keys, ...isIt.params],
    ),
    numbered: textStatement<{ ordernum: number | null }>(`select ${number.text} as ordernum`, number.params),
    change: raiseListingVersion(listing.id, sql`version + 1`),
    stamp: selectRecordVersion(listing),
    also,
    progress: recordProgress(listing.idempotentCall, number, done),
  })
  const ordernum = numbered[0]?.ordernum
  if (!ordernum) throw new Error('The insert gave no row')
  if (recordVersion[0]) listing.reportVersion(recordVersion[0])
  return ordernum
}

/** Records what a call with an idempotency key answers, as its last transaction. */
export async function recordUploadProgress(
  db: Database,
  listing: RecordRef,
  outcomes: unknown[],
): Promise<void> {
  const recording = recordReply(
    listing.idempotentCall,
    listing.resource,
    { text: '?', params: [listing.id] },
    () => dataBody(outcomes),
  )
  if (recording.length === 0) return
  const write = () => batch(db, { stamp: selectRecordVersion(listing), recording })
  const { stamp: recordVersion } = await write().catch(write)
  if (recordVersion[0]) listing.reportVersion(recordVersion[0])
}
