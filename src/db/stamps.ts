/** What a record is at, told by the transaction that reads or writes it: its entity tag is made of that. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Stamp } from '../http/app.ts'
import { cursorsOf, type Target } from '../http/entity-tags.ts'
import { SOURCES } from './changes.ts'
import { isOneOf } from './conditions.ts'
import { newestOf } from './rows.ts'
import { type Statement, textStatement } from './statements.ts'

/** The statement that tells what a record is at. */
export function selectStamp({ resource, id }: Pick<Target, 'resource' | 'id'>): Statement<Stamp> {
  return textStatement(`select ${stampOf(resource, '?1')}`, [id])
}

/** The same of the record that the batch has just added to `table`. */
export function selectNewestStamp(table: SQLiteTable): Statement<Stamp> {
  return textStatement(`select ${stampOf(resourceIn(table), newestOf(table).text)}`)
}

/** The resource whose records are the rows of `table`. */
export function resourceIn(table: SQLiteTable): string {
  const name = getTableName(table)
  const source = SOURCES.find((entry) => entry.table === name)
  if (!source) throw new Error(`${name} is no source of changes`)
  return source.resource
}

/** The columns of a stamp, as SQL, of the record whose id the SQL `id` tells. */
export function stampOf(resource: string, id: string): string {
  const names =
    resource === 'listings' ? '(select count from location_renames where location_renames.id = 1)' : '0'
  return `${cursorOf(resource, id)} as cursor, ${names} as names`
}

/**
 * The version that follows the one of the row that an update of `table` changes; null, which undoes the whole batch,
 * where the record is not what is expected.
 */
export function nextVersion(table: SQLiteTable, { resource, expected }: Target): SQL {
  const cursors = cursorsOf(expected)
  if (!cursors) return sql`version + 1`
  const cursor = sql.raw(cursorOf(resource, `${getTableName(table)}.id`))
  return sql`case when ${isOneOf(cursor, cursors)} then version + 1 end`
}

function cursorOf(resource: string, id: string): string {
  const entered = `(select cursor from changes where changes.resource = '${resource}' and changes.id = ${id})`
  if (resource !== 'listings') return `ifnull(${entered}, 0)`
  // One of the status `deleted` is still read when its tombstone is gone.
  return `ifnull(${entered}, (select -record.version from listings record where record.id = ${id}))`
}
