/** Creates and updates appointments. How they go on is in `course.ts`. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Results } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import { isNotDeleted } from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import type { enquiries } from '../../db/tables/enquiries.ts'
import { assumedZone, isAssumed, selectTimeZone } from '../../db/time-zone.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { Draft } from '../../http/request/check.ts'
import { type Known, type Sent, writesOf } from '../plain/plain-writes.ts'
import type { Reading } from '../plain/writes.ts'
import { allowConflicts, CONFLICT_HEADER, judgeConflicts, selectConflicts, takenBy } from './conflicts.ts'
import { NOTICE_HEADER, noticesOf, notify, selectRecipients } from './notices.ts'
import { type AppointmentRow, appointments } from './resource.ts'
import { checkEnd, defaultEnd } from './times.ts'

/** What bodies have that is no field. */
const WORDS = {
  allow_conflicts: allowConflicts,
  notify,
  keep_confirmed: z
    .boolean()
    .nullish()
    .describe('Whether status and confirmations stay although time or place change'),
}

type Body = Sent<typeof appointments.fields, typeof appointments.parts>
type Words = { [Name in keyof typeof WORDS]?: z.output<(typeof WORDS)[Name]> }
type AppointmentDraft = Draft<Body & Words>

const EDITED = [
  ...(['type', 'starts', 'ends', 'title', 'store_id', 'users', 'contacts', 'listing_id'] as const),
  ...(['external_listing_id', 'request_id', 'location', 'notes'] as const),
]

/** What decides whose time is taken. */
const TAKES_TIME = ['type', 'starts', 'ends', 'users', 'listing_id', 'external_listing_id'] as const
/** What visitors and owners have to confirm anew. */
const MOVES = ['starts', 'ends', 'location', 'listing_id', 'external_listing_id'] as const
/** What can change of an appointment that is over or cancelled. */
const REMARKS: readonly string[] = ['title', 'notes']
const ENDED: readonly string[] = ['done', 'no_show', 'cancelled']

/** Holds never: the write starts again, with what is known now. */
const AGAIN = { text: '0', params: [] }

const typeOf = ({ type, enquiry_id }: Body) => type ?? (enquiry_id ? 'viewing' : undefined)

function lookups(values: Body & Words, { db, id }: Reading) {
  const { enquiry_id = null, starts, external_listing_id } = values
  const isNew = id === null
  const caller = db.provenance?.user_id
  const users = values.users ?? (isNew && caller != null ? [caller] : [])
  const enquiry = sql`(select listing_id from enquiries where id = ${enquiry_id})`
  const listing = sql`coalesce(${values.listing_id ?? null}, ${enquiry})`
  const type = typeOf(values)
  const zone = assumedZone()
  const ends = values.ends ?? (starts && defaultEnd(type, starts, zone))
  const taken = isNew ? { type, starts, ends, users, listing_id: listing, external_listing_id } : values
  return {
    people: sqlStatement<{ id: number; store_id: number | null; is_active: number }>(
      sql`select users.id, store_id, is_active from json_each(${JSON.stringify(users)}) join users on users.id = value`,
    ),
    store: isNew
      ? sqlStatement<{ store_id: number | null }>(sql`select store_id from listings where id = ${listing}`)
      : null,
    enquiry: isNew
      ? sqlStatement<Enquiry>(sql`select id, listing_id, contact_id is not null as is_converted,
          (select id from contacts where id = contact_id and ${isNotDeleted}) as contact_id,
          (select id from requests where id = request_id and ${isNotDeleted}) as request_id
        from enquiries where id = ${enquiry_id}`)
      : null,
    zone: isNew && type === 'absence' && !values.ends ? selectTimeZone(zone) : null,
    recipients: selectRecipients(db, { ...values, id }),
    conflicts:
      isNew || TAKES_TIME.some((key) => values[key] !== undefined)
        ? selectConflicts(takenBy(taken, id))
        : null,
  }
}

