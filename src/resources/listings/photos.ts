/** Photos and panoramas of a listing: every entry stands or falls alone, the good ones are stored together. */
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { batch, type Database, type Statement } from '../../db/client.ts'
import { STAYS_MATCHED } from '../../db/tables/listings.ts'
import { notFound } from '../../http/errors.ts'
import { log } from '../../http/log.ts'
import { downloadPhoto } from '../../photos/download.ts'
import { loadPhoto, type PhotoSource, parsePhotoEntry } from '../../photos/entry.ts'
import { PHOTO_ERRORS, PhotoError } from '../../photos/errors.ts'
import { processPanorama, processPhoto } from '../../photos/process.ts'
import { deletePhotos, storePhoto } from '../../photos/store.ts'
import type { panoramaResult, photoResult } from './photo-schema.ts'

/** What became of one entry: the keys of its stored files, or why it failed. */
type Outcome<Keys> = { url: string | null } & ({ keys: Keys } | { error: string })

interface PhotoKeys {
  original: string
  watermarked: string | null
}

interface PanoramaKeys {
  image: string
  thumb: string
}

/**
 * Appends photos to a listing. Throws 404.
 * @param validate throws when the body is not valid, once the listing is known to exist
 */
export async function addPhotos(
  env: Env,
  db: Database,
  listingId: number,
  validate: () => unknown[],
  url: (key: string) => string,
): Promise<z.output<typeof photoResult>[]> {
  const settings = await findPhotoSettings(db, listingId)
  const entries = validate()
  const watermark = settings.watermark ? await readWatermark(env, settings.watermark) : null
  const outcomes = await storeEach<PhotoKeys>(entries, env, async (bytes) => {
    const options = { maxSide: settings.max_side, watermark, consume: true }
    const { original, watermarked } = await processPhoto(bytes, options)
    const [originalKey, watermarkedKey] = await storeAll(env.PHOTOS, [original, watermarked])
    return { original: originalKey ?? '', watermarked: watermarkedKey ?? null }
  })
  const ordernums = await append(
    env,
    db,
    listingId,
    'listing_photos',
    ['original_image', 'watermark_image'],
    outcomes,
    [touch(db, listingId)],
  )
  return report(outcomes, ordernums, ({ original, watermarked }) => ({
    original_image: url(original),
    watermark_image: watermarked && url(watermarked),
  }))
}

/** Appends 360° panoramas to a listing, which gets its tour with the first one. Throws 404. */
export async function addPanoramas(
  env: Env,
  db: Database,
  listingId: number,
  validate: () => unknown[],
  url: (key: string) => string,
): Promise<z.output<typeof panoramaResult>[]> {
  await findPhotoSettings(db, listingId)
  const outcomes = await storeEach<PanoramaKeys>(validate(), env, async (bytes) => {
    const { image, thumb } = await processPanorama(bytes)
    const [imageKey, thumbKey] = await storeAll(env.PHOTOS, [image, thumb])
    return { image: imageKey ?? '', thumb: thumbKey ?? '' }
  })
  const token = newTourToken()
  const ordernums = await append(env, db, listingId, 'listing_panoramas', ['image', 'thumb'], outcomes, [
    touch(db, listingId),
    db.run(sql`update listings set tour_token = coalesce(tour_token, ${token}) where id = ${listingId}`),
  ])
  return report(outcomes, ordernums, ({ image, thumb }) => ({ image: url(image), thumb: url(thumb) }))
}

/** A fresh unguessable name for a tour: 32 hex digits. */
export function newTourToken(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

interface PhotoSettings {
  max_side: number
  /** Where the office's watermark is, null when there is none or watermarks are off. */
  watermark: string | null
}

/** Throws 404 when there is no such listing. */
async function findPhotoSettings(db: Database, listingId: number): Promise<PhotoSettings> {
  const [row] = await db.all<PhotoSettings>(sql`select
    cast(coalesce((select value from settings where key = 'listings_max_resize'), '1920') as integer) as max_side,
    case coalesce((select value from settings where key = 'watermark'), 'true') when 'true' then watermark end
      as watermark
    from listings join stores on stores.id = listings.store_id where listings.id = ${listingId}`)
  if (!row) throw notFound('Listing')
  return row
}

/** The watermark's bytes; null when they cannot be had, as a photo without watermark beats no photo. */
async function readWatermark(env: Env, watermark: string): Promise<Uint8Array | null> {
  try {
    if (/^https?:/i.test(watermark)) return await downloadPhoto(watermark, downloadOptions(env))
    const object = await env.PHOTOS.get(watermark)
    return object && new Uint8Array(await object.arrayBuffer())
  } catch {
    return null
  }
}

/** Loads, processes and stores the entries one after the other, letting go of each before the next. */
async function storeEach<Keys>(
  entries: unknown[],
  env: Env,
  store: (bytes: Uint8Array) => Promise<Keys>,
): Promise<Outcome<Keys>[]> {
  const outcomes: Outcome<Keys>[] = []
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]
    entries[index] = undefined
    const url = urlOf(entry)
    try {
      outcomes.push({ url, keys: await store(await load(parsePhotoEntry(entry), env)) })
    } catch (error) {
      if (!(error instanceof PhotoError)) throw error
      outcomes.push({ url, error: error.message })
    }
  }
  return outcomes
}

