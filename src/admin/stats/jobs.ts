/** The jobs of cron, what is noted of the last run of each, and the lease that keeps two runs apart. */
import { sql } from 'drizzle-orm'
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

/** A job that has ended. */
export interface JobRun {
  name: string
  milliseconds: number
  /** Null if it succeeded. */
  error: string | null
}

/** The lease of a run. */
export interface RunLease {
  /** The time of cron that it works for. */
  cron: string
  /** A random name of the run. */
  run: string
  /** How long it may work, as `Date.now()`. */
  until: number
}

/**
 * Keeps other runs from the work of a time of cron. False if another run is at work; one that was cut off keeps the others
 * out until its lease ends. A claim that failed may have been stored, so it is made twice.
 */
export async function claimRun(db: Database, { cron, run, until }: RunLease): Promise<boolean> {
  const claiming = sqlStatement<{ cron: string }>(sql`insert into job_leases (cron, run, until)
    values (${cron}, ${run}, ${until}) on conflict (cron) do update set run = excluded.run, until = excluded.until
    where job_leases.until <= ${Date.now()} or job_leases.run = excluded.run returning cron`)
  const claim = () => runStatement(db, claiming)
  const claimed = await claim().catch(claim)
  return claimed.length > 0
}

/** Notes the jobs of a run and ends its lease. Never throws: what the jobs did is done, and the lease ends by itself. */
export async function noteRuns(
  db: Database,
  runs: readonly JobRun[],
  { cron, run }: RunLease,
): Promise<void> {
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
