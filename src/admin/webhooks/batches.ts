/**
 * The batches of a subscription, as SQL. A run leases a batch before it delivers it. The lease keeps other runs away until
 * the batch is acknowledged or the lease expires.
 *
 * The lease also fixes the id and the last entry of the batch until it is delivered. A batch that is sent again therefore
 * never contains more than before, and a receiver can skip it by its id.
 */
import { type SQL, sql } from 'drizzle-orm'
import { RESOURCES } from '../../db/changes.ts'
import { batch, type Database, type Results, runStatement } from '../../db/client.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { formatCursor } from '../../resources/changes/cursor.ts'
import {
  CURSOR_TOO_OLD,
  cursorsAfter,
  isCursorTooOld,
  type StoredEntry,
  selectEntriesAt,
} from '../../resources/changes/queries.ts'
import { attemptStatements } from './attempts.ts'
import { type Attempt, newBatchId, type Receiver } from './send.ts'

const MAX_ENTRIES = 100
/** How long a lease lasts, in milliseconds: longer than an attempt takes, with its queries. */
const LEASE_MS = 30_000

/** A batch that this run has leased. */
export interface Batch extends Receiver {
  webhook_id: number
  lease: string
  batch_id: string
  failures: number
  /** JSON of the entries. Null when all of their records have changed again: their new entries come later. */
  data: string | null
  /** Whether tombstones that the receiver would need are already deleted. */
  isTooOld: boolean
}

/** What follows a failed attempt: the time of the next (as `Date.now()`), or why the subscription is disabled. */
export type RetryDecision = { next: number } | { disabled: string }

/** The result of delivering a batch. `moved`: all its records have changed again, so nothing was sent. */
export type Outcome =
  | { kind: 'moved' | 'too old' }
  | { kind: 'delivered'; attempt: Attempt }
  | { kind: 'failed'; attempt: Attempt; sequel: RetryDecision }

const ALL_RESOURCES = JSON.stringify(RESOURCES)
const SUBSCRIBED_RESOURCES = sql`ifnull(webhooks.resources, ${ALL_RESOURCES})`
const POSITION = sql`webhooks.position`
const hasEntries = sql`exists (${cursorsAfter(POSITION, SUBSCRIBED_RESOURCES, 1)})`
const isDue = (now: number) =>
  sql`webhooks.enabled and webhooks.leased_until <= ${now} and ifnull(webhooks.next_attempt, 0) <= ${now}
    and (webhooks.batch_id is not null or ${hasEntries})`

const REVOKED_PREFIX = 'revoked '

/**
 * The lease after the subscription was changed. The holder can no longer acknowledge, but still blocks other senders,
 * which keeps deliveries in order.
 */
export const revokedLease = sql`${REVOKED_PREFIX} || replace(lease, ${REVOKED_PREFIX}, '')`

/** Subscriptions with something to deliver: those without failures first, then the longest waiting. */
export interface DueWebhooks {
  ids: number[]
  hasNoneEnabled: boolean
}

/** Finds the subscriptions that are due. One round trip; the work grows with subscriptions and their resources. */
export async function findDue(db: Database, now: number): Promise<DueWebhooks> {
  return readDue(await runStatement(db, selectDue(now)))
}

/**
 * Like `findDue`, for cron. Also moves subscriptions forward when nothing that changed concerns them: otherwise their cursors
 * would become older than the tombstones that are kept. Deletes expired old secrets as well.
 */
export async function findDueAndTidy(db: Database, now: number): Promise<DueWebhooks> {
  const newest = sql`(select max(cursor) from changes)`
  const { due } = await batch(db, {
    moved: sqlStatement(sql`update webhooks set position = ${newest}
      where enabled and batch_id is null and position < ${newest} and not ${hasEntries}`),
    secrets: sqlStatement(
      sql`update webhooks set old_secret = null, old_secret_expires = null where old_secret_expires <= ${now}`,
    ),
    due: selectDue(now),
  })
  return readDue(due)
}

function selectDue(now: number): Statement<{ id: number; due: number }> {
  return sqlStatement(
    sql`select id, ${isDue(now)} as due from webhooks where enabled order by failures > 0, leased_until, id`,
  )
}

function readDue(rows: { id: number; due: number }[]): DueWebhooks {
  return { ids: rows.filter(({ due }) => due).map(({ id }) => id), hasNoneEnabled: rows.length === 0 }
}

/** Leases the next batch of a subscription. Null when there is none, it is not due, or another run holds the lease. */
export async function leaseBatch(db: Database, id: number, now: number): Promise<Batch | null> {
  const { statements, read } = leaseStatements(id, now)
  return read(await batch(db, statements))
}

