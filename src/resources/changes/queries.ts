/** Reading the feed of changes: one round trip, however long it is and whichever resources are asked for. */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { type Cursor, formatCursor, parseCursor } from './cursor.ts'

/** The text of 410. */
export const CURSOR_TOO_OLD = 'Cursor too old: read everything anew'

/** What a reader wants of the feed. */
export interface ChangeCriteria {
  /** Where it stopped; null: it begins at the beginning. */
  after: string | null
  resources: readonly string[]
  /** Most entries. */
  limit: number
  /** Whether the database may be a copy that is behind `after`. */
  mayLag: boolean
}

export interface ChangeEntry {
  cursor: string
  resource: string
  id: number
  change: 'changed' | 'deleted'
  date: string
}

export interface ChangesPage {
  entries: ChangeEntry[]
  /** Where to go on. */
  next: string
  /** Whether there are further entries right now. */
  more: boolean
}

/** What is known of the feed as a whole. */
export interface ChangeFeed {
  deployment: string
  /** The highest cursor of a tombstone that is gone. */
  purged: number
  newest: number
}

/**
 * The entries behind `after`, in the order of commits. Where there are no further ones, `next` is the newest entry of
 * all resources, so that who reads a few does not look at the others again. Throws 400 for a cursor that is none of
 * this deployment, and 410.
 */
export async function findChanges(db: Database, criteria: ChangeCriteria): Promise<ChangesPage> {
  const { after, resources, limit } = criteria
  // One more than wanted, to know whether there are more.
  const { known, found } = await batch(db, {
    known: selectChangeFeed(),
    found: selectEntries(positionAfter(after), resources, limit + 1),
  })
  const feed = readChangeFeed(known)
  const { deployment } = feed
  const { position, floor } = parseAfter(criteria, feed)
  const more = found.length > limit
  const entries = found.slice(0, limit).map(({ cursor, ...entry }) => ({
    cursor: formatCursor(deployment, { position: cursor, floor }),
    ...entry,
  }))
  // Who has seen more than a copy knows is not led back.
  const newest = formatCursor(deployment, { position: Math.max(feed.newest, position), floor })
  return { entries, next: (more && entries.at(-1)?.cursor) || newest, more }
}

/** The place in the feed that the text `after` stands for. Throws 400 for one that is no cursor of this deployment, and 410. */
export async function findCursor(db: Database, after: string): Promise<Cursor> {
  return parseAfter({ after, mayLag: false }, readChangeFeed(await runStatement(db, selectChangeFeed())))
}

/** The statement that tells of the feed, and what it tells. */
export function selectChangeFeed(): Statement<ChangeFeed> {
  return sqlStatement(sql`select deployment, purged, (select ifnull(max(cursor), 0) from changes) as newest
    from change_feed`)
}

export function readChangeFeed([feed]: ChangeFeed[]): ChangeFeed {
  if (!feed) throw new Error('The database has no change_feed')
  return feed
}

/** Whether tombstones are gone that a reader at `cursor` would have needed. */
export function isCursorTooOld({ position, floor }: Cursor, { purged }: Pick<ChangeFeed, 'purged'>): boolean {
  return Math.max(position, floor) < purged
}

/** Where the text `after` says to go on, before it is known whether it may. */
function positionAfter(after: string | null): number {
  return (after && parseCursor(after.slice(0, DEPLOYMENT_LENGTH), after)?.position) || 0
}

/** Characters of a deployment's name. */
const DEPLOYMENT_LENGTH = 12

/** Throws 400 and 410. */
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

/** An entry as it is stored. */
export type StoredEntry = Omit<ChangeEntry, 'cursor'> & { cursor: number }

/** The entries at the cursors that a select gives, in order. */
export function selectEntriesAt(cursors: SQL): SQL {
  return sql`select cursor, resource, id, change, date from changes where cursor in (${cursors}) order by cursor`
}

/**
 * The cursors of the first `limit` entries behind `position`, of the resources in a JSON list; both may be columns. The
 * first of each resource come from its index alone, so who reads a few contacts looks at no listing, however many changed.
 * @param upTo the last cursor that counts
 */
export function cursorsAfter(position: SQL, resources: SQL, limit: number, upTo?: SQL): SQL {
  const isWithin = upTo ? sql`and cursor <= ${upTo}` : sql``
  return sql`
    select found.value from json_each(${resources}) wanted, json_each((
      select json_group_array(cursor) from (select cursor from changes
        where resource = wanted.value and cursor > ${position} ${isWithin} order by cursor limit ${limit}))) found
    order by found.value limit ${limit}`
}
