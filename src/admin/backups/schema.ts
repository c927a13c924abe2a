/** The files in the bucket of the backups. Others may write there, too, so they are checked when they are read. */
import { z } from 'zod'
import { isDate } from '../../fields/values.ts'
import { ALSO } from '../people/places.ts'

/** Names of files of a backup: those of its parts, and all that may be read. */
const PART_FILE = /^part-\d{3,5}\.ndjson\.gz$/
export const BACKUP_FILE = /^(?:manifest\.json|part-\d{3,5}\.ndjson\.gz)$/
/** Maximum parts of a backup. */
const MAX_PARTS = 10_000

/** A part of a backup. */
const part = z.object({
  name: z.string().regex(PART_FILE).describe('Name of the file'),
  bytes: z.int().describe('Its size'),
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .describe('Its SHA-256, in hexadecimal'),
  lines: z.int().describe('Its lines'),
})

/** What is said of a whole backup. */
export const manifest = z.object({
  name: z.string().refine(isDate).describe('The day: YYYY-MM-DD'),
  version: z.string().describe('Version of the service that made it'),
  schema: z.string().describe('The newest migration of that version'),
  date_started: z.string().describe('When it was begun'),
  date_finished: z.string().describe('When it was finished'),
  counts: z
    .record(z.string(), z.int())
    .describe('Lines by entity. A record that changed meanwhile may have several'),
  parts: z.array(part).max(MAX_PARTS).describe('Its files, in order'),
})

export type Manifest = z.output<typeof manifest>

/** A contact that was erased. */
export const erasedContact = z
  .object({
    id: z.int().describe('Id of the contact'),
    date: z.string().describe('When it was erased'),
    also: z
      .array(
        z.object({
          resource: z.enum(ALSO).describe('The resource'),
          id: z.int().describe('Id of the record'),
        }),
      )
      .optional()
      .describe('Records that were erased with it, and that a backup may have without a link'),
  })
  .meta({ id: 'ErasedContact', description: 'A contact that was erased' })

export type ErasedContact = z.output<typeof erasedContact>

/** One list of several: an entry for each contact, with its first date and all that was erased with it. */
export function mergeErased(lists: readonly (readonly ErasedContact[])[]): ErasedContact[] {
  const byId = new Map<number, ErasedContact>()
  for (const entry of lists.flat()) {
    const { id, date, also = [] } = byId.get(entry.id) ?? entry
    const known = new Map([...also, ...(entry.also ?? [])].map((one) => [`${one.resource} ${one.id}`, one]))
    byId.set(id, { id, date, ...(known.size > 0 ? { also: [...known.values()] } : {}) })
  }
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}
