/** Resolves the body of an enquiry, after the rules have accepted it. */
import { content, question, sender } from '../../catalogue/enquiry.ts'
import { pick } from '../../fields/derive.ts'
import { formatDateTime } from '../../fields/values.ts'
import { enquiryKeys } from '../people/keys.ts'
import type { EnquiryInput } from './schema.ts'
import { enquirySearchText } from './search.ts'

/** The row of a new enquiry. */
export function columnsOf(input: EnquiryInput, reference: string) {
  const now = formatDateTime(new Date())
  const row = {
    reference,
    ...pick(question, input),
    ...pick(sender, input),
    ...pick(content, input),
    dates: input.dates ?? [],
    sought: soughtOf(input.search),
    consents_to_marketing: input.consent.marketing,
  }
  return {
    ...row,
    status: 'new' as const,
    search: enquirySearchText(row),
    person_keys: enquiryKeys(row),
    date_created: now,
    date_updated: now,
    status_date: now,
  }
}

/** What is sought, without empty values; null if nothing is. */
export function soughtOf(search: EnquiryInput['search']): Record<string, unknown> | null {
  const { extra_fields, ...scalars } = search ?? {}
  const filled = (values: object) =>
    Object.fromEntries(
      Object.entries(values).filter(
        ([, value]) => value != null && value !== false && !(Array.isArray(value) && value.length === 0),
      ),
    )
  const criteria = filled(extra_fields ?? {})
  const sought = {
    ...filled(scalars),
    ...(Object.keys(criteria).length > 0 ? { extra_fields: criteria } : {}),
  }
  return Object.keys(sought).length > 0 ? sought : null
}

// References: what visitors get instead of an id, which would say how many enquiries there are.

/** The letters and digits of a reference, without those that look alike: 32, so that no value is more likely. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10

/** What references look like, those of other services included. */
export const REFERENCE = /^[0-9A-Za-z]{10}$/

/** A new random reference. Among a million, the chance that two are equal is about 1 in 2,000. */
export function newReference(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => LETTERS[byte % 32]).join('')
}
