/** Reads the change feed, in one round trip whatever its size and the requested resources. */
import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { type Cursor, formatCursor, parseCursor } from './cursor.ts'
import type { change } from './present.ts'

/** The error message of 410. */
export const CURSOR_TOO_OLD = 'Cursor too old: read everything anew'

/** What a client asks of the change feed. */
export interface ChangeCriteria {
  /** Cursor of the last read; null to start at the beginning. */
  after: string | null
  resources: readonly string[]
  limit: number
  /** Whether the database may be a replica that has not reached `after` yet. */
  mayLag: boolean
}

export type ChangeEntry = z.output<typeof change>

export interface ChangesPage {
  entries: ChangeEntry[]
  /** Cursor for the next read. */
  next: string
  /** Whether there are further entries already. */
  more: boolean
}

export interface ChangeFeed {
  deployment: string
  /** The highest cursor of a purged tombstone. */
  purged: number
  newest: number
}

/**
 * The entries after `after`, in the order of commits. If there are no further ones, `next` is the newest entry of all
 * resources. A client that reads few resources thus skips the entries of others. Throws 400 if the cursor is not one of
 * this deployment, and 410.
 */
export async function findChanges(db: Database, criteria: ChangeCriteria): Promise<ChangesPage> {
  const { after, resources, limit } = criteria
  // One entry more than requested shows whether there are more.
  const { state, rows } = await batch(db, {
    state: selectChangeFeed(),
    rows: selectEntries(positionAfter(after), resources, limit + 1),
  })
  const feed = readChangeFeed(state)
  const { deployment } = feed
  const { position, floor } = parseAfter(criteria, feed)
  const more = rows.length > limit
  const entries = rows.slice(0, limit).map(({ cursor, ...entry }) => ({
    cursor: formatCursor(deployment, { position: cursor, floor }),
    ...entry,
  }))
  // A replica may lag, but `next` must never precede the position that the client has reached.
  const newest = formatCursor(deployment, { position: Math.max(feed.newest, position), floor })
  return { entries, next: (more && entries.at(-1)?.cursor) || newest, more }
}

/**
 * The position in the feed that the text `after` stands for. Throws 400 if it is no cursor of this deployment, and 410.
 */
export async function findCursor(db: Database, after: string): Promise<Cursor> {
  return parseAfter({ after, mayLag: false }, readChangeFeed(await runStatement(db, selectChangeFeed())))
}

/** The statement that reads the state of the feed. */
export function selectChangeFeed(): Statement<ChangeFeed> {
  return sqlStatement(sql`select deployment, purged, (select ifnull(max(cursor), 0) from changes) as newest
    from change_feed`)
}

/** Reads the result of `selectChangeFeed`. */
export function readChangeFeed([feed]: ChangeFeed[]): ChangeFeed {
  if (!feed) throw new Error('The database has no change_feed')
  return feed
}

/** Whether tombstones are purged that a client at `cursor` would have needed. */
export function isCursorTooOld({ position, floor }: Cursor, { purged }: Pick<ChangeFeed, 'purged'>): boolean {
  return Math.max(position, floor) < purged
}

/** The position in the text `after`, before the cursor is checked; 0 if there is none. */
function positionAfter(after: string | null): number {
  return (after && parseCursor(after.slice(0, DEPLOYMENT_LENGTH), after)?.position) || 0
}

/** Length of the name of a deployment. */
const DEPLOYMENT_LENGTH = 12

/** Parses and checks the text `after`. Throws 400 and 410. */
function parseAfter({ after, mayLag }: Pick<ChangeCriteria, 'after' | 'mayLag'>, feed: ChangeFeed): Cursor {
  const { deployment, newest } = feed
  if (after === null) return { position: 0, floor: newest }
  const cursor = parseCursor(deployment, after)
  const isAhead = cursor !== null && Math.max(cursor.position, cursor.floor) > newest
  if (!cursor || (isAhead && !mayLag)) {
    throw invalid([{ field: 'after', message: 'Invalid after: must be a cursor of this deployment' }])
  }
  if (isCursorTooOld(cursor, feed)) throw new ApiError(410, CURSOR_TOO_OLD)
  return cursor
}

function selectEntries(
  position: number,
  resources: readonly string[],
  limit: number,
): Statement<StoredEntry> {
  const cursors = cursorsAfter(sql`${position}`, sql`${JSON.stringify(resources)}`, limit)
  return sqlStatement(selectEntriesAt(cursors))
}

export type StoredEntry = Omit<ChangeEntry, 'cursor'> & { cursor: number }

/** The entries at the cursors that a select returns, in order. */
export function selectEntriesAt(cursors: SQL): SQL {
  return sql`select cursor, resource, id, change, date from changes where cursor in (${cursors}) order by cursor`
}

/**
 * SQL for the cursors of the first `limit` entries after `position`. `resources` is a JSON list; both may be columns.
 * Each resource is read from its index alone. So a client that reads only contacts costs no read of listings, however
 * many have changed.
 * @param upTo the last cursor to include
 */
export function cursorsAfter(position: SQL, resources: SQL, limit: number, upTo?: SQL): SQL {
  const isWithin = upTo ? sql`and cursor <= ${upTo}` : sql``
  return sql`
    select found.value from json_each(${resources}) wanted, json_each((
      select json_group_array(cursor) from (select cursor from changes
        where resource = wanted.value and cursor > ${position} ${isWithin} order by cursor limit ${limit}))) found
    order by found.value limit ${limit}`
}
