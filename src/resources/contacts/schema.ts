/** Bodies of the contact endpoints, and the only place where a contact's JSON is made. */
import { z } from 'zod'
import { dateTime, id, ids, isDate, isDateTime, LONG_TEXT, optionalText, text } from '../../fields/values.ts'
import { dateTimeRange, listFilters, textFilter } from '../../http/filters.ts'
import type { ContactRow } from './queries.ts'

/** Most phones, e-mails or people of one contact. */
const MAX_ENTRIES = 100

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

const filledText = () => text().refine((value) => value.trim() !== '', 'must not be blank')

const entries = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .refine((list) => list.length <= MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`)
    .nullish()
    .transform((list) => list ?? [])

const flag = () =>
  z
    .boolean()
    .nullish()
    .transform((value) => value ?? false)

const links = () =>
  ids()
    .nullish()
    .transform((list) => list ?? [])

export const createContact = z.object({
  first_name: plainText().describe('One of first_name, last_name and company_name is required'),
  last_name: plainText(),
  source_id: id().nullish().describe("Id from the sources lookup; the account's default when omitted"),
  is_lead: flag(),
  is_company: flag(),
  company_name: optionalText().nullish(),
  phones: entries(
    z.object({
      type: plainText().describe('mobile, home, work, …'),
      number: filledText(),
      notes: plainText(),
    }),
  ),
  emails: entries(
    z.object({
      type: plainText().describe('personal, work, …'),
      email_address: filledText(),
      notes: plainText(),
    }),
  ),
  notes: plainText(LONG_TEXT),
  address: z
    .object({
      area: optionalText().nullish(),
      street: optionalText().nullish(),
      postal_code: optionalText().nullish(),
    })
    .nullish(),
  custom_fields: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('Values by custom-field id, as the custom-fields lookup types them; null clears one'),
  contact_details: entries(
    z.object({
      first_name: plainText(),
      last_name: plainText(),
      mobile: nullableText(),
      email: nullableText(),
      notes: plainText(),
    }),
  ).describe('People who belong to the contact'),
  tags: links().describe('Ids from the tags lookup'),
  created_by: id().nullish().describe("User who creates it; the account's default when omitted"),
  users: links().describe('Agents'),
})

export const updateContact = createContact
  .partial()
  .extend({ created_by: z.unknown().optional().describe('Ignored: the creator never changes') })

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
  is_deleted: flag().optional(),
})

export const contactFilters = z.object({
  search: textFilter().describe(
    'Part of a name, company, phone number or e-mail; case and accents do not matter',
  ),
  date_created: dateTimeRange(),
  date_updated: dateTimeRange(),
  ...listFilters,
})

/** A contact as it is read back. */
export const contact = z.object({
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  source_id: z.int().nullable(),
  is_lead: z.boolean(),
  is_company: z.boolean(),
  company_name: z.string().nullable(),
  phones: z.array(z.object({ type: z.string(), number: z.string(), notes: z.string() })),
  emails: z.array(z.object({ type: z.string(), email_address: z.string(), notes: z.string() })),
  notes: z.string(),
  address: z.object({
    area: z.string().nullable(),
    street: z.string().nullable(),
    postal_code: z.string().nullable(),
  }),
  custom_fields: z
    .record(z.string(), z.unknown())
    .describe('By custom-field id; fields without a value are omitted; HTML is stored as sent, escape it'),
  contact_details: z
    .array(
      z.object({
        first_name: z.string(),
        last_name: z.string(),
        mobile: z.string().nullable(),
        email: z.string().nullable(),
        notes: z.string(),
      }),
    )
    .describe('People who belong to the contact'),
  tags: z.array(z.int()),
  date_created: dateTime(),
  date_updated: dateTime(),
  created_by: z.int(),
  users: z.array(z.int()).describe('Agents'),
  date_converted_to_client: z.string().nullable().describe('When a lead became a client'),
})

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
