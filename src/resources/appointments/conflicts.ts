/**
 * Conflicts: other appointments that take the same time of a user, or of a property for viewings and valuations. A write
 * looks for them when it reads, and its transaction looks again: what was found has to be found there, too.
 *
 *     const conflicts = conflictsWith(takenBy(values, id), id)
 *     lookups: { conflicts: selectConflicts(conflicts) }
 *     const { headers, guard } = judgeConflicts(conflicts, found.conflicts, allow_conflicts)
 */
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { linkedIds } from '../../db/relations.ts'
import { fragmentOf, type SqlFragment, type Statement, select, sqlStatement } from '../../db/statements.ts'
import {
  type appointment_slots,
  appointment_users,
  appointments as table,
} from '../../db/tables/appointments.ts'
import { ApiError } from '../../http/errors.ts'
import { REACH_ROWS, reaching } from './slots.ts'

/** How many conflicts of a write are named. */
const MAX_NAMED = 20
/** How many are shown before it. */
export const MAX_SHOWN = 100

type Resource = (typeof appointment_slots.$inferSelect)['resource']

/** The field of an appointment that takes time of a resource. */
const FIELDS: Record<Resource, string> = {
  users: 'users',
  listings: 'listing_id',
  external_listings: 'listing_id',
}

/** SQL for rows with the time that an appointment takes: `resource`, `record_id`, `starts`, `ends`. */
export interface Taken {
  rows: SQL
  /** The appointment, if it is stored: it has no conflict with itself, nor a new one where it stays as it is. */
  id: number | null
}

/** What a body decides of the time that an appointment takes. */
export interface Times {
  type?: string | null | undefined
  starts?: string | null | undefined
  ends?: string | null | undefined
  users?: readonly number[] | null | undefined
  listing_id?: number | SQL | null | undefined
  external_listing_id?: number | null | undefined
}

/** The time that the stored appointment `id` takes, or would take if it were not cancelled. */
export const takenByStored = (id: number): Taken => ({
  rows: sql`select resource, record_id, starts, ends from appointment_slots where appointment_id = ${id}`,
  id,
})

/** The time that an appointment takes with the values of a body. What they do not say is as stored. */
export function takenBy(values: Times, id: number | null): Taken {
  if (id === null) {
    const { users, type, listing_id, external_listing_id } = values
    const isAtProperty = type === 'viewing' || type === 'valuation'
    const of = (resource: Resource, record: unknown) => [resource, record ?? null]
    const known = [
      ...(users ?? []).map((user) => of('users', user)),
      ...(isAtProperty ? [of('external_listings', external_listing_id)] : []),
    ]
    const all = isAtProperty
      ? sql`json_insert(${JSON.stringify(known)}, '$[#]', json_array('listings', ${listing_id ?? null}))`
      : sql`${JSON.stringify(known)}`
    return {
      rows: sql`select value ->> 0 as resource, value ->> 1 as record_id, ${values.starts ?? null} as starts,
        ${values.ends ?? null} as ends from json_each(${all}) where value ->> 1 is not null`,
      id,
    }
  }
  const columnOf = (name: Exclude<keyof Times, 'users'>) =>
    values[name] === undefined ? sql`${sql.identifier(name)}` : sql`${values[name]}`
  const users = values.users
    ? sql`${JSON.stringify(values.users)}`
    : sql`(select json_group_array(user_id) from appointment_users where appointment_id = ${id})`
  return {
    rows: sql`with body as materialized (select ${columnOf('starts')} as starts, ${columnOf('ends')} as ends,
        ${columnOf('type')} in ('viewing', 'valuation') as at_property, ${columnOf('listing_id')} as listing_id,
        ${columnOf('external_listing_id')} as external_listing_id, ${users} as users from appointments where id = ${id})
      select 'users' as resource, value as record_id, starts, ends from body, json_each(body.users)
      union all select 'listings', listing_id, starts, ends from body where at_property and listing_id is not null
      union all select 'external_listings', external_listing_id, starts, ends from body
        where at_property and external_listing_id is not null`,
    id,
  }
}

