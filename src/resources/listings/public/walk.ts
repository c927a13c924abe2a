/**
 * Reads all active listings that meet filters, as visitors see them, from the lowest id to the highest. What is held at a
 * time does not grow with their number. A listing that changes meanwhile is read once or, if it leaves, not at all.
 */
import { sql } from 'drizzle-orm'
import { type Database, runStatement } from '../../../db/client.ts'
import { isLinkedTo, valuesOf, within } from '../../../db/conditions.ts'
import { batchRequiring } from '../../../db/page.ts'
import { type Statement, select, sqlStatement } from '../../../db/statements.ts'
import { listing_tag_links, listing_users } from '../../../db/tables/listings.ts'
import { public_listings, searched_listings } from '../../../db/tables/public-listings.ts'
import { yieldToEventLoop } from '../../../http/concurrency/queue.ts'
import type { Filters } from '../schema.ts'
import { type Rows, type SearchView, searchRows } from '../search/source.ts'
import { PUBLIC_FIELDS, PUBLIC_VIEW } from './queries.ts'
import type { PublicListingRow } from './row.ts'

/** Ids that are found at once: a search is repeated for every block. */
const BLOCK = 20_000
/** Bytes of shown values that are read at once for a reader who may stop at any time. */
export const SMALL_PORTION = 200_000
/** The same where what is read is used at once: a Worker may ask D1 1,000 times. */
export const LARGE_PORTION = 1_000_000
/** A portion has no more listings than if each had so many bytes. */
const SHORT = 1000

/**
 * The active listings by the filters of keys that see all. What is shown is judged by what is shown; tags, users and
 * the date of creation, which nobody is shown, by what is stored.
 */
const VIEW: SearchView<Filters> = {
  ...PUBLIC_VIEW,
  conditions: {
    ...PUBLIC_VIEW.conditions,
    tags: (ids) => isLinkedTo(listing_tag_links, ids),
    users: (ids) => isLinkedTo(listing_users, ids),
    date_created: (range) =>
      sql`id in (select id from ${searched_listings} where ${within(searched_listings.date_created, range) ?? sql`true`})`,
    date_updated: (range) => within(public_listings.date_updated, range),
  },
}

/** Which listings are read: those with ids above `after`, up to `until`. */
export interface Span {
  after: number
  until?: number
}

/** The SQL that finds the listings. */
export function publicRows(filters: Filters, { after, until }: Span): Rows {
  const condition = sql`id > ${after}`
  return searchRows(VIEW, filters, {
    condition: until === undefined ? condition : sql`${condition} and id <= ${until}`,
  })
}

/** The lowest ids, at most `limit`. Throws 503 while words are not stored that the filters need. */
export async function findPublicIds(
  db: Database,
  filters: Filters,
  span: Span,
  limit: number,
): Promise<number[]> {
  const { from, where, requirement } = publicRows(filters, span)
  const { found } = await batchRequiring(db, requirement, {
    found: sqlStatement<{ id: number }>(
      sql`select id from ${from} where ${where} order by id limit ${limit}`,
    ),
  })
  return found.map(({ id }) => id)
}

/** All listings of a span, in portions of about so many bytes. No portion is empty. */
export async function* walkPublicListings(
  db: Database,
  filters: Filters,
  portionBytes: number,
  span: Span = { after: 0 },
): AsyncGenerator<PublicListingRow[]> {
  for (let after = span.after, isLast = false; !isLast; ) {
    const ids = await findPublicIds(db, filters, { ...span, after }, BLOCK)
    yield* readPublicListings(db, ids, portionBytes)
    after = ids.at(-1) ?? after
    isLast = ids.length < BLOCK
  }
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
  for (let start = 0; start < ids.length; ) {
    await yieldToEventLoop()
    const wanted = ids.slice(start, start + Math.ceil(portionBytes / SHORT))
    const rows = await runStatement(db, selectPortion(wanted, portionBytes))
    const last = rows.at(-1)
    const isCut = last !== undefined && rows.length < last.present
    start = isCut ? ids.indexOf(last.id, start) + 1 : start + wanted.length
    if (rows.length > 0) yield rows
  }
}

/** The first of the active listings with these ids, each with the number of all of them. The last one exceeds the bytes. */
function selectPortion(
  ids: readonly number[],
  bytes: number,
): Statement<PublicListingRow & { present: number }> {
  // How many bytes precede a listing is in the heads of rows: what is left is not read.
  const sized = sql`with sized as materialized (
    select id, sum(octet_length(shown)) over (order by id) - octet_length(shown) as before
    from ${public_listings} where id in (${valuesOf(ids)}))`
  const fields = { ...PUBLIC_FIELDS, present: sql<number>`(select count(*) from sized)` }
  const isWithin = sql`id in (select id from sized where before < ${bytes})`
  return select(fields, sql`from ${public_listings} where ${isWithin} order by id`, sized) as Statement<
    PublicListingRow & { present: number }
  >
}
