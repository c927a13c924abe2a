/**
 * Adds photos and panoramas to a listing. Each entry succeeds or fails alone. Each picture is recorded as soon as its
 * files are stored, so an interrupted call keeps what it has done. The sweep deletes the files of pictures that were
 * not recorded.
 */
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../../../db/client.ts'
import { sqlStatement } from '../../../db/statements.ts'
import { truncateJson } from '../../../fields/cut.ts'
import { storePhoto } from '../../../files/store.ts'
import type { RecordRef } from '../../../http/concurrency/entity-tags.ts'
import { QueueBusy } from '../../../http/concurrency/queue.ts'
import { createPhotoBudget, type PhotoBudget } from '../../../photos/budget.ts'
import { photoUrl } from '../../../photos/entry.ts'
import { PHOTO_ERRORS, photoFailure } from '../../../photos/errors.ts'
import { createPhotoLoader } from '../../../photos/loader.ts'
import { type PhotoCall, queuePanorama, queuePhoto } from '../../../photos/queue.ts'
import { newTourToken } from '../resolve.ts'
import type { panoramaResult, photoResult } from './present.ts'
import {
  findPhotoSettings,
  type NewPicture,
  type PhotoSettings,
  PictureNotRecorded,
  recordPicture,
  recordUploadProgress,
} from './rows.ts'
import { PANORAMAS, PHOTOS, type PictureTable } from './tables.ts'
import { createWatermark, type RequestWatermark } from './watermark.ts'

/** Maximum bytes of JSON for the URL of a failed entry in a reply, as it repeats whatever was sent. */
const MAX_FAILED_BYTES = 2048

type Failure = { url: string | null; success: false; error: string }
type Success<Stored> = { url: string | null; success: true } & Stored

/**
 * Appends photos to a listing. Throws 404. Returns one outcome per entry.
 * @param validate throws if the body is invalid; called after the listing is known to exist
 * @param url makes a public URL of a stored key
 */
export async function addPhotos(
  env: Env,
  db: Database,
  listing: RecordRef,
  validate: () => unknown[],
  url: (key: string) => string,
): Promise<z.output<typeof photoResult>[]> {
  const settings = await findPhotoSettings(db, listing)
  const entries = validate()
  const budget = createPhotoBudget()
  const watermark = await createWatermark(env, entries.length > 0 ? settings : null, budget)
  const work = { env, db, listing, pictures: PHOTOS, entries, budget }
  return storePictures(work, async (bytes, call) => {
    const stored = await storeCopies(env, bytes, { call, settings, watermark })
    const [originalKey, watermarkedKey] = stored.keys
    return {
      ...stored,
      present: (ordernum) => ({
        ordernum,
        original_image: url(originalKey),
        watermark_image: watermarkedKey && url(watermarkedKey),
      }),
    }
  })
}

interface CopyOptions {
  call: PhotoCall
  settings: PhotoSettings
  watermark: RequestWatermark
}

/** Makes and stores the copies of a photo. Throws a PhotoError, or QueueBusy. */
export async function storeCopies(env: Env, bytes: Uint8Array, { call, settings, watermark }: CopyOptions) {
  const options = { ...call, maxSide: settings.max_side, watermark: watermark.bytes(), consume: true }
  const { original, watermarked, watermarkError, width, height } = await queuePhoto(bytes, options)
  if (watermarkError) watermark.giveUp(watermarkError)
  const keys = await Promise.all([
    storePhoto(env.PHOTOS, original, 'image/jpeg'),
    watermarked && storePhoto(env.PHOTOS, watermarked, 'image/jpeg'),
  ])
  return { keys, size: { width, height } }
}

/**
 * Appends 360° panoramas to a listing, which gets a tour with the first one. Throws 404. Returns one outcome per entry.
 * @param validate throws if the body is invalid; called after the listing is known to exist
 * @param url makes a public URL of a stored key
 */
export async function addPanoramas(
  env: Env,
  db: Database,
  listing: RecordRef,
  validate: () => unknown[],
  url: (key: string) => string,
): Promise<z.output<typeof panoramaResult>[]> {
  await findPhotoSettings(db, listing)
  const token = newTourToken()
  const openTour = sqlStatement(
    sql`update listings set tour_token = coalesce(tour_token, ${token}) where id = ${listing.id}`,
  )
  const work = { env, db, listing, pictures: PANORAMAS, entries: validate(), budget: createPhotoBudget() }
  return storePictures(work, async (bytes, call) => {
    const { image, thumb, width, height } = await queuePanorama(bytes, call)
    const [imageKey, thumbKey] = await Promise.all([
      storePhoto(env.PHOTOS, image, 'image/jpeg'),
      storePhoto(env.PHOTOS, thumb, 'image/jpeg'),
    ])
    return {
      keys: [imageKey, thumbKey],
      size: { width, height },
      also: [openTour],
      present: (ordernum) => ({ ordernum, image: url(imageKey), thumb: url(thumbKey) }),
    }
  })
}

interface UploadContext {
  env: Env
  db: Database
  listing: RecordRef
  pictures: PictureTable
  entries: unknown[]
  budget: PhotoBudget
}

/** A picture whose files are stored, and how the reply presents it. */
interface PreparedPicture<Stored> extends NewPicture {
  present: (ordernum: number) => Stored
}

/**
 * Loads and stores the entries one by one, so that only one is in memory. If the database fails, or too many photos are
 * waiting, the remaining entries fail without being processed. A call with an idempotency key then fails as a whole. When
 * it is sent again, it continues after the recorded entries. Throws QueueBusy before anything is recorded.
 * @param prepare stores the files of a picture
 */
async function storePictures<Stored>(
  { env, db, listing, pictures, entries, budget }: UploadContext,
  prepare: (bytes: Uint8Array, call: PhotoCall) => Promise<PreparedPicture<Stored>>,
): Promise<(Success<Stored> | Failure)[]> {
  const urls = entries.map(photoUrl)
  const outcomes = JSON.parse(listing.idempotentCall?.progress ?? '[]') as (Success<Stored> | Failure)[]
  entries.fill(undefined, 0, outcomes.length)
  const loader = createPhotoLoader(entries, { env }, budget)
  let isStopped = false
  for (const [index, url] of [...urls.entries()].slice(outcomes.length)) {
    try {
      if (isStopped) throw new PictureNotRecorded(PHOTO_ERRORS.notUploaded)
      // Time does not pass in a Worker while it computes. Only a pause lets the time budget run out.
      await scheduler.wait(0)
      const bytes = await loader.load(index)
      const began = () => loader.fetchAhead(index + 1, bytes)
      const picture = await prepare(bytes, { budget, began })
      const succeed = (ordernum: number) => ({ url, success: true as const, ...picture.present(ordernum) })
      const done = (ordernum: number) => [...outcomes, succeed(ordernum)]
      outcomes.push(succeed(await recordPicture(db, listing, pictures, picture, done)))
    } catch (error) {
      const isBusy = error instanceof QueueBusy
      if (isBusy && !outcomes.some(({ success }) => success)) throw error
      isStopped ||= isBusy || error instanceof PictureNotRecorded
      if (isStopped && listing.idempotentCall) throw error
      outcomes.push({
        url: url && truncateJson(url, MAX_FAILED_BYTES),
        success: false,
        error: isBusy ? PHOTO_ERRORS.notUploaded : photoFailure(error),
      })
    }
  }
  await recordUploadProgress(db, listing, outcomes)
  return outcomes
}
