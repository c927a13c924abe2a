/** The jobs of cron, what is noted of the last run of each, and the lease that keeps two runs apart. */
import { sql } from 'drizzle-orm'
import type { RunTimes } from '../../db/allowance.ts'
import { upsertRows } from '../../db/bulk.ts'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { sqlStatement } from '../../db/statements.ts'
import { job_runs } from '../../db/tables/stats.ts'
import { formatDateTime } from '../../fields/values.ts'
import { describeFailure, log } from '../../http/log.ts'

/** The jobs of cron, those of every minute first. `src/scheduled.ts` says what each does. */
export const JOB_NAMES = [
  'matching',
  'webhooks',
  'mails',
  'idempotency_keys',
  'search_portions',
  'search_texts',
  'public_points',
  'picture_sizes',
  'backups',
  'imported_photos',
  'erasures',
  'record_counts',
  'files',
  'enquiries',
  'changes',
  'trail',
  'expired_idempotency_keys',
] as const
export type JobName = (typeof JOB_NAMES)[number]

/** Characters of an error that are kept. */
const MAX_ERROR = 200

export interface JobRun {
  name: string
  milliseconds: number
  error: string | null
}

export interface RunLease {
  /** The time of cron that it works for. */
  cron: string
  /** A random name of the run. */
  run: string
}

/**
 * How long a lease lasts, and how often a run renews its own, in milliseconds. It is over before the next minute, so a run
 * that was cut off, or could not end its lease, keeps none of the next from the work.
 */
const LEASE_MS = 40_000
const RENEWAL_MS = 10_000
/** How long a call to D1 may take. None begins later than that before the end of the lease. */
const CALL_MS = 15_000

/**
 * Keeps other runs from the work of a time of cron. Returns when the last call of this run may begin; null if another run is at
 * work. A claim that failed may have been stored, so it is made twice. A lease that ends later than one may comes from a clock
 * that has gone back since.
 */
async function claimRun(db: Database, { cron, run }: RunLease): Promise<number | null> {
  const now = Date.now()
  const claiming = sqlStatement<{ cron: string }>(sql`insert into job_leases (cron, run, until)
    values (${cron}, ${run}, ${now + LEASE_MS}) on conflict (cron) do update set run = excluded.run, until = excluded.until
    where job_leases.until not between ${now + 1} and ${now + LEASE_MS} or job_leases.run = excluded.run returning cron`)
  const claim = () => runStatement(db, claiming)
  const claimed = await claim().catch(claim)
  return claimed.length > 0 ? lastCall(now) : null
}

/** Renews the lease of a run. Null if it is gone: it has ended, or another run has taken over. */
async function renewRun(db: Database, { cron, run }: RunLease): Promise<number | null> {
  const now = Date.now()
  const renewing = sqlStatement<{ cron: string }>(
    sql`update job_leases set until = ${now + LEASE_MS} where cron = ${cron} and run = ${run} and until > 0
    returning cron`,
  )
  return (await runStatement(db, renewing)).length > 0 ? lastCall(now) : null
}

/** When the last call of a lease may begin that was claimed or renewed at `now`. */
const lastCall = (now: number) => now + LEASE_MS - CALL_MS

/**
 * Does the work of a run while no other run does it, and notes how it went. Returns false if another is at work. Where the
 * lease cannot be renewed, another may take over: `work` makes no calls after the end of its times.
 * @param times the end is put off with each renewal, at most to `latest`
 */
export async function runLeased(
  db: Database,
  lease: RunLease,
  { times, latest }: { times: RunTimes; latest: number },
  work: () => Promise<JobRun[]>,
): Promise<boolean> {
  const end = await claimRun(db, lease)
  if (end === null) return false
  times.end = Math.min(end, latest)
  let renewed: Promise<unknown> = Promise.resolve()
  const renew = async () => {
    const later = await renewRun(db, lease).catch(() => null)
    if (later !== null) times.end = Math.min(later, latest)
  }
  const renewing = setInterval(() => {
    if (Date.now() < latest) renewed = renew()
  }, RENEWAL_MS)
  const runs = await work().finally(() => clearInterval(renewing))
  await renewed
  await noteRuns(db, runs, lease)
  return true
}

/** Notes the jobs of a run and ends its lease. Never throws: what the jobs did is done, and the lease ends by itself. */
async function noteRuns(db: Database, runs: readonly JobRun[], { cron, run }: RunLease): Promise<void> {
  const date = formatDateTime(new Date())
  const rows = runs.map(({ error, ...run }) => ({ ...run, date, error: error?.slice(0, MAX_ERROR) ?? null }))
  const note = () =>
    batch(db, {
      runs: upsertRows(job_runs, rows, 'name'),
      lease: sqlStatement(sql`update job_leases set until = 0 where cron = ${cron} and run = ${run}`),
    })
  try {
    await note().catch(note)
  } catch (error) {
    log('error', { work: 'noting the jobs of cron', ...describeFailure(error) })
  }
}
