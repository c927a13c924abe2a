/**
 * The change feed: which writes record it, and the triggers that record them. Triggers run in the transaction of the
 * write, so no write can be forgotten. D1 commits one transaction after the other, so cursors grow in the order of
 * commits. Changes of `matches` are recorded by the code that writes them, as a trigger would run for each pair.
 *
 * `npm run migrations:generate` writes the triggers that the sources make.
 */
import { type SQL, sql } from 'drizzle-orm'
import { MAX_ID } from '../fields/values.ts'
import { type Statement, sqlStatement } from './statements.ts'

/** A resource whose records can be read one by one, and the writes that change what such a read shows. */
export interface ChangeSource {
  /** Its path after `/api/`. */
  resource: string
  table: string
  /** The column that every update of a record sets. Absent if any update of the row counts. */
  sets?: 'version' | 'date_updated'
  /** SQL condition on the row `new` under which it counts as deleted. */
  deleted?: string
  /** A table whose `name` is part of the records, and the column of the records that refers to it. */
  shows?: { table: string; column: string }
  /** The id of a row can change. It is negative in between, as the new id may not be free yet. */
  renumbered?: true
  /** The service itself gives new ids. */
  numbered?: true
  /** The column by which its records are counted (`record-counts.ts`). */
  status?: string
}

/** Ordered so that records come after those that they refer to. */
export const CHANGE_SOURCES: readonly ChangeSource[] = [
  { resource: 'contacts', table: 'contacts', sets: 'version', deleted: 'new.is_deleted', numbered: true },
  {
    resource: 'listings',
    table: 'listings',
    sets: 'version',
    deleted: "new.status = 'deleted'",
    numbered: true,
  },
  {
    resource: 'external-listings',
    table: 'external_listings',
    sets: 'date_updated',
    deleted: 'new.is_deleted',
    numbered: true,
    status: 'status',
  },
  // Not `version`: a moved point of interest raises it without changing what is shown.
  {
    resource: 'requests',
    table: 'requests',
    sets: 'date_updated',
    deleted: 'new.is_deleted',
    numbered: true,
    status: 'status',
  },
  { resource: 'enquiries', table: 'enquiries', sets: 'version', numbered: true, status: 'status' },
  { resource: 'offers', table: 'offers', sets: 'date_updated', status: 'status' },
  { resource: 'contracts', table: 'contracts', sets: 'date_updated', status: 'status_id' },
  { resource: 'incomes', table: 'incomes', sets: 'date_updated', status: 'status' },
  {
    resource: 'expenses',
    table: 'expenses',
    sets: 'date_updated',
    shows: { table: 'expense_categories', column: 'category_id' },
    renumbered: true,
    numbered: true,
    status: 'status',
  },
  { resource: 'knowledge-base/categories', table: 'knowledge_base_categories' },
  {
    resource: 'knowledge-base/articles',
    table: 'knowledge_base_articles',
    sets: 'date_updated',
    shows: { table: 'knowledge_base_categories', column: 'category_id' },
  },
]

/** The matches of a request, listed under the id of the request. */
export const MATCHES_RESOURCE = 'matches'

/** Every resource in the change feed. */
export const RESOURCES: readonly string[] = [
  ...CHANGE_SOURCES.map(({ resource }) => resource),
  MATCHES_RESOURCE,
]

/** The resource that is stored in `table`; null for a table without changes in the feed. */
export function resourceOfTable(table: string): string | null {
  return CHANGE_SOURCES.find((source) => source.table === table)?.resource ?? null
}

/** The table of a resource. Throws if it is not in the change feed. */
export function tableOfResource(resource: string): string {
  const source = CHANGE_SOURCES.find((one) => one.resource === resource)
  if (!source) throw new Error(`${resource} is no source of changes`)
  return source.table
}

/** The statement that records a change of the matches of requests. `ids` is a select of one column. */
export function recordMatchChanges(ids: SQL): Statement {
  return sqlStatement(
    sql`${sql.raw(INTO)}
    select ${sql.raw(NEWEST)} + row_number() over (order by id), ${MATCHES_RESOURCE}, id,
      iif(is_deleted, 'deleted', 'changed'), datetime('now')
    from requests where id in (${ids}) ${sql.raw(MOVE)}`,
  )
}

const INTO = 'INSERT INTO changes (cursor, resource, id, change, date)'
const NEWEST = '(SELECT ifnull(max(cursor), 0) FROM changes)'
/** A record that changes again moves to the end of the feed. */
const MOVE =
  'ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date'

/** The SQL of the triggers of a source, one trigger per string. */
export function changeTriggers({
  resource,
  table,
  sets,
  deleted,
  shows,
  renumbered,
}: ChangeSource): string[] {
  const record = (id: string, change: string) =>
    `${INTO}\n  VALUES (${NEWEST} + 1, '${resource}', ${id}, ${change}, datetime('now'))\n  ${MOVE};`
  const trigger = (name: string, event: string, body: string) =>
    `CREATE TRIGGER changes_${table}_${name} AFTER ${event}\nBEGIN\n  ${body}\nEND;`
  const change = deleted ? `iif(${deleted}, 'deleted', 'changed')` : "'changed'"
  return [
    trigger('insert', `INSERT ON ${table}`, record('new.id', change)),
    trigger(
      'update',
      `UPDATE ${sets ? `OF ${sets} ` : ''}ON ${table}${sets === 'version' ? ' WHEN old.version <> new.version' : ''}`,
      record('new.id', change),
    ),
    trigger('delete', `DELETE ON ${table}`, record('old.id', "'deleted'")),
    ...(shows
      ? [
          trigger(
            'shown',
            `UPDATE OF name ON ${shows.table} WHEN old.name <> new.name`,
            `${INTO}
  SELECT ${NEWEST} + row_number() OVER (ORDER BY id), '${resource}', id, 'changed', datetime('now')
  FROM ${table} WHERE ${shows.column} = new.id
  ${MOVE};`,
          ),
        ]
      : []),
    ...(renumbered
      ? [
          trigger('leave', `UPDATE OF id ON ${table} WHEN old.id > 0`, record('old.id', "'deleted'")),
          trigger('arrive', `UPDATE OF id ON ${table} WHEN new.id > 0`, record('new.id', change)),
        ]
      : []),
  ]
}

/** The trigger that reports the matches of a deleted request as deleted. */
export const MATCHES_TRIGGER = `CREATE TRIGGER changes_requests_matches AFTER UPDATE OF is_deleted ON requests WHEN new.is_deleted AND NOT old.is_deleted
BEGIN
  UPDATE changes SET cursor = ${NEWEST} + 1, change = 'deleted', date = datetime('now')
  WHERE resource = '${MATCHES_RESOURCE}' AND id = new.id;
END;`

/**
 * The SQL of the triggers that keep the service from giving a record an id that nothing could refer to: no field takes one
 * above `MAX_ID`.
 */
export function highestIdTriggers({ table, numbered, renumbered }: ChangeSource): string[] {
  const trigger = (name: string, event: string) =>
    `CREATE TRIGGER ${table}_highest_id${name} AFTER ${event} ON ${table} WHEN new.id > ${MAX_ID}
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;`
  return [
    ...(numbered ? [trigger('', 'INSERT')] : []),
    ...(numbered && renumbered ? [trigger('_update', 'UPDATE OF id')] : []),
  ]
}
