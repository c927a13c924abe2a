/**
 * Where each figure for operators comes from: one line of `FIGURES`, all of which are one round trip. A monitor may ask
 * every minute, so no figure reads more rows as the agency grows: triggers or the sweep count, or counting ends at `MOST`.
 */
import { RESOURCES } from '../../db/changes.ts'
import { batchWithSize, type Database, type Results, runStatement } from '../../db/client.ts'
import { selectChanged } from '../../db/derived.ts'
import { isMissing } from '../../db/errors.ts'
import { isSchemaBehind, SELECT_NEWEST_APPLIED } from '../../db/migrations.ts'
import { SELECT_RESTORE } from '../../db/restoring.ts'
import { type SqlFragment, type Statement, textStatement } from '../../db/statements.ts'
import { SELECT_UNFILLED } from '../../resources/listings/public/fill.ts'
import { SEARCH_TEXTS } from '../../resources/search-texts.ts'
import type { Waiting } from './schema.ts'

/** Maximum rows that are counted of what waits: of an import, millions may. */
const MOST = 10_000
/** Maximum photos, and records that jobs pass over, that are named. */
const MOST_WARNINGS = 20
const MOST_FAILURES = 100

const SELECT_UNDELIVERED = `select changes.id from webhooks
  cross join json_each(ifnull(webhooks.resources, ?)) subscribed
  cross join changes on changes.resource = subscribed.value and changes.cursor > webhooks.position
  where webhooks.enabled or webhooks.disabled_reason is not null`

const isUnmatched = 'matched_version <> version'

/** The rows that wait, as SQL that selects them; several are added up. */
const WAITING: Record<Waiting, SqlFragment[]> = {
  matching: [
    rows(`select id from listings where ${isUnmatched}`),
    rows(`select id from requests where ${isUnmatched}`),
  ],
  webhooks: [rows(SELECT_UNDELIVERED, JSON.stringify(RESOURCES))],
  tokens: [...SEARCH_TEXTS.map(selectChanged), rows(SELECT_UNFILLED)],
  pictures: [
    rows('select listing_id from listing_photos where width is null'),
    rows('select listing_id from listing_panoramas where width is null'),
  ],
  mails: [
    rows('select enquiry_id from enquiry_mails'),
    rows('select notice_id from appointment_notices where next_try is not null'),
  ],
  imports: [rows('select listing_id from photo_downloads where due is not null and image is null')],
}

const FIGURES = {
  records: textStatement<{ resource: string; deleted: number; status: string; records: number }>(
    `select resource, deleted, status, records from record_counts where records > 0
    union all select 'listings', status = 'deleted', status, sum(listings) from listing_counts
      group by status having sum(listings) > 0`,
  ),
  matching: count(WAITING.matching),
  webhooks: count(WAITING.webhooks),
  tokens: count(WAITING.tokens),
  pictures: count(WAITING.pictures),
  mails: count(WAITING.mails),
  imports: count(WAITING.imports),
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

function count(selects: SqlFragment[]): Statement<{ rows: number }> {
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
