/**
 * Chooses the copy of the database for a call. A bookmark names a state of the database. A read with a bookmark uses
 * the nearest copy that is at least that new; other reads and all writes use the primary. Each reply sends the
 * bookmark of what the call has seen or written.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { App, Session } from './context.ts'

export const BOOKMARK = 'X-D1-Bookmark'

/** The bookmark that every copy satisfies. */
export const ANY_BOOKMARK = 'any'
/** D1's format: four groups of hexadecimal digits. */
const BOOKMARK_FORMAT = /^[0-9a-f]{1,32}(-[0-9a-f]{1,32}){3}$/

/** The request header that says how new the data of a read must be. */
export const bookmark = z
  .string()
  .refine(
    (value) => value === ANY_BOOKMARK || BOOKMARK_FORMAT.test(value),
    `must be the ${BOOKMARK} of an answer, or ${ANY_BOOKMARK}`,
  )
  .meta({
    description:
      `Reads data at least as new as the reply that sent this \`${BOOKMARK}\`, from the nearest copy of the ` +
      `database; \`${ANY_BOOKMARK}\` accepts any copy. Without it reads are strictly current. Writes always are`,
  })

/** Runs every query of a call in one session, so that handlers need not know about copies. */
export function enterSession(c: Context<App>, isRead: boolean): void {
  const { DB } = c.env
  const session = isRead ? DB.withSession(sessionStart(c.get('headers')?.[BOOKMARK])) : stayAtPrimary(DB)
  c.set('session', session)
  // The code uses no method of the database that a session lacks.
  c.env = { ...c.env, DB: session as unknown as D1Database }
}

/** Any copy of the database, for reads that neither follow nor send bookmarks. */
export function nearestCopy(database: D1Database): D1Database {
  // The code uses no method of the database that a session lacks.
  return database.withSession('first-unconstrained') as unknown as D1Database
}

/** How to interpret errors of the database. */
interface RefusedBookmarks {
  isRefusedBookmark: (error: unknown) => boolean
}

/** Sends the latest bookmark of a call with its reply, also with errors. */
export const sendBookmark =
  (database: RefusedBookmarks): MiddlewareHandler<App> =>
  async (c, next) => {
    await next()
    const latest = c.get('session')?.getBookmark()
    // A session returns its initial bookmark even if D1 refused it.
    // `c.header()` would copy the finished response for each header.
    if (latest && !isRefusedBookmark(c.error, c, database)) c.res.headers.set(BOOKMARK, latest)
  }

/** Whether `error` is the database's refusal of the bookmark that the caller sent. */
export function isRefusedBookmark(error: unknown, c: Context<App>, database: RefusedBookmarks): boolean {
  const bookmark = c.get('headers')?.[BOOKMARK]
  return bookmark !== undefined && bookmark !== ANY_BOOKMARK && database.isRefusedBookmark(error)
}

function sessionStart(bookmark: string | undefined): D1SessionBookmark | D1SessionConstraint {
  return bookmark === ANY_BOOKMARK ? 'first-unconstrained' : (bookmark ?? 'first-primary')
}

/**
 * A session that always uses the primary, by opening a new D1 session for each round trip. An ordinary D1 session may
 * use a copy after its first query. A write that lost a race could then miss the winner, and matching could miss new
 * records.
 */
function stayAtPrimary(database: D1Database): Session {
  const open = () => database.withSession('first-primary')
  const sessions = [open()]
  const unused = () => {
    const last = sessions.at(-1)
    if (last && last.getBookmark() === null) return last
    const next = open()
    sessions.push(next)
    return next
  }
  return {
    prepare: (query) => unused().prepare(query),
    batch: (statements) => unused().batch(statements),
    // Bookmarks sort by age.
    getBookmark: () =>
      sessions
        .flatMap((session) => session.getBookmark() ?? [])
        .toSorted()
        .at(-1) ?? null,
  }
}
