/** Makes a contact, and a request, of an enquiry, in one transaction. */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { recordReply, recordReplyText } from '../../db/idempotency-store.ts'
import { mergeRecord, readRecord } from '../../db/merge.ts'
import { idList, NOT_DELETED, selectMissing } from '../../db/references.ts'
import { newestId, updateRow } from '../../db/rows.ts'
import { sqlStatement } from '../../db/statements.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { requests } from '../../db/tables/requests.ts'
import { formatDateTime, withoutUndefined } from '../../fields/values.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { checkObject, type Draft } from '../../http/request/check.ts'
import * as contactReads from '../contacts/references.ts'
import type { ContactInput } from '../contacts/schema.ts'
import { insertContact } from '../contacts/write.ts'
import { matchWrittenRequests } from '../matching/run.ts'
import * as requestReads from '../requests/references.ts'
import * as requestRules from '../requests/rules.ts'
import { requestInput } from '../requests/schema.ts'
import { insertRequest } from '../requests/write.ts'
import { type EnquiryRow, selectEnquiry } from './queries.ts'
import type { EnquiryConversion } from './schema.ts'

/** What an enquiry has become. */
export interface Converted {
  contact_id: number
  request_id: number | null
}

const GROUP = 'create_request'

/** Stands for the contact until the transaction knows its id. */
const ANY_CONTACT = 1

/**
 * Converts an enquiry. One that is converted already stays as it is. Throws 404, 412, 400, and 409 if other calls keep
 * changing it.
 */
export async function convertEnquiry(
  db: Database,
  record: RecordRef,
  draft: Draft<EnquiryConversion>,
): Promise<Converted> {
  const { id } = record
  const { contact_id, create_request } = draft.values
  // What is sought never changes, so it may be read before.
  const request = create_request
    ? requestDraft(await readRecord(db, record, selectEnquiry({ id })), create_request)
    : null
  const references = [{ field: 'contact_id', table: 'contacts', ids: idList(contact_id), where: NOT_DELETED }]
  const reading = {
    current: selectEnquiry({ id }),
    lookups: {
      missing: selectMissing(references),
      contact: contactReads.selectFacts([]),
      request: request ? requestReads.selectLookups({ ...request.values, contacts: [] }, null) : null,
    },
  }
  let found: EnquiryRow | undefined
  const stored = await mergeRecord(
    db,
    record,
    reading,
    (current, results) => {
      found = current
      if (current.contact_id !== null) return null
      for (const { field, message } of results.missing) draft.refuse(field, message)
      const { request: requestResults } = results
      const lookups = contactReads.readLookups(results.contact)
      if (!contact_id && lookups.default_user_id === null) {
        draft.refuse('contact_id', 'Missing contact_id: there is no user who could create a contact')
      }
      draft.complete()
      const contactId = contact_id ? { text: '?', params: [contact_id] } : newestId(contacts)
      const now = formatDateTime(new Date())
      return {
        contact: contact_id ? null : insertContact(contactOf(current), lookups),
        request:
          request && requestResults
            ? withPrefix(() => {
                const known = requestReads.readLookups(requestResults)
                requestRules.validateRequest(request, known, null)
                return insertRequest(request, known, contactId)
              })
            : null,
        row: updateRow(
          enquiries,
          current,
          {
            status: 'open',
            ...(current.status === 'open' ? {} : { status_date: now }),
            date_updated: now,
            ...(contact_id ? { contact_id } : {}),
          },
          [
            ...(contact_id ? [] : [`contact_id = ${newestId(contacts).text}`]),
            ...(request ? [`request_id = ${newestId(requests).text}`] : []),
          ],
        ),
        made: sqlStatement<Converted>(sql`select contact_id, request_id from enquiries where id = ${id}`),
        recording: recordReplyText(
          record.idempotentCall,
          'enquiries',
          { text: '?', params: [id] },
          () => ANSWER,
        ),
      }
    },
    { isQueued: false },
  )
  if (stored?.results.request) await matchWrittenRequests(db, stored.results.request.stored)
  const { contact_id: made = 0, request_id = null } = stored?.results.made[0] ?? found ?? {}
  const converted = { contact_id: made ?? 0, request_id }
  // A call that has made nothing has nothing to be recorded with.
  if (!stored) await recordAnswer(db, record, converted)
  return converted
}

/** The body of the reply to a conversion. */
export const convertedReply = (converted: Converted) => ({ status: 200, ...converted })

/** The same as SQL. */
const ANSWER = {
  text: `(select json_object('status', 200, 'contact_id', contact_id, 'request_id', request_id)
    from enquiries where enquiries.id = written.id)`,
  params: [],
}

/** Records the answer of a call. Without it, a repetition gets the same ids anyway. */
async function recordAnswer(
  db: Database,
  { idempotentCall, id }: RecordRef,
  converted: Converted,
): Promise<void> {
  const ofEnquiry = { text: '?', params: [id] }
  const recording = recordReply(idempotentCall, 'enquiries', ofEnquiry, () => convertedReply(converted))
  if (recording.length > 0) await batch(db, { recording })
}

/** The body of a contact for the sender of an enquiry. */
function contactOf({ first_name, last_name, email, phone, users }: EnquiryRow): ContactInput {
  return {
    first_name: first_name ?? '',
    last_name,
    is_lead: true,
    phones: phone ? [{ type: '', number: phone, notes: '' }] : [],
    emails: email ? [{ type: '', email_address: email, notes: '' }] : [],
    users,
  }
}

/** The body of a request: what is sought, with what is sent over it, for the contact. */
function requestDraft(
  { sought, users }: EnquiryRow,
  sent: NonNullable<EnquiryConversion['create_request']>,
): requestRules.RequestDraft {
  const { extra_fields: stored, ...known } = sought ?? {}
  const { extra_fields, ...changes } = withoutUndefined(sent)
  const draft = checkObject(requestInput, {
    ...(users.length > 0 ? { users } : {}),
    ...known,
    ...changes,
    extra_fields: extra_fields === null ? null : { ...(stored as object | undefined), ...extra_fields },
    contacts: [ANY_CONTACT],
  })
  draft.dropNulls()
  return draft
}

/** What `work` returns. Its problems are named by their place in the body. */
function withPrefix<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.problems.length === 0) throw error
    throw invalid(
      error.problems.map(({ field, message }) => ({
        field: `${GROUP}.${field}`,
        message: message.replace(field, `${GROUP}.${field}`),
      })),
    )
  }
}
