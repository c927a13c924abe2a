/** Bodies of the enquiry endpoints. */
import { z } from 'zod'
import { content, handling, question, sender } from '../../catalogue/enquiry.ts'
import { ENQUIRY_STATUSES } from '../../catalogue/office-enums.ts'
import { inputs } from '../../fields/derive.ts'
import { dateTime, id, ids, list, named, text } from '../../fields/values.ts'
import { requestInput, soughtInput } from '../requests/schema.ts'

/** Maximum times that a viewing is proposed for. */
const MAX_DATES = 10
/** Maximum length of a token of Turnstile, in characters. */
const MAX_TOKEN = 2048

const consent = named('EnquiryConsent', 'What the sender has agreed to', {
  privacy: z
    .boolean()
    .refine((agrees) => agrees, 'must be true')
    .describe('The sender agrees that the enquiry is processed'),
  marketing: z.boolean().describe('Whether the agency may send offers'),
})

export const enquiryInput = named('EnquiryInput', 'The body that creates an enquiry', {
  ...inputs(question),
  ...inputs(sender),
  ...inputs(content),
  dates: list(dateTime(), { max: MAX_DATES })
    .nullish()
    .describe('Times proposed for a viewing; only of type `viewing`'),
  search: soughtInput.nullish(),
  consent,
  turnstile_token: text(MAX_TOKEN)
    .nullish()
    .describe('The token of Turnstile; required from publishable keys if the deployment checks it'),
  website: text(MAX_TOKEN).nullish().describe('Leave it empty: what fills it in is taken for a program'),
})

export type EnquiryInput = z.output<typeof enquiryInput>

export const enquiryUpdate = named('EnquiryUpdate', 'Changes of an enquiry: only the keys that are sent', {
  status: z.enum(ENQUIRY_STATUSES).optional().describe('How far it is'),
  notes: handling.notes.input.optional(),
  users: ids().nullish().describe('Agents who deal with it: ids of users'),
})

export type EnquiryUpdate = z.output<typeof enquiryUpdate>

/** The body of a request whose contact is that of the conversion. */
export const convertedRequest = requestInput.omit({ contacts: true })

export const enquiryConversion = named('EnquiryConversion', 'What an enquiry becomes', {
  contact_id: id().nullish().describe('An existing contact; a new one is made of the sender when omitted'),
  create_request: convertedRequest
    .partial()
    .meta({
      id: 'EnquiryRequest',
      description: 'A request to create, over what the enquiry seeks: whatever else a request needs',
    })
    .nullish(),
})

export type EnquiryConversion = z.output<typeof enquiryConversion>
