/**
 * Reads all active listings that meet filters, as visitors see them, from the lowest id to the highest. What is held at a
 * time does not grow with their number. A listing that changes meanwhile is read once or, if it leaves, not at all.
 */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database } from '../../../db/client.ts'
import { isLinkedTo, isOneOf, valuesOf, within } from '../../../db/conditions.ts'
import { batchRequiring } from '../../../db/page.ts'
import { sqlStatement } from '../../../db/statements.ts'
import { listing_tag_links, listing_users } from '../../../db/tables/listings.ts'
import { public_listings, searched_listings } from '../../../db/tables/public-listings.ts'
import { yieldToEventLoop } from '../../../http/concurrency/queue.ts'
import type { Filters } from '../schema.ts'
import { type Rows, type SearchView, searchRows } from '../search/source.ts'
import { PUBLIC_VIEW, selectPublic } from './queries.ts'
import type { PublicListingRow } from './row.ts'

/** Ids that are found at once: a search is repeated for every block. */
const BLOCK = 20_000
/** Listings that are read at once, if they are short. */
const PORTION = 500
/** Bytes of shown values that are read at once, the last listing not counted. */
const PORTION_BYTES = 2_000_000

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

/** All listings of a span, portion by portion. No portion is empty. */
export async function* walkPublicListings(
  db: Database,
  filters: Filters,
  span: Span = { after: 0 },
): AsyncGenerator<PublicListingRow[]> {
  for (let after = span.after, isLast = false; !isLast; ) {
    const ids = await findPublicIds(db, filters, { ...span, after }, BLOCK)
    yield* readPublicListings(db, ids)
    after = ids.at(-1) ?? after
    isLast = ids.length < BLOCK
  }
}

/** The listings with these ids, which ascend, portion by portion. Those that are not active any more are left out. */
export async function* readPublicListings(
  db: Database,
  ids: readonly number[],
): AsyncGenerator<PublicListingRow[]> {
  for (let start = 0; start < ids.length; ) {
    await yieldToEventLoop()
    const wanted = ids.slice(start, start + PORTION)
    const { rows, counts } = await batch(db, {
      rows: selectPublic(
        sql`where id in (select id from sized where before < ${PORTION_BYTES}) order by id`,
        sized(wanted),
      ),
      counts: sqlStatement<{ present: number }>(
        sql`select count(*) as present from ${public_listings} where ${isOneOf(public_listings.id, wanted)}`,
      ),
    })
    const last = rows.at(-1)?.id
    const isCut = last !== undefined && rows.length < (counts[0]?.present ?? 0)
    start = isCut ? ids.indexOf(last, start) + 1 : start + wanted.length
    if (rows.length > 0) yield rows
  }
}

/** The `with` clause of how many bytes precede each listing. Their number is in the head of a row. */
function sized(ids: readonly number[]): SQL {
  return sql`with sized as materialized (
    select id, sum(octet_length(shown)) over (order by id) - octet_length(shown) as before
    from ${public_listings} where id in (${valuesOf(ids)}))`
}
