/**
 * The filters of a list as conditions: one function for each filter, so that a forgotten one does not compile.
 *
 *     const CONDITIONS = {
 *       store_id: (id) => eq(offers.store_id, id),
 *       date_created: (range) => within(sql`${offers.date_created}`, range),
 *     } satisfies Conditions<Filters>
 *     …
 *     const where = whereOf(CONDITIONS, filters)
 */
import { and, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

/** The condition that each filter stands for. `page` and `fields` say nothing of which records match. */
export type Conditions<Filters> = {
  [Name in Exclude<keyof Filters, 'page' | 'fields'>]-?: (
    value: NonNullable<Filters[Name]>,
  ) => SQL | undefined
}

/** All of `conditions` whose filter is set; undefined when none is. */
export function whereOf<Filters>(
  conditions: Conditions<Filters>,
  filters: { [Name in keyof Conditions<Filters>]?: Filters[Name] },
): SQL | undefined {
  const met = <Name extends keyof Conditions<Filters>>(name: Name) => {
    const value = filters[name]
    return value == null ? undefined : conditions[name](value)
  }
  return and(...(Object.keys(conditions) as (keyof Conditions<Filters>)[]).map(met))
}

/**
 * Whether a row of `owner` is linked to the contact `contact_id`.
 * @param links a table such as `offer_contacts`; `ownerColumn` is its column `offer_id`
 */
export function hasContact(
  owner: SQLiteTable & { id: SQLiteColumn },
  links: SQLiteTable,
  ownerColumn: string,
  contact_id: number,
): SQL {
  return sql`${owner.id} in (select ${sql.identifier(ownerColumn)} from ${sql.identifier(getTableName(links))}
    where contact_id = ${contact_id})`
}
