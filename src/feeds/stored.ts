/** Reads a feed with all that decides about its answers: one round trip. */
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../db/client.ts'
import { selectRows, sqlStatement } from '../db/statements.ts'
import { languages } from '../db/tables/agency.ts'
import { feed_changes, feeds } from '../db/tables/feeds.ts'
import type { FeedLanguage } from '../resources/listings/public/page-urls.ts'
import { listingFilters } from '../resources/listings/schema.ts'
import form from './form.json' with { type: 'json' }

export type StoredFeed = typeof feeds.$inferSelect

export interface Feed extends Omit<StoredFeed, 'languages'> {
  /** Its languages, the most important first. */
  languages: FeedLanguage[]
  /** What all that it shows depends on: another value, other answers. */
  state: readonly unknown[]
  /** When what it shows last changed, `YYYY-MM-DD HH:MM:SS`. */
  changed: string
  /** The year that it is made for: a property counts as new by it. */
  year: number
}

/** The filters by what is not shown, which the counter `chosen` is for. */
const NOT_SHOWN = ['tags', 'users', 'date_created']

/** The feed whose URL has this token; null if there is none. */
export async function findFeedByToken(db: Database, token: string): Promise<Feed | null> {
  const { rows, changes, known, clock } = await batch(db, {
    rows: selectRows(feeds, sql`where token = ${token}`),
    changes: selectRows(feed_changes, sql`order by name`),
    known: sqlStatement<FeedLanguage>(sql`select id, code from ${languages} order by id`),
    clock: sqlStatement<{ now: string }>(sql`select datetime('now', '-1 second') as now`),
  })
  const [feed] = rows
  if (!feed) return null
  const isChosen = NOT_SHOWN.some((name) => feed.filters[name] != null)
  const relevant = changes.filter(({ name }) => name === 'shown' || (name === 'chosen' && isChosen))
  const year = (clock[0]?.now ?? '').slice(0, 4)
  const dates = [feed.date_updated, `${year}-01-01 00:00:00`, ...relevant.map(({ date }) => date)]
  const last = dates.toSorted().at(-1) ?? ''
  return {
    ...feed,
    languages: chooseLanguages(feed, known),
    state: [form, feed.id, feed.version, year, ...relevant.map(({ version, date }) => [version, date])],
    // A second that is not over may bring another change, which would have the same date.
    changed: last <= (clock[0]?.now ?? '') ? last : (clock[0]?.now ?? ''),
    year: Number(year),
  }
}

/** The filters of a feed, as a search takes them. Throws if a later version of the service has no such filter any more. */
export function filtersOf({ filters }: Pick<StoredFeed, 'filters'>) {
  return listingFilters.parse(filters)
}

/** A digest of all that an answer depends on. */
export function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** The languages of the feed in its order. Of two with the same code, the first counts. */
function chooseLanguages({ languages: codes }: StoredFeed, all: FeedLanguage[]): FeedLanguage[] {
  const chosen = codes ?? all.map(({ code }) => code)
  return [...new Set(chosen)].flatMap((code) => all.find((language) => language.code === code) ?? [])
}
