/** The conditions that the filters of several resources have in common. */
import { eq, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

/** `column = value`; no condition when there is no value. */
export function equals(
  column: SQLiteColumn,
  value: string | number | boolean | null | undefined,
): SQL | undefined {
  return value == null ? undefined : eq(column, value)
}

/**
 * Whether a row of `owner` is linked to the contact `contact_id`; no condition when there is none.
 * @param links a table such as `offer_contacts`; `ownerColumn` is its column `offer_id`
 */
export function hasContact(
  owner: SQLiteTable & { id: SQLiteColumn },
  links: SQLiteTable,
  ownerColumn: string,
  contact_id: number | null | undefined,
): SQL | undefined {
  if (contact_id == null) return undefined
  return sql`${owner.id} in (select ${sql.identifier(ownerColumn)} from ${sql.identifier(getTableName(links))}
    where contact_id = ${contact_id})`
}
