/** Backups of the database in the bucket `BACKUPS`, a row for each night, and the restore that is under way. */
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

/** The restore that is under way: one row from before its first line until all of the backup is stored. */
export const restores = sqliteTable('restores', {
  /** Always 1. */
  id: integer().primaryKey(),
  /** The name of the backup. */
  backup: text().notNull(),
  /** SHA-256 of its manifest, or of its file, as others may have that name. */
  digest: text().notNull().default(''),
  date_started: text().notNull(),
})

/** Ids that new records of a table must be above, although no row has them: those of erased and of deleted records. */
export const id_floors = sqliteTable('id_floors', {
  name: text().primaryKey(),
  id: integer().notNull(),
})
