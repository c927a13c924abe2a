/** What visitors think of the properties that they have seen, and whether the owners have heard of it. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { feedback } from '../../catalogue/appointment.ts'
import { batch, type Database, database, type Results } from '../../db/client.ts'
import { selectCaller } from '../../db/default-creator.ts'
import { mergeRecord } from '../../db/merge.ts'
import { isNotDeleted } from '../../db/references.ts'
import { updateRecord } from '../../db/rows.ts'
import { select, sqlStatement } from '../../db/statements.ts'
import { appointments as table } from '../../db/tables/appointments.ts'
import { inputs, outputs, pick, present } from '../../fields/derive.ts'
import { formatDateTime, named } from '../../fields/values.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { lookupBody, updatedBody } from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import { requireBegun } from './course.ts'
import { filled } from './parts.ts'
import { type AppointmentRow, appointments } from './resource.ts'

/** How much of the feedback on a listing is shown: of the longest texts it is 2 MB. */
const MAX_SHOWN = 200

const { price, text } = inputs(feedback)

const feedbackInput = named('AppointmentFeedbackInput', 'What a visitor thinks of a property', {
  interest: filled.interest,
  price,
  text,
  shared: z
    .boolean()
    .nullish()
    .describe('Whether the owner has heard of it; without it, that stays as it is'),
})

type Body = z.output<typeof feedbackInput>

/** What an owner may hear: no names. */
const heard = outputs(feedback)
const listingFeedback = named('ListingFeedback', 'What a visitor thinks of a listing', {
  appointment_id: z.int().describe('Id of the viewing'),
  date: filled.date,
  interest: filled.interest,
  price: heard.price,
  text: heard.text,
  shared_date: heard.shared_date,
})

/** Adds the feedback of viewings to `router`. */
export function serveFeedback(router: Router): void {
  router.put(
    '/api/appointments/{id}/feedback',
    {
      summary: 'Enter what the visitor thinks',
      operationId: 'setAppointmentFeedback',
      description:
        'Of a viewing that has begun. A proposed or confirmed one becomes `done`. `price` and `text` stay as they are ' +
        'unless they are sent. `shared` says that the owner has heard of it; false takes that back.',
      resource: 'Appointment',
      body: feedbackInput,
      reply: updatedBody,
      errors: { 409: 'Appointment has not begun' },
    },
    async (c, input) => {
      const draft = await input.body()
      const record = input.record()
      await setFeedback(database(c.env), record, draft)
      return record.id
    },
  )

  router.get(
    '/api/listings/{id}/feedback',
    {
      summary: 'What visitors think of a listing, the newest first',
      description: `What its owner may hear of its viewings: the latest ${MAX_SHOWN}, without names.`,
      resource: 'Listing',
      part: true,
      alsoReads: ['appointments'],
      reply: lookupBody(listingFeedback),
    },
    (c, input) => findFeedback(database(c.env), input.id()),
  )
}

/** Stores the feedback of a viewing. Throws 404, 412, 400, and 409 where there can be none. */
async function setFeedback(db: Database, record: RecordRef, draft: Draft<Body>): Promise<void> {
  const lookups = { caller: selectCaller(db) }
  const reading = { current: appointments.select({ id: record.id }), lookups }
  await mergeRecord(
    db,
    record,
    reading,
    (current: AppointmentRow, { caller: [user] }: Results<typeof lookups>) => {
      const { shared, ...given } = draft.complete()
      const now = formatDateTime(new Date())
      const user_id = user?.id ?? null
      const isFirst = current.feedback_date === null
      const isToldAnew = shared !== undefined && (shared ?? false) !== (current.feedback_shared_date !== null)
      const columns = {
        ...pick(feedback, {
          ...given,
          ...(isFirst ? { date: now, user_id } : {}),
          ...(isToldAnew ? { shared_date: shared ? now : null, shared_by: shared ? user_id : null } : {}),
        }),
        ...(current.status === 'proposed' || current.status === 'confirmed'
          ? { status: 'done' as const, status_date: now }
          : {}),
      }
      const writes = updateRecord(table, {}, current, { columns })
      if (writes) requireViewed(current, now)
      return writes
    },
    { isQueued: false },
  )
}

/** Throws 409 unless an appointment is a viewing that has begun, and was not cancelled. */
function requireViewed(current: AppointmentRow, now: string): void {
  if (current.type !== 'viewing') throw new ApiError(409, 'Appointment is no viewing')
  if (current.status === 'cancelled') throw new ApiError(409, 'Appointment is cancelled')
  requireBegun(current, now)
}

async function findFeedback(db: Database, listing: number): Promise<object[]> {
  const { id, feedback_date, feedback_interest, feedback_price, feedback_text, feedback_shared_date } = table
  const { known, rows } = await batch(db, {
    known: sqlStatement<{ id: number }>(sql`select id from listings where id = ${listing}`),
    rows: select(
      { id, feedback_date, feedback_interest, feedback_price, feedback_text, feedback_shared_date },
      sql`from ${table} where ${isNotDeleted} and ${table.listing_id} = ${listing} and ${feedback_date} is not null
        order by ${feedback_date} desc, ${id} desc limit ${MAX_SHOWN}`,
    ),
  })
  if (known.length === 0) throw notFound('Listing')
  return rows.map((row) => {
    const { date, interest, price, text, shared_date } = present(feedback, row)
    return { appointment_id: row.id, date, interest, price, text, shared_date }
  })
}
