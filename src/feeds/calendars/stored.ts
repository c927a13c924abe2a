/** Reads a calendar with all that decides about its answers: one round trip, and a few rows, whatever it has. */
import { hash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { MAIL_LANGUAGES } from '../../catalogue/enquiry.ts'
import { batch, type Database } from '../../db/client.ts'
import { prepared, type RowOf, select } from '../../db/statements.ts'
import { settings, users } from '../../db/tables/agency.ts'
import { calendars } from '../../db/tables/calendars.ts'
import { DEFAULT_TIME_ZONE, dayInZone, instantOf, todayIn } from '../../fields/time-zone.ts'
import { formatDateTime } from '../../fields/values.ts'
import form from './form.json' with { type: 'json' }

const DAY = 86_400_000
/** What a calendar has begins so many days before today, and ends so many after it. */
const [DAYS_BACK, DAYS_AHEAD] = [30, 400]

/** Whose changes change what calendars show. What a user may see of them is not asked: it would take longer than a file. */
const SHOWN = ['appointments', 'tasks', 'listings', 'external-listings', 'contacts', 'locations']

/** The value of a setting; `unset` if it has none. */
const setting = (key: string, unset: string): SQL =>
  sql`ifnull((select ${settings.value} ->> '$' from ${settings} where ${settings.key} = ${key}), ${unset})`

const FIELDS = {
  id: calendars.id,
  version: calendars.version,
  user_id: calendars.user_id,
  detail: calendars.detail,
  tasks: calendars.tasks,
  user_name: sql<string>`${users.name}`,
  language: sql<(typeof MAIL_LANGUAGES)[number]>`${setting('mail_language', 'el')}`,
  time_zone: sql<string>`${setting('time_zone', DEFAULT_TIME_ZONE)}`,
  // Another database, or this one as it was before, counts its changes anew.
  deployment: sql<string>`(select deployment from change_feed)`,
  newest: sql<string>`(select json_group_array((select max(cursor) from changes where resource = value))
    from json_each(${JSON.stringify(SHOWN)}))`,
}

export interface Calendar extends RowOf<typeof FIELDS> {
  /** It has what ends after the first of these moments, and starts before the second, both in UTC. */
  from: string
  to: string
  /** It has what is due from the first of these days on, before the second. */
  days: [from: string, to: string]
  /** What all that it shows depends on: another value, other answers. */
  state: readonly unknown[]
}

const selectCalendar = prepared(() =>
  select(
    FIELDS,
    sql`from ${calendars} join ${users} on ${users.id} = ${calendars.user_id}
      where ${calendars.token} = ${sql.placeholder('token')} and ${users.is_active}`,
  ),
)

/** The calendar whose URL has this token; null if there is none, or its user has left. */
export async function findCalendar(db: Database, token: string): Promise<Calendar | null> {
  const { rows } = await batch(db, { rows: selectCalendar({ token: hashOf(token) }) })
  const [row] = rows
  if (!row) return null
  // By whole days, so that its answers stay the same for as long.
  const today = todayIn(row.time_zone)
  const [from, to] = spanAround(dayInZone(today, row.time_zone).from)
  const days = spanAround(`${today} 00:00:00`).map((moment) => moment.slice(0, 10)) as [string, string]
  return { ...row, from, to, days, state: [form, from, ...Object.values(row)] }
}

/** When what a calendar has begins and ends, by when the day begins. */
function spanAround(today: string): [from: string, to: string] {
  const at = (days: number) => formatDateTime(new Date(instantOf(today) + days * DAY))
  return [at(-DAYS_BACK), at(DAYS_AHEAD)]
}

/** What is stored of a token. */
export function hashOf(token: string): string {
  return hash('sha256', token)
}
