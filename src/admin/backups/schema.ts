/** The files in the bucket of the backups. Others may write there, too, so they are checked when they are read. */
import { z } from 'zod'
import { dateTime, filledText, isDate, list } from '../../fields/values.ts'
import { ALSO } from '../people/places.ts'
import { MAX_FIRST } from '../transfer/highest-ids.ts'

/** Names of files of a backup: those of its parts, and all that may be read. */
const PART_FILE = /^part-\d{3,5}\.ndjson\.gz$/
export const BACKUP_FILE = /^(?:manifest\.json|part-\d{3,5}\.ndjson\.gz)$/
/** Maximum parts of a backup. */
const MAX_PARTS = 10_000

const sha256 = z.string().regex(/^[\da-f]{64}$/)

/** A part of a backup. */
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
  counts: z
    .record(z.string(), z.int())
    .describe('Lines by entity. A record that changed meanwhile may have several'),
  parts: z.array(part).max(MAX_PARTS).describe('Its files, in order'),
})

export type Manifest = z.output<typeof manifest>

const listed = { resource: z.enum(ALSO).describe('The resource'), id: z.int().describe('Id of the record') }

/** A contact that was erased. */
export const erasedContact = z
  .object({
    id: z.int().describe('Id of the contact'),
    date: z.string().describe('When it was erased last'),
    also: z
      .array(
        z.object({
          ...listed,
          date: z
            .string()
            .optional()
            .describe('When it was erased last; absent in lists of older versions: with the contact'),
        }),
      )
      .optional()
      .describe('Records that were erased with it, and that a backup may have without a link'),
  })
  .meta({ id: 'ErasedContact', description: 'A contact that was erased' })

export type ErasedContact = z.output<typeof erasedContact>

const listedId = z.int().min(1).max(MAX_FIRST)

const listedRecord = z
  .object({
    ...listed,
    id: listedId.describe('Id of the record'),
    date: dateTime().optional().describe('When it was erased; absent: with the contact'),
  })
  .meta({ id: 'ListedRecord', description: 'A record that was erased with a contact' })

/** An entry of the list, as it is sent to be erased again. */
export const listedContact = z
  .object({
    id: listedId.describe('Id of the contact'),
    date: dateTime().describe('When it was erased'),
    also: list(listedRecord).nullish().describe('Records that were erased with it'),
    is_cleared: z.boolean().nullish().describe('Whether the backup has the contact as erased'),
    cleared: list(listedRecord)
      .nullish()
      .describe(
        'Those that the backup has as erased, too: they are put on the list, and what was written to them since stays',
      ),
  })
  .meta({ id: 'ListedContact', description: 'A contact of the list of the erased' })

export type ListedContact = z.output<typeof listedContact>

export const erasedAgain = z
  .object({
    erased: z.boolean().describe('Whether there was something of the contact, which is erased now'),
    complete: z.boolean().describe('False while records are left, which cron clears within minutes'),
    newer: z
      .array(
        z
          .object({ resource: listed.resource, id: z.int().describe('Its id') })
          .meta({ id: 'NewerRecord', description: 'A record that is newer than the erasure of its id' }),
      )
      .describe('Records of others, which stay'),
  })
  .meta({ id: 'ErasedAgain', description: 'What was erased again' })

/** An entry whose records have dates of their own. Lists of older versions have those of their contacts. */
const dated = ({ also, ...entry }: ErasedContact): ErasedContact =>
  also ? { ...entry, also: also.map((one) => ({ ...one, date: one.date ?? entry.date })) } : entry

/** One list of several: an entry for each contact with all that was erased with it, each with the latest of its dates. */
export function mergeErased(lists: readonly (readonly ErasedContact[])[]): ErasedContact[] {
  const byId = new Map<number, ErasedContact>()
  for (const entry of lists.flat()) {
    const { id, date, also = [] } = byId.get(entry.id) ?? dated(entry)
    const known = new Map(also.map((one) => [`${one.resource} ${one.id}`, one]))
    for (const one of dated(entry).also ?? []) {
      const name = `${one.resource} ${one.id}`
      const latest = later(known.get(name)?.date, one.date)
      known.set(name, { resource: one.resource, id: one.id, ...(latest ? { date: latest } : {}) })
    }
    const merged = later(date, entry.date) ?? date
    byId.set(id, { id, date: merged, ...(known.size > 0 ? { also: [...known.values()] } : {}) })
  }
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}

const later = (a = '', b = '') => (a > b ? a : b) || undefined

/** What a restore says before its first line. */
export const restoreInput = z
  .object({
    backup: filledText().describe('The name of the backup: its day, or the name of a file'),
    digest: sha256.describe('SHA-256 of its `manifest.json`, or of the file, in hexadecimal'),
    above: list(
      z
        .object({
          ...listed,
          id: z.int().min(1).max(MAX_FIRST).describe('The highest id of an erased record'),
        })
        .meta({
          id: 'HighestErased',
          description: 'The highest id of a resource that belongs to an erased record',
        }),
    )
      .nullish()
      .describe('Ids that new records must be above'),
  })
  .meta({ id: 'RestoreInput', description: 'What a service is restored from' })

export type RestoreInput = z.output<typeof restoreInput>

/** A restore that is under way. */
export const restore = z
  .object({
    backup: z.string().describe('The name of the backup'),
    date_started: dateTime().describe('When it was begun'),
  })
  .meta({ id: 'Restore', description: 'A restore that is under way' })
