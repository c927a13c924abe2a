/** Bodies and filters of the contact endpoints. */
import { z } from 'zod'
import { filledText, id, ids, LONG_TEXT, list, optionalText, text } from '../../fields/values.ts'
import { dateTimeRange, listFilters, textFilter } from '../../http/filters.ts'
import { customValues } from '../custom-fields/values.ts'

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

export const contactInput = z
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

export const contactUpdate = contactInput
  .partial()
  .extend({ created_by: z.unknown().optional().describe('Ignored: the creator never changes') })
  .meta({ id: 'ContactUpdate', description: 'What changes of a contact: only the keys that are sent' })

export type ContactInput = z.output<typeof contactUpdate>

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
