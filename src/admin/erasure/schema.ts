/** The body and the reply of the call that erases a person. */
import { z } from 'zod'
import { date as day, filledText, id, list, named } from '../../fields/values.ts'
import { UNLINKED } from './places.ts'

const resource = z.string().describe('As in the path: `requests`')

/** What an entry of a record is named by. */
export const recordKeys = { resource, id: z.int().describe('Id of the record') }

/** Why a person is erased, or must not be. */
export const reason = filledText().describe('Why; it is kept, so do not name the person')

export const erasureInput = named('ErasureInput', 'Why a person is erased, and what else is theirs', {
  reason,
  also: list(
    named('AlsoErased', 'A record that is about the person, too', {
      resource: z.enum(UNLINKED).describe('The resource'),
      id: id().describe('Id of the record'),
    }),
  )
    .nullish()
    .describe('Further records of the person that no id links, such as those in `possible`'),
})

export type ErasureInput = z.output<typeof erasureInput>

const fields = (doc: string) => z.array(z.string()).describe(doc)

export const erasureReport = named('Erasure', 'What the erasure of a person has done', {
  erased: z
    .array(
      named('ErasedRecord', 'A record of which something was cleared', {
        ...recordKeys,
        fields: fields('Fields that are cleared'),
      }),
    )
    .describe('What is cleared so far, by this call and earlier ones; at most 1,000 records'),
  kept: z
    .array(
      named('KeptRecord', 'A record of which something stays', {
        ...recordKeys,
        fields: fields('What stays'),
        reason: z.string().describe('Why'),
      }),
    )
    .describe('What stays of those records'),
  gone_by: day().describe(
    'The day on which the history of the database no longer has it, nor have backups while one is made every night',
  ),
  complete: z.boolean().describe('False while records are left, which cron clears within minutes'),
})
