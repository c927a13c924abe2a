/** The rows of the pictures of a listing: the settings for adding some, and recording one. */
import { PhotoError } from '@estia/photo-codec'
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database, runStatement } from '../../../db/client.ts'
import { recordProgress, recordReply } from '../../../db/idempotency-store.ts'
import { recordVersionColumns, selectRecordVersion } from '../../../db/record-versions.ts'
import { type Statement, sqlStatement, textStatement } from '../../../db/statements.ts'
import { listings, STAYS_MATCHED } from '../../../db/tables/listings.ts'
import { enterChanges, enterChangesWhere, jsonNames } from '../../../db/trail.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import type { RecordVersion } from '../../../http/context.ts'
import { notFound } from '../../../http/errors.ts'
import { describeFailure, log } from '../../../http/log.ts'
import { dataBody } from '../../../http/reply/envelope.ts'
import { PHOTO_ERRORS } from '../../../photos/errors.ts'
import type { PictureTable } from './tables.ts'

/** The files of a picture are stored, but its row could not be, or this is unknown. */
export class PictureNotRecorded extends PhotoError {}

export interface PhotoSettings {
  /** Maximum length of the longer side, in pixels. */
  max_side: number
  store_id: number
  /** URL or key of the watermark of the store; null if there is none or watermarks are off. */
  watermark: string | null
}

/** The statement that reads the settings for the photos of a listing, if it meets `where`. */
export function selectPhotoSettings(
  listingId: number,
  where: SQL = sql`true`,
): Statement<PhotoSettings & RecordVersion> {
  return sqlStatement(sql`select
    cast(coalesce((select value from settings where key = 'listings_max_resize'), '1920') as integer) as max_side,
    store_id,
    case coalesce((select value from settings where key = 'watermark'), 'true') when 'true' then watermark end
      as watermark,
    ${sql.raw(recordVersionColumns('listings', 'listings.id'))}
    from listings join stores on stores.id = listings.store_id where listings.id = ${listingId} and ${where}`)
}

/** Reads the settings for the photos of a listing. Throws 404. */
export async function findPhotoSettings(db: Database, listing: RecordRef): Promise<PhotoSettings> {
  const [row] = await runStatement(db, selectPhotoSettings(listing.id))
  if (!row) throw notFound(listing.name)
  listing.reportVersion(row)
  return row
}

/**
 * The statement that raises the version of a listing if its pictures change and `where` holds. It keeps the listing
 * matched, as no match depends on pictures.
 */
export function raiseListingVersion(id: number, version: SQL, where: SQL = sql`true`): Statement {
  return sqlStatement(sql`update listings set version = ${version}, matched_version = ${STAYS_MATCHED},
    date_updated = datetime('now') where id = ${id} and ${where}`)
}

/** The entry in the trail of a change of the pictures of a listing, which had `version` before. */
export function enterPictures(
  { field }: PictureTable,
  { id, version }: { id: number; version: number },
): Statement | null {
  return enterChanges('listings', [{ id, version: version + 1, changes: { changed: {}, others: [field] } }])
}

/** A picture whose files are stored. */
export interface NewPicture {
  keys: readonly [string, string | null]
  /** In pixels. */
  size: { width: number; height: number }
  /** Statements to run in the same batch. */
  also?: readonly Statement[]
}

/**
 * Adds a picture after the existing ones and returns its ordernum. A failed write is tried a second time, as the first
 * may have succeeded although its reply was lost. A picture that is already stored is not added again. Throws
 * `PictureNotRecorded`.
 * @param done makes the progress of the call up to this picture, for a retry that continues it
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
  { table, field, columns: [first, second] }: PictureTable,
  { keys, size, also = [] }: NewPicture,
  done: (ordernum: number) => unknown,
): Promise<number> {
  const isPicture = { text: `listing_id = ? and ${first} = ?`, params: [listing.id, keys[0]] }
  const number = { text: `(select ordernum from ${table} where ${isPicture.text})`, params: isPicture.params }
  const { numbered, recordVersion } = await batch(db, {
    trail: enterChangesWhere(
      listings,
      sql`id = ${listing.id} and not exists (
        select 1 from ${sql.identifier(table)} where listing_id = ${listing.id} and ${sql.identifier(first)} = ${keys[0]})`,
      { others: jsonNames(field) },
    ),
    // Before the picture, whose triggers read the date of the listing.
    change: raiseListingVersion(listing.id, sql`version + 1`),
    // One statement numbers and inserts, so that concurrent calls cannot use the same number.
    added: textStatement(
      `insert into ${table} (listing_id, ordernum, ${first}, ${second}, width, height)
      select ?, (select coalesce(max(ordernum), 0) from ${table} where listing_id = ?) + 1, ?, ?, ?, ?
      where not exists (select 1 from ${table} where ${isPicture.text})`,
      [listing.id, listing.id, ...keys, size.width, size.height, ...isPicture.params],
    ),
    numbered: textStatement<{ ordernum: number | null }>(`select ${number.text} as ordernum`, number.params),
    recordVersion: selectRecordVersion(listing),
    also,
    progress: recordProgress(listing.idempotentCall, number, done),
  })
  const ordernum = numbered[0]?.ordernum
  if (!ordernum) throw new Error('The insert returned no row')
  if (recordVersion[0]) listing.reportVersion(recordVersion[0])
  return ordernum
}

/** Records the reply of a call with an idempotency key, as its last transaction. */
export async function recordUploadProgress(db: Database, listing: RecordRef, outcomes: unknown[]) {
  const recording = recordReply(
    listing.idempotentCall,
    listing.resource,
    { text: '?', params: [listing.id] },
    () => dataBody(outcomes),
  )
  if (recording.length === 0) return
  const write = () => batch(db, { recordVersion: selectRecordVersion(listing), recording })
  const { recordVersion } = await write().catch(write)
  if (recordVersion[0]) listing.reportVersion(recordVersion[0])
}
