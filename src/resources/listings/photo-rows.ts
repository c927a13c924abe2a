/** The rows behind a listing's pictures: what adding them has to know, and recording one. */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database, type Statement } from '../../db/client.ts'
import { selectStamp, stampOf } from '../../db/stamps.ts'
import { STAYS_MATCHED } from '../../db/tables/listings.ts'
import type { Stamp } from '../../http/app.ts'
import type { Target } from '../../http/entity-tags.ts'
import { notFound } from '../../http/errors.ts'
import { describeFailure, log } from '../../http/log.ts'
import { PHOTO_ERRORS, PhotoError } from '../../photos/errors.ts'

/** A table of pictures, and the columns that hold the keys of its files. */
export interface PictureTable {
  table: SQL
  columns: readonly [string, string]
}

/** The same with what is in those columns. */
export interface PictureTableOf<Row> extends PictureTable {
  columns: readonly [keyof Row & string, keyof Row & string]
}

export const PHOTOS: PictureTableOf<{ original_image: string | null; watermark_image: string | null }> = {
  table: sql`listing_photos`,
  columns: ['original_image', 'watermark_image'],
}

export const PANORAMAS: PictureTableOf<{ image: string; thumb: string | null }> = {
  table: sql`listing_panoramas`,
  columns: ['image', 'thumb'],
}

/** A picture whose files are stored, but not its row, as far as is known. */
export class NotRecorded extends PhotoError {}

export interface PhotoSettings {
  /** Bound for the longer side in pixels. */
  max_side: number
  store_id: number
  /** Where the office's watermark is, null when there is none or watermarks are off. */
  watermark: string | null
}

/** Throws 404 when there is no such listing. */
export async function findPhotoSettings(db: Database, listing: Target): Promise<PhotoSettings> {
  const [row] = await db.all<PhotoSettings & Stamp>(sql`select
    cast(coalesce((select value from settings where key = 'listings_max_resize'), '1920') as integer) as max_side,
    store_id,
    case coalesce((select value from settings where key = 'watermark'), 'true') when 'true' then watermark end
      as watermark,
    ${sql.raw(stampOf('listings', 'listings.id'))}
    from listings join stores on stores.id = listings.store_id where listings.id = ${listing.id}`)
  if (!row) throw notFound(listing.name)
  listing.tell(row)
  return row
}

/**
 * Adds a picture behind those there are, together with what `also` does, and gives its ordernum. A failure is answered
 * by a second try, as the first may be stored though its answer was lost; a picture that is there is not added again.
 * Throws NotRecorded.
 */
export async function recordPicture(
  db: Database,
  listing: Target,
  pictures: PictureTable,
  keys: readonly [string, string | null],
  also: readonly Statement[] = [],
): Promise<number> {
  const write = () => insertPicture(db, listing, pictures, keys, also)
  try {
    return await write().catch(write)
  } catch (cause) {
    log('error', { work: 'recording a picture', listing_id: listing.id, ...describeFailure(cause) })
    throw new NotRecorded(PHOTO_ERRORS.notUploaded, { cause })
  }
}

async function insertPicture(
  db: Database,
  listing: Target,
  { table, columns }: PictureTable,
  [firstKey, secondKey]: readonly [string, string | null],
  also: readonly Statement[],
): Promise<number> {
  const listingId = listing.id
  const [first, second] = columns.map((column) => sql.identifier(column))
  const ofListing = sql`from ${table} where listing_id = ${listingId}`
  const [, [row], , [stamp]] = await batch(db, [
    // One statement numbers and inserts, so that calls at the same time cannot take the same number.
    db.run(sql`insert into ${table} (listing_id, ordernum, ${first}, ${second})
      select ${listingId}, (select coalesce(max(ordernum), 0) ${ofListing}) + 1, ${firstKey}, ${secondKey}
      where not exists (select 1 ${ofListing} and ${first} = ${firstKey})`),
    db.all<{ ordernum: number }>(sql`select ordernum ${ofListing} and ${first} = ${firstKey}`),
    db.run(
      sql`update listings set version = version + 1, matched_version = ${STAYS_MATCHED},
        date_updated = datetime('now') where id = ${listingId}`,
    ),
    selectStamp(listing),
    ...also,
  ])
  if (!row) throw new Error('The insert gave no row')
  if (stamp) listing.tell(stamp)
  return row.ordernum
}
