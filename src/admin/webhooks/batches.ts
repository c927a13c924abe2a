/**
 * The batches of a subscription, as SQL. Whoever delivers one first claims it: a lease keeps others away until it is
 * settled or runs out, and the batch gets its name and its end, which stay until it is delivered. So a batch that is
 * sent again never holds more than before: a receiver that has had it may forget it by its name.
 */
import { type SQL, sql } from 'drizzle-orm'
import { RESOURCES } from '../../db/changes.ts'
import { batch, type Database, type Statement } from '../../db/client.ts'
import { formatDateTime } from '../../fields/values.ts'
import { formatCursor } from '../../resources/changes/cursor.ts'
import {
  cursorsBehind,
  entriesAt,
  isTooOld,
  type StoredEntry,
  TOO_OLD,
} from '../../resources/changes/queries.ts'
import { noteAttempt } from './attempts.ts'
import { type Attempt, newBatchId, type Receiver } from './send.ts'

/** Most entries of a batch. */
const MAX_ENTRIES = 100
/** How long a batch is nobody else's, in milliseconds: longer than an attempt takes, with all that belongs to it. */
const LEASE = 30_000

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
export type Sequel = { next: number } | { disabled: string }

/** What became of a batch. `moved`: all its entries have changed again, so nothing was sent. */
export type Outcome =
  | { kind: 'moved' | 'too old' }
  | { kind: 'delivered'; attempt: Attempt }
  | { kind: 'failed'; attempt: Attempt; sequel: Sequel }

const ALL = JSON.stringify(RESOURCES)
const WANTED = sql`ifnull(webhooks.resources, ${ALL})`
const POSITION = sql`webhooks.position`
const hasEntries = sql`exists (${cursorsBehind(POSITION, WANTED, 1)})`
const isDue = (now: number) =>
  sql`webhooks.enabled and webhooks.leased_until <= ${now} and ifnull(webhooks.next_attempt, 0) <= ${now}
    and (webhooks.batch_id is not null or ${hasEntries})`

/** What stands before a lease that counts no more. */
const REVOKED = 'revoked '

/**
 * The lease, as it is when the subscription is changed: whoever has it may no longer say how it went, and still keeps
 * others away, so that what is sent next comes after what is on its way.
 */
export const revokedLease = sql`${REVOKED} || replace(lease, ${REVOKED}, '')`

/** Subscriptions that something is to be delivered to: first those that are well, of these and those the longest waiting. */
export interface Due {
  ids: number[]
  /** Whether there are none at all that are enabled. */
  isQuiet: boolean
}

/** Looks who is to be told of something; one round trip, and as many steps as there are subscriptions and resources. */
export async function findDue(db: Database, now: number): Promise<Due> {
  return readDue(await selectDue(db, now))
}

/**
 * The same for the clock. Subscriptions that want nothing of what changed are moved along, so that they do not fall behind the
 * tombstones that are forgotten, and old secrets that sign no more are removed.
 */
export async function tend(db: Database, now: number): Promise<Due> {
  const newest = sql`(select max(cursor) from changes)`
  const [, , rows] = await batch(db, [
    db.run(sql`update webhooks set position = ${newest}
      where enabled and batch_id is null and position < ${newest} and not ${hasEntries}`),
    db.run(
      sql`update webhooks set old_secret = null, old_secret_expires = null where old_secret_expires <= ${now}`,
    ),
    selectDue(db, now),
  ])
  return readDue(rows)
}

function selectDue(db: Database, now: number) {
  return db.all<{ id: number; due: number }>(
    sql`select id, ${isDue(now)} as due from webhooks where enabled order by failures > 0, leased_until, id`,
  )
}

function readDue(rows: { id: number; due: number }[]): Due {
  return { ids: rows.filter(({ due }) => due).map(({ id }) => id), isQuiet: rows.length === 0 }
}

/** The next batch of a subscription; null when there is none, it is not due, or somebody else is at it. */
export async function claim(db: Database, id: number, now: number): Promise<Batch | null> {
  const { statements, read } = claiming(db, id, now)
  return read(await batch<Statement[]>(db, statements))
}

/** Whether what became of a batch counts, and the next one. */
interface Settled {
  counts: boolean
  next: Batch | null
}

