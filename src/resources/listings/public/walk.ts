/**
 * Reads all active listings that meet filters, as visitors see them, from the lowest id to the highest. But for the ids,
 * what is held at a time does not grow with their number. A listing that changes meanwhile is read once or, if it leaves,
 * not at all.
 */
import { sql } from 'drizzle-orm'
import { type Database, runStatement } from '../../../db/client.ts'
import { valuesOf } from '../../../db/conditions.ts'
import { yieldToEventLoop } from '../../../http/concurrency/waiting.ts'
import type { Filters } from '../schema.ts'
import { findIds, type Search } from '../search/search.ts'
import { freshIndex, MAX_AGE } from '../search/shared-index.ts'
import { selectPublic, withAreas } from './queries.ts'
import type { PublicListingRow } from './row.ts'

/** Bytes of shown values that are read at once for a reader who may stop at any time. */
export const SMALL_PORTION = 200_000
/** The same where what is read is used at once: a Worker may ask D1 1,000 times. */
export const LARGE_PORTION = 1_000_000
/** A portion has no more listings than if each had so many bytes. */
const SHORT = 1000

/**
 * The active listings, by the filters of keys that see all. They go by what is shown; tags, users and
 * the date of creation, which visitors never see, by what is stored.
 */
const ALL_SHOWN: Search = { view: 'shown', stores: null, mayLag: false }

/** Which listings are read: those with ids above `after`, up to `until`. */
export interface Span {
  after: number
  until?: number
}

/** The ids of a span, ascending. */
export async function findPublicIds(
  db: Database,
  filters: Filters,
  { after, until = Number.POSITIVE_INFINITY }: Span = { after: 0 },
): Promise<number[]> {
  const ids = await findIds(db, ALL_SHOWN, filters)
  return ids.filter((id) => id > after && id <= until)
}

/** All listings of a span, in portions of about so many bytes. No portion is empty. */
export async function* walkPublicListings(
  db: Database,
  filters: Filters,
  portionBytes: number,
  span?: Span,
): AsyncGenerator<PublicListingRow[]> {
  yield* readPublicListings(db, await findPublicIds(db, filters, span), portionBytes)
}

/**
 * The listings with these ids, which ascend, in portions of about so many bytes. Those that are not active any more are
 * left out.
 */
export async function* readPublicListings(
  db: Database,
  ids: readonly number[],
  portionBytes: number,
): AsyncGenerator<PublicListingRow[]> {
  const { places } = await freshIndex(db, MAX_AGE.visitors)
  for (let start = 0; start < ids.length; ) {
    await yieldToEventLoop()
    const wanted = ids.slice(start, start + Math.ceil(portionBytes / SHORT))
    const rows = await runStatement(db, selectPortion(wanted, portionBytes))
    const last = rows.at(-1)
    const isCut = last !== undefined && rows.length < last.present
    start = isCut ? ids.indexOf(last.id, start) + 1 : start + wanted.length
    if (rows.length > 0) yield withAreas(rows, places)
  }
}

/** The first of the active listings with these ids, each with the number of all of them. The last one exceeds the bytes. */
function selectPortion(ids: readonly number[], bytes: number) {
  // How many bytes precede a listing is in the heads of rows: what is left is not read.
  const sized = sql`with sized as materialized (
    select id, sum(octet_length(shown)) over (order by id) - octet_length(shown) as before, count(*) over () as present
    from public_listings where id in (${valuesOf(ids)}))`
  const rest = sql`join sized on sized.id = public_listings.id where before < ${bytes} order by public_listings.id`
  return selectPublic(rest, { present: sql<number>`sized.present` }, sized)
}
