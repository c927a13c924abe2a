/**
 * Stores the width and height of pictures that came without: by import, or before sizes were stored. Cron does so in
 * portions. A picture whose size cannot be found gets 0, but for one whose file is missing: it may come later.
 *
 * A run may die of a picture, so it marks pictures before it reads them: first by the height 0, so that others come before
 * them. Marked pictures get a second attempt, before which their width becomes 0, too.
 */
import { readPhotoSize } from '@estia/photo-codec'
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database, database, mayCall, runStatement } from '../../../db/client.ts'
import { isOneOf } from '../../../db/conditions.ts'
import { NOT_RESTORING } from '../../../db/restoring.ts'
import { type Statement, sqlStatement } from '../../../db/statements.ts'
import { listings, STAYS_MATCHED } from '../../../db/tables/listings.ts'
import { enterChangesWhere, jsonNames } from '../../../db/trail.ts'
import { workThrough } from '../../../db/work-through.ts'
import { isFileKey } from '../../../files/keys.ts'
import { describeFailure, log } from '../../../http/log.ts'
import { asOneChange } from './batch.ts'
import { PANORAMAS, PHOTOS, type PictureTable } from './tables.ts'

/** Pictures of each kind in one run: each needs a read of the bucket, and a Worker may make 1,000 calls. */
const MAX_PICTURES = 200
/** Pictures that are read at the same time: a Worker has six connections. */
const AT_ONCE = 5
/** All that is read of a file. The size stands within it, unless a long colour profile is before it. */
const HEADER_BYTES = 64 * 1024

interface Unmeasured {
  listing_id: number
  ordernum: number
  /** Key of the file, or a URL from an import. */
  file: string | null
}

/** A picture and its size in pixels: 0 if it has none. Without a width, the picture is to be tried again. */
type Measured = Unmeasured & { width: number | null; height: number }

const NONE = { width: 0, height: 0 }

/** Measures pictures within the limits of one run. */
export async function measurePictures(env: Env, limit = MAX_PICTURES): Promise<void> {
  const db = database(env)
  const most = Math.min(limit, AT_ONCE)
  let kinds = [PHOTOS, PANORAMAS].map((table) => ({ table, isLast: false }))
  await workThrough(db, {
    job: 'picture_sizes',
    resource: 'listings',
    portions: 1,
    calls: 6,
    next: async (failed) => {
      const { found } = await batch(db, {
        found: kinds.map(({ table }) => [
          selectListings(table, UNTRIED, failed, limit),
          ...halvesOf(table).map((half) => selectListings(table, sql`${TRIED} and ${half}`, failed, most)),
        ]),
      })
      kinds = kinds.map(({ table }, index) => ({ table, isLast: found[index]?.[0]?.length === 0 }))
      const ids = found.flatMap(([untried = [], ...tried]) =>
        untried.length > 0 ? untried : tried.flat().slice(0, most),
      )
      return [...new Set(ids.map(({ id }) => id))]
    },
    work: async (ids) => {
      for (const kind of kinds) await measure(env.PHOTOS, db, { ...kind, ids, limit })
      return []
    },
  })
}

const UNTRIED = sql.raw('height is null')
const TRIED = sql.raw('height is not null')

/** Listings whose pictures are to be measured. */
interface Listings {
  table: PictureTable
  ids: readonly number[]
  isLast: boolean
  limit: number
}

async function measure(bucket: R2Bucket, db: Database, { table, ids, isLast, limit }: Listings) {
  const most = isLast ? Math.min(limit, AT_ONCE) : limit
  const found = await runStatement(db, selectUnmeasured(table, isLast, ids, most))
  const pictures = isLast ? await onlyThere(bucket, found) : found
  await storeSizes(
    db,
    table,
    pictures.map((picture) => ({ ...picture, width: isLast ? 0 : null, height: 0 })),
  )
  for (let index = 0; index < pictures.length && mayCall(db, 1); index += AT_ONCE) {
    const portion = pictures.slice(index, index + AT_ONCE)
    await storeSizes(
      db,
      table,
      await Promise.all(portion.map((picture) => measurePicture(bucket, picture, isLast))),
    )
  }
}

/**
 * Conditions that begin anywhere among the listings. Files may be missing for long, as after a restore, so that the last
 * attempt is left for later: those pictures must not be in the way of others.
 */
