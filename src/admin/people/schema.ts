/** Bodies and replies of the calls about a person. */
import { z } from 'zod'
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'
import { dateTime, date as day, filledText, id, list } from '../../fields/values.ts'
import { ALSO } from './places.ts'

const resource = z.string().describe('As in the path: `requests`')

/** What an entry of a record is named by. */
const named = { resource, id: z.int().describe('Id of the record') }

const entry = z
  .object({
    ...named,
    fields: z.record(z.string(), z.unknown()).describe('What is held, as an export has it'),
    clears: z
      .array(z.string())
      .optional()
      .describe('Fields that an erasure would clear; absent where it leaves the record alone'),
  })
  .meta({ id: 'PersonEntry', description: 'A record that concerns a person' })

const entries = (doc: string) => z.array(entry).describe(doc)

/** What is reported of a person, by the table of the records. */
const { contacts = '', ...others }: Record<string, string> = Object.fromEntries(
  RECORD_RESOURCES.flatMap(({ table, person }) => (person ? [[table, person.doc]] : [])),
)

export const hold = z
  .object({
    contact_id: z.int().describe('The contact'),
    reason: z.string().describe('Why the person must not be erased'),
    date: dateTime().describe('Since when'),
  })
  .meta({ id: 'Hold', description: 'What keeps a person from being erased' })

export const person = z
  .object({
    contact: entry.describe(contacts),
    hold: hold.nullable(),
    erasure: z
      .object({
        date: dateTime().describe('When it began'),
        reason: z.string().describe('Why'),
        complete: z.boolean().describe('Whether nothing is left to clear'),
      })
      .nullable()
      .describe('Null unless the person is erased'),
    ...Object.fromEntries(Object.entries(others).map(([table, doc]) => [table, entries(doc)])),
    matches: entries('Listings that match those requests, by the id of the request'),
    trail: entries('Who wrote the contact, its requests and its enquiries'),
    named: entries('Other contacts and requests whose custom fields name the contact'),
    possible: entries(
      'Contacts, enquiries and external listings with an equal e-mail address or phone number that no id links; at most 100 ' +
        'of each',
    ),
  })
  .meta({ id: 'Person', description: 'Everything that is held about a person' })

const reason = filledText().describe('Why; it is kept, so do not name the person')

export const holdInput = z
  .object({ reason })
  .meta({ id: 'HoldInput', description: 'Why a person must not be erased' })

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
