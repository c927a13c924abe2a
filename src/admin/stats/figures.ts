/**
 * Where each figure for operators comes from: one line of `FIGURES`, all of which are one round trip. A monitor may ask
 * every minute, so no figure reads more rows as the agency grows: triggers or the sweep count, or counting ends at `MOST`.
 */
import { z } from 'zod'
import { RESOURCES } from '../../db/changes.ts'
import { batchWithSize, type Database, type Results, runStatement } from '../../db/client.ts'
import { selectChanged } from '../../db/derived.ts'
import { isMissing } from '../../db/errors.ts'
import { isSchemaBehind, SELECT_NEWEST_APPLIED } from '../../db/migrations.ts'
import { SELECT_RESTORE } from '../../db/restoring.ts'
import { type SqlFragment, type Statement, textStatement } from '../../db/statements.ts'
import { dateTime, named } from '../../fields/values.ts'
import { SELECT_UNFILLED } from '../../resources/listings/public/fill.ts'
import { SEARCH_TEXTS } from '../../resources/search-texts.ts'
import { restore } from '../backups/schema.ts'

/** Maximum rows that are counted of what waits: of an import, millions may. */
const MOST = 10_000
/** Maximum photos, and records that jobs pass over, that are named. */
const MOST_WARNINGS = 20
const MOST_FAILURES = 100

const SELECT_UNDELIVERED = `select changes.id from webhooks
  cross join json_each(ifnull(webhooks.resources, ?)) subscribed
  cross join changes on changes.resource = subscribed.value and changes.cursor > webhooks.position
  where webhooks.enabled or webhooks.disabled_reason is not null`

/** What waits for cron or for a receiver, and SQL that selects the rows that are that; several are added up. */
const WAITING = {
  matching: {
    doc: 'Listings and requests whose matches are still to be found',
    selects: ['listings', 'requests'].map((table) =>
      rows(`select id from ${table} where matched_version <> version`),
    ),
  },
  webhooks: {
    doc: 'Changes that subscriptions have not received yet, each counted for each of them; with those of subscriptions that the service has disabled',
    selects: [rows(SELECT_UNDELIVERED, JSON.stringify(RESOURCES))],
  },
  tokens: {
    doc: 'Records whose texts for searching are to be looked at',
    selects: [...SEARCH_TEXTS.map(selectChanged), rows(SELECT_UNFILLED)],
  },
  pictures: {
    doc: 'Pictures whose width and height are to be measured',
    selects: ['listing_photos', 'listing_panoramas'].map((table) =>
      rows(`select listing_id from ${table} where width is null`),
    ),
  },
  mails: {
    doc: 'Mails about enquiries that are still to be sent',
    selects: [
      rows('select enquiry_id from enquiry_mails'),
      rows('select notice_id from appointment_notices where next_try is not null'),
    ],
  },
  imports: {
    doc: 'Photos of an import that are still to be downloaded',
    selects: [rows('select listing_id from photo_downloads where due is not null and image is null')],
  },
} satisfies Record<string, Work>
export type Waiting = keyof typeof WAITING

interface Work {
  doc: string
  selects: SqlFragment[]
}

const ofWaiting = <T>(of: (work: Work) => T) =>
  Object.fromEntries(Object.entries(WAITING).map(([name, work]) => [name, of(work)])) as Record<Waiting, T>

const count = () => z.int().nullable()

const records = named('RecordCounts', 'How many records a resource has', {
  total: z.int().describe('All that are stored, deleted ones included'),
  deleted: z.int().describe('Those of them that are deleted'),
  status: z
    .record(z.string(), z.int())
    .describe(
      'Those that are not deleted, by status: its name or its id; empty for resources without statuses',
    ),
})

const failedRecord = named('FailedRecord', 'A record that a job of cron passes over', {
  resource: z.string().describe('As the change feed names it'),
  id: z.int().describe('Of the record'),
  error: z.string().describe('Why the last attempt failed; the next is within six hours'),
})

const job = named('JobRun', 'The last run of a job of cron', {
  name: z.string().describe('As the log names it'),
  last_run: dateTime().nullable().describe('When its last run ended; null: never yet'),
  milliseconds: count().describe('How long that took'),
  error: z.string().nullable().describe('Why that run failed; null if it did not'),
  failed: z
    .array(failedRecord)
    .describe('Records that the job passes over, as its work on them fails; of all jobs at most 100'),
})