function halvesOf({ table }: PictureTable): SQL[] {
  const start = sql`(select max(listing_id) * ${Math.random()} from ${sql.identifier(table)} where width is null)`
  return [sql`listing_id >= ${start}`, sql`listing_id < ${start}`]
}

/** The pictures whose files are there, and those that name no file. */
async function onlyThere(bucket: R2Bucket, pictures: readonly Unmeasured[]): Promise<Unmeasured[]> {
  const there = await Promise.all(
    pictures.map(async ({ file }) => !file || !isFileKey(file) || (await sizeOf(bucket, file)) !== null),
  )
  return pictures.filter((_, index) => there[index])
}

/** The listings of the first pictures that are to be measured. */
function selectListings(
  { table }: PictureTable,
  which: SQL,
  failed: readonly number[],
  limit: number,
): Statement<{ id: number }> {
  return sqlStatement(sql`select distinct listing_id as id from (select listing_id from ${sql.identifier(table)}
    where width is null and ${which} and ${sql.raw(NOT_RESTORING)}
      and not ${isOneOf(sql`listing_id`, failed)} order by listing_id limit ${limit})`)
}

function selectUnmeasured(
  { table, shown }: PictureTable,
  isLast: boolean,
  listingIds: readonly number[],
  limit: number,
): Statement<Unmeasured> {
  // At random, so that missing files are not in the way of others of their listing.
  const [which, order] = isLast ? [TRIED, sql.raw('random()')] : [UNTRIED, sql.raw('listing_id')]
  return sqlStatement(sql`select listing_id, ordernum, ${sql.raw(shown)} as file from ${sql.identifier(table)}
    where width is null and ${which} and ${sql.raw(NOT_RESTORING)}
      and ${isOneOf(sql`listing_id`, listingIds)} order by ${order} limit ${limit}`)
}

/** The size of a picture. If its file is missing, or the bucket fails, it is tried again. */
async function measurePicture(bucket: R2Bucket, picture: Unmeasured, isLast: boolean): Promise<Measured> {
  try {
    const size = picture.file && isFileKey(picture.file) ? await readSize(bucket, picture.file) : NONE
    return { ...picture, ...size }
  } catch (error) {
    log('error', { work: 'measuring a picture', listing_id: picture.listing_id, ...describeFailure(error) })
    // Of an empty file, no part can be read.
    const isAtFault = isLast && (await sizeOf(bucket, picture.file ?? '')) === 0
    return { ...picture, width: isAtFault ? 0 : null, height: 0 }
  }
}

/** The bytes of a file; null if it is missing, or the bucket fails. */
async function sizeOf(bucket: R2Bucket, key: string): Promise<number | null> {
  return (await bucket.head(key).catch(() => null))?.size ?? null
}

async function readSize(bucket: R2Bucket, key: string) {
  const object = await bucket.get(key, { range: { offset: 0, length: HEADER_BYTES } })
  if (!object) return { width: null, height: 0 }
  return readPhotoSize(new Uint8Array(await object.arrayBuffer())) ?? NONE
}

/** Stores sizes. Listings that show one more get a new version, but no new date: nothing of them has changed. */
async function storeSizes(db: Database, { table, shown, field }: PictureTable, pictures: Measured[]) {
  if (pictures.length === 0) return
  const sent = JSON.stringify(pictures.map((p) => [p.listing_id, p.ordernum, p.file, p.width, p.height]))
  const name = sql.identifier(table)
  const isUnchanged = sql.raw(`picture.listing_id = sent.value ->> 0 and picture.ordernum = sent.value ->> 1
    and coalesce(picture.width, 0) = 0 and ${shown} is sent.value ->> 2`)
  const isMeasured = sql`id in (select picture.listing_id from json_each(${sent}) sent
    join ${name} picture on ${isUnchanged} where sent.value ->> 3 > 0)`
  await batch(db, {
    trail: enterChangesWhere(listings, isMeasured, { others: jsonNames(field) }),
    versions: sqlStatement(sql`update listings set version = version + 1, matched_version = ${STAYS_MATCHED}
      where ${isMeasured}`),
    sizes: asOneChange(
      pictures.map(({ listing_id }) => listing_id),
      [
        sqlStatement(sql`update ${name} as picture set width = sent.value ->> 3, height = sent.value ->> 4
          from json_each(${sent}) sent where ${isUnchanged}`),
      ],
    ),
  })
}
