/**
 * Notes the width and height of stored pictures that came without: by import, or before sizes were stored. Cron does so
 * in portions. A picture whose size cannot be found is noted with 0, so that it is not tried again.
 */
import { readPhotoSize } from '@estia/photo-codec'
import { sql } from 'drizzle-orm'
import { batch, type Database, database, mayCall } from '../../../db/client.ts'
import { type Statement, sqlStatement } from '../../../db/statements.ts'
import { STAYS_MATCHED } from '../../../db/tables/listings.ts'
import { isFileKey } from '../../../files/store.ts'
import { describeFailure, log } from '../../../http/log.ts'
import { PANORAMAS, PHOTOS, type PictureTable } from './rows.ts'

/** Pictures of each kind in one run: each needs up to two reads of the bucket, and a Worker may make 1,000 calls. */
const MAX_PICTURES = 200
/** Pictures that are read at the same time: a Worker has six connections. */
const AT_ONCE = 5
/** The size stands in the header, which is within these bytes unless a colour profile is before it. */
const HEADER_BYTES = 64 * 1024

interface Unmeasured {
  listing_id: number
  ordernum: number
  /** Key of the file, or a URL from an import. */
  file: string | null
}

/** A picture and its size in pixels. */
type Measured = Unmeasured & { width: number; height: number }

/** Measures pictures within the limits of one run. */
export async function measurePictures(env: Env, limit = MAX_PICTURES): Promise<void> {
  const db = database(env)
  const { photos, panoramas } = await batch(db, {
    photos: selectUnmeasured(PHOTOS, limit),
    panoramas: selectUnmeasured(PANORAMAS, limit),
  })
  await measure(env, db, PHOTOS, photos)
  await measure(env, db, PANORAMAS, panoramas)
}

function selectUnmeasured({ table, shown }: PictureTable, limit: number): Statement<Unmeasured> {
  return sqlStatement(sql`select listing_id, ordernum, ${sql.raw(shown)} as file from ${sql.identifier(table)}
    where width is null order by listing_id limit ${limit}`)
}

async function measure(env: Env, db: Database, table: PictureTable, pictures: Unmeasured[]): Promise<void> {
  for (let index = 0; index < pictures.length && mayCall(db, 1); index += AT_ONCE) {
    const portion = pictures.slice(index, index + AT_ONCE)
    const measured = await Promise.all(portion.map((picture) => measurePicture(env.PHOTOS, picture)))
    await storeSizes(
      db,
      table,
      measured.filter((picture) => picture !== null),
    )
  }
}

/** The size of a picture; null if the bucket fails, so that it is tried again. */
async function measurePicture(bucket: R2Bucket, picture: Unmeasured): Promise<Measured | null> {
  try {
    const size = picture.file && isFileKey(picture.file) ? await readSize(bucket, picture.file) : null
    return { ...picture, ...(size ?? { width: 0, height: 0 }) }
  } catch (error) {
    log('error', { work: 'measuring a picture', listing_id: picture.listing_id, ...describeFailure(error) })
    return null
  }
}

async function readSize(bucket: R2Bucket, key: string) {
  for (const options of [{ range: { offset: 0, length: HEADER_BYTES } }, {}]) {
    const object = await bucket.get(key, options)
    if (!object) return null
    const size = readPhotoSize(new Uint8Array(await object.arrayBuffer()))
    if (size || object.size <= HEADER_BYTES) return size
  }
  return null
}

/** Stores sizes. Listings that show one more get a new version, but no new date: nothing of them has changed. */
async function storeSizes(db: Database, { table, shown }: PictureTable, pictures: Measured[]): Promise<void> {
  if (pictures.length === 0) return
  const sent = JSON.stringify(pictures.map((p) => [p.listing_id, p.ordernum, p.file, p.width, p.height]))
  const name = sql.identifier(table)
  const isUnchanged = sql.raw(`picture.listing_id = sent.value ->> 0 and picture.ordernum = sent.value ->> 1
    and picture.width is null and ${shown} is sent.value ->> 2`)
  await batch(db, {
    versions: sqlStatement(sql`update listings set version = version + 1, matched_version = ${STAYS_MATCHED}
      where id in (select picture.listing_id from json_each(${sent}) sent
        join ${name} picture on ${isUnchanged} where sent.value ->> 3 > 0)`),
    sizes: sqlStatement(sql`update ${name} as picture set width = sent.value ->> 3, height = sent.value ->> 4
      from json_each(${sent}) sent where ${isUnchanged}`),
  })
}
