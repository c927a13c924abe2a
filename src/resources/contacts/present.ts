/** A contact as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import { dateTime } from '../../fields/values.ts'
import type { ContactRow } from './queries.ts'

/** A contact as it is read back. */
export const contact = z
  .object({
    id: z.int().describe('Id of the contact'),
    first_name: z.string().describe('Given name; empty when there is none'),
    last_name: z.string().describe('Family name; empty when there is none'),
    source_id: z.int().nullable().describe('Id from the sources lookup'),
    is_lead: z.boolean().describe('No client yet'),
    is_company: z.boolean().describe('A company rather than a person'),
    company_name: z.string().nullable().describe('Name of the company'),
    phones: z
      .array(
        z
          .object({
            type: z.string().describe('mobile, home, work, …'),
            number: z.string().describe('The number as it was sent'),
            notes: z.string().describe('When to call, whom to ask for'),
          })
          .meta({ id: 'ContactPhone', description: 'A phone number' }),
      )
      .describe('Phone numbers'),
    emails: z
      .array(
        z
          .object({
            type: z.string().describe('personal, work, …'),
            email_address: z.string().describe('The address as it was sent'),
            notes: z.string().describe('What it is for'),
          })
          .meta({ id: 'ContactEmail', description: 'An e-mail address' }),
      )
      .describe('E-mail addresses'),
    notes: z.string().describe('Internal notes'),
    address: z
      .object({
        area: z.string().nullable().describe('Town or neighbourhood'),
        street: z.string().nullable().describe('Street and number'),
        postal_code: z.string().nullable().describe('Postal code'),
      })
      .meta({ id: 'ContactAddress', description: 'A postal address' }),
    custom_fields: z
      .record(z.string(), z.unknown())
      .describe('By custom-field id; fields without a value are omitted; HTML is stored as sent, escape it'),
    contact_details: z
      .array(
        z
          .object({
            first_name: z.string().describe('Given name'),
            last_name: z.string().describe('Family name'),
            mobile: z.string().nullable().describe('Mobile number'),
            email: z.string().nullable().describe('E-mail address'),
            notes: z.string().describe('Who it is: a relative, an assistant'),
          })
          .meta({ id: 'ContactPerson', description: 'A person who belongs to a contact' }),
      )
      .describe('People who belong to the contact'),
    tags: z.array(z.int()).describe('Ids from the tags lookup'),
    date_created: dateTime().describe('When it was created'),
    date_updated: dateTime().describe('When it last changed'),
    created_by: z.int().describe('User who created it'),
    users: z.array(z.int()).describe('Agents: ids of users'),
    date_converted_to_client: z.string().nullable().describe('When a lead became a client'),
  })
  .meta({ id: 'Contact', description: 'A person or company that the agency deals with' })

/** A contact's JSON; nothing that can be written is left out, so there is no longer form. */
export function presentContact(row: ContactRow): z.output<typeof contact> {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    source_id: row.source_id,
    is_lead: row.is_lead,
    is_company: row.is_company,
    company_name: row.company_name,
    phones: row.phones,
    emails: row.emails,
    notes: row.notes,
    address: { area: row.address_area, street: row.address_street, postal_code: row.address_postal_code },
    custom_fields: row.custom_fields,
    contact_details: row.contact_details,
    tags: row.tags,
    date_created: row.date_created,
    date_updated: row.date_updated,
    created_by: row.created_by,
    users: row.users,
    date_converted_to_client: row.date_converted_to_client,
  }
}
