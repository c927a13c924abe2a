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
