/**
 * The batches of a subscription, as SQL. Whoever delivers one first claims it: a lease keeps others away until it is
 * settled or runs out, and the batch gets its name and its end, which stay until it is delivered. So a batch that is
 * sent again never holds more than before: a receiver that has had it may forget it by its name.
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

/** Most entries of a batch. */
const MAX_ENTRIES = 100
/** How long a batch is nobody else's, in milliseconds: longer than an attempt takes, with all that belongs to it. */
const LEASE_MS = 30_000

/** A batch that is ours for now. */
export interface Batch extends Receiver {
  webhook_id: number
  lease: string
  batch_id: string
  failures: number
  /** JSON of the entries; null where all of them have changed again, and come later. */
  data: string | null
  /** Whether tombstones are gone that the receiver would have needed. */
  isTooOld: boolean
}

/** What follows a failed attempt: the moment of the next, or why there is none. */
export type RetryDecision = { next: number } | { disabled: string }

/** What became of a batch. `moved`: all its entries have changed again, so nothing was sent. */
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

/** What stands before a lease that counts no more. */
const REVOKED_PREFIX = 'revoked '

/**
 * The lease, as it is when the subscription is changed: whoever has it may no longer say how it went, and still keeps
 * others away, so that what is sent next comes after what is on its way.
 */
export const revokedLease = sql`${REVOKED_PREFIX} || replace(lease, ${REVOKED_PREFIX}, '')`

/** Subscriptions that something is to be delivered to: first those that are well, of these and those the longest waiting. */
export interface DueWebhooks {
  ids: number[]
  /** Whether there are none at all that are enabled. */
  hasNoneEnabled: boolean
}

/** Looks who is to be told of something; one round trip, and as many steps as there are subscriptions and resources. */
export async function findDue(db: Database, now: number): Promise<DueWebhooks> {
  return readDue(await runStatement(db, selectDue(now)))
}

/**
 * The same for the clock. Subscriptions that want nothing of what changed are moved along, so that they do not fall behind the
 * tombstones that are forgotten, and old secrets that sign no more are removed.
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

/** The next batch of a subscription; null when there is none, it is not due, or somebody else is at it. */
export async function leaseBatch(db: Database, id: number, now: number): Promise<Batch | null> {
  const { statements, read } = leaseStatements(id, now)
  return read(await batch(db, statements))
}

/** Whether what became of a batch counts, and the next one. */
interface Acknowledgement {
  counts: boolean
  next: Batch | null
}

/**
 * Notes what became of a batch; only who holds its lease may move the cursor. Claims the next one in the same transaction,
 * unless there shall be none: what is written later finds nobody at work. Where the lease was revoked, that is the same one,
 * as it is to be sent by now.
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
    noted: sqlStatement<{ id: number }>(sql`update webhooks set ${webhookChanges(outcome, now)}, ${released}
      where id = ${webhook_id} and lease = ${leased.lease} returning id`),
    released: sqlStatement(
      sql`update webhooks set ${released} where id = ${webhook_id} and lease = ${REVOKED_PREFIX + leased.lease}`,
    ),
    attempt: 'attempt' in outcome ? attemptStatements(webhook_id, outcome.attempt) : null,
    next: next?.statements ?? null,
  })
  return {
    counts: results.noted.length === 1,
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
      // Which tells nothing of the receiver.
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

/** The statements that claim a batch and read it, and what they give. */
function leaseStatements(id: number, now: number) {
  const lease = crypto.randomUUID()
  const statements = {
    claimed:
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
  const read = ({ claimed: [claimed], entries }: Results<typeof statements>): Batch | null => {
    if (!claimed) return null
    const { position, floor, deployment, purged, ...rest } = claimed
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
