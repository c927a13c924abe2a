/**
 * Delivery of webhooks: several subscriptions in parallel, the batches of each one after another. Delivery is at least once
 * and in order: a cursor moves only when the receiver has answered 2xx. Any number of runs may work at the same time, and
 * each may be interrupted at any point.
 */
import { type Database, database, mayCall } from '../../db/client.ts'
import { describeFailure, log } from '../../http/log.ts'
import { CURSOR_TOO_OLD } from '../../resources/changes/queries.ts'
import {
  acknowledge,
  type Batch,
  type DueWebhooks,
  findDue,
  findDueAndTidy,
  leaseBatch,
  type Outcome,
  type RetryDecision,
} from './batches.ts'
import { type Pace, REAL_TIMING, sendWebhook } from './send.ts'

/** How much one run may do. */
export interface DeliveryLimits {
  /** Maximum batches, of all subscriptions together. */
  batches: number
  /** How long it starts new batches, in milliseconds. */
  time: number
}

/**
 * Cloudflare allows 30 seconds after the response, and the last attempt may take ten of them. One batch for each of the
 * maximum subscriptions: a batch takes six queries and a call of the thousand that an invocation may make.
 */
const AFTER_WRITE_LIMITS: DeliveryLimits = { batches: 100, time: 15_000 }
/** The next run starts in a minute, and a run begins nothing after 20 seconds. */
export const CRON_LIMITS: DeliveryLimits = { batches: 80, time: 20_000 }
/** Small, because this runs in the same invocation of cron as the run with `CRON_LIMITS`. */
const AFTER_MATCHING_LIMITS: DeliveryLimits = { batches: 20, time: 15_000 }

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds until the next attempt, by how many have failed: 5 s, 30 s, …, then every 6 hours for 3 days. */
const RETRY_DELAYS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  ...Array<number>(12).fill(6 * HOUR),
]

/** `disabled_reason` of a subscription after the last retry. */
export const GAVE_UP_REASON = `Not delivered in ${RETRY_DELAYS.length + 1} attempts`
/** `disabled_reason` of a subscription whose receiver answered 410 Gone. */
export const GONE_REASON = 'The receiver answered 410'

/** Parallel deliveries: an invocation has six connections. */
const MAX_PARALLEL = 6
/** Calls to D1 that parallel deliveries may make before they ask again: each leases and acknowledges. */
const CALLS_AT_ONCE = 2 * MAX_PARALLEL

/** Run by cron: delivers what earlier runs left and all that is due. */
export async function deliverByCron(
  env: Env,
  pace: Pace = REAL_TIMING,
  limits: DeliveryLimits = CRON_LIMITS,
): Promise<void> {
  await deliverTo(env, findDueAndTidy, limits, pace)
}

/** Delivers what is due after a write. Never throws; false when no subscription is enabled. */
export async function deliverAfterWrite(
  env: Env,
  pace: Pace = REAL_TIMING,
  limits: DeliveryLimits = AFTER_WRITE_LIMITS,
): Promise<boolean> {
  try {
    const { hasNoneEnabled } = await deliverTo(env, findDue, limits, pace)
    return !hasNoneEnabled
  } catch (error) {
    log('error', { work: 'webhooks', ...describeFailure(error) })
    return true
  }
}

/** Delivers the matches that cron has just stored: `deliverByCron` may have run before them. */
export async function deliverAfterMatching(env: Env): Promise<void> {
  await deliverTo(env, findDue, AFTER_MATCHING_LIMITS, REAL_TIMING)
}

type FindDue = (db: Database, now: number) => Promise<DueWebhooks>

async function deliverTo(env: Env, find: FindDue, limits: DeliveryLimits, pace: Pace): Promise<DueWebhooks> {
  const due = await find(database(env), pace.now())
  if (due.ids.length > 0) await new DeliveryRun(env, due.ids, limits, pace).finish()
  return due
}

