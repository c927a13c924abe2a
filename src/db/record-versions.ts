/** What a record is at, told by the transaction that reads or writes it: its entity tag is made of that. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { acceptedCursors, type RecordRef } from '../http/concurrency/entity-tags.ts'
import type { RecordVersion } from '../http/context.ts'
import { CHANGE_SOURCES } from './changes.ts'
import { isOneOf } from './conditions.ts'
import { newestId } from './rows.ts'
import { type Statement, textStatement } from './statements.ts'

/** The statement that tells what a record is at. */
export function selectRecordVersion({
  resource,
  id,
}: Pick<RecordRef, 'resource' | 'id'>): Statement<RecordVersion> {
  return textStatement(`select ${recordVersionColumns(resource, '?1')}`, [id])
}

/** The same of the record that the batch has just added to `table`. */
export function selectNewestRecordVersion(table: SQLiteTable): Statement<RecordVersion> {
  return textStatement(`select ${recordVersionColumns(resourceOfTable(table), newestId(table).text)}`)
}

/** The resource whose records are the rows of `table`. */
export function resourceOfTable(table: SQLiteTable): string {
  const name = getTableName(table)
  const source = CHANGE_SOURCES.find((entry) => entry.table === name)
  if (!source) throw new Error(`${name} is no source of changes`)
  return source.resource
}

/** The columns of a stamp, as SQL, of the record whose id the SQL `id` tells. */
export function recordVersionColumns(resource: string, id: string): string {
  const names =
    resource === 'listings' ? '(select count from location_renames where location_renames.id = 1)' : '0'
  return `${cursorSql(resource, id)} as cursor, ${names} as names`
}

/**
 * The version that follows the one of the row that an update of `table` changes; null, which undoes the whole batch,
 * where the record is not what is expected.
 */
export function nextVersion(table: SQLiteTable, { resource, ifMatch: expected }: RecordRef): SQL {
  const cursors = acceptedCursors(expected)
  if (!cursors) return sql`version + 1`
  const cursor = sql.raw(cursorSql(resource, `${getTableName(table)}.id`))
  return sql`case when ${isOneOf(cursor, cursors)} then version + 1 end`
}

function cursorSql(resource: string, id: string): string {
  const entered = `(select cursor from changes where changes.resource = '${resource}' and changes.id = ${id})`
  if (resource !== 'listings') return `ifnull(${entered}, 0)`
  // One of the status `deleted` is still read when its tombstone is gone.
  return `ifnull(${entered}, (select -record.version from listings record where record.id = ${id}))`
}
