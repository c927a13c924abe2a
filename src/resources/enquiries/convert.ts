/** Makes a contact, and a request, of an enquiry, in one transaction. */
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Consent } from '../../catalogue/contact.ts'
import { type Database, type Results, runStatement } from '../../db/client.ts'
import { mergeRecord } from '../../db/merge.ts'
import { idList, isNotDeleted, NOT_DELETED, selectMissing, staysFound } from '../../db/references.ts'
import { newestId, updateRow } from '../../db/rows.ts'
import { type SqlFragment, sqlStatement } from '../../db/statements.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { requests } from '../../db/tables/requests.ts'
import { enterChangesWhere } from '../../db/trail.ts'
import { formatDateTime, withoutUndefined } from '../../fields/values.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import type { App } from '../../http/context.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { checkObject, type Draft } from '../../http/request/check.ts'
import { NO_DEFAULTS, selectDefaults } from '../contacts/references.ts'
import type { ContactInput } from '../contacts/schema.ts'
import { insertContact } from '../contacts/write.ts'
import { matchWrittenRequests } from '../matching/run.ts'
import { judgeOthers, selectOthers } from '../people/duplicates.ts'
import { setHeaders } from '../plain/writes.ts'
import { nestedRequest } from '../requests/write.ts'
import { type EnquiryRow, selectEnquiry } from './queries.ts'
import { ERASED, validateConversion } from './rules.ts'
import { convertedRequest, type EnquiryConversion } from './schema.ts'

export interface Converted {
  contact_id: number
  request_id: number | null
}

/**
 * Converts an enquiry. One that is converted already stays as it is. Throws 404, 412, 400, and 409 if its sender was erased,
 * or other calls keep changing it.
 */
export async function convertEnquiry(
  db: Database,
  record: RecordRef,
  draft: Draft<EnquiryConversion>,
  c: Context<App>,
): Promise<Converted> {
  const { id } = record
  const { contact_id, create_request } = draft.values
  const contact = contact_id ? { text: '?', params: [contact_id] } : newestId(contacts)
  const request = create_request && (await findRequest(db, record, create_request))
  const references = [{ field: 'contact_id', table: 'contacts', ids: idList(contact_id), where: NOT_DELETED }]
  const keys = sql`(select person_keys -> 'enquiries' from enquiries where id = ${id})`
  const reading = {
    current: selectEnquiry({ id }),
    lookups: {
      missing: selectMissing(references),
      defaults: selectDefaults(db),
      request: request?.lookups ?? null,
      others: contact_id ? null : selectOthers(c, keys),
    },
  }
  let before: EnquiryRow | undefined
  const decide = (current: EnquiryRow, found: Results<typeof reading.lookups>) => {
    before = current
    if (current.contact_id !== null) return null
    if (current.is_erased) throw new ApiError(409, ERASED)
    const [defaults = NO_DEFAULTS] = found.defaults
    validateConversion(draft, found.missing, defaults)
    draft.complete()
    const { guard, headers } = contact_id ? { guard: null } : judgeOthers(c, keys, found.others)
    setHeaders(c, headers)
    const now = formatDateTime(new Date())
    const changes = {
      status: 'open' as const,
      ...(current.status === 'open' ? {} : { status_date: now }),
      date_updated: now,
      ...(contact_id ? { contact_id } : {}),
    }
    return {
      contact: contact_id
        ? carryConsent(contact_id, current)
        : insertContact(contactOf(current), defaults, guard),
      request: request && found.request ? request.insert(found.request, contact) : null,
      trail: enterChangesWhere(enquiries, sql`id = ${id}`, {
        changed: conversionOf(current, contact, request ? newestId(requests) : null),
      }),
      row: updateRow(
        enquiries,
        current,
        changes,
        [
          ...(contact_id ? [] : [{ ...contact, text: `contact_id = ${contact.text}` }]),
          ...(request ? [{ text: `request_id = ${newestId(requests).text}`, params: [] }] : []),
        ],
        staysFound(references, []),
      ),
      made: sqlStatement<Converted>(sql`select contact_id, request_id from enquiries where id = ${id}`),
    }
  }
  const stored = await mergeRecord(db, record, reading, decide, { isQueued: false, answer: ANSWER })
  if (stored?.results.request) await matchWrittenRequests(db, stored.results.request.stored)
  const { contact_id: made, request_id = null } = stored?.results.made[0] ?? before ?? {}
  return { contact_id: made ?? 0, request_id }
}

