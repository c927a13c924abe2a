/**
 * Which copy of the database a call speaks to. A bookmark names a state of the database: a read that brings one goes to
 * the nearest copy that is at least that new, any other to the primary; writes know the primary alone. What a call has
 * seen or written is told as the next bookmark.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { App, Session } from './context.ts'

export const BOOKMARK = 'X-D1-Bookmark'

/** What stands for a bookmark that every copy satisfies. */
export const ANY_BOOKMARK = 'any'
/** Four groups of hexadecimal digits, as D1 makes them. */
const BOOKMARK_FORMAT = /^[0-9a-f]{1,32}(-[0-9a-f]{1,32}){3}$/

/** The header of a request: where its read may begin. */
export const bookmark = z
  .string()
  .refine(
    (value) => value === ANY_BOOKMARK || BOOKMARK_FORMAT.test(value),
    `must be the ${BOOKMARK} of an answer, or ${ANY_BOOKMARK}`,
  )
  .meta({
    description:
      `Reads what is at least as new as the answer that told this \`${BOOKMARK}\`, from the nearest copy of the ` +
      `database; \`${ANY_BOOKMARK}\` takes any copy. Without it reads are strictly current. Writes always are`,
  })

/** Lets every query of a call run in one session, so that it need not know of copies. */
export function enterSession(c: Context<App>, isRead: boolean): void {
  const { DB } = c.env
  const session = isRead ? DB.withSession(sessionStart(c.get('headers')?.[BOOKMARK])) : stayAtPrimary(DB)
  c.set('session', session)
  // Of a database the code asks for no more than a session has.
  c.env = { ...c.env, DB: session as unknown as D1Database }
}

/** What the database says of an error. */
interface RefusedBookmarks {
  isRefusedBookmark: (error: unknown) => boolean
}

/** Sends the bookmark of whatever a call has read or written, with errors, too. */
export const sendBookmark =
  (database: RefusedBookmarks): MiddlewareHandler<App> =>
  async (c, next) => {
    await next()
    const latest = c.get('session')?.getBookmark()
    // A session gives back the bookmark that it began with, even where D1 refused it.
    // Not by Hono's own way, which copies a finished answer for each header.
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
 * A session that never leaves the primary. One of D1's does after its first query: a write that lost a race would read
 * a copy that does not know the winner, and matching would pass over what others wrote just now. So each round trip is
 * the first of its own.
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