const missedPhoto = named('MissedPhoto', 'A photo of an import that could not be downloaded', {
  listing_id: z.int().describe('The listing'),
  address: z.string().describe('The address, which the photo keeps, without its query'),
  message: z.string().describe('What happened'),
})

export const stats = named(
  'Stats',
  'Figures for operators. What the database cannot answer while it lacks a migration is null or missing',
  {
    records: z.record(z.string(), records).describe('By resource, as the change feed names it'),
    waiting: z
      .object(ofWaiting(({ doc }) => count().describe(doc)))
      .describe('Work that is left; at most 10,000 of each are counted'),
    imports: z
      .object({
        warnings: z.array(missedPhoto).describe('Photos that could not be downloaded; at most 20'),
      })
      .describe('Imports'),
    jobs: z.array(job).describe('The jobs of cron: those of every minute, then those of every day'),
    backup: z
      .object({
        last: dateTime().nullable().describe('When the last whole backup was written; null: never yet'),
        last_tried: dateTime().nullable().describe('When a restore was tried last; null: never yet'),
      })
      .describe('Backups'),
    restoring: restore
      .nullable()
      .describe(
        'The restore that is under way: a part of the records is missing, and cron leaves much undone',
      ),
    database: z
      .object({
        bytes: count().describe('Size, indexes included'),
        limit: z.int().describe('The size that D1 allows'),
      })
      .describe('The database'),
    files: z
      .object({
        objects: count().describe('Files in the bucket'),
        bytes: count().describe('Their size'),
        date: dateTime().nullable().describe('When the daily sweep had counted them; null: never yet'),
      })
      .describe('The bucket'),
    schema: z
      .object({
        needed: z.string().describe('The newest migration that this version needs'),
        found: z.string().nullable().describe('The newest migration that the database has'),
      })
      .describe('Migrations'),
  },
)

export type Stats = z.output<typeof stats>

const FIGURES = {
  records: textStatement<{ resource: string; deleted: number; status: string; records: number }>(
    `select resource, deleted, status, records from record_counts where records > 0
    union all select 'listings', status = 'deleted', status, sum(listings) from listing_counts
      group by status having sum(listings) > 0`,
  ),
  ...ofWaiting(({ selects }) => countRows(selects)),
  failedDownloads: textStatement<{ listing_id: number; address: string }>(
    `select listing_id, address from photo_downloads where due is null and image is null
    order by rowid desc limit ${MOST_WARNINGS}`,
  ),
  jobs: textStatement<{ name: string; date: string; milliseconds: number; error: string | null }>(
    'select name, date, milliseconds, error from job_runs',
  ),
  jobFailures: textStatement<{ job: string; resource: string; id: number; error: string }>(
    `select job, resource, id, error from job_failures order by job, resource, id limit ${MOST_FAILURES}`,
  ),
  backup: textStatement<{ last: string | null; last_tried: string | null }>(
    'select max(date_finished) as last, max(date_tried) as last_tried from backups',
  ),
  restoring: SELECT_RESTORE,
  files: textStatement<{ objects: number | null; bytes: number | null; date: string | null }>(
    'select counted_objects as objects, counted_bytes as bytes, date_counted as date from file_sweeps',
  ),
  schema: SELECT_NEWEST_APPLIED,
}

/** The rows of `FIGURES`; those of a figure are missing if the database lacks its table. */
export interface Figures {
  rows: Partial<Results<typeof FIGURES>>
  /** Size of the database. */
  bytes: number | null
}

function rows(text: string, ...params: unknown[]): SqlFragment {
  return { text, params }
}

function countRows(selects: SqlFragment[]): Statement<{ rows: number }> {
  const counts = selects.map(({ text }) => `(select count(*) from (${text} limit ${MOST}))`)
  const params = selects.flatMap((select) => select.params)
  return textStatement(`select min(${MOST}, ${['0', ...counts].join(' + ')}) as rows`, params)
}

/** Reads all figures. While the database lacks a migration, reads those that can be read. */
export async function readFigures(db: Database): Promise<Figures> {
  try {
    return await batchWithSize(db, FIGURES)
  } catch (error) {
    if (!isMissing(error) || !(await isSchemaBehind(db))) throw error
    return { rows: await readEach(db), bytes: null }
  }
}

async function readEach(db: Database): Promise<Figures['rows']> {
  const entries = Object.entries(FIGURES).map(async ([name, statement]) => [
    name,
    await runStatement<unknown>(db, statement).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    }),
  ])
  return Object.fromEntries(await Promise.all(entries))
}
