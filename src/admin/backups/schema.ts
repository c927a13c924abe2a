/** The files in the bucket of the backups. Others may write there, too, so they are checked when they are read. */
import { z } from 'zod'
import { dateTime, filledText, isDate, list, named } from '../../fields/values.ts'
import { listed, listedId } from '../erasure/list.ts'

/** Names of files of a backup: those of its parts, and all that may be read. */
const PART_FILE = /^part-\d{3,5}\.ndjson\.gz$/
export const BACKUP_FILE = /^(?:manifest\.json|part-\d{3,5}\.ndjson\.gz)$/
const MAX_PARTS = 10_000

const sha256 = z.string().regex(/^[\da-f]{64}$/)

const part = z.object({
  name: z.string().regex(PART_FILE).describe('Name of the file'),
  bytes: z.int().describe('Its size'),
  sha256: sha256.describe('Its SHA-256, in hexadecimal'),
  lines: z.int().describe('Its lines'),
})

/** What is said of a whole backup. */
export const manifest = z.object({
  name: z.string().refine(isDate).describe('The day: YYYY-MM-DD'),
  version: z.string().describe('Version of the service that made it'),
  schema: z.string().describe('The newest migration of that version'),
  date_started: z.string().describe('When it was begun'),
  date_finished: z.string().describe('When it was finished'),
  erased_until: z
    .string()
    .optional()
    .describe('It has those as erased who were erased before this; absent in backups of older versions'),
  erased_position: z
    .int()
    .optional()
    .describe('The highest position of them, which orders what was erased within one second'),
  counts: z
    .record(z.string(), z.int())
    .describe('Lines by entity. A record that changed meanwhile may have several'),
  parts: z.array(part).max(MAX_PARTS).describe('Its files, in order'),
})

export type Manifest = z.output<typeof manifest>

/** What a restore says before its first line. */
export const restoreInput = named('RestoreInput', 'What a service is restored from', {
  backup: filledText().describe('The name of the backup: its day, or the name of a file'),
  digest: sha256.describe('SHA-256 of its `manifest.json`, or of the file, in hexadecimal'),
  above: list(
    named('HighestErased', 'The highest id of a resource that belongs to an erased record', {
      ...listed,
      id: listedId.describe('The highest id of an erased record'),
    }),
  )
    .nullish()
    .describe('Ids that new records must be above'),
})

export type RestoreInput = z.output<typeof restoreInput>

/** A restore that is under way. */
export const restore = named('Restore', 'A restore that is under way', {
  backup: z.string().describe('The name of the backup'),
  date_started: dateTime().describe('When it was begun'),
})
