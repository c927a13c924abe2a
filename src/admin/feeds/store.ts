/** Feeds in the database: one round trip each. */
import { randomBytes } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { type Statement, selectRows, sqlStatement } from '../../db/statements.ts'
import { languages as languageTable } from '../../db/tables/agency.ts'
import { type FeedFormat, feeds } from '../../db/tables/feeds.ts'
import type { StoredFeed } from '../../feeds/stored.ts'
import { ApiError } from '../../http/errors.ts'

/** Maximum feeds of a deployment. */
export const MAX_FEEDS = 100
export const TOO_MANY_FEEDS = `Too many feeds: at most ${MAX_FEEDS} are kept`

/** The values of a feed that clients choose. */
export interface FeedValues {
  name: string
  format: FeedFormat
  filters: Record<string, unknown>
  languages: string[] | null
  page_url: string | null
}

/** All feeds, oldest first. */
export async function findFeeds(db: Database): Promise<StoredFeed[]> {
  const { rows } = await batch(db, { rows: selectRows(feeds, sql`order by id`) })
  return rows
}

/** A feed, if it exists, and the codes of all languages. */
export async function findFeedAndCodes(db: Database, id: number | null) {
  const { rows, codes } = await batch(db, { rows: selectFeed(sql`${id}`), codes: selectCodes() })
  return { feed: rows[0] ?? null, codes: codes.map(({ code }) => code) }
}

/** Stores a feed and returns it. Throws 409 when there are too many. */
export async function createFeed(db: Database, values: FeedValues): Promise<StoredFeed> {
  const { name, format, filters, languages, page_url } = values
  const { inserted, rows } = await batch(db, {
    inserted: sqlStatement<{ id: number }>(sql`
      insert into feeds (name, format, filters, languages, page_url, token, date_created, date_updated)
      select ${name}, ${format}, ${JSON.stringify(filters)}, ${languages && JSON.stringify(languages)}, ${page_url},
        ${newToken()}, datetime('now'), datetime('now')
      where (select count(*) from feeds) < ${MAX_FEEDS} returning id`),
    rows: selectFeed(sql`(select max(id) from feeds)`),
  })
  const [feed] = rows
  if (inserted.length === 0 || !feed) throw new ApiError(409, TOO_MANY_FEEDS)
  return feed
}

/** Stores the values of a feed, unless it has changed since `current` was read; then false. */
export async function updateFeed(db: Database, current: StoredFeed, values: FeedValues): Promise<boolean> {
  const { name, format, filters, languages, page_url } = values
  const { updated } = await batch(db, {
    updated: sqlStatement<{ id: number }>(sql`
      update feeds set name = ${name}, format = ${format}, filters = ${JSON.stringify(filters)},
        languages = ${languages && JSON.stringify(languages)}, page_url = ${page_url}, ${touched()}
      where id = ${current.id} and version = ${current.version} returning id`),
  })
  return updated.length > 0
}

/** Gives a feed another URL and returns it; null when it does not exist. */
export async function rotateToken(db: Database, id: number): Promise<StoredFeed | null> {
  const { rows } = await batch(db, {
    rotated: sqlStatement(sql`update feeds set token = ${newToken()}, ${touched()} where id = ${id}`),
    rows: selectFeed(sql`${id}`),
  })
  return rows[0] ?? null
}

/** Deletes a feed; false when it does not exist. */
export async function removeFeed(db: Database, id: number): Promise<boolean> {
  const { removed } = await batch(db, {
    removed: sqlStatement<{ id: number }>(sql`delete from feeds where id = ${id} returning id`),
  })
  return removed.length > 0
}

function selectFeed(id: SQL): Statement<StoredFeed> {
  return selectRows(feeds, sql`where id = ${id}`)
}

function selectCodes() {
  return sqlStatement<{ code: string }>(sql`select code from ${languageTable} order by id`)
}

/** What every change of a feed sets. By the clock of the database, as are the dates of what feeds show. */
function touched(): SQL {
  return sql`version = version + 1, date_updated = max(date_updated, datetime('now'))`
}

function newToken(): string {
  return randomBytes(16).toString('hex')
}
