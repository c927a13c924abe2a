/** Subscriptions in the database: one round trip each. */
import { eq, sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { webhook_attempts, webhooks } from '../../db/tables/webhooks.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { Cursor } from '../../resources/changes/cursor.ts'
import { type Feed, feedOf, selectFeed } from '../../resources/changes/queries.ts'
import { revokedLease } from './batches.ts'

export type StoredWebhook = typeof webhooks.$inferSelect

/** Most subscriptions: each write looks at all of them. */
export const MAX_WEBHOOKS = 100
export const TOO_MANY_WEBHOOKS = `Too many webhooks: at most ${MAX_WEBHOOKS} are kept`

/** How long the old secret signs as well, in milliseconds. */
export const OVERLAP = 24 * 60 * 60 * 1000

/** What a new subscription is made of. */
export interface Wanted {
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
  feed: Feed
}

/** Every subscription, the oldest first; with an id that one, if there is one. */
export async function findWebhooks(db: Database, id?: number): Promise<FoundWebhooks> {
  const all = db.select().from(webhooks)
  const [rows, feed] = await batch(db, [
    id === undefined ? all.orderBy(webhooks.id) : all.where(eq(webhooks.id, id)),
    selectFeed(db),
  ])
  return { rows, feed: feedOf(feed) }
}

/** Stores a subscription and gives it back. Throws 409 where there are too many. */
export async function createWebhook(db: Database, wanted: Wanted): Promise<FoundWebhooks> {
  const { url, resources, description, secret, cursor } = wanted
  // In the statement itself, so that nothing is written between the present and the subscription.
  const position = cursor ? sql`${cursor.position}` : sql`(select ifnull(max(cursor), 0) from changes)`
  const [made, rows, feed] = await batch(db, [
    db.all(sql`insert into webhooks (url, description, resources, secret, date_created, position, floor, leased_until,
        failures, enabled)
      select ${url}, ${description}, ${resources && JSON.stringify(resources)}, ${secret},
        ${formatDateTime(new Date())}, ${position}, ${cursor?.floor ?? 0}, 0, 0, 1
      where (select count(*) from webhooks) < ${MAX_WEBHOOKS}
      returning id`),
    db.select().from(webhooks).where(sql`id = (select max(id) from webhooks)`),
    selectFeed(db),
  ])
  if (made.length === 0) throw new ApiError(409, TOO_MANY_WEBHOOKS)
  return { rows, feed: feedOf(feed) }
}

/** What an update sets; absent: as it is. */
export interface Changes {
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
  { cursor, ...columns }: Changes,
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
  const [rows, feed] = await batch(db, [
    db
      .update(webhooks)
      .set({
        secret,
        old_secret: sql`secret`,
        old_secret_expires: now + OVERLAP,
        ...{ failures: 0, error: null, next_attempt: null },
      })
      .where(eq(webhooks.id, id))
      .returning(),
    selectFeed(db),
  ])
  return { rows, feed: feedOf(feed) }
}

/** Removes a subscription and what is known of it; false when there is none. */
export async function removeWebhook(db: Database, id: number): Promise<boolean> {
  const [, removed] = await batch(db, [
    db.delete(webhook_attempts).where(eq(webhook_attempts.webhook_id, id)),
    db.delete(webhooks).where(eq(webhooks.id, id)).returning({ id: webhooks.id }),
  ])
  return removed.length > 0
}
