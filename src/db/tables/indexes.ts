/**
 * The indexes of single columns: what filters and orders of lists need.
 *
 *     (table) => indexesBy('tasks', table, ['is_deleted', 'due', 'store_id'])   // tasks_by_deleted, _due, _store
 */
import { type AnySQLiteColumn, index } from 'drizzle-orm/sqlite-core'

/** An index of each column, named after it. Where deleted records stay, whether one is deleted comes first in all. */
export function indexesBy<Name extends string>(
  table: string,
  columns: Record<Name, AnySQLiteColumn> & { is_deleted?: AnySQLiteColumn },
  names: readonly Name[],
) {
  const { is_deleted: deleted } = columns
  return names.map((name) => {
    const made = index(
      `${table}_by_${name.replace(/^is_|_id$|_cents$/g, '').replace('created_by', 'creator')}`,
    )
    return deleted && name !== 'is_deleted' ? made.on(deleted, columns[name]) : made.on(columns[name])
  })
}
