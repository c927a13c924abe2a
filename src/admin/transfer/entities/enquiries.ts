/** Import and export of enquiries: the whole object. */
import { z } from 'zod'
import { content, conversion, handling, question, record, sender } from '../../../catalogue/enquiry.ts'
import { fieldReferences, idList } from '../../../db/references.ts'
import * as tables from '../../../db/tables/enquiries.ts'
import { inputs, toRow } from '../../../fields/derive.ts'
import { ids } from '../../../fields/values.ts'
import { presentEnquiry } from '../../../resources/enquiries/present.ts'
import { removeImported } from '../../../resources/enquiries/purge.ts'
import { type EnquiryRow, LINKS, selectEnquiries } from '../../../resources/enquiries/queries.ts'
import { newReference, REFERENCE, soughtOf } from '../../../resources/enquiries/resolve.ts'
import { ANY_LISTING, checkEnquiry, referencesOf } from '../../../resources/enquiries/rules.ts'
import { enquiryInput } from '../../../resources/enquiries/schema.ts'
import { enquirySearchText } from '../../../resources/enquiries/search.ts'
import { enquiryKeys } from '../../../resources/people/keys.ts'
import { datesOf, defineEntity, isRestrictedCaller, rowsOf } from '../entity.ts'

const { id, reference, date_created, date_updated, status_date, notified } = inputs(record)

const importedEnquiry = z.object({
  id,
  reference: reference.refine(
    (value) => value == null || REFERENCE.test(value),
    'must be ten letters and digits',
  ),
  ...enquiryInput.omit({ turnstile_token: true, website: true }).shape,
  // Only of an erased sender.
  last_name: sender.last_name.input.nullish(),
  message: content.message.input.nullish(),
  is_erased: z.boolean().nullish().describe('Whether the sender was erased: the line is blank'),
  ...inputs(handling),
  users: ids().nullish().describe('Agents who deal with it'),
  ...inputs(conversion),
  date_created,
  date_updated,
  status_date,
  notified,
})

export const enquiries = defineEntity<typeof importedEnquiry, EnquiryRow, { isRestricted: boolean }>({
  ...rowsOf(tables.enquiries, importedEnquiry, selectEnquiries, LINKS),
  groups: ['consent'],
  present: (row) => ({
    ...presentEnquiry(row),
    ...(row.is_erased ? { last_name: null, message: null, is_erased: true } : {}),
  }),
  references: (values) => [
    ...referencesOf(values, ANY_LISTING),
    ...fieldReferences(conversion, values),
    { field: 'users', table: 'users', ids: idList(values.users) },
  ],
  load: async (db) => ({ isRestricted: isRestrictedCaller(db) }),
  check: (draft, found, { stored }) => {
    const { last_name, message, is_erased } = draft.values
    const isErased = is_erased === true
    if (isErased && stored && !stored.is_erased && found.isRestricted)
      draft.refuse('is_erased', 'Only ADMIN_TOKEN may import a stored enquiry as erased: erase the person')
    if (!isErased && last_name == null && !draft.isRefused('last_name'))
      draft.refuse('last_name', 'Missing last_name')
    if (!isErased && message == null && !draft.isRefused('message'))
      draft.refuse('message', 'Missing message')
    checkEnquiry(draft, { isErased })
  },
  // Reference, status, its date, the creation date and that of the mail keep their stored values, in replace mode too, unless the
  // line has others.
  resolve: (values, _, { stored }, now) => {
    const row = {
      reference: values.reference ?? stored?.reference ?? newReference(),
      ...toRow(question, values),
      ...toRow(sender, { ...values, last_name: values.last_name ?? '' }),
      ...toRow(content, { ...values, message: values.message ?? '' }),
      ...toRow(conversion, values),
    }
    const status = values.status ?? stored?.status ?? 'new'
    const keepsDate = stored && status === stored.status
    return {
      ...row,
      id: values.id,
      version: 1,
      dates: values.dates ?? [],
      sought: soughtOf(values.search),
      consents_to_marketing: values.consent.marketing,
      status,
      notes: values.notes ?? null,
      is_erased: values.is_erased ?? false,
      users: values.users ?? [],
      search: enquirySearchText(row),
      person_keys: enquiryKeys(row),
      // The bounds of a key are those of what is sent with it.
      sent_by: stored?.sent_by ?? '',
      bytes: stored?.bytes ?? 0,
      ...datesOf(values, stored, now),
      status_date: values.status_date ?? (keepsDate ? stored.status_date : now),
      notified: values.notified ?? stored?.notified ?? null,
    }
  },
  usesDefinitions: true,
  remove: removeImported,
})
