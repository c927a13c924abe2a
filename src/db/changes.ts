/**
 * The change feed: which writes record it, and the triggers that record them. Triggers run in the transaction of the
 * write, so no write can be forgotten. D1 commits one transaction after the other, so cursors grow in the order of
 * commits. Changes of `matches` are recorded by the code that writes them, as a trigger would run for each pair.
 *
 * `npm run migrations:generate` writes the triggers that `catalogue/resources.ts` makes necessary.
 */
import { type SQL, sql } from 'drizzle-orm'
import { LOOKUPS, type Lookup, pathsOf } from '../catalogue/lookups.ts'
import { RECORD_RESOURCES, type Resource } from '../catalogue/resources.ts'
import { MAX_ID } from '../fields/values.ts'
import type { RecordVersion } from '../http/context.ts'
import { type Statement, sqlStatement, textStatement } from './statements.ts'

/** The matches of a request, listed under the id of the request. */
export const MATCHES_RESOURCE = 'matches'

/** Every resource in the change feed. */
export const RESOURCES: readonly string[] = [
  ...RECORD_RESOURCES.map(({ resource }) => resource),
  ...LOOKUPS.flatMap(pathsOf),
  MATCHES_RESOURCE,
]

/** The resource whose records are in `table`; null for any other table. */
export function resourceOfTable(table: string): string | null {
  return RECORD_RESOURCES.find((source) => source.table === table)?.resource ?? null
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

/** What the feed has to know of a resource or a lookup. */
export type Source = Pick<Resource, 'resource' | 'table' | 'deletedIf' | 'shows' | 'renumbered'> &
  Pick<Lookup, 'sets' | 'pathFrom'>

/** Everything that has triggers of the feed. */
export const SOURCES: readonly Source[] = [...RECORD_RESOURCES, ...LOOKUPS]

/** The SQL of the triggers of a source, one trigger per string. */
export function changeTriggers(source: Source): string[] {
  const { resource, table, sets, deletedIf, shows, renumbered, pathFrom } = source
  const path = (row: string) => (pathFrom ? `${row}.${pathFrom} || '/${resource}'` : `'${resource}'`)
  const record = (id: 'new.id' | 'old.id', change: string) =>
    `${INTO}\n  VALUES (${NEWEST} + 1, ${path(id.slice(0, 3))}, ${id}, ${change}, datetime('now'))\n  ${MOVE};`
  const trigger = (name: string, event: string, body: string) =>
    `CREATE TRIGGER changes_${table}_${name} AFTER ${event}\nBEGIN\n  ${body}\nEND;`
  const change = deletedIf ? `iif(new.${deletedIf}, 'deleted', 'changed')` : "'changed'"
  return [
    trigger('insert', `INSERT ON ${table}`, record('new.id', change)),
    trigger(
      'update',
      `UPDATE ${sets ? `OF ${sets} ` : ''}ON ${table}${sets === 'version' ? ' WHEN old.version <> new.version' : ''}`,
      record('new.id', change),
    ),
    trigger('delete', `DELETE ON ${table}`, record('old.id', "'deleted'")),
    ...(pathFrom
      ? [
          trigger(
            'moved',
            `UPDATE OF ${pathFrom} ON ${table} WHEN old.${pathFrom} <> new.${pathFrom}`,
            record('old.id', "'deleted'"),
          ),
        ]
      : []),
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

/** The statement for the cursor of the newest entry. */
export function selectNewest(): Statement<{ cursor: number }> {
  return textStatement(`select ${NEWEST} as cursor`)
}

/**
 * The statement that rolls its batch back, as a version guard does, if one of the entries of a lookup has changed since the
 * feed was at `cursor`.
 */
export function requireUnchanged(lookup: Lookup, ids: readonly unknown[], cursor: number): Statement<never> {
  return textStatement(
    `insert into agency_versions (name, version) select 'agency', null where exists (
      select 1 from changes where resource in (select value from json_each(?))
        and id in (select value from json_each(?)) and cursor > ?)`,
    [JSON.stringify(pathsOf(lookup)), JSON.stringify(ids), cursor],
  )
}

/** The statement for the version of an entry of a lookup: its cursor in the feed, 0 if it has none. */
export function selectLookupVersion(lookup: Lookup, id: number): Statement<RecordVersion> {
  return textStatement(
    `select ifnull(max(cursor), 0) as cursor, 0 as names from changes
      where resource in (select value from json_each(?)) and id = ?`,
    [JSON.stringify(pathsOf(lookup)), id],
  )
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
export function highestIdTriggers({ table, writes, renumbered }: Resource): string[] {
  const trigger = (name: string, event: string) =>
    `CREATE TRIGGER ${table}_highest_id${name} AFTER ${event} ON ${table} WHEN new.id > ${MAX_ID}
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;`
  return [
    ...(writes.includes('create') || renumbered ? [trigger('', 'INSERT')] : []),
    ...(renumbered ? [trigger('_update', 'UPDATE OF id')] : []),
  ]
}
