/**
 * The pictures a listing has, by the numbers that calls know them by: telling, removing and ordering them. Files are left
 * to the sweep.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { changeRecord, mergeRecord } from '../../db/merge.ts'
import { updateRow } from '../../db/rows.ts'
import { nextVersion, selectStamp } from '../../db/stamps.ts'
import { plain } from '../../db/statements.ts'
import { listings, STAYS_MATCHED_TEXT } from '../../db/tables/listings.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { Draft } from '../../http/check.ts'
import type { Target } from '../../http/entity-tags.ts'
import { notFound } from '../../http/errors.ts'
import { noteChange, type PictureTable, type PictureTableOf } from './photo-rows.ts'

/** The pictures of a listing, in order, with the keys of their files. Throws 404. */
export async function findPictures<Row>(
  db: Database,
  listingId: number,
  { table, columns }: PictureTableOf<Row>,
): Promise<({ ordernum: number } & Row)[]> {
  const [[listing], pictures] = await batch(db, [
    selectVersion(db, listingId),
    plain<{ ordernum: number } & Row>(
      `select ordernum, ${columns.join(', ')} from ${table} where listing_id = ? order by ordernum`,
      [listingId],
    ),
  ])
  if (!listing) throw notFound('Listing')
  return pictures
}

/** Takes a picture from a listing; the others keep their numbers. Throws 404 and 412. */
export async function removePicture(
  db: Database,
  record: Target,
  { table }: PictureTable,
  ordernum: number,
): Promise<void> {
  const { id } = record
  const ofPicture = sql`from ${sql.identifier(table)} where listing_id = ${id} and ordernum = ${ordernum}`
  const [[listing], , [removed], [stamp]] = await changeRecord(db, record, [
    selectVersion(db, id),
    noteChange(db, id, nextVersion(listings, record), sql`exists (select 1 ${ofPicture})`),
    db.all(sql`delete ${ofPicture} returning ordernum`),
    selectStamp(record),
  ])
  if (!listing) throw notFound(record.name)
  if (!removed) throw notFound('Photo')
  if (stamp) record.tell(stamp)
}

/**
 * Numbers the pictures of a listing anew, from 1, in the order of the body. Throws 404, 412, 400, and 409 when others
 * keep writing the listing.
 */
export async function orderPictures(
  db: Database,
  record: Target,
  pictures: PictureTable,
  draft: Draft<{ order: number[] }>,
): Promise<void> {
  const { id } = record
  const table = sql.identifier(pictures.table)
  const reading = [
    selectVersion(db, id),
    db.all<{ ordernum: number }>(
      sql`select ordernum from ${table} where listing_id = ${id} order by ordernum`,
    ),
  ] as const
  await mergeRecord(db, record, reading, (listing, [rows]) => {
    const present = rows.map(({ ordernum }) => ordernum)
    // Each time: others may have added or removed one meanwhile.
    if (draft.values.order) checkOrder(draft, draft.values.order, present)
    const { order } = draft.complete()
    if (order.every((ordernum, index) => ordernum === index + 1)) return null
    return [
      updateRow(listings, { id, version: listing.version }, { date_updated: formatDateTime(new Date()) }, [
        `matched_version = ${STAYS_MATCHED_TEXT}`,
      ]),
      // A number is given once, so all of them first move out of the way.
      db.run(sql`update ${table} set ordernum = -(wanted.key + 1) from json_each(${JSON.stringify(order)}) wanted
        where listing_id = ${id} and ordernum = wanted.value`),
      db.run(sql`update ${table} set ordernum = -ordernum where listing_id = ${id} and ordernum < 0`),
    ]
  })
}

/** The order names every picture that is present, once. */
function checkOrder(draft: Draft<{ order: number[] }>, order: number[], present: number[]): void {
  const [known, named] = [new Set(present), new Set(order)]
  const unknown = order.find((ordernum) => !known.has(ordernum))
  const missing = present.find((ordernum) => !named.has(ordernum))
  const refuse = (reason: string) => draft.refuse('order', `Invalid order: ${reason}`)
  if (unknown !== undefined) refuse(`there is no photo ${unknown}`)
  if (named.size < order.length) refuse('a photo is named twice')
  if (missing !== undefined) refuse(`photo ${missing} is missing`)
}

function selectVersion(db: Database, listingId: number) {
  return db.all<{ version: number }>(sql`select version from listings where id = ${listingId}`)
}
