/** The list of the erased, as it lies in the bucket of the backups and as a restore sends it. Scripts read it, too. */
import { z } from 'zod'
import { dateTime, list, MAX_ID, named } from '../../fields/values.ts'
import { UNLINKED } from './places.ts'

/** What names a record of the list. */
export const listed = {
  resource: z.enum(UNLINKED).describe('The resource'),
  id: z.int().describe('Id of the record'),
}

/** Where an erasure stands among others, as dates know its second only. Lists of older versions have none. */
const position = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .nullish()
  .describe('Higher than that of every erasure before; absent where the date alone is known')

export const erasedContact = named('ErasedContact', 'A contact that was erased', {
  id: z.int().describe('Id of the contact'),
  date: z.string().describe('When it was erased last'),
  position,
  also: z
    .array(
      z.object({
        ...listed,
        date: z
          .string()
          .optional()
          .describe('When it was erased last; absent in lists of older versions: with the contact'),
        position,
      }),
    )
    .optional()
    .describe('Records that were erased with it, and that a backup may have without a link'),
})

export type ErasedContact = z.output<typeof erasedContact>

export type ListedRecord = NonNullable<ErasedContact['also']>[number]

/** An id that new records may have to be above. */
export const listedId = z.int().min(1).max(MAX_ID)

const listedRecord = named('ListedRecord', 'A record that was erased with a contact', {
  ...listed,
  id: listedId.describe('Id of the record'),
  date: dateTime().optional().describe('When it was erased; absent: with the contact'),
  position,
})

/** An entry of the list, as it is sent to be erased again. */
export const listedContact = named('ListedContact', 'A contact of the list of the erased', {
  id: listedId.describe('Id of the contact'),
  date: dateTime().describe('When it was erased'),
  position,
  also: list(listedRecord).nullish().describe('Records that were erased with it'),
  is_cleared: z.boolean().nullish().describe('Whether the backup has the contact as erased'),
  cleared: list(listedRecord)
    .nullish()
    .describe(
      'Those that the backup has as erased, too: they are put on the list, and what was written to them since stays',
    ),
})

export type ListedContact = z.output<typeof listedContact>

export const erasedAgain = named('ErasedAgain', 'What was erased again', {
  erased: z.boolean().describe('Whether there was something of the contact, which is erased now'),
  complete: z.boolean().describe('False while records are left, which cron clears within minutes'),
  newer: z
    .array(
      named('NewerRecord', 'A record that is newer than the erasure of its id', {
        resource: listed.resource,
        id: z.int().describe('Its id'),
      }),
    )
    .describe('Records of others, which stay'),
})

type Moment = Pick<ErasedContact, 'position'> & { date?: string | undefined }

/** One list of several: an entry for each contact with all that was erased with it, each with the latest of its moments. */
export function mergeErased(lists: readonly (readonly ErasedContact[])[]): ErasedContact[] {
  const byId = new Map<number, { moment: Moment; also: Map<string, ListedRecord> }>()
  for (const { id, also = [], ...moment } of lists.flat()) {
    const known = byId.get(id) ?? { moment, also: new Map() }
    for (const { resource, id, ...own } of also) {
      const name = `${resource} ${id}`
      // Records of older versions have the dates of their contacts.
      const latest = later(known.also.get(name), own.date === undefined ? moment : own)
      known.also.set(name, { resource, id, ...latest })
    }
    byId.set(id, { ...known, moment: later(known.moment, moment) })
  }
  return [...byId]
    .map(([id, { moment, also }]) => {
      const { date = '', ...rest } = moment
      return { id, date, ...rest, ...(also.size > 0 ? { also: [...also.values()] } : {}) }
    })
    .toSorted((a, b) => a.id - b.id)
}

/** The later of two moments. One without a position may be the same as another of its second. */
function later(a: Moment | undefined, b: Moment): Moment {
  const order = (a?.date ?? '').localeCompare(b.date ?? '') || (a?.position ?? 0) - (b.position ?? 0)
  const { date, position } = a && order > 0 ? a : b
  return { ...(date === undefined ? {} : { date }), ...(position == null ? {} : { position }) }
}