/** What a conversion changes, as SQL for the trail. */
function conversionOf({ status }: EnquiryRow, contact: SqlFragment, request: SqlFragment | null): SQL {
  const sqlOf = (
    { text, params: [value] }: SqlFragment, // D1 binds numbers as real ones.
  ) => (text === '?' ? sql`cast(${value} as integer)` : sql.raw(text))
  return sql`json_object('contact_id', json_array(null, ${sqlOf(contact)})
    ${request ? sql`, 'request_id', json_array(null, ${sqlOf(request)})` : sql``}
    ${status === 'open' ? sql`` : sql`, 'status', json_array(status, 'open')`})`
}

/** The body of the reply to a conversion, as SQL. */
const ANSWER = {
  text: `(select json_object('status', 200, 'contact_id', contact_id, 'request_id', request_id)
    from enquiries where enquiries.id = written.id)`,
  params: [],
}

function contactOf(enquiry: EnquiryRow): ContactInput {
  const { first_name, last_name, email, phone, users } = enquiry
  return {
    first_name: first_name ?? '',
    last_name,
    is_lead: true,
    phones: phone ? [{ type: '', number: phone, notes: '' }] : [],
    emails: email ? [{ type: '', email_address: email, notes: '' }] : [],
    consents: [consentOf(enquiry)],
    users,
  }
}

function consentOf({ id, date_created, consents_to_marketing }: EnquiryRow): Consent {
  const source = `enquiry ${id}`
  return { purpose: 'marketing', given: consents_to_marketing, date: date_created, source }
}

/** The statements that note the consent of an enquiry in an existing contact, unless it has one as late. */
function carryConsent(id: number, enquiry: EnquiryRow) {
  const consent = consentOf(enquiry)
  const isOfPurpose = sql`value ->> 'purpose' = ${consent.purpose}`
  const carried = sql`(select json_group_array(json(value)) from (
    select value from json_each(consents) where not ${isOfPurpose} union all select ${JSON.stringify(consent)}))`
  const isOlder = sql`contacts.id = ${id} and ${isNotDeleted} and not exists (
    select 1 from json_each(consents) where ${isOfPurpose} and value ->> 'date' >= ${consent.date})`
  return {
    trail: enterChangesWhere(contacts, isOlder, {
      changed: sql`json_object('consents', json_array(json(consents), json(${carried})))`,
    }),
    row: sqlStatement(sql`update contacts set consents = ${carried}, version = version + 1,
      date_updated = ${formatDateTime(new Date())} where ${isOlder}`),
  }
}

const requestBody = z.object({ create_request: convertedRequest })

/** The request to make: what an enquiry seeks, which never changes, with what is sent over it. Throws 404. */
async function findRequest(
  db: Database,
  { id, name }: RecordRef,
  sent: NonNullable<EnquiryConversion['create_request']>,
) {
  const [enquiry] = await runStatement(db, selectEnquiry({ id }))
  if (!enquiry) throw notFound(name)
  const { sought, users } = enquiry
  const { extra_fields: stored, ...known } = sought ?? {}
  const { extra_fields, ...changes } = withoutUndefined(sent)
  const values = {
    ...(users.length > 0 ? { users } : {}),
    ...known,
    ...changes,
    extra_fields: extra_fields === null ? null : { ...(stored as object | undefined), ...extra_fields },
  }
  // As in a create body, null means the same as an absent key.
  const create_request = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  return nestedRequest(checkObject(requestBody, { create_request }).within('create_request'))
}
