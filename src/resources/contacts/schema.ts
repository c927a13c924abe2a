/** Bodies of the contact endpoints, and the only place where a contact's JSON is made. */
import { z } from 'zod'
import {
  dateTime,
  filledText,
  id,
  ids,
  isDate,
  isDateTime,
  LONG_TEXT,
  list,
  optionalText,
  text,
} from '../../fields/values.ts'
import { dateTimeRange, listFilters, textFilter } from '../../http/filters.ts'
import { customValues } from '../custom-fields/values.ts'
import type { ContactRow } from './queries.ts'

/** Phones, e-mails and people of one contact: they share its row with notes and custom fields. */
const SHARE = { max: 100, bytes: 100_000 }

/** Text that reads "" when it was never given. */
const plainText = (max?: number) =>
  text(max)
    .nullish()
    .transform((value) => value ?? '')

/** Null for absent text, which a list's object would otherwise lack. */
const nullableText = () =>
  optionalText()
    .nullish()
    .transform((value) => value ?? null)

const entries = <T extends z.ZodType>(entry: T) =>
  list(entry, SHARE)
    .nullish()
    .transform((entries) => entries ?? [])

const flag = () =>
  z
    .boolean()
    .nullish()
    .transform((value) => value ?? false)

const links = () =>
  ids()
    .nullish()
    .transform((entries) => entries ?? [])

export const createContact = z
  .object({
    first_name: plainText().describe('One of first_name, last_name and company_name is required'),
    last_name: plainText().describe('Family name'),
    source_id: id().nullish().describe("Id from the sources lookup; the account's default when omitted"),
    is_lead: flag().describe('No client yet; false when omitted'),
    is_company: flag().describe('A company rather than a person; false when omitted'),
    company_name: optionalText().nullish().describe('Name of the company'),
    phones: entries(
      z
        .object({
          type: plainText().describe('mobile, home, work, …'),
          number: filledText().describe('The number as it is to be shown'),
          notes: plainText().describe('When to call, whom to ask for'),
        })
        .meta({ id: 'ContactPhoneInput', description: 'A phone number' }),
    ).describe('Phone numbers'),
    emails: entries(
      z
        .object({
          type: plainText().describe('personal, work, …'),
          email_address: filledText().describe('The address'),
          notes: plainText().describe('What it is for'),
        })
        .meta({ id: 'ContactEmailInput', description: 'An e-mail address' }),
    ).describe('E-mail addresses'),
    notes: plainText(LONG_TEXT).describe('Internal notes'),
    address: z
      .object({
        area: optionalText().nullish().describe('Town or neighbourhood'),
        street: optionalText().nullish().describe('Street and number'),
        postal_code: optionalText().nullish().describe('Postal code'),
      })
      .meta({ id: 'ContactAddressInput', description: 'A postal address' })
      .nullish(),
    custom_fields: customValues()
      .nullish()
      .describe('Values by custom-field id, as the custom-fields lookup types them; null clears one'),
    contact_details: entries(
      z
        .object({
          first_name: plainText().describe('Given name'),
          last_name: plainText().describe('Family name'),
          mobile: nullableText().describe('Mobile number'),
          email: nullableText().describe('E-mail address'),
          notes: plainText().describe('Who it is: a relative, an assistant'),
        })
        .meta({ id: 'ContactPersonInput', description: 'A person who belongs to a contact' }),
    ).describe('People who belong to the contact'),
    tags: links().describe('Ids from the tags lookup'),
    created_by: id().nullish().describe("User who creates it; the account's default when omitted"),
    users: links().describe('Agents: ids of users'),
  })
  .meta({ id: 'ContactInput', description: 'A contact as it is created' })

export const updateContact = createContact
  .partial()
  .extend({ created_by: z.unknown().optional().describe('Ignored: the creator never changes') })
  .meta({ id: 'ContactUpdate', description: 'What changes of a contact: only the keys that are sent' })

export type ContactInput = z.output<typeof updateContact>

/** What import takes beside the create body. */
export const importedContact = createContact.partial().extend({
  id: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  date_converted_to_client: z
    .string()
    .refine((value) => isDate(value) || isDateTime(value), 'must be a date, YYYY-MM-DD, or a date-time')
    .nullish(),
  is_deleted: z.boolean().nullish(),
})

export const contactFilters = z
  .object({
    search: textFilter().describe(
      'Part of a name, company, phone number or e-mail; case and accents do not matter',
    ),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe('When it last changed'),
    ...listFilters,
  })
  .meta({ id: 'ContactFilters', description: 'Filters of contacts; a contact must meet all of them' })

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
