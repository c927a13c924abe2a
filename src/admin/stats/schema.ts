/** The JSON of the figures for operators. */
import { z } from 'zod'
import { dateTime } from '../../fields/values.ts'
import { restore } from '../backups/schema.ts'

const count = () => z.int().nullable()

/** What waits for cron or for a receiver, with its description. */
const WAITING = {
  matching: 'Listings and requests whose matches are still to be found',
  webhooks:
    'Changes that subscriptions have not received yet, each counted for each of them; with those of subscriptions that the service has disabled',
  tokens: 'Records whose texts for searching are to be looked at',
  pictures: 'Pictures whose width and height are to be measured',
  mails: 'Mails about enquiries that are still to be sent',
  imports: 'Photos of an import that are still to be downloaded',
} as const
export type Waiting = keyof typeof WAITING

const records = z
  .object({
    total: z.int().describe('All that are stored, deleted ones included'),
    deleted: z.int().describe('Those of them that are deleted'),
    status: z
      .record(z.string(), z.int())
      .describe(
        'Those that are not deleted, by status: its name or its id; empty for resources without statuses',
      ),
  })
  .meta({ id: 'RecordCounts', description: 'How many records a resource has' })

const failedRecord = z
  .object({
    resource: z.string().describe('As the change feed names it'),
    id: z.int().describe('Of the record'),
    error: z.string().describe('Why the last attempt failed; the next is within six hours'),
  })
  .meta({ id: 'FailedRecord', description: 'A record that a job of cron passes over' })

const job = z
  .object({
    name: z.string().describe('As the log names it'),
    last_run: dateTime().nullable().describe('When its last run ended; null: never yet'),
    milliseconds: count().describe('How long that took'),
    error: z.string().nullable().describe('Why that run failed; null if it did not'),
    failed: z
      .array(failedRecord)
      .describe('Records that the job passes over, as its work on them fails; of all jobs at most 100'),
  })
  .meta({ id: 'JobRun', description: 'The last run of a job of cron' })

const missedPhoto = z
  .object({
    listing_id: z.int().describe('The listing'),
    address: z.string().describe('The address, which the photo keeps, without its query'),
    message: z.string().describe('What happened'),
  })
  .meta({ id: 'MissedPhoto', description: 'A photo of an import that could not be downloaded' })

export const stats = z
  .object({
    records: z.record(z.string(), records).describe('By resource, as the change feed names it'),
    waiting: z
      .object(mapDescriptions(WAITING))
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
  })
  .meta({
    id: 'Stats',
    description:
      'Figures for operators. What the database cannot answer while it lacks a migration is null or missing',
  })

export type Stats = z.output<typeof stats>

function mapDescriptions(descriptions: Record<Waiting, string>) {
  const entries = Object.entries(descriptions).map(([name, text]) => [name, count().describe(text)])
  return Object.fromEntries(entries) as Record<Waiting, ReturnType<typeof count>>
}
