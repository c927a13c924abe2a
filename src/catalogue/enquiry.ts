/** The fields of an enquiry: what a visitor of a website writes to the agency. */
import { cleanLine, cleanLines } from '../fields/clean.ts'
import { choice, count, dateTime, email, key, phone, plainWebUrl, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { ENQUIRY_STATUSES, ENQUIRY_TYPES } from './office-enums.ts'

/** Maximum length of a message, in characters. */
const MAX_MESSAGE = 5000

/** The languages in which offices are notified of enquiries; the first is the default. */
export const MAIL_LANGUAGES = ['el', 'en'] as const

/** What is asked for, and about what. */
export const question = {
  type: choice(ENQUIRY_TYPES, { doc: 'What is asked for', required: true }),
  listing_id: reference({ doc: 'The listing that it is about', to: 'listings' }),
}

/** Who asks. One of `email` and `phone` is required. */
export const sender = {
  first_name: text({ doc: 'First name', person: true, clean: cleanLine }),
  last_name: text({ doc: 'Last name', person: true, required: true, clean: cleanLine }),
  email: email({ doc: 'E-mail address', person: true, clean: cleanLine }),
  phone: phone({
    doc: 'Phone number: digits, spaces and `+-()./`; an extension may follow, such as `ext. 12`',
    person: true,
    clean: cleanLine,
  }),
}

/** What they say. */
export const content = {
  message: text({ doc: 'The message', person: true, max: MAX_MESSAGE, required: true, clean: cleanLines }),
  language_id: reference({ doc: 'Language of the sender: id from `/api/languages`', to: 'languages' }),
  amount: count({ doc: 'Amount offered, in whole units of currency; only of type `offer`' }),
  page_url: plainWebUrl({
    doc: 'The page that it was sent from, without credentials and backslashes',
    person: true,
    clean: cleanLine,
  }),
}

/** What the agency notes. */
export const handling = {
  status: choice(ENQUIRY_STATUSES, { doc: 'How far it is', assigned: true, history: true }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
}

/** What it was converted to. */
export const conversion = {
  contact_id: reference({ doc: 'The contact that it was converted to', to: 'contacts', history: true }),
  request_id: reference({ doc: 'The request that it was converted to', to: 'requests', history: true }),
}

/** Fields that the service sets on each record. */
export const record = {
  id: key({ doc: 'Id of the enquiry' }),
  reference: text({
    doc: 'What the sender may name it by: ten random letters and digits',
    person: false,
    assigned: true,
  }),
  date_created: dateTime({ doc: 'When it was sent', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
  status_date: dateTime({ doc: 'When its status last changed', assigned: true }),
  notified: dateTime({ doc: 'When the office was notified of it by e-mail; null if it was not' }),
}
