/**
 * Downloads the photos of imported addresses, as adding photos does. An import marks them; cron takes a few in each run.
 *
 * A mark counts an attempt before it begins, so that a photo of which a run dies is not tried for ever. After the last
 * one, the photo keeps its address. The key takes the place of the address in one transaction with the mark, and only
 * where the address still stands. So a photo is stored once, whatever was cut off or runs at the same time. The sweep
 * deletes files that were stored in vain.
 */
import { sql } from 'drizzle-orm'
import { jsonParts } from '../../../db/bulk.ts'
import { batch, type Database, database, mayCall, runStatement } from '../../../db/client.ts'
import { isOutage } from '../../../db/errors.ts'
import { type Statement, sqlStatement, textStatement } from '../../../db/statements.ts'
import { listings } from '../../../db/tables/listings.ts'
import { enterChangesWhere, jsonNames } from '../../../db/trail.ts'
import { formatDateTime } from '../../../fields/values.ts'
import { log } from '../../../http/log.ts'
import {
  createPhotoBudget,
  MAX_CALL_PIXELS,
  type PhotoBudget,
  PhotoBudgetExceeded,
} from '../../../photos/budget.ts'
import { downloadPhoto } from '../../../photos/download.ts'
import { photoFailure } from '../../../photos/errors.ts'
import { storeCopies } from './add.ts'
import { type NewPicture, raiseListingVersion, selectPhotoSettings } from './rows.ts'
import { createWatermark, type RequestWatermark } from './watermark.ts'

/** Photos of a run. */
const MAX_PHOTOS = 20
/** Minutes from each attempt to the next one. The third is the last. */
const PAUSES = [10, 60]
export const MAX_ATTEMPTS = PAUSES.length + 1
/** A run begins no photo after so many milliseconds, and decodes half the pixels of a call: other jobs run beside it. */
const MAX_RUN_MS = 20_000
const MAX_RUN_PIXELS = MAX_CALL_PIXELS / 2
/** Calls to D1 for a photo. */
const CALLS_PER_PHOTO = 4

export interface ImportedPhoto {
  listing_id: number
  address: string
}

/** The statements that mark photos to be downloaded, if the listing has them. What failed before is tried again. */
export function markDownloads(photos: readonly ImportedPhoto[]): Statement[] {
  const now = formatDateTime(new Date())
  return jsonParts(photos.map(({ listing_id, address }) => [listing_id, address])).parts.map((part) =>
    textStatement(
      `insert into photo_downloads (listing_id, address, attempts, due)
      select distinct photo.listing_id, photo.original_image, 0, ?
      from (select value ->> 0 as listing_id, value ->> 1 as address from json_each(?)) sent
        join listing_photos photo on photo.listing_id = sent.listing_id and photo.original_image = sent.address
      where true
      on conflict (listing_id, address) do update set attempts = 0, due = excluded.due, image = null where due is null`,
      [now, part],
    ),
  )
}

export interface DownloadedPhoto extends ImportedPhoto {
  image: string
}

/** The statements that note where photos come from, so that importing their addresses again changes nothing. */
export function noteDownloads(
  listings: { id: number; photos: { original_image: string | null; source?: string }[] }[],
): Statement[] {
  const rows = listings.flatMap(({ id, photos }) =>
    photos.flatMap(({ original_image, source }) => (source ? [[id, source, original_image]] : [])),
  )
  return jsonParts(rows).parts.map((part) =>
    textStatement(
      `insert into photo_downloads (listing_id, address, attempts, image)
      select value ->> 0, value ->> 1, 0, value ->> 2 from json_each(?) where true
      on conflict (listing_id, address) do update set image = excluded.image, due = null
        where image is not excluded.image`,
      [part],
    ),
  )
}

/** The statement that reads which photos of listings were downloaded. */
export function selectDownloaded(listingIds: readonly number[]): Statement<DownloadedPhoto> {
  return textStatement(
    `select listing_id, address, image from photo_downloads
      where listing_id in (select value from json_each(?)) and image is not null`,
    [JSON.stringify(listingIds)],
  )
}

