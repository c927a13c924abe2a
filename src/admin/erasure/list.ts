/** The list of the erased, as it lies in the bucket of the backups and as a restore sends it. Scripts read it, too. */
import { z } from 'zod'
import { dateTime, list } from '../../fields/values.ts'
import { MAX_FIRST } from '../transfer/highest-ids.ts'
import { ALSO } from './places.ts'

/** What names a record of the list. */
export const listed = {
  resource: z.enum(ALSO).describe('The resource'),
  id: z.int().describe('Id of the record'),
}

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

/** A record of an erasure. */
export type ListedRecord = NonNullable<ErasedContact['also']>[number]

/** An id that new records may have to be above. */
export const listedId = z.int().min(1).max(MAX_FIRST)

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
