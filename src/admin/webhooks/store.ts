/** Subscriptions in the database: one round trip each. */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { assignments } from '../../db/rows.ts'
import { selectRows, sqlStatement } from '../../db/statements.ts'
import { webhooks } from '../../db/tables/webhooks.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { Cursor } from '../../resources/changes/cursor.ts'
import { type ChangeFeed, readChangeFeed, selectChangeFeed } from '../../resources/changes/queries.ts'
import { revokedLease } from './batches.ts'

export type StoredWebhook = typeof webhooks.$inferSelect

/** Maximum subscriptions: after each write all of them are checked. */
export const MAX_WEBHOOKS = 100
export const TOO_MANY_WEBHOOKS = `Too many webhooks: at most ${MAX_WEBHOOKS} are kept`

/** How long after a rotation the old secret still signs, in milliseconds. */
const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000

/** A subscription with its encrypted secret, and where deliveries start; null: now. */
type NewWebhook = Pick<StoredWebhook, 'url' | 'resources' | 'description' | 'secret'> & {
  cursor: Cursor | null
}

/** Subscriptions with the state of the change feed that they follow. */
export interface FoundWebhooks {
  rows: StoredWebhook[]
  feed: ChangeFeed
}

/** All subscriptions, oldest first; with an id only that one, if it exists. */
export async function findWebhooks(db: Database, id?: number): Promise<FoundWebhooks> {
  const { rows, feed } = await batch(db, selectFound(id === undefined ? sql`true` : sql`id = ${id}`))
  return { rows, feed: readChangeFeed(feed) }
}

function selectFound(where: SQL) {
  return { rows: selectRows(webhooks, sql`where ${where} order by id`), feed: selectChangeFeed() }
}

/** Stores a subscription and returns it. Throws 409 when there are too many. */
export async function createWebhook(db: Database, input: NewWebhook): Promise<FoundWebhooks> {
  const { url, resources, description, secret, cursor } = input
  // Read in the statement itself, so that no change is lost between reading the position and the insert.
  const position = cursor ? sql`${cursor.position}` : sql`(select ifnull(max(cursor), 0) from changes)`
  const { inserted, rows, feed } = await batch(db, {
    inserted: sqlStatement<{
      id: number
    }>(sql`insert into webhooks (url, description, resources, secret, date_created, position, floor, leased_until,
        failures, enabled)
      select ${url}, ${description}, ${resources && JSON.stringify(resources)}, ${secret},
        ${formatDateTime(new Date())}, ${position}, ${cursor?.floor ?? 0}, 0, 0, 1
      where (select count(*) from webhooks) < ${MAX_WEBHOOKS}
      returning id`),
    ...selectFound(sql`id = (select max(id) from webhooks)`),
  })
  if (inserted.length === 0) throw new ApiError(409, TOO_MANY_WEBHOOKS)
  return { rows, feed: readChangeFeed(feed) }
}

/** The values that an update sets; absent ones stay. */
type WebhookChanges = Partial<Pick<StoredWebhook, 'url' | 'resources' | 'description' | 'enabled'>> & {
  cursor?: Cursor | undefined
}

/**
 * Changes a subscription; false when it does not exist. A run that is delivering to it can no longer acknowledge, so it
 * sends its batch again. A changed URL, resources or cursor, or enabling it, also ends the wait for a retry.
 */
export async function updateWebhook(
  db: Database,
  id: number,
  { cursor, ...columns }: WebhookChanges,
): Promise<boolean> {
  const { url, resources, enabled } = columns
  const startsAgain = enabled === true || url !== undefined || resources !== undefined || cursor !== undefined
  const values: Partial<StoredWebhook> = {
    ...columns,
    ...(cursor ? { position: cursor.position, floor: cursor.floor } : {}),
    // The entries change, so the batch needs a new id: the receiver may already know the old one.
    ...(cursor || resources !== undefined ? { batch_id: null, batch_until: null } : {}),
    ...(startsAgain ? { failures: 0, error: null, next_attempt: null } : {}),
    ...(enabled === undefined ? {} : { disabled_reason: null, date_disabled: null }),
  }
  const { names, params } = assignments(webhooks, values)
  const sets = names.map((name, index) => sql`${sql.identifier(name)} = ${params[index]}`)
  const lease = startsAgain || enabled === false ? revokedLease : sql`lease`
  const rows = await runStatement(
    db,
    sqlStatement<{ id: number }>(
      sql`update webhooks set ${sql.join([...sets, sql`lease = ${lease}`], sql`, `)} where id = ${id} returning id`,
    ),
  )
  return rows.length > 0
}

/** Stores a new, encrypted secret. The old one also signs for a day. What waits for a retry is due at once. */
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

/** Deletes a subscription and its attempts; false when it does not exist. */
export async function removeWebhook(db: Database, id: number): Promise<boolean> {
  const { removed } = await batch(db, {
    attempts: sqlStatement(sql`delete from webhook_attempts where webhook_id = ${id}`),
    removed: sqlStatement<{ id: number }>(sql`delete from webhooks where id = ${id} returning id`),
  })
  return removed.length > 0
}