/** `is_converted` is 0 or 1. */
type Enquiry = Pick<typeof enquiries.$inferSelect, 'id' | 'listing_id' | 'contact_id' | 'request_id'> & {
  is_converted: number
}

type Found = Results<ReturnType<typeof lookups>>

export const appointmentWrites = writesOf(appointments, {
  create: {
    takes: [
      ...(['type', 'starts', 'ends', 'status', 'title', 'store_id', 'users', 'contacts'] as const),
      ...(['listing_id', 'external_listing_id', 'request_id', 'enquiry_id', 'location'] as const),
      ...(['notes', 'created_by'] as const),
    ],
    optional: ['type', 'ends', 'status', 'store_id', 'created_by'],
    more: {
      status: z.enum(['proposed', 'confirmed']).nullish().describe('`proposed` by default'),
      allow_conflicts: WORDS.allow_conflicts,
      notify,
    },
    description:
      'It ends after 30 minutes unless the body says otherwise, a valuation after 60, an absence at midnight. Defaults: the ' +
      'user behind the caller; the office of the listing, or else of the first user. A viewing or valuation needs a listing ' +
      'or an external listing. With `enquiry_id` it is a viewing, with the listing, contact and request of the enquiry, ' +
      'which has to be converted before.',
    replyHeaders: { ...CONFLICT_HEADER, ...NOTICE_HEADER },
    errors: { 409: 'Conflicts with appointment 31' },
  },
  update: {
    takes: EDITED,
    more: WORDS,
    description:
      'Only the keys sent change. Another time or place raises `sequence`, drops the confirmations of visitor and owner, and ' +
      'makes a confirmed appointment proposed, unless `keep_confirmed` is true. Of an appointment that is done, no_show or ' +
      'cancelled only title and notes can change; anything else gives 409.',
    replyHeaders: { ...CONFLICT_HEADER, ...NOTICE_HEADER },
    errors: { 409: 'Appointment is done' },
  },
  lookups,
  requireOpen({ status }, changedKeys) {
    if (ENDED.includes(status) && [...changedKeys].some((key) => !REMARKS.includes(key)))
      throw new ApiError(409, `Appointment is ${status}`)
  },
  decide(draft, found, known) {
    const { current } = known
    const { set, headers, more, ...made } = current
      ? change(draft, found, known, current)
      : complete(draft, found)
    const notices = noticesOf(
      current,
      { ...current, ...draft.values, ...set },
      { notify: draft.values.notify, recipients: found.recipients },
    )
    return {
      ...made,
      set,
      headers: { ...headers, ...notices.headers },
      more: { more: more ?? null, notices: notices.statements },
    }
  },
})

function complete(draft: AppointmentDraft, found: Found) {
  const { values } = draft
  const [enquiry] = found.enquiry ?? []
  const type = typeOf(values)
  const users = values.users ?? found.people.map(({ id }) => id)
  const listing_id = values.listing_id ?? enquiry?.listing_id ?? null
  const leader = found.people.find(({ id }) => id === users[0])
  const store_id = values.store_id ?? found.store?.[0]?.store_id ?? leader?.store_id
  const { starts } = values
  const ends = values.ends ?? (starts && defaultEnd(type, starts, found.zone?.[0]?.zone ?? assumedZone()))
  if (!type && !draft.isRefused('type')) draft.refuse('type', 'Missing type')
  if (!values.ends && starts && ends && !draft.isRefused('ends')) checkEnd(draft, starts, ends)
  requireUsers(draft, users, found)
  // By default it is that of a user.
  if (store_id == null && !draft.isRefused('store_id') && !draft.isRefused('users'))
    draft.refuse('store_id', 'Missing store_id')
  requireProperty(draft, { ...values, type, listing_id })
  draft.complete()
  if (enquiry && !enquiry.is_converted) {
    const message = `Convert enquiry ${enquiry.id} first`
    throw new ApiError(409, message, [{ field: 'enquiry_id', message }])
  }
  const isStale = found.zone !== null && !isAssumed(found.zone)
  const taken = takenBy({ ...values, type, ends, users, listing_id }, null)
  const { guard, headers } = isStale
    ? { guard: AGAIN, headers: {} }
    : judgeConflicts(taken, found.conflicts ?? [], values.allow_conflicts)
  const set: Partial<AppointmentRow> = {
    type,
    status: values.status ?? 'proposed',
    status_date: formatDateTime(new Date()),
    ends: ends ?? undefined,
    store_id: store_id ?? undefined,
    users,
    listing_id,
    contacts: values.contacts ?? (enquiry?.contact_id ? [enquiry.contact_id] : []),
    request_id: values.request_id ?? enquiry?.request_id ?? null,
  }
  return { set, guard, headers, more: null }
}

