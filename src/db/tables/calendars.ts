/** Calendars that phones subscribe to. Their URLs are secrets, so they are not part of an export. */
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from './agency.ts'
import { idOf } from './links.ts'

/** How much of the contacts a calendar names. */
export const CALENDAR_DETAILS = ['brief', 'full'] as const

export const calendars = sqliteTable(
  'calendars',
  {
    // Never reused: a client of a deleted calendar must not take a new one for it.
    id: integer().primaryKey({ autoIncrement: true }),
    /** Whose appointments it has. */
    user_id: idOf(users),
    detail: text({ enum: CALENDAR_DETAILS }).notNull(),
    /** Whether it has the tasks of the user, too. */
    tasks: integer({ mode: 'boolean' }).notNull(),
    /** SHA-256 of the random, unguessable part of its URL, in hexadecimal. */
    token: text().notNull(),
    date_created: text().notNull(),
    /** When one of these values last changed. */
    date_updated: text().notNull(),
    /** Raised by every change of them. */
    version: integer().notNull().default(1),
  },
  (table) => [uniqueIndex('calendars_with_token').on(table.token)],
)
