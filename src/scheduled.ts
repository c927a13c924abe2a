/** What cron does, one line each. The times are those of `[triggers]` in `wrangler.toml`. */

import { beginBackup, continueBackup } from './admin/backups/run.ts'
import { continueErasures } from './admin/erasure/clear.ts'
import { storeNewlyErased } from './admin/erasure/stored-list.ts'
import { type JobName, type JobRun, runLeased } from './admin/stats/jobs.ts'
import { purgeTrail } from './admin/trail/purge.ts'
import { deliverAfterMatching, deliverByCron } from './admin/webhooks/deliver.ts'
import { Allowance } from './db/allowance.ts'
import { type Database, database, mayCall } from './db/client.ts'
import { followChanges } from './db/derived.ts'
import {
  removeExpiredIdempotencyKeys,
  removeExpiredIdempotencyKeysInBulk,
} from './db/expired-idempotency-keys.ts'
import { countRecords } from './db/record-counts.ts'
import { sweepFiles } from './files/sweep.ts'
import { CRON } from './http/caller/provenance.ts'
import { describeFailure, log } from './http/log.ts'
import { NOTICE_MAILS } from './resources/appointments/notice-mail.ts'
import { purgeChanges } from './resources/changes/purge.ts'
import { ENQUIRY_MAILS } from './resources/enquiries/mail.ts'
import { purgeEnquiries } from './resources/enquiries/purge.ts'
import { checkPoints } from './resources/listings/address/check-points.ts'
import { downloadImported } from './resources/listings/pictures/downloads.ts'
import { measurePictures } from './resources/listings/pictures/measure.ts'
import { fillPublicListings } from './resources/listings/public/fill.ts'
import { packPortions } from './resources/listings/search/packing.ts'
import { keepPlaceSearch } from './resources/lookups/place-search.ts'
import { sendMails } from './resources/mails/queue.ts'
import { matchUnmatched } from './resources/matching/run.ts'
import { SEARCH_TEXTS } from './resources/search-texts.ts'

/** Completes the work that writes leave to cron. */
export const EVERY_MINUTE = '* * * * *'
/** Deletes unreferenced files and expired data. */
export const DAILY = '17 3 * * *'

/** Keeps what else is stored for searching as this version derives it. */
async function keepSearchTexts(db: Database): Promise<void> {
  for (const derived of SEARCH_TEXTS) if (mayCall(db, 1)) await followChanges(db, derived)
  await keepPlaceSearch(db)
}

/** Keeps what visitors see, and then what searches load of it. */
async function keepSearch(db: Database) {
  const { isFilled } = await fillPublicListings(db)
  return isFilled ? packPortions(db) : { isFilled }
}

/** Goes on with erasures, and then adds who was erased to the list in the bucket of the backups. */
async function keepErased(env: Env) {
  const done = await continueErasures(env, database(env))
  await storeNewlyErased(env)
  return done
}

/** Does the work of a job, and returns what the log is to say of it. */
type Job = (env: Env) => Promise<unknown>

const JOBS: Record<string, Partial<Record<JobName, Job>>> = {
  [EVERY_MINUTE]: {
    matching: (env) => matchUnmatched(database(env)).then(() => deliverAfterMatching(env)),
    webhooks: (env) => deliverByCron(env),
    mails: (env) => sendMails(env, [ENQUIRY_MAILS, NOTICE_MAILS]),
    idempotency_keys: (env) => removeExpiredIdempotencyKeysInBulk(database(env)),
    search_portions: (env) => keepSearch(database(env)),
    search_texts: (env) => keepSearchTexts(database(env)),
    public_points: (env) => checkPoints(database(env)),
    picture_sizes: (env) => measurePictures(env),
    backups: (env) => beginBackup(env).then(() => continueBackup(env)),
    imported_photos: (env) => downloadImported(env),
    erasures: (env) => keepErased(env),
    record_counts: (env) => countRecords(database(env)),
  },
  [DAILY]: {
    files: (env) => sweepFiles(env),
    enquiries: (env) => purgeEnquiries(env),
    changes: (env) => purgeChanges(env),
    trail: (env) => purgeTrail(env),
    expired_idempotency_keys: (env) => removeExpiredIdempotencyKeys(database(env)),
  },
}

/** Calls to D1 of all jobs of a run. D1 allows 1,000; the rest is for portions that need more than expected. */
const CALLS_PER_RUN = 900
/** The part of them that each job has for itself, and the jobs that never need so many. */
const CALLS_PER_JOB = 80
const CALLS_OF: Partial<Record<string, number>> = { record_counts: 2 }
const ownCalls = (name: string) => CALLS_OF[name] ?? CALLS_PER_JOB

/**
 * How long the jobs of a time begin new portions, in milliseconds. What is left after a minute's is for the next minute, and
 * what is left after a day's for the next day, so that has longer.
 */
const WORK_MS: Record<string, number> = { [EVERY_MINUTE]: 20_000, [DAILY]: 600_000 }
/** How long a portion that has begun may take. Cloudflare ends a run after 15 minutes. */
const PORTION_MS = 100_000

/**
 * Runs the jobs of one of the times above, unless an earlier run is still at work. A job that fails does not stop the others.
 * The log has a line for each job: how long it ran, its calls to D1, what it did, and its error. The last run of each is noted
 * for `/admin/stats`.
 */
export async function runScheduled({ cron }: Pick<ScheduledController, 'cron'>, env: Env): Promise<void> {
  const jobs = Object.entries(JOBS[cron] ?? {})
  if (jobs.length === 0) throw new Error(`No work is planned at ${cron}`)
  const stop = Date.now() + (WORK_MS[cron] ?? 0)
  const times = { stop, end: 0 }
  const shared = { left: jobs.reduce((left, [name]) => left - ownCalls(name), CALLS_PER_RUN) }
  const runJob = async ([name, job]: [string, Job]): Promise<JobRun> => {
    const start = Date.now()
    const allowance = new Allowance(ownCalls(name), shared, times)
    const { failure, ...done } = await job({ ...env, ALLOWANCE: allowance, PROVENANCE: CRON }).then(
      (figures) => ({ failure: null, ...(figures as object | undefined) }),
      (error: unknown) => ({ failure: describeFailure(error) }),
    )
    allowance.release()
    const milliseconds = Date.now() - start
    log(failure ? 'error' : 'info', {
      cron,
      job: name,
      milliseconds,
      calls: allowance.used,
      ...done,
      ...failure,
    })
    return { name, milliseconds, error: failure?.error ?? null }
  }
  const lease = { cron, run: crypto.randomUUID() }
  const isDone = await runLeased(database(env), lease, { times, latest: stop + PORTION_MS }, () =>
    Promise.all(jobs.map(runJob)),
  )
  if (!isDone) log('info', { cron, skipped: 'An earlier run is at work' })
}
