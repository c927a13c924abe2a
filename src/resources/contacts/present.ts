/** Presents a contact: the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/contact.ts'
import { outputs, present } from '../../fields/derive.ts'
import { named } from '../../fields/values.ts'
import type { ContactRow } from './queries.ts'

const { id, ...dates } = outputs(catalogue.record)

export const contact = named('Contact', 'A person or company that the agency deals with', {
  id,
  ...outputs(catalogue.contact),
  address: named('ContactAddress', 'A postal address', outputs(catalogue.address)),
  custom_fields: z
    .record(z.string(), z.unknown())
    .describe('By custom-field id; fields without a value are omitted; HTML is stored as sent, so escape it'),
  ...outputs(catalogue.people),
  tags: z.array(z.int()).describe('Ids from the tags lookup'),
  ...dates,
  users: z.array(z.int()).describe('Agents: ids of users'),
  date_converted_to_client: z.string().nullable().describe('When a lead became a client'),
})

/** The JSON of a contact; with its consents if `all` is set. */
export function presentContact(row: ContactRow, _: unknown, all: boolean): z.output<typeof contact> {
  const { id, ...dates } = present(catalogue.record, row)
  return {
    id,
    ...present(catalogue.contact, row, all),
    address: present(catalogue.address, row),
    custom_fields: row.custom_fields,
    ...present(catalogue.people, row),
    tags: row.tags,
    ...dates,
    users: row.users,
    date_converted_to_client: row.date_converted_to_client,
  }
}
