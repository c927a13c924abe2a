/** `/admin/stats`: figures for operators and their monitors. */
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'
import { database } from '../../db/client.ts'
import { NEWEST_MIGRATION } from '../../db/migrations.ts'
import { Router } from '../../http/endpoint/router.ts'
import { recordBody } from '../../http/reply/envelope.ts'
import { MAX_ATTEMPTS } from '../../resources/listings/pictures/downloads.ts'
import { ADMINISTRATION } from '../tag.ts'
import { type Figures, readFigures, type Stats, stats, type Waiting } from './figures.ts'
import { JOB_NAMES } from './jobs.ts'

/** The size that D1 allows, in bytes. */
const MAX_DATABASE = 10_000_000_000

export const statsRoutes = new Router(...ADMINISTRATION)

statsRoutes.get(
  '/admin/stats',
  {
    summary: 'Read figures for monitoring',
    scope: 'admin:stats',
    operationId: 'readStats',
    description:
      'How many records there are, what waits, how the jobs of cron went, and how large everything is. Cheap enough to ' +
      'be read every minute. Times are UTC.',
    reply: recordBody(stats),
  },
  async (c) => presentStats(await readFigures(database(c.env))),
)

function presentStats({ rows, bytes }: Figures): Stats {
  const waiting = (Object.keys(stats.shape.waiting.shape) as Waiting[]).map((name) => [
    name,
    rows[name]?.[0]?.rows ?? null,
  ])
  return {
    records: presentRecords(rows.records),
    waiting: Object.fromEntries(waiting),
    imports: {
      // A query may be a signature, which monitors need not see.
      warnings: (rows.failedDownloads ?? []).map(({ listing_id, address }) => ({
        listing_id,
        address: address.split(/[?#]/, 1)[0] ?? '',
        message: `Not downloaded after ${MAX_ATTEMPTS} attempts`,
      })),
    },
    jobs: presentJobs(rows.jobs ?? [], rows.jobFailures ?? []),
    backup: rows.backup?.[0] ?? { last: null, last_tried: null },
    restoring: rows.restoring?.[0] ?? null,
    database: { bytes, limit: MAX_DATABASE },
    files: rows.files?.[0] ?? { objects: null, bytes: null, date: null },
    schema: { needed: NEWEST_MIGRATION, found: rows.schema?.[0]?.name ?? null },
  }
}

function presentRecords(counts: Figures['rows']['records']): Stats['records'] {
  if (!counts) return {}
  return Object.fromEntries(
    RECORD_RESOURCES.map(({ resource: name }) => {
      const own = counts.filter(({ resource }) => resource === name)
      const kept = own.filter(({ deleted }) => !deleted)
      const sum = (some: typeof own) => some.reduce((total, { records }) => total + records, 0)
      const status = Object.fromEntries(
        kept.flatMap((row) => (row.status ? [[row.status, row.records]] : [])),
      )
      return [name, { total: sum(own), deleted: sum(own) - sum(kept), status }]
    }),
  )
}

function presentJobs(
  runs: NonNullable<Figures['rows']['jobs']>,
  failures: NonNullable<Figures['rows']['jobFailures']>,
): Stats['jobs'] {
  const byName = new Map(runs.map((run) => [run.name, run]))
  return JOB_NAMES.map((name) => {
    const run = byName.get(name)
    return {
      name,
      last_run: run?.date ?? null,
      milliseconds: run?.milliseconds ?? null,
      error: run?.error ?? null,
      failed: failures.filter(({ job }) => job === name).map(({ job: _, ...failure }) => failure),
    }
  })
}
