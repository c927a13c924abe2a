/**
 * Ids of other records: columns, and join tables, which are lists of ids that belong to a record, in their order.
 *
 *     export const offer_contacts = linkTable('offer_contacts', { offer_id: offers, contact_id: contacts }, [
 *       ['contact_id', 'offer_id'],                                      // offer_contacts_by_contact
 *     ])
 */
import { getTableColumns } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  type IndexBuilder,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTable,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'

export type LinkTable = SQLiteTable & { position: SQLiteColumn }

interface Referenced {
  id: AnySQLiteColumn
}

/** A column with the id of a record of a table. */
export function idOf({ id }: Referenced) {
  return integer()
    .notNull()
    .references(() => id)
}

/**
 * Declares a join table: the id of the owner, an id in its list, and the position there. `ids` maps the names of both columns
 * to their tables, the owner first.
 * @param indexes columns of indexes, each named after its first one, or functions that make others
 * @param dates columns of the owner that triggers repeat, so that an index can have them (`db/link-dates.ts`)
 */
export function linkTable<Id extends string, Dates extends string = never>(
  name: string,
  ids: Record<Id, Referenced>,
  indexes: readonly (
    | readonly NoInfer<Id | Dates>[]
    | ((table: Record<NoInfer<Id | Dates>, AnySQLiteColumn>) => IndexBuilder)
  )[] = [],
  dates: readonly Dates[] = [],
) {
  const columns = Object.fromEntries(
    Object.entries<Referenced>(ids).map(([column, to]) => [column, idOf(to)]),
  )
  const [owner] = Object.keys(ids) as Id[]
  return sqliteTable(
    name,
    {
      ...(columns as Record<Id, ReturnType<typeof idOf>>),
      position: integer().notNull(),
      ...(Object.fromEntries(dates.map((column) => [column, date()])) as Record<
        Dates,
        ReturnType<typeof date>
      >),
    },
    (table) => {
      const all: Record<string, AnySQLiteColumn> = table
      // The cast: TypeScript does not know the names of all columns.
      const byName = all as Record<Id | Dates, AnySQLiteColumn>
      if (!owner) throw new Error(`${name} has no owner column`)
      const made = indexes.map((one) => {
        if (typeof one === 'function') return one(byName)
        const [first, ...others] = one
        if (!first) throw new Error(`${name} has an index of nothing`)
        const columns = others.map((column) => byName[column])
        return index(`${name}_by_${first.replace(/_id$/, '')}`).on(byName[first], ...columns)
      })
      return [primaryKey({ columns: [byName[owner], table.position] }), ...made]
    },
  )
}

/** The names of the columns of a join table: the id of the owner, the id in its list, and dates of the owner. */
export function linkColumns(table: LinkTable): { owner: string; target: string; dates: string[] } {
  const [owner = '', target = '', , ...dates] = Object.keys(getTableColumns(table))
  return { owner, target, dates }
}

const date = () => text()
