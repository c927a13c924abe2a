/** Subscriptions in the database: one round trip each. */
import { eq, type SQL, sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { selectRows, sqlStatement } from '../../db/statements.ts'
import { webhooks } from '../../db/tables/webhooks.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { Cursor } from '../../resources/changes/cursor.ts'
import { type ChangeFeed, readChangeFeed, selectChangeFeed } from '../../resources/changes/queries.ts'
import { revokedLease } from './batches.ts'

export type StoredWebhook = typeof webhooks.$inferSelect

/** Most subscriptions: each write looks at all of them. */
export const MAX_WEBHOOKS = 100
export const TOO_MANY_WEBHOOKS = `Too many webhooks: at most ${MAX_WEBHOOKS} are kept`

/** How long the old secret signs as well, in milliseconds. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000

/** What a new subscription is made of. */
export interface NewWebhook {
  url: string
  resources: string[] | null
  description: string | null
  /** Sealed. */
  secret: string
  /** Null: the present. */
  cursor: Cursor | null
}

/** The subscriptions, and what is known of the feed that they follow. */
export interface FoundWebhooks {
  rows: StoredWebhook[]
  feed: ChangeFeed
}

/** Every subscription, the oldest first; with an id that one, if there is one. */
export async function findWebhooks(db: Database, id?: number): Promise<FoundWebhooks> {
  const { rows, feed } = await batch(db, selectFound(id === undefined ? sql`true` : sql`id = ${id}`))
  return { rows, feed: readChangeFeed(feed) }
}

function selectFound(where: SQL) {
  return { rows: selectRows(webhooks, sql`where ${where} order by id`), feed: selectChangeFeed() }
}

/** Stores a subscription and gives it back. Throws 409 where there are too many. */
export async function createWebhook(db: Database, input: NewWebhook): Promise<FoundWebhooks> {
  const { url, resources, description, secret, cursor } = input
  // In the statement itself, so that nothing is written between the present and the subscription.
  const position = cursor ? sql`${cursor.position}` : sql`(select ifnull(max(cursor), 0) from changes)`
  const { made, rows, feed } = await batch(db, {
    made: sqlStatement<{
      id: number
    }>(sql`insert into webhooks (url, description, resources, secret, date_created, position, floor, leased_until,
        failures, enabled)
      select ${url}, ${description}, ${resources && JSON.stringify(resources)}, ${secret},
        ${formatDateTime(new Date())}, ${position}, ${cursor?.floor ?? 0}, 0, 0, 1
      where (select count(*) from webhooks) < ${MAX_WEBHOOKS}
      returning id`),
    ...selectFound(sql`id = (select max(id) from webhooks)`),
  })
  if (made.length === 0) throw new ApiError(409, TOO_MANY_WEBHOOKS)
  return { rows, feed: readChangeFeed(feed) }
}

/** What an update sets; absent: as it is. */
export interface WebhookChanges {
  url?: string
  resources?: string[] | null
  description?: string | null
  enabled?: boolean
  cursor?: Cursor
}

/**
 * Changes a subscription; false when there is none. Whoever delivers to it at this moment may no longer say how that went,
 * so the batch is sent again, by them. What is to be sent to another address, or of other resources, does not wait for a
 * retry.
 */
export async function updateWebhook(
  db: Database,
  id: number,
  { cursor, ...columns }: WebhookChanges,
): Promise<boolean> {
  const { url, resources, enabled } = columns
  const isFresh = enabled === true || url !== undefined || resources !== undefined || cursor !== undefined
  const rows = await db
    .update(webhooks)
    .set({
      ...columns,
      lease: isFresh || enabled === false ? revokedLease : sql`lease`,
      ...(cursor ? { position: cursor.position, floor: cursor.floor } : {}),
      // Another batch must not have the name of one that the receiver may know.
      ...(cursor || resources !== undefined ? { batch_id: null, batch_until: null } : {}),
      ...(isFresh ? { failures: 0, error: null, next_attempt: null } : {}),
      ...(enabled === undefined ? {} : { disabled_reason: null, date_disabled: null }),
    })
    .where(eq(webhooks.id, id))
    .returning({ id: webhooks.id })
  return rows.length > 0
}

/** Gives a subscription another secret, sealed; the one before signs as well for a day. Whatever waited is due. */
export async function rotateSecret(
  db: Database,
  id: number,
  secret: string,
  now: number,
): Promise<FoundWebhooks> {
  const { rows, feed } = await batch(db, {
    rotated: sqlStatement(sql`update webhooks set secret = ${secret}, old_secret = secret,
      old_secret_expires = ${now + SECRET_OVERLAP_MS}, failures = 0, error = null, next_attempt = null where id = ${id}`),
    ...selectFound(sql`id = ${id}`),
  })
  return { rows, feed: readChangeFeed(feed) }
}

/** Removes a subscription and what is known of it; false when there is none. */
export async function removeWebhook(db: Database, id: number): Promise<boolean> {
  const { removed } = await batch(db, {
    attempts: sqlStatement(sql`delete from webhook_attempts where webhook_id = ${id}`),
    removed: sqlStatement<{ id: number }>(sql`delete from webhooks where id = ${id} returning id`),
  })
  return removed.length > 0
}
