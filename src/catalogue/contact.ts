/** The fields of a contact. */
import type { Values } from '../fields/field.ts'
import { choice, dateTime, entries, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { CONSENT_PURPOSES } from './office-enums.ts'

/** Limits of phones, e-mails and people, which share a database row with notes and custom fields. */
export const SHARE = { max: 100, bytes: 100_000 }

const phone = {
  type: text({ doc: 'mobile, home, work, …', person: false, none: '' }),
  number: text({ doc: 'Number, displayed as it is', person: true, required: true }),
  notes: text({ doc: 'When to call, whom to ask for', person: true, none: '' }),
}

const email = {
  type: text({ doc: 'personal, work, …', person: false, none: '' }),
  email_address: text({ doc: 'Address, stored exactly as sent', person: true, required: true }),
  notes: text({ doc: 'What it is for', person: true, none: '' }),
}

const person = {
  first_name: text({ doc: 'Given name', person: true, none: '' }),
  last_name: text({ doc: 'Family name', person: true, none: '' }),
  mobile: text({ doc: 'Mobile number', person: true }),
  email: text({ doc: 'E-mail address', person: true }),
  notes: text({ doc: 'Who it is: a relative, an assistant', person: true, none: '' }),
}

const consent = {
  purpose: choice(CONSENT_PURPOSES, { doc: 'What it is for', required: true }),
  given: flag({ doc: 'Whether it is given; false if it is refused or withdrawn', required: true }),
  date: dateTime({ doc: 'When it was given, refused or withdrawn', required: true }),
  source: text({ doc: 'Where it comes from: a form, a call, `enquiry 25`', person: true }),
}

export type Consent = Values<typeof consent>

/** The latest consent for each purpose; of two with the same date, the one further down. */
function latestConsents(consents: Consent[]): Consent[] {
  const latest = new Map<Consent['purpose'], Consent>()
  for (const one of consents) {
    const other = latest.get(one.purpose)
    if (!other || one.date >= other.date) latest.set(one.purpose, one)
  }
  return [...latest.values()]
}

export const contact = {
  first_name: text({
    doc: 'Given name; at least one of first_name, last_name and company_name is required',
    person: true,
    none: '',
  }),
  last_name: text({ doc: 'Family name; empty if there is none', person: true, none: '' }),
  source_id: reference({
    doc: "Id from the sources lookup; the account's default for a new contact without one",
    to: 'contact_sources',
  }),
  is_lead: flag({ doc: 'Whether the contact is a lead, who is not a client yet' }),
  is_company: flag({ doc: 'Whether the contact is a company' }),
  company_name: text({ doc: 'Name of the company', person: true }),
  phones: entries(phone, {
    doc: 'Phone numbers',
    entry: { name: 'ContactPhone', doc: 'A phone number' },
    ...SHARE,
  }),
  emails: entries(email, {
    doc: 'E-mail addresses',
    entry: { name: 'ContactEmail', doc: 'An e-mail address' },
    ...SHARE,
  }),
  notes: text({ doc: 'Internal notes', person: true, none: '', max: LONG_TEXT }),
  consents: entries(consent, {
    doc: 'What the contact has agreed to; of several entries for a purpose, the latest counts',
    entry: { name: 'ContactConsent', doc: 'A consent' },
    ...SHARE,
    clean: latestConsents,
    writeOnly: true,
  }),
}

/** Fields of the group `address`. */
export const address = {
  area: text({ doc: 'Town or neighbourhood', person: true, storedAs: 'address_area' }),
  street: text({ doc: 'Street and number', person: true, storedAs: 'address_street' }),
  postal_code: text({ doc: 'Postal code', person: true, storedAs: 'address_postal_code' }),
}

export const people = {
  contact_details: entries(person, {
    doc: 'People who belong to the contact',
    entry: { name: 'ContactPerson', doc: 'A person who belongs to a contact' },
    ...SHARE,
  }),
}

/** Fields that the service sets on each record. */
export const record = {
  id: key({ doc: 'Id of the contact' }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
  created_by: reference({
    doc: "User who created it; the account's default if the body has none",
    to: 'users',
    assigned: true,
  }),
}
