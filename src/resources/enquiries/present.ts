/** Presents an enquiry: the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/enquiry.ts'
import { outputs, present } from '../../fields/derive.ts'
import { dateTime, named } from '../../fields/values.ts'
import { criteria, criteriaInWords } from './criteria.ts'
import type { EnquiryRow, ListedEnquiry } from './queries.ts'

const { id, reference, ...dates } = outputs(catalogue.record)

export const enquiry = named('Enquiry', 'What a visitor of a website has written to the agency', {
  id,
  reference,
  ...outputs(catalogue.question),
  ...outputs(catalogue.sender),
  ...outputs(catalogue.content),
  dates: z.array(dateTime()).describe('Times proposed for a viewing'),
  search: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What is sought, in the form of a request; null if nothing is'),
  consent: named('EnquiryConsentGiven', 'What the sender has agreed to', {
    privacy: z.literal(true).describe('Always true: nothing is stored without it'),
    marketing: z.boolean().describe('Whether the agency may send offers'),
  }),
  ...outputs(catalogue.handling),
  users: z.array(z.int()).describe('Agents who deal with it: ids of users'),
  ...outputs(catalogue.conversion),
  ...dates,
  criteria: criteria.optional(),
})

/** The JSON of an enquiry in a list; with what is sought in words if `all` is set. */
export function presentListedEnquiry(row: ListedEnquiry, _: unknown, all: boolean): z.output<typeof enquiry> {
  const { sought_names: names } = row
  return { ...presentEnquiry(row), ...(all && names ? { criteria: criteriaInWords(row.sought, names) } : {}) }
}

/** The JSON of an enquiry. */
export function presentEnquiry(row: EnquiryRow): z.output<typeof enquiry> {
  const { id, reference, ...dates } = present(catalogue.record, row)
  return {
    id,
    reference,
    ...present(catalogue.question, row),
    ...present(catalogue.sender, row),
    ...present(catalogue.content, row),
    dates: row.dates,
    search: row.sought,
    consent: { privacy: true, marketing: row.consents_to_marketing },
    ...present(catalogue.handling, row),
    users: row.users,
    ...present(catalogue.conversion, row),
    ...dates,
  }
}
