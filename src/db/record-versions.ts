/**
 * Record versions, read in the transaction that reads or writes the record. The ETag is derived from them. Where a record was
 * merged into another is read there, too.
 */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { RECORD_RESOURCES } from '../catalogue/resources.ts'
import { acceptedCursors, type RecordRef } from '../http/concurrency/entity-tags.ts'
import type { RecordVersion } from '../http/context.ts'
import { resourceOfTable } from './changes.ts'
import { isOneOf } from './conditions.ts'
import { withTargets } from './merged-contacts.ts'
import { isNotDeleted } from './references.ts'
import { newestId } from './rows.ts'
import { type Statement, sqlStatement, textStatement } from './statements.ts'

/** The statement that reads the version of a record. */
export function selectRecordVersion({
  resource,
  id,
}: Pick<RecordRef, 'resource' | 'id'>): Statement<RecordVersion> {
  return textStatement(`select ${recordVersionColumns(resource, '?1')}`, [id])
}

/** The statement for the living record that one was merged into; null if the caller may not know, or there can be none. */
export function selectTarget({
  resource,
  id,
  isUnreadable,
}: Pick<RecordRef, 'resource' | 'id' | 'isUnreadable'>): Statement<{ id: number }> | null {
  if (isUnreadable || !RECORD_RESOURCES.find((one) => one.resource === resource)?.merges) return null
  return sqlStatement(sql`select id from contacts
    where id in (${withTargets(sql`select ${id}`)}) and id <> ${id} and ${isNotDeleted}`)
}

/** The statement that reads the version of the record that the same batch has added to `table`. */
export function selectNewestRecordVersion(table: SQLiteTable): Statement<RecordVersion> {
  return textStatement(`select ${recordVersionColumns(requireResource(table), newestId(table).text)}`)
}

/** The resource that is stored in `table`. Throws if the table is not in the change feed. */
export function requireResource(table: SQLiteTable): string {
  const name = getTableName(table)
  const resource = resourceOfTable(name)
  if (resource === null) throw new Error(`${name} is no source of changes`)
  return resource
}

/**
 * SQL for the columns of a record version.
 * @param id SQL for the id of the record
 */
export function recordVersionColumns(resource: string, id: string): string {
  const names =
    resource === 'listings' ? '(select count from location_renames where location_renames.id = 1)' : '0'
  return `${cursorSql(resource, id)} as cursor, ${names} as names`
}

/**
 * SQL for the next version of the row that an update of `table` changes. It is null if `If-Match` does not hold, which
 * rolls the whole batch back.
 */
export function nextVersion(table: SQLiteTable, { resource, ifMatch }: RecordRef): SQL {
  const cursors = acceptedCursors(ifMatch)
  if (!cursors) return sql`version + 1`
  const cursor = sql.raw(cursorSql(resource, `${getTableName(table)}.id`))
  return sql`case when ${isOneOf(cursor, cursors)} then version + 1 end`
}

function cursorSql(resource: string, id: string): string {
  const cursor = `(select cursor from changes where changes.resource = '${resource}' and changes.id = ${id})`
  if (resource !== 'listings') return `ifnull(${cursor}, 0)`
  // A listing of the status `deleted` can still be read after its tombstone is purged.
  return `ifnull(${cursor}, (select -record.version from listings record where record.id = ${id}))`
}