/** SQL for the slots that conflict with what is taken, by the index of slots: none is read that ended long before. */
function conflictsWith({ rows, id }: Taken, limit: number): SQL {
  return sql`select slots.appointment_id, slots.resource, slots.starts
    from (${rows}) taken cross join ${REACH_ROWS} reaches cross join appointment_slots slots
    where slots.resource = taken.resource and slots.record_id = taken.record_id and slots.is_free = 0
      and slots.reach = reaches.column1
      and slots.starts > ${reaching(sql`taken.starts`)}
      and slots.starts < taken.ends and slots.ends > taken.starts and slots.appointment_id <> ${id ?? 0}
      and not exists (select 1 from appointment_slots own where own.appointment_id = ${id}
        and own.resource = taken.resource and own.record_id = taken.record_id and own.is_free = 0
        and own.starts = taken.starts and own.ends = taken.ends)
    limit ${limit}`
}

/** SQL for the conflicts of a write, as JSON: as text, they are compared in the transaction. */
const asJson = (taken: Taken) =>
  sql`(select json_group_array(json_array(appointment_id, resource, starts)) from (${conflictsWith(taken, MAX_NAMED)}))`

/** The conflicts of a write, and how far the change feed had come. */
interface Found {
  conflicts: string
  cursor: number | null
}

/** SQL for how far the change feed has come. Whatever changes a slot is in it. */
const CURSOR = sql`(select max(cursor) from changes)`

/** The statement that finds the conflicts of a write. */
export function selectConflicts(taken: Taken): Statement<Found> {
  return sqlStatement(sql`select ${asJson(taken)} as conflicts, ${CURSOR} as cursor`)
}

const HEADER = 'X-Conflicts'

export const CONFLICT_HEADER = {
  [HEADER]: `With \`allow_conflicts\`: the appointments that take the same time, at most ${MAX_NAMED}`,
}

/** The key of bodies that stores an appointment whatever it conflicts with. */
export const allowConflicts = z
  .boolean()
  .nullish()
  .describe('Whether it is stored although others take the same time; the header `X-Conflicts` names them')

/**
 * Judges the conflicts that `selectConflicts` has found. Throws 409 for one that is not allowed. The guard holds while the
 * conflicts are those that were found.
 */
export function judgeConflicts(
  taken: Taken,
  [found]: readonly Found[],
  isAllowed: boolean | null | undefined,
): { guard: SqlFragment; headers: Record<string, string | undefined> } {
  const json = found?.conflicts ?? '[]'
  const conflicts: [id: number, resource: Resource, starts: string][] = JSON.parse(json)
  const sorted = conflicts.toSorted((a, b) => (a[2] === b[2] ? a[0] - b[0] : a[2] < b[2] ? -1 : 1))
  if (sorted.length > 0 && !isAllowed) {
    const problems = sorted.map(([id, resource]) => ({
      field: FIELDS[resource],
      message: `Conflicts with appointment ${id}`,
    }))
    throw new ApiError(409, problems[0]?.message ?? '', problems)
  }
  const ids = [...new Set(sorted.map(([id]) => id))]
  return {
    // Where nothing was written since, it need not look again.
    guard: fragmentOf(sql`(${CURSOR} is ${found?.cursor ?? null} or ${asJson(taken)} is ${json})`),
    headers: { [HEADER]: ids.length > 0 ? ids.join(', ') : undefined },
  }
}

const { type, starts, ends, listing_id } = table
/** What is shown of an appointment that another would conflict with. */
const SHOWN = {
  appointment_id: table.id,
  type,
  starts,
  ends,
  users: linkedIds(table, appointment_users),
  listing_id,
}

/** The statement that reads the appointments that conflict with what is taken. */
export function selectConflicting(taken: Taken) {
  return select(
    SHOWN,
    sql`from ${table} where id in (select appointment_id from (${conflictsWith(taken, MAX_SHOWN)})) order by starts, id`,
  )
}
