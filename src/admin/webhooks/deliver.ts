/**
 * Delivering: to several subscriptions side by side, to each batch after batch. At least once, in order; a cursor only
 * moves when a receiver has said 2xx. Any number of runs may be at it at once, and each may be cut off at any point.
 */
import { type Database, database } from '../../db/client.ts'
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

/** What one run may take. */
export interface DeliveryLimits {
  /** Most batches, of all subscriptions together. */
  batches: number
  /** How long it begins new ones, in milliseconds. */
  time: number
}

/**
 * Behind an answer Cloudflare leaves 30 seconds, of which the last attempt may take ten. As many batches as there may be
 * subscriptions: a batch takes six queries and a request, of the thousand that an invocation has.
 */
export const AFTER_WRITE_LIMITS: DeliveryLimits = { batches: 100, time: 15_000 }
/** The next run begins in a minute. */
export const CRON_LIMITS: DeliveryLimits = { batches: 80, time: 40_000 }
/** In the same invocation of the clock. */
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

/** What the service notes of a subscription that it gives up. */
export const GAVE_UP_REASON = `Not delivered in ${RETRY_DELAYS.length + 1} attempts`
export const GONE_REASON = 'The receiver answered 410'

/** Deliveries side by side: an invocation has six connections. */
const MAX_PARALLEL = 6

/** The work of the clock: delivers what was left, and whatever is due. Never throws. */
export async function deliverByCron(
  env: Env,
  pace: Pace = REAL_TIMING,
  limits: DeliveryLimits = CRON_LIMITS,
): Promise<void> {
  await deliverTo(env, findDueAndTidy, limits, pace)
}

/** Delivers what is due after a write. Never throws; false when nobody wants to be told of anything. */
export async function deliverAfterWrite(
  env: Env,
  pace: Pace = REAL_TIMING,
  limits: DeliveryLimits = AFTER_WRITE_LIMITS,
): Promise<boolean> {
  const due = await deliverTo(env, findDue, limits, pace)
  return !due?.hasNoneEnabled
}

/** Delivers what the clock has matched, which `deliverLeft` may have come too early for. Never throws. */
export async function deliverAfterMatching(env: Env): Promise<void> {
  await deliverTo(env, findDue, AFTER_MATCHING_LIMITS, REAL_TIMING)
}

type FindDue = (db: Database, now: number) => Promise<DueWebhooks>

async function deliverTo(
  env: Env,
  find: FindDue,
  limits: DeliveryLimits,
  pace: Pace,
): Promise<DueWebhooks | null> {
  try {
    const due = await find(database(env), pace.now())
    if (due.ids.length > 0) await new DeliveryRun(env, due.ids, limits, pace).finish()
    return due
  } catch (error) {
    log('error', { work: 'webhooks', ...describeFailure(error) })
    return null
  }
}

/** One run: who is still to be told, and what it may yet take. */
class DeliveryRun {
  readonly #env: Env
  readonly #db: Database
  readonly #pace: Pace
  readonly #end: number
  #batches: number
  /** Subscriptions, and the moment from which on each is due. */
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
      Array.from({ length: Math.min(MAX_PARALLEL, this.#waiting.length) }, () => this.#runLane()),
    )
  }

  /** Those that are to be tried again wait behind all others. */
  async #runLane(): Promise<void> {
    for (let next = this.#waiting.shift(); next && this.#mayGoOn(); next = this.#waiting.shift()) {
      const { id, at } = next
      const pause = at - this.#pace.now()
      if (pause > 0) await this.#pace.wait(pause)
      try {
        const again = await this.#deliverAll(id)
        if (again !== null && again < this.#end) this.#waiting.push({ id, at: again })
      } catch (error) {
        // Its lease runs out, and the clock goes on with it.
        log('error', { work: 'webhooks', webhook: id, ...describeFailure(error) })
      }
    }
  }

  /** Delivers batch after batch, until one fails or all is told. Gives the moment of the next attempt, null for none. */
  async #deliverAll(id: number): Promise<number | null> {
    let again: number | null = null
    let next = this.#mayGoOn() ? await leaseBatch(this.#db, id, this.#pace.now()) : null
    while (next) {
      this.#batches--
      const outcome = await this.#tryBatch(next)
      if (outcome.kind === 'failed' && 'next' in outcome.sequel) again = outcome.sequel.next
      const settled = await acknowledge(this.#db, next, outcome, this.#pace.now(), this.#mayGoOn())
      if (settled.counts) logDisabled(id, outcome)
      next = settled.next
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
    return this.#batches > 0 && this.#pace.now() < this.#end
  }
}

/**
 * When a failed delivery is tried again, if it is.
 * @param failures attempts that have failed so far, this one included
 */
export function afterFailure(failures: number, status: number | null, now: number): RetryDecision {
  if (status === 410) return { disabled: GONE_REASON }
  const pause = RETRY_DELAYS[failures - 1]
  return pause === undefined ? { disabled: GAVE_UP_REASON } : { next: now + pause }
}

/** An operator wants to know of a subscription that is given up. */
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
