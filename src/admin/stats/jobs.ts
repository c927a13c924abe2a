/** The jobs of cron, and what is noted of the last run of each. */
import { upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
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
  'new_backup',
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

/** Notes the jobs of a run, in one statement. Never throws: what the jobs did is done. */
export async function noteRuns(db: Database, runs: readonly JobRun[]): Promise<void> {
  const date = formatDateTime(new Date())
  const rows = runs.map(({ error, ...run }) => ({ ...run, date, error: error?.slice(0, MAX_ERROR) ?? null }))
  try {
    await batch(db, { runs: upsertRows(job_runs, rows, 'name') })
  } catch (error) {
    log('error', { work: 'noting the jobs of cron', ...describeFailure(error) })
  }
}