/** Downloads photos within the limits of one run. */
export async function downloadImported(env: Env, limit = MAX_PHOTOS) {
  const db = database(env)
  const run: Run = { env, db, budget: createPhotoBudget(MAX_RUN_PIXELS, MAX_RUN_MS), watermarks: new Map() }
  const done = { downloaded: 0, failed: 0, forgotten: 0 }
  for (let count = 0; count < limit && run.budget.timeLeft() > 0 && mayCall(db, CALLS_PER_PHOTO); count++) {
    const [claimed] = await runStatement(db, claimNext())
    if (!claimed) break
    const outcome = await downloadOne(run, claimed, count === 0)
    if (outcome === 'postponed') break
    done[outcome]++
  }
  return done
}

interface Run {
  env: Env
  db: Database
  budget: PhotoBudget
  /** By store. */
  watermarks: Map<number, RequestWatermark>
}

/** A photo that this run has to itself. */
interface Claimed extends ImportedPhoto {
  attempts: number
}

/** The statement that takes the next photo, and counts the attempt. */
function claimNext(): Statement<Claimed> {
  const now = formatDateTime(new Date())
  const pauses = PAUSES.map((minutes, index) => `when ${index} then datetime(?1, '+${minutes} minutes')`)
  return textStatement(
    `update photo_downloads set attempts = attempts + 1, due = case attempts ${pauses.join(' ')} end
    where rowid = (select rowid from photo_downloads where image is null and due <= ?1 order by due, rowid limit 1)
    returning listing_id, address, attempts`,
    [now],
  )
}

/** @param isFirst whether nothing of the budget is spent */
async function downloadOne({ env, db, budget, watermarks }: Run, claimed: Claimed, isFirst: boolean) {
  const { listing_id, address, attempts } = claimed
  try {
    const [settings] = await runStatement(db, selectPhotoSettings(listing_id, isShown(claimed)))
    if (!settings) {
      await runStatement(db, forget(claimed))
      return 'forgotten'
    }
    const watermark = watermarks.get(settings.store_id) ?? (await createWatermark(env, settings, budget))
    watermarks.set(settings.store_id, watermark)
    const bytes = await downloadPhoto(address, { env })
    await record(db, claimed, await storeCopies(env, bytes, { call: { budget }, settings, watermark }))
    return 'downloaded'
  } catch (error) {
    // A full queue counts as an outage, too: it is a 503.
    if (isOutage(error) || (error instanceof PhotoBudgetExceeded && !isFirst)) {
      await runStatement(db, giveBack(claimed))
      return 'postponed'
    }
    const reason = photoFailure(error)
    log('error', { work: 'downloading an imported photo', listing_id, attempts, error: reason })
    return 'failed'
  }
}

/** Puts the picture in the place of its address. A failed write is tried a second time: it may have succeeded. */
async function record(
  db: Database,
  photo: Claimed,
  { keys: [image, watermarked], size }: Pick<NewPicture, 'keys' | 'size'>,
): Promise<void> {
  const { listing_id: id, address } = photo
  const write = () =>
    batch(db, {
      trail: enterChangesWhere(listings, sql`id = ${id} and ${isShown(photo)}`, {
        others: jsonNames('photos'),
      }),
      // Before the picture, whose triggers read the date of the listing.
      change: raiseListingVersion(id, sql`version + 1`, isShown(photo)),
      done: sqlStatement(sql`update photo_downloads set image = ${image}, due = null
        where ${isMark(photo)} and ${isShown(photo)}`),
      forgotten: forget(photo),
      picture: sqlStatement(sql`update listing_photos
        set original_image = ${image}, watermark_image = ${watermarked}, width = ${size.width}, height = ${size.height}
        where listing_id = ${id} and original_image = ${address}`),
    })
  await write().catch(write)
}

/** The statement that removes a mark whose photo the listing no longer has. */
function forget(photo: ImportedPhoto): Statement {
  return sqlStatement(
    sql`delete from photo_downloads where ${isMark(photo)} and image is null and not ${isShown(photo)}`,
  )
}

/** The statement that makes an attempt one that was not begun. */
function giveBack(photo: Claimed): Statement {
  return sqlStatement(sql`update photo_downloads
    set attempts = ${photo.attempts - 1}, due = ${formatDateTime(new Date())}
    where ${isMark(photo)} and attempts = ${photo.attempts} and image is null`)
}

const isMark = ({ listing_id, address }: ImportedPhoto) =>
  sql`listing_id = ${listing_id} and address = ${address}`

const isShown = ({ listing_id, address }: ImportedPhoto) =>
  sql`exists (select 1 from listing_photos where listing_id = ${listing_id} and original_image = ${address})`
