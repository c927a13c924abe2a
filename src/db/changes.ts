/**
 * What enters the feed of changes, and how. Triggers do it, in the transaction of the write itself, so that nobody who
 * writes can forget; as D1 commits one transaction after the other, cursors grow in the order of commits. Only
 * `matches` is entered by who writes them: a trigger would run for each pair.
 *
 * The triggers are in the migrations; a test makes them anew of `SOURCES` and holds both together.
 */
import { type SQL, sql } from 'drizzle-orm'
import { type Statement, sqlStatement } from './statements.ts'

/** A resource with single reads, and the writes of its table that change what is read. */
export interface ChangeSource {
  /** Its path after `/api/`. */
  resource: string
  table: string
  /** The column that every such update sets; absent where each update is one. */
  sets?: 'version' | 'date_updated'
  /** When a row counts as deleted, of the row `new`. */
  deleted?: string
  /** Another table whose name its records show, by this column of theirs. */
  shows?: { table: string; column: string }
  /** Its rows can get another id, by way of a negative one. */
  renumbered?: true
}

/** In an order in which whatever a record refers to comes before it. */
export const CHANGE_SOURCES: readonly ChangeSource[] = [
  { resource: 'contacts', table: 'contacts', sets: 'version', deleted: 'new.is_deleted' },
  { resource: 'listings', table: 'listings', sets: 'version', deleted: "new.status = 'deleted'" },
  { resource: 'external-listings', table: 'external_listings', sets: 'date_updated' },
  // A point of interest that moves raises the version, too, and nobody sees it.
  { resource: 'requests', table: 'requests', sets: 'date_updated', deleted: 'new.is_deleted' },
  { resource: 'offers', table: 'offers', sets: 'date_updated' },
  { resource: 'contracts', table: 'contracts', sets: 'date_updated' },
  { resource: 'incomes', table: 'incomes', sets: 'date_updated' },
  {
    resource: 'expenses',
    table: 'expenses',
    sets: 'date_updated',
    shows: { table: 'expense_categories', column: 'category_id' },
    renumbered: true,
  },
  { resource: 'knowledge-base/categories', table: 'knowledge_base_categories' },
  {
    resource: 'knowledge-base/articles',
    table: 'knowledge_base_articles',
    sets: 'date_updated',
    shows: { table: 'knowledge_base_categories', column: 'category_id' },
  },
]

/** The matches of a request, under its id. */
export const MATCHES_RESOURCE = 'matches'

/** Every resource that the feed tells of. */
export const RESOURCES: readonly string[] = [
  ...CHANGE_SOURCES.map(({ resource }) => resource),
  MATCHES_RESOURCE,
]

/** The resource whose records are the rows of `table`; null for a table that the feed does not name. */
export function resourceOfTable(table: string): string | null {
  return CHANGE_SOURCES.find((source) => source.table === table)?.resource ?? null
}

/** The statement that enters a change of the matches of each request whose id is in `ids`, a select of one column. */
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
/** A record that changes again moves to the end. */
const MOVE =
  'ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date'

/** The SQL of the triggers of a source. */
export function changeTriggers({
  resource,
  table,
  sets,
  deleted,
  shows,
  renumbered,
}: ChangeSource): string[] {
  const enter = (id: string, change: string) =>
    `${INTO}\n  VALUES (${NEWEST} + 1, '${resource}', ${id}, ${change}, datetime('now'))\n  ${MOVE};`
  const trigger = (name: string, event: string, body: string) =>
    `CREATE TRIGGER changes_${table}_${name} AFTER ${event}\nBEGIN\n  ${body}\nEND;`
  const change = deleted ? `iif(${deleted}, 'deleted', 'changed')` : "'changed'"
  return [
    trigger('insert', `INSERT ON ${table}`, enter('new.id', change)),
    trigger(
      'update',
      `UPDATE ${sets ? `OF ${sets} ` : ''}ON ${table}${sets === 'version' ? ' WHEN old.version <> new.version' : ''}`,
      enter('new.id', change),
    ),
    trigger('delete', `DELETE ON ${table}`, enter('old.id', "'deleted'")),
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
          trigger('leave', `UPDATE OF id ON ${table} WHEN old.id > 0`, enter('old.id', "'deleted'")),
          trigger('arrive', `UPDATE OF id ON ${table} WHEN new.id > 0`, enter('new.id', change)),
        ]
      : []),
  ]
}

/** A request that is deleted takes its matches with it. */
export const MATCHES_TRIGGER = `CREATE TRIGGER changes_requests_matches AFTER UPDATE OF is_deleted ON requests WHEN new.is_deleted AND NOT old.is_deleted
BEGIN
  UPDATE changes SET cursor = ${NEWEST} + 1, change = 'deleted', date = datetime('now')
  WHERE resource = '${MATCHES_RESOURCE}' AND id = new.id;
END;`
