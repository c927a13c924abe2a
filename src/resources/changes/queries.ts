/** Reading the feed of changes: one round trip, however long it is and whichever resources are asked for. */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { type Cursor, formatCursor, parseCursor } from './cursor.ts'

/** The text of 410. */
export const TOO_OLD = 'Cursor too old: read everything anew'

/** What a reader wants of the feed. */
export interface Wanted {
  /** Where it stopped; null: it begins at the beginning. */
  after: string | null
  resources: readonly string[]
  /** Most entries. */
  limit: number
  /** Whether the database may be a copy that is behind `after`. */
  mayLag: boolean
}

export interface Entry {
  cursor: string
  resource: string
  id: number
  change: 'changed' | 'deleted'
  date: string
}

export interface Changes {
  entries: Entry[]
  /** Where to go on. */
  next: string
  /** Whether there are further entries right now. */
  more: boolean
}

interface Feed {
  deployment: string
  purged: number
  newest: number
}

/**
 * The entries behind `after`, in the order of commits. Where there are no further ones, `next` is the newest entry of
 * all resources, so that who reads a few does not look at the others again. Throws 400 for a cursor that is none of
 * this deployment, and 410.
 */
export async function findChanges(db: Database, wanted: Wanted): Promise<Changes> {
  const { after, resources, limit } = wanted
  // One more than wanted, to know whether there are more.
  const statement = selectEntries(db, positionOf(after), resources, limit + 1)
  const [[feed], found] = await batch(db, [
    db.all<Feed>(sql`select deployment, purged, (select ifnull(max(cursor), 0) from changes) as newest
      from change_feed`),
    statement,
  ])
  if (!feed) throw new Error('The database has no change_feed')
  const { deployment } = feed
  const { position, floor } = cursorOf(wanted, feed)
  const more = found.length > limit
  const entries = found.slice(0, limit).map(({ cursor, ...entry }) => ({
    cursor: formatCursor(deployment, { position: cursor, floor }),
    ...entry,
  }))
  // Who has seen more than a copy knows is not led back.
  const newest = formatCursor(deployment, { position: Math.max(feed.newest, position), floor })
  return { entries, next: (more && entries.at(-1)?.cursor) || newest, more }
}

/** Where the text `after` says to go on, before it is known whether it may. */
function positionOf(after: string | null): number {
  return (after && parseCursor(after.slice(0, DEPLOYMENT_LENGTH), after)?.position) || 0
}

/** Characters of a deployment's name. */
const DEPLOYMENT_LENGTH = 12

/** Throws 400 and 410. */
function cursorOf({ after, mayLag }: Wanted, { deployment, purged, newest }: Feed): Cursor {
  if (after === null) return { position: 0, floor: newest }
  const cursor = parseCursor(deployment, after)
  const isAhead = cursor !== null && Math.max(cursor.position, cursor.floor) > newest
  if (!cursor || (isAhead && !mayLag)) {
    throw invalid([{ field: 'after', message: 'Invalid after: must be a cursor of this deployment' }])
  }
  if (Math.max(cursor.position, cursor.floor) < purged) throw new ApiError(410, TOO_OLD)
  return cursor
}

/**
 * The first entries of each resource come from its index alone; only the first of all of them are then read. A reader
 * of a few contacts so looks at no listing, however many changed.
 */
function selectEntries(db: Database, position: number, resources: readonly string[], limit: number) {
  return db.all<Omit<Entry, 'cursor'> & { cursor: number }>(sql`
    select cursor, resource, id, change, date from changes where cursor in (
      select found.value from json_each(${JSON.stringify(resources)}) wanted, json_each((
        select json_group_array(cursor) from (select cursor from changes
          where resource = wanted.value and cursor > ${position} order by cursor limit ${limit}))) found
      order by found.value limit ${limit})
    order by cursor`)
}