/** Says what a change of time or place takes with it. */
function change(
  draft: AppointmentDraft,
  found: Found,
  { changedKeys }: Known<AppointmentRow>,
  current: AppointmentRow,
) {
  const { values } = draft
  const { users = current.users } = values
  if (changedKeys.has('users')) requireUsers(draft, users ?? [], found, current.users)
  if (TAKES_TIME.some((key) => changedKeys.has(key))) requireProperty(draft, { ...current, ...values })
  draft.complete()
  const taken = takenBy(values, current.id)
  const judged =
    found.conflicts && TAKES_TIME.some((key) => changedKeys.has(key))
      ? judgeConflicts(taken, found.conflicts, values.allow_conflicts)
      : null
  const isMoved = MOVES.some((key) => changedKeys.has(key))
  const confirmations = current.confirmations.filter(({ party }) => party === 'agent')
  const dropped = isMoved && !values.keep_confirmed
  const now = formatDateTime(new Date())
  return {
    set: {
      ...(isMoved ? { sequence: current.sequence + 1 } : {}),
      ...(dropped ? { confirmations } : {}),
      ...(dropped && current.status === 'confirmed' ? { status: 'proposed' as const, status_date: now } : {}),
    },
    ...(judged ?? {}),
    more: {
      confirmations:
        dropped && confirmations.length < current.confirmations.length
          ? sqlStatement(sql`delete from appointment_confirmations
              where appointment_id = ${current.id} and party <> 'agent'`)
          : null,
      users: changedKeys.has('users') ? keepFormerUsers(current, users ?? [], now) : null,
    },
  }
}

/** Refuses an appointment without users, and new ones who have left the agency. */
function requireUsers(
  draft: AppointmentDraft,
  users: readonly number[],
  { people }: Found,
  before: readonly number[] = [],
): void {
  if (users.length === 0 && !draft.isRefused('users')) draft.refuse('users', 'Missing users')
  for (const { id, is_active } of people)
    if (!is_active && !before.includes(id)) draft.refuse('users', `Invalid users: ${id} has left`)
}

/** Refuses a viewing or valuation of nothing. */
function requireProperty(
  draft: AppointmentDraft,
  { type, listing_id, external_listing_id }: Pick<Body, 'type' | 'listing_id' | 'external_listing_id'>,
): void {
  const isAtProperty = type === 'viewing' || type === 'valuation'
  const isRefused = ['listing_id', 'external_listing_id', 'enquiry_id'].some((key) => draft.isRefused(key))
  if (isAtProperty && listing_id == null && external_listing_id == null && !isRefused)
    draft.refuse('listing_id', 'Missing listing_id')
}

/** The statements that remember who is taken off, and of what. Their calendars show that. */
function keepFormerUsers(current: AppointmentRow, users: readonly number[], now: string) {
  const { id, type, starts, ends, sequence, listing_id } = current
  const removed = current.users.filter((user) => !users.includes(user))
  return [
    sqlStatement(
      sql`delete from appointment_former_users where appointment_id = ${id} and ${isOneOf(sql`user_id`, users)}`,
    ),
    sqlStatement(sql`insert or replace into appointment_former_users
        (appointment_id, user_id, date, type, starts, ends, sequence, listing_id)
      select ${id}, value, ${now}, ${type}, ${starts}, ${ends}, ${sequence}, ${listing_id} from (${valuesOf(removed)})`),
  ]
}
