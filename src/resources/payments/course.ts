/** The course of incomes and expenses, which are alike in it: confirm, reopen, and the deletion of pending ones. */
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { oneOf, type ResourceName, resourceNamed, writePathOf } from '../../catalogue/resources.ts'
import { type Database, database, type Statements } from '../../db/client.ts'
import { mergeRecord } from '../../db/merge.ts'
import { allOf, updateRecord } from '../../db/rows.ts'
import { type SqlFragment, type Statement, textStatement } from '../../db/statements.ts'
import { date, filledText, named } from '../../fields/values.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { ApiError } from '../../http/errors.ts'
import { updatedBody } from '../../http/reply/envelope.ts'
import { withReason } from '../plain/reason.ts'
import { serveDeletion } from '../plain/writes.ts'

/** What the course of an income or expense needs to know of it. */
export interface Payment {
  id: number
  version: number
  status: 'pending' | 'confirmed'
  date: string
  notes: string | null
}

/** What a change of a payment does to others. */
export interface Effects {
  /** The days of those. */
  dates?: (string | null)[]
  /** Holds while they are as they were read. */
  guard?: SqlFragment
  more?: Statements
}

interface Course<Row extends Payment> {
  resource: ResourceName
  table: SQLiteTable
  current: (ids: { id: number }) => Statement<Row>
  effectsOf?: (row: Row, change: 'moved' | 'deleted') => Effects
  /** Throws 409 if `row` cannot be deleted although it is pending. */
  requireDeletable?: (row: Row) => void
  /** What happens to others, in the documentation. */
  docs: { confirm: string; reopen: string; remove: string }
}

/** A change of a payment by one of these calls. */
interface Move<Row> {
  change: 'moved' | 'deleted'
  /** The columns that change; null for nothing. */
  columnsOf: (row: Row) => { status?: Payment['status']; date?: string; notes?: string } | object | null
  /** Throws what forbids it, once books are known to be open. */
  check?: (row: Row) => void
}

/** Throws 409 if a payment is confirmed. `one` is what it is called. */
export function requirePending({ status }: Pick<Payment, 'status'>, one: string): void {
  if (status === 'confirmed') throw new ApiError(409, `${one} is confirmed: reopen it`)
}

const confirmation = named('Confirmation', 'The body that confirms an income or expense', {
  date: date().nullish().describe('The day of the payment; without it, the date stays'),
})

const reopening = named('Reopening', 'The body that reopens an income or expense', {
  reason: filledText().describe('Why; it becomes a line of `notes`'),
})

/** Adds confirm, reopen and the deletion of a resource to `router`. */
export function serveCourse<Row extends Payment>(router: Router, course: Course<Row>): void {
  const { resource, requireDeletable, docs } = course
  const facts = resourceNamed(resource)
  const path = `${writePathOf(facts)}/{id}`
  const contract = { resource: facts.one, isIdempotent: true, reply: updatedBody } as const

  router.post(
    `${path}/confirm`,
    {
      ...contract,
      summary: `Confirm ${oneOf(facts)}`,
      operationId: `confirm${facts.one}`,
      description: `A pending one becomes confirmed; one that is confirmed stays as it is. ${docs.confirm}`,
      body: confirmation,
    },
    async (c, input) => {
      const draft = await input.body()
      const record = input.record()
      await move(database(c.env), record, course, {
        change: 'moved',
        columnsOf: ({ status, date }) => {
          const sent = draft.complete()
          return status === 'confirmed' ? null : { status: 'confirmed', date: sent.date ?? date }
        },
      })
      return record.id
    },
  )

  router.post(
    `${path}/reopen`,
    {
      ...contract,
      summary: `Reopen ${oneOf(facts)}`,
      operationId: `reopen${facts.one}`,
      description: `A confirmed one becomes pending; a pending one stays as it is. ${docs.reopen}`,
      body: reopening,
    },
    async (c, input) => {
      const draft = await input.body()
      const record = input.record()
      await move(database(c.env), record, course, {
        change: 'moved',
        columnsOf: ({ status, notes }) => {
          const { reason } = draft.complete()
          if (status === 'pending') return null
          const added = withReason(draft, notes, 'reopened', reason)
          draft.complete()
          return { status: 'pending', notes: added }
        },
      })
      return record.id
    },
  )

  serveDeletion(router, {
    resource,
    description: `Only pending ones can be deleted. ${docs.remove}`,
    errors: { 409: `${facts.one} is confirmed: reopen it` },
    remove: (db, record) =>
      move(db, { ...record, reportVersion: () => undefined }, course, {
        change: 'deleted',
        columnsOf: () => ({ is_deleted: true }),
        check: (row) => {
          requireDeletable?.(row)
          requirePending(row, facts.one)
        },
      }),
  })
}

async function move<Row extends Payment>(
  db: Database,
  record: RecordRef,
  { table, current, effectsOf }: Course<Row>,
  { change, columnsOf, check }: Move<Row>,
): Promise<void> {
  const reading = { current: current({ id: record.id }), lookups: { books: selectBooks() } }
  const answer = {
    // D1 binds numbers as real ones.
    text: "json_object('status', 200, 'updated_id', cast(written.id as integer))",
    params: [],
  }
  await mergeRecord(
    db,
    record,
    reading,
    (row, { books }) => {
      const columns = columnsOf(row)
      if (!columns) return null
      const { dates = [], guard, more = null } = effectsOf?.(row, change) ?? {}
      requireOpen(books, row.date, 'date' in columns ? columns.date : null, ...dates)
      check?.(row)
      const writes = updateRecord(table, {}, row, { columns }, { guard: allOf(booksUnchanged(books), guard) })
      return writes && { ...writes, more }
    },
    { answer, isQueued: false },
  )
}

/** The day until which books are closed; null if they are open. */
export interface Books {
  closed: string | null
}

const CLOSED = "(select value ->> '$' from settings where key = 'books_closed_until')"

/** The statement that reads until when books are closed. */
export function selectBooks(): Statement<Books> {
  return textStatement(`select ${CLOSED} as closed`)
}

/** Throws 409 if one of `dates`, of what a write touches, is in closed books. */
export function requireOpen([books]: readonly Books[], ...dates: (string | null | undefined)[]): void {
  const closed = books?.closed ?? null
  if (closed !== null && dates.some((date) => date && date <= closed)) {
    throw new ApiError(409, `Books are closed until ${closed}`)
  }
}

/** The guard that holds while books are closed as far as was read. */
export function booksUnchanged([books]: readonly Books[]): SqlFragment {
  return { text: `${CLOSED} is ?`, params: [books?.closed ?? null] }
}
