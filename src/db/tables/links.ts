/**
 * Join tables: lists of ids that belong to a record, in their order.
 *
 *     export const offer_contacts = linkTable('offer_contacts', { offer_id: offers.id }, { contact_id: contacts.id })
 */
import { getTableColumns } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  type IndexBuilder,
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTable,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'

export type LinkTable = SQLiteTable & { position: SQLiteColumn }

/**
 * Declares a join table: the id of the owner, an id in its list, and the position there. `owner` and `target` each map
 * the name of a column to the column that it references.
 * @param dates columns of the owner that triggers repeat, so that an index can have them (`db/link-dates.ts`)
 */
export function linkTable<Owner extends string, Target extends string, Dates extends string = never>(
  name: string,
  owner: Record<Owner, AnySQLiteColumn>,
  target: Record<Target, AnySQLiteColumn>,
  indexes: (table: Record<Owner | Target | Dates, AnySQLiteColumn>) => IndexBuilder[] = () => [],
  dates: readonly Dates[] = [],
) {
  const references: [string, AnySQLiteColumn][] = Object.entries({ ...owner, ...target })
  const columns = Object.fromEntries(references.map(([column, to]) => [column, idOf(to)]))
  const [ownerColumn = ''] = Object.keys(owner)
  return sqliteTable(
    name,
    {
      ...(columns as Record<Owner | Target, ReturnType<typeof idOf>>),
      position: integer().notNull(),
      ...(Object.fromEntries(dates.map((column) => [column, date()])) as Record<
        Dates,
        ReturnType<typeof date>
      >),
    },
    (table) => {
      const byName: Record<string, AnySQLiteColumn> = table
      const key = byName[ownerColumn]
      if (!key) throw new Error(`${name} has no owner column`)
      return [primaryKey({ columns: [key, table.position] }), ...indexes(table)]
    },
  )
}

/** The names of the columns of a join table: the id of the owner, the id in its list, and dates of the owner. */
export function linkColumns(table: LinkTable): { owner: string; target: string; dates: string[] } {
  const [owner = '', target = '', , ...dates] = Object.keys(getTableColumns(table))
  return { owner, target, dates }
}

const date = () => text()

function idOf(column: AnySQLiteColumn) {
  return integer()
    .notNull()
    .references(() => column)
}
