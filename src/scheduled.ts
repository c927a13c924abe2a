/** What cron does, one line each. The times are those of `[triggers]` in `wrangler.toml`. */
import { deliverAfterMatching, deliverByCron } from './admin/webhooks/deliver.ts'
import { database } from './db/client.ts'
import {
  removeExpiredIdempotencyKeys,
  removeExpiredIdempotencyKeysInBulk,
} from './db/expired-idempotency-keys.ts'
import { sweepFiles } from './files/sweep.ts'
import { describeFailure, log } from './http/log.ts'
import { purgeChanges } from './resources/changes/purge.ts'
import { purgeEnquiries } from './resources/enquiries/purge.ts'
import { checkPoints } from './resources/listings/address/check-points.ts'
import { measurePictures } from './resources/listings/pictures/measure.ts'
import { fillText } from './resources/listings/text/fill.ts'
import { matchUnmatched } from './resources/matching/run.ts'

/** Completes the work that writes leave to cron. */
export const EVERY_MINUTE = '* * * * *'
/** Deletes unreferenced files and expired data. */
export const DAILY = '17 3 * * *'

type Job = (env: Env) => Promise<unknown>

const JOBS: Record<string, Job[]> = {
  [EVERY_MINUTE]: [
    (env) => matchUnmatched(database(env)).then(() => deliverAfterMatching(env)),
    (env) => deliverByCron(env),
    (env) => removeExpiredIdempotencyKeysInBulk(database(env)),
    (env) => fillText(database(env)),
    (env) => checkPoints(database(env)),
    (env) => measurePictures(env),
  ],
  [DAILY]: [
    sweepFiles,
    (env) => purgeEnquiries(env),
    (env) => purgeChanges(env),
    (env) => removeExpiredIdempotencyKeys(database(env)),
  ],
}

/** Runs the jobs of one of the times above. A job that fails is logged and does not stop the others. */
export async function runScheduled({ cron }: Pick<ScheduledController, 'cron'>, env: Env): Promise<void> {
  const jobs = JOBS[cron]
  if (!jobs) throw new Error(`No work is planned at ${cron}`)
  const outcomes = await Promise.allSettled(jobs.map((job) => job(env)))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') log('error', { cron, ...describeFailure(outcome.reason) })
  }
}