/** One run: the subscriptions still to be served and the limits left. */
class DeliveryRun {
  readonly #env: Env
  readonly #db: Database
  readonly #pace: Pace
  readonly #end: number
  #batches: number
  /** Subscriptions with the time from which each is due. */
  readonly #waiting: { id: number; at: number }[]

  constructor(env: Env, ids: number[], { batches, time }: DeliveryLimits, pace: Pace) {
    const now = pace.now()
    this.#env = env
    this.#db = database(env)
    this.#pace = pace
    this.#end = now + time
    this.#batches = batches
    this.#waiting = ids.map((id) => ({ id, at: now }))
  }

  async finish(): Promise<void> {
    await Promise.all(
      Array.from({ length: Math.min(MAX_PARALLEL, this.#waiting.length) }, () => this.#runWorker()),
    )
  }

  /** A subscription to be retried goes to the end of the queue. */
  async #runWorker(): Promise<void> {
    for (let next = this.#waiting.shift(); next && this.#mayGoOn(); next = this.#waiting.shift()) {
      const { id, at } = next
      const pause = at - this.#pace.now()
      if (pause > 0) await this.#pace.wait(pause)
      try {
        const again = await this.#deliverAll(id)
        if (again !== null && again < this.#end) this.#waiting.push({ id, at: again })
      } catch (error) {
        // The lease expires, and cron continues with this subscription.
        log('error', { work: 'webhooks', webhook: id, ...describeFailure(error) })
      }
    }
  }

  /** Delivers batch after batch until one fails or none is left. Returns the time of the next attempt, null for none. */
  async #deliverAll(id: number): Promise<number | null> {
    let again: number | null = null
    let next = this.#mayGoOn() ? await leaseBatch(this.#db, id, this.#pace.now()) : null
    while (next) {
      this.#batches--
      const outcome = await this.#tryBatch(next)
      if (outcome.kind === 'failed' && 'next' in outcome.sequel) again = outcome.sequel.next
      const acknowledged = await acknowledge(this.#db, next, outcome, this.#pace.now(), this.#mayGoOn())
      if (acknowledged.counts) logDisabled(id, outcome)
      next = acknowledged.next
    }
    return again
  }

  async #tryBatch(batch: Batch): Promise<Outcome> {
    if (batch.isTooOld) return { kind: 'too old' }
    if (batch.data === null) return { kind: 'moved' }
    const { batch_id, data, failures } = batch
    const attempt = await sendWebhook(this.#env, batch, { batch_id, type: 'changes', data }, this.#pace)
    if (attempt.error === null) return { kind: 'delivered', attempt }
    return { kind: 'failed', attempt, sequel: afterFailure(failures + 1, attempt.status, this.#pace.now()) }
  }

  #mayGoOn(): boolean {
    return this.#batches > 0 && this.#pace.now() < this.#end && mayCall(this.#db, CALLS_AT_ONCE)
  }
}

/**
 * Decides when a failed delivery is tried again, or why it is not.
 * @param failures attempts that have failed so far, including this one
 * @param status HTTP status of the receiver; null when there was no answer
 * @param now as `Date.now()`
 */
function afterFailure(failures: number, status: number | null, now: number): RetryDecision {
  if (status === 410) return { disabled: GONE_REASON }
  const pause = RETRY_DELAYS[failures - 1]
  return pause === undefined ? { disabled: GAVE_UP_REASON } : { next: now + pause }
}

/** Logs that the service disabled a subscription, so that an operator can act. */
function logDisabled(id: number, outcome: Outcome): void {
  const reason = disabledReason(outcome)
  if (!reason) return
  const last = outcome.kind === 'failed' ? { last_error: outcome.attempt.error } : {}
  log('error', { work: 'webhooks', webhook: id, disabled: reason, ...last })
}

function disabledReason(outcome: Outcome): string | null {
  if (outcome.kind === 'too old') return CURSOR_TOO_OLD
  return outcome.kind === 'failed' && 'disabled' in outcome.sequel ? outcome.sequel.disabled : null
}
