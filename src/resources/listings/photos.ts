/**
 * Photos and panoramas of a listing: every entry stands or falls alone. Each is recorded as soon as its files are stored,
 * so that a call that is cut short keeps what it has done. Files that come to nothing are left to the sweep.
 */
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { storeFile } from '../../files/store.ts'
import type { Target } from '../../http/entity-tags.ts'
import { type Budget, createBudget } from '../../photos/budget.ts'
import { photoUrl } from '../../photos/entry.ts'
import { PHOTO_ERRORS, photoFailure } from '../../photos/errors.ts'
import { createLoader } from '../../photos/loader.ts'
import { type PhotoCall, processPanorama, processPhoto } from '../../photos/process.ts'
import { findPhotoSettings, NotRecorded, PANORAMAS, PHOTOS, recordPicture } from './photo-rows.ts'
import type { panoramaResult, photoResult } from './present-pictures.ts'
import { createWatermark } from './watermark.ts'

type Failure = { url: string | null; success: false; error: string }
type Success<Stored> = { url: string | null; success: true } & Stored

/**
 * Appends photos to a listing. Throws 404.
 * @param validate throws when the body is not valid, once the listing is known to exist
 */
export async function addPhotos(
  env: Env,
  db: Database,
  listing: Target,
  validate: () => unknown[],
  url: (key: string) => string,
): Promise<z.output<typeof photoResult>[]> {
  const settings = await findPhotoSettings(db, listing)
  const entries = validate()
  const budget = createBudget()
  const watermark = await createWatermark(env, entries.length > 0 ? settings : null, budget)
  return storeEach(env, entries, budget, async (bytes, call) => {
    const options = { ...call, maxSide: settings.max_side, watermark: watermark.bytes(), consume: true }
    const { original, watermarked, watermarkError } = await processPhoto(bytes, options)
    if (watermarkError) watermark.giveUp(watermarkError)
    const [originalKey, watermarkedKey] = await Promise.all([
      storeFile(env.PHOTOS, original, 'image/jpeg'),
      watermarked && storeFile(env.PHOTOS, watermarked, 'image/jpeg'),
    ])
    return {
      ordernum: await recordPicture(db, listing, PHOTOS, [originalKey, watermarkedKey]),
      original_image: url(originalKey),
      watermark_image: watermarkedKey && url(watermarkedKey),
    }
  })
}

/** Appends 360° panoramas to a listing, which gets its tour with the first one. Throws 404. */
export async function addPanoramas(
  env: Env,
  db: Database,
  listing: Target,
  validate: () => unknown[],
  url: (key: string) => string,
): Promise<z.output<typeof panoramaResult>[]> {
  await findPhotoSettings(db, listing)
  const token = newTourToken()
  const openTour = db.run(
    sql`update listings set tour_token = coalesce(tour_token, ${token}) where id = ${listing.id}`,
  )
  return storeEach(env, validate(), createBudget(), async (bytes, call) => {
    const { image, thumb } = await processPanorama(bytes, call)
    const [imageKey, thumbKey] = await Promise.all([
      storeFile(env.PHOTOS, image, 'image/jpeg'),
      storeFile(env.PHOTOS, thumb, 'image/jpeg'),
    ])
    return {
      ordernum: await recordPicture(db, listing, PANORAMAS, [imageKey, thumbKey], [openTour]),
      image: url(imageKey),
      thumb: url(thumbKey),
    }
  })
}

/** A fresh unguessable name for a tour: 32 hex digits. */
export function newTourToken(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/**
 * Loads and stores the entries one after the other, letting go of each before the next. Once the database has refused
 * one, the others fail without being worked on.
 * @param store gives what the answer tells of a picture that is stored and recorded
 */
async function storeEach<Stored>(
  env: Env,
  entries: unknown[],
  budget: Budget,
  store: (bytes: Uint8Array, call: PhotoCall) => Promise<Stored>,
): Promise<(Success<Stored> | Failure)[]> {
  const loader = createLoader(entries, { allowPrivate: env.ALLOW_PRIVATE_PHOTO_URLS === 'true' }, budget)
  const outcomes: (Success<Stored> | Failure)[] = []
  let isRecording = true
  for (const [index, url] of entries.map(photoUrl).entries()) {
    try {
      if (!isRecording) throw new NotRecorded(PHOTO_ERRORS.notUploaded)
      // The clock of a Worker stands still while it computes; only a pause lets the time of the budget pass.
      await scheduler.wait(0)
      const bytes = await loader.load(index)
      const began = () => loader.fetchAhead(index + 1, bytes)
      outcomes.push({ url, success: true, ...(await store(bytes, { budget, began })) })
    } catch (error) {
      if (error instanceof NotRecorded) isRecording = false
      outcomes.push({ url, success: false, error: photoFailure(error) })
    }
  }
  return outcomes
}