function load(source: PhotoSource, env: Env): Promise<Uint8Array> {
  return loadPhoto(source, downloadOptions(env))
}

function downloadOptions(env: Env) {
  return { allowPrivate: env.ALLOW_PRIVATE_PHOTO_URLS === 'true' }
}

function urlOf(entry: unknown): string | null {
  if (typeof entry === 'string') return entry
  const url = typeof entry === 'object' && entry !== null && 'url' in entry ? entry.url : null
  return typeof url === 'string' ? url : null
}

/** Stores files that belong together; when one cannot be stored, none stays. */
async function storeAll(bucket: R2Bucket, files: (Uint8Array | null)[]): Promise<(string | null)[]> {
  const stored = await Promise.allSettled(
    files.map((file) => (file ? storePhoto(bucket, file, 'image/jpeg') : null)),
  )
  const failed = stored.find((result) => result.status === 'rejected')
  const keys = stored.map((result) => (result.status === 'fulfilled' ? result.value : null))
  if (!failed) return keys
  await discard(bucket, keys)
  throw failed.reason
}

/**
 * Writes the good outcomes behind the photos there are, in one transaction, and returns their ordernums. When the
 * database fails, the files go and every good outcome becomes a failure.
 */
async function append<Keys extends object>(
  env: Env,
  db: Database,
  listingId: number,
  table: 'listing_photos' | 'listing_panoramas',
  columns: [string, string],
  outcomes: Outcome<Keys>[],
  also: Statement[],
): Promise<number[]> {
  const rows = outcomes.flatMap((outcome) => ('keys' in outcome ? [Object.values(outcome.keys)] : []))
  if (rows.length === 0) return []
  const [first, second] = columns.map((column) => sql.identifier(column))
  try {
    const [numbered] = await batch(db, [
      // One statement numbers and inserts, so that calls at the same time cannot take the same number.
      db.all<{
        ordernum: number
      }>(sql`insert into ${sql.identifier(table)} (listing_id, ordernum, ${first}, ${second})
        select ${listingId},
          (select coalesce(max(ordernum), 0) from ${sql.identifier(table)} where listing_id = ${listingId}) + key + 1,
          value ->> 0, value ->> 1
        from json_each(${JSON.stringify(rows)}) returning ordernum`),
      ...also,
    ])
    return numbered.map(({ ordernum }) => ordernum).toSorted((a, b) => a - b)
  } catch (error) {
    log('error', {
      error: 'Photos could not be recorded',
      cause: error instanceof Error ? error.name : typeof error,
    })
    await discard(env.PHOTOS, rows.flat())
    for (const [index, { url }] of outcomes.entries()) {
      if ('keys' in (outcomes[index] ?? {})) outcomes[index] = { url, error: PHOTO_ERRORS.notUploaded }
    }
    return []
  }
}

/** Deletes files that nothing refers to; when that fails too they stay, unreachable. */
async function discard(bucket: R2Bucket, keys: (string | null)[]): Promise<void> {
  await deletePhotos(
    bucket,
    keys.filter((key) => key !== null),
  ).catch(() => undefined)
}

function touch(db: Database, listingId: number): Statement {
  return db.run(
    sql`update listings set version = version + 1, matched_version = ${STAYS_MATCHED},
      date_updated = datetime('now') where id = ${listingId}`,
  )
}

function report<Keys, Images>(
  outcomes: Outcome<Keys>[],
  ordernums: number[],
  images: (keys: Keys) => Images,
) {
  const numbers = ordernums.values()
  return outcomes.map((outcome) =>
    'keys' in outcome
      ? {
          url: outcome.url,
          success: true as const,
          ordernum: numbers.next().value ?? 0,
          ...images(outcome.keys),
        }
      : { url: outcome.url, success: false as const, error: outcome.error },
  )
}
