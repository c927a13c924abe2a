/** Removes enquiries that need not be kept: spam after 90 days, closed ones after 2 years, or as the settings say. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import { columnFields, RECORD_FIELDS } from '../../catalogue/record-fields.ts'
import { batch, database, mayCall } from '../../db/client.ts'
import { ON_HOLD, reasonOfHold } from '../../db/merged-contacts.ts'
import { NOT_RESTORING } from '../../db/restoring.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { enterChangesWhere, jsonNames, MARKED_AS_DELETED } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'
import { PLAIN_RESOURCES } from '../plain-resources.ts'

/** Enquiries that are removed at once, and maximum portions of a run. */
const PORTION = 500
const MAX_PORTIONS = 40

/** How long enquiries of a status are kept: the setting with the days, and its default. */
const KEPT = [
  { status: 'spam', setting: 'enquiry_spam_days', days: 90 },
  { status: 'closed', setting: 'enquiry_closed_days', days: 730 },
] as const

const IS_NOT_HELD = sql`(contact_id is null or contact_id not in (${ON_HOLD}))`

/** Removes expired enquiries, but for those of contacts on hold, within the limits of one run. The change feed has them. */
export async function purgeEnquiries(env: Env, now = new Date(), size = PORTION) {
  const db = database(env)
  let removed = 0
  for (const { status, setting, days } of KEPT) {
    for (let count = 0; count < MAX_PORTIONS && mayCall(db, 1); count++) {
      await yieldToEventLoop()
      const expired = sql`select id from enquiries where status = ${status}
        and status_date < datetime(${formatDateTime(now)}, '-' || ${daysOf(setting, days)} || ' days')
        and ${IS_NOT_HELD} and ${sql.raw(NOT_RESTORING)} order by status_date, id limit ${size}`
      const { removed: rows } = await batch(db, removeEnquiries(expired))
      removed += rows.length
      if (rows.length < size) break
    }
  }
  return { removed }
}

/** The columns of other records that name an enquiry. */
const REFERRING = PLAIN_RESOURCES.flatMap(({ table }) => {
  const known = RECORD_FIELDS.get(getTableName(table))
  const fields = known ? columnFields(known) : []
  return fields.flatMap(({ column, name, field }) =>
    field.to === 'enquiries' ? { table, column, name } : [],
  )
})

/** The statements that remove the enquiries of a select of ids. Records that name one stay, and lose it; deleted ones, too. */
function removeEnquiries(ids: SQL) {
  return {
    trail: enterChangesWhere(enquiries, sql`id in (${ids})`, MARKED_AS_DELETED),
    referring: REFERRING.flatMap(({ table, column, name }) => {
      const namesOne = sql`${sql.identifier(column)} in (${ids})`
      return [
        enterChangesWhere(table, namesOne, { others: jsonNames(name) }),
        sqlStatement(sql`update ${table} set ${sql.identifier(column)} = null, version = version + 1,
          date_updated = ${formatDateTime(new Date())} where ${namesOne}`),
      ]
    }),
    users: sqlStatement(sql`delete from enquiry_users where enquiry_id in (${ids})`),
    removed: sqlStatement<{ id: number }>(sql`delete from enquiries where id in (${ids}) returning id`),
  }
}

/**
 * The statements that remove enquiries as another service has, but for those that are newer: their ids were given again. Before
 * them, `held` finds those that stay for contacts on hold.
 */
export function removeImported(removals: Removal[]): { held: Statement<Held>; removed: Statement[] } {
  const rows = JSON.stringify(removals.map(({ id, date }) => [id, date]))
  const named = sql`select enquiries.id from json_each(${rows}) cross join enquiries on enquiries.id = value ->> 0
    where value ->> 1 is null or date_created <= value ->> 1`
  const held =
    sqlStatement<Held>(sql`select id, 'On hold: ' || ${reasonOfHold(sql`enquiries.contact_id`)} as reason
    from enquiries where id in (${named}) and contact_id in (${ON_HOLD})`)
  const removed = removeEnquiries(sql`select id from enquiries where id in (${named}) and ${IS_NOT_HELD}`)
  return { held, removed: Object.values(removed).flat() }
}

/** A record that another service has removed, and when; null if that is not known. */
export interface Removal {
  id: number
  date: string | null
}

/** A record that stays, and why. */
export interface Held {
  id: number
  reason: string
}

/** SQL for the days of a setting, or its default. */
function daysOf(setting: string, days: number): SQL {
  return sql`coalesce((select cast(value as integer) from settings where key = ${setting}), ${days})`
}
