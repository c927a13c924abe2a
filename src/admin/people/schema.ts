/** Bodies and replies of the calls about a person, but for their erasure. */
import { z } from 'zod'
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'
import { dateTime, named } from '../../fields/values.ts'
import { reason, recordKeys } from '../erasure/schema.ts'

const entry = named('PersonEntry', 'A record that concerns a person', {
  ...recordKeys,
  fields: z.record(z.string(), z.unknown()).describe('What is held, as an export has it'),
  clears: z
    .array(z.string())
    .optional()
    .describe('Fields that an erasure would clear; absent where it leaves the record alone'),
})

const entries = (doc: string) => z.array(entry).describe(doc)

/** What is reported of a person, by the table of the records. */
const { contacts = '', ...others }: Record<string, string> = Object.fromEntries(
  RECORD_RESOURCES.flatMap(({ table, person }) => (person ? [[table, person.doc]] : [])),
)

export const hold = named('Hold', 'What keeps a person from being erased', {
  contact_id: z.int().describe('The contact'),
  reason: z.string().describe('Why the person must not be erased'),
  date: dateTime().describe('Since when'),
})

export const person = named('Person', 'Everything that is held about a person', {
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
  merged: entries('Contacts that it was merged with: they are the same person'),
  ...Object.fromEntries(Object.entries(others).map(([table, doc]) => [table, entries(doc)])),
  matches: entries('Listings that match those requests, by the id of the request'),
  trail: entries('Who wrote the contact, its requests and its enquiries'),
  named: entries('Other contacts and requests whose custom fields name the contact'),
  possible: entries(
    'Contacts, enquiries and external listings with an equal e-mail address or phone number that no id links; at most 100 ' +
      'of each',
  ),
})

export const holdInput = named('HoldInput', 'Why a person must not be erased', { reason })
