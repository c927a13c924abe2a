/** Backups of the database in the bucket `BACKUPS`: a row for each night. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const backups = sqliteTable('backups', {
  /** The day: YYYY-MM-DD. Also its folder in the bucket. */
  name: text().primaryKey(),
  /** Random; its parts carry it, so that they are not taken for those of another run. */
  run: text().notNull(),
  date_started: text().notNull(),
  /** Null unless it is whole. */
  date_finished: text(),
  /** When it was last restored, or tried. */
  date_tried: text(),
  /** Where the export goes on; null if nothing is left to do. */
  cursor: text(),
  /** Parts in the bucket. */
  parts: integer().notNull(),
  /** Until when, in milliseconds, the run that works on it has it for itself. */
  lease: integer().notNull(),
})