interface Acknowledgement {
  /** False when the lease had expired or was revoked: then the outcome was not stored. */
  counts: boolean
  next: Batch | null
}

/**
 * Stores the outcome of a batch; only the holder of its lease moves the cursor. Leases the next batch in the same
 * transaction if `mayLeaseNext`, so that no write between them goes unnoticed. After a revoked lease the next batch is the
 * same one again, in the form that the changed subscription requires.
 */
export async function acknowledge(
  db: Database,
  leased: Batch,
  outcome: Outcome,
  now: number,
  mayLeaseNext: boolean,
): Promise<Acknowledgement> {
  const { webhook_id } = leased
  const next = mayLeaseNext ? leaseStatements(webhook_id, now) : null
  const released = sql`lease = null, leased_until = ${now}`
  const results = await batch(db, {
    acknowledged: sqlStatement<{
      id: number
    }>(sql`update webhooks set ${webhookChanges(outcome, now)}, ${released}
      where id = ${webhook_id} and lease = ${leased.lease} returning id`),
    released: sqlStatement(
      sql`update webhooks set ${released} where id = ${webhook_id} and lease = ${REVOKED_PREFIX + leased.lease}`,
    ),
    attempt: 'attempt' in outcome ? attemptStatements(webhook_id, outcome.attempt) : null,
    next: next?.statements ?? null,
  })
  return {
    counts: results.acknowledged.length === 1,
    next: next && results.next ? next.read(results.next) : null,
  }
}

const DELIVERED = sql`position = batch_until, batch_id = null, batch_until = null`

function webhookChanges(outcome: Outcome, now: number): SQL {
  const date = formatDateTime(new Date(now))
  const disabled = (reason: string) =>
    sql`enabled = 0, disabled_reason = ${reason}, date_disabled = ${date}, next_attempt = null`
  switch (outcome.kind) {
    case 'moved':
      // Nothing was sent, so the failures of the receiver stay as they are.
      return DELIVERED
    case 'too old':
      return sql`${disabled(CURSOR_TOO_OLD)}, batch_id = null, batch_until = null`
    case 'delivered':
      return sql`${DELIVERED}, failures = 0, error = null, next_attempt = null, date_delivered = ${date}`
    case 'failed': {
      const { attempt, sequel } = outcome
      const failed = sql`failures = failures + 1, error = ${attempt.error}`
      return sql`${failed}, ${'disabled' in sequel ? disabled(sequel.disabled) : sql`next_attempt = ${sequel.next}`}`
    }
  }
}

interface LeasedRow extends Receiver {
  batch_id: string
  failures: number
  position: number
  floor: number
  deployment: string
  purged: number
}

/** The statements that lease a batch and read it, with the function that reads their rows. */
function leaseStatements(id: number, now: number) {
  const lease = crypto.randomUUID()
  const statements = {
    leased:
      sqlStatement<LeasedRow>(sql`update webhooks set lease = ${lease}, leased_until = ${now + LEASE_MS},
        batch_until = ifnull(batch_until, (select max(value) from (${cursorsAfter(POSITION, SUBSCRIBED_RESOURCES, MAX_ENTRIES)}))),
        batch_id = ifnull(batch_id, ${newBatchId()})
      where id = ${id} and ${isDue(now)}
      returning batch_id, url, secret, old_secret, old_secret_expires, failures, position, floor,
        (select deployment from change_feed) as deployment, (select purged from change_feed) as purged`),
    entries: sqlStatement<StoredEntry>(
      selectEntriesAt(sql`select entry.value from webhooks, json_each((
        select json_group_array(value) from (
          ${cursorsAfter(POSITION, SUBSCRIBED_RESOURCES, MAX_ENTRIES, sql`webhooks.batch_until`)}))) entry
        where webhooks.id = ${id} and webhooks.lease = ${lease}`),
    ),
  }
  const read = ({ leased: [leased], entries }: Results<typeof statements>): Batch | null => {
    if (!leased) return null
    const { position, floor, deployment, purged, ...rest } = leased
    return {
      ...rest,
      webhook_id: id,
      lease,
      data: batchData(entries, deployment, floor),
      isTooOld: isCursorTooOld({ position, floor }, { purged }),
    }
  }
  return { statements, read }
}

function batchData(entries: StoredEntry[], deployment: string, floor: number): string | null {
  if (entries.length === 0) return null
  return JSON.stringify(
    entries.map(({ cursor, ...entry }) => ({
      cursor: formatCursor(deployment, { position: cursor, floor }),
      ...entry,
    })),
  )
}