/**
 * Notes what became of a batch; only who holds its lease may move the cursor. Claims the next one in the same transaction,
 * unless there shall be none: what is written later finds nobody at work. Where the lease was revoked, that is the same one,
 * as it is to be sent by now.
 */
export async function settle(
  db: Database,
  settled: Batch,
  outcome: Outcome,
  now: number,
  goesOn: boolean,
): Promise<Settled> {
  const { webhook_id } = settled
  const next = goesOn ? claiming(db, webhook_id, now) : null
  const released = sql`lease = null, leased_until = ${now}`
  const results = await batch<Statement[]>(db, [
    db.all(sql`update webhooks set ${changesOf(outcome, now)}, ${released}
      where id = ${webhook_id} and lease = ${settled.lease} returning id`),
    db.run(
      sql`update webhooks set ${released} where id = ${webhook_id} and lease = ${REVOKED + settled.lease}`,
    ),
    ...('attempt' in outcome ? noteAttempt(db, webhook_id, outcome.attempt) : []),
    ...(next?.statements ?? []),
  ])
  const [noted] = results as unknown[][]
  return {
    counts: noted?.length === 1,
    next: next ? next.read(results.slice(-next.statements.length)) : null,
  }
}

const DELIVERED = sql`position = batch_until, batch_id = null, batch_until = null`

function changesOf(outcome: Outcome, now: number): SQL {
  const date = formatDateTime(new Date(now))
  const disabled = (reason: string) =>
    sql`enabled = 0, disabled_reason = ${reason}, date_disabled = ${date}, next_attempt = null`
  switch (outcome.kind) {
    case 'moved':
      // Which tells nothing of the receiver.
      return DELIVERED
    case 'too old':
      return sql`${disabled(TOO_OLD)}, batch_id = null, batch_until = null`
    case 'delivered':
      return sql`${DELIVERED}, failures = 0, error = null, next_attempt = null, date_delivered = ${date}`
    case 'failed': {
      const { attempt, sequel } = outcome
      const failed = sql`failures = failures + 1, error = ${attempt.error}`
      return sql`${failed}, ${'disabled' in sequel ? disabled(sequel.disabled) : sql`next_attempt = ${sequel.next}`}`
    }
  }
}

interface Claimed extends Receiver {
  batch_id: string
  failures: number
  position: number
  floor: number
  deployment: string
  purged: number
}

/** The statements that claim a batch and read it, and what they give. */
function claiming(db: Database, id: number, now: number) {
  const lease = crypto.randomUUID()
  const statements: Statement[] = [
    db.all(sql`update webhooks set lease = ${lease}, leased_until = ${now + LEASE},
        batch_until = ifnull(batch_until, (select max(value) from (${cursorsBehind(POSITION, WANTED, MAX_ENTRIES)}))),
        batch_id = ifnull(batch_id, ${newBatchId()})
      where id = ${id} and ${isDue(now)}
      returning batch_id, url, secret, old_secret, old_secret_expires, failures, position, floor,
        (select deployment from change_feed) as deployment, (select purged from change_feed) as purged`),
    db.all(
      entriesAt(sql`select entry.value from webhooks, json_each((
        select json_group_array(value) from (
          ${cursorsBehind(POSITION, WANTED, MAX_ENTRIES, sql`webhooks.batch_until`)}))) entry
        where webhooks.id = ${id} and webhooks.lease = ${lease}`),
    ),
  ]
  const read = ([rows, entries]: unknown[]): Batch | null => {
    const [claimed] = rows as Claimed[]
    if (!claimed) return null
    const { position, floor, deployment, purged, ...rest } = claimed
    return {
      ...rest,
      webhook_id: id,
      lease,
      data: dataOf(entries as StoredEntry[], deployment, floor),
      isTooOld: isTooOld({ position, floor }, { purged }),
    }
  }
  return { statements, read }
}

function dataOf(entries: StoredEntry[], deployment: string, floor: number): string | null {
  if (entries.length === 0) return null
  return JSON.stringify(
    entries.map(({ cursor, ...entry }) => ({
      cursor: formatCursor(deployment, { position: cursor, floor }),
      ...entry,
    })),
  )
}
