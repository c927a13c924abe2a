/** The body and the reply of the call that erases a person. */
import { z } from 'zod'
import { date as day, filledText, id, list } from '../../fields/values.ts'
import { ALSO } from './places.ts'

const resource = z.string().describe('As in the path: `requests`')

/** What an entry of a record is named by. */
export const named = { resource, id: z.int().describe('Id of the record') }

/** Why a person is erased, or must not be. */
export const reason = filledText().describe('Why; it is kept, so do not name the person')

export const erasureInput = z
  .object({
    reason,
    also: list(
      z
        .object({ resource: z.enum(ALSO).describe('The resource'), id: id().describe('Id of the record') })
        .meta({ id: 'AlsoErased', description: 'A record that is about the person, too' }),
    )
      .nullish()
      .describe('Further records of the person that no id links, such as those in `possible`'),
  })
  .meta({ id: 'ErasureInput', description: 'Why a person is erased, and what else is theirs' })

export type ErasureInput = z.output<typeof erasureInput>

const fields = (doc: string) => z.array(z.string()).describe(doc)

export const erasureReport = z
  .object({
    erased: z
      .array(
        z
          .object({ ...named, fields: fields('Fields that are cleared') })
          .meta({ id: 'ErasedRecord', description: 'A record of which something was cleared' }),
      )
      .describe('What is cleared so far, by this call and earlier ones; at most 1,000 records'),
    kept: z
      .array(
        z
          .object({ ...named, fields: fields('What stays'), reason: z.string().describe('Why') })
          .meta({ id: 'KeptRecord', description: 'A record of which something stays' }),
      )
      .describe('What stays of those records'),
    gone_by: day().describe(
      'The day on which the history of the database no longer has it, nor have backups while one is made every night',
    ),
    complete: z.boolean().describe('False while records are left, which cron clears within minutes'),
  })
  .meta({ id: 'Erasure', description: 'What the erasure of a person has done' })
