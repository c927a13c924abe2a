/**
 * The filters of a list as conditions: one function for each filter, so that a forgotten one does not compile.
 *
 *     const CONDITIONS = {
 *       store_id: (id) => eq(offers.store_id, id),
 *       date_created: (range) => within(offers.date_created, range),
 *     } satisfies Conditions<Filters>
 *     …
 *     const where = whereOf(CONDITIONS, filters)
 */
import { and, is, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type LinkTable, linkColumns } from './tables/links.ts'

/** The condition that each filter stands for. `page` and `fields` say nothing of which records match. */
export type Conditions<Filters> = {
  [Name in Exclude<keyof Filters, 'page' | 'fields'>]-?: (
    value: NonNullable<Filters[Name]>,
  ) => SQL | undefined
}

/** All of `conditions` whose filter is set; undefined when none is. */
export function whereClause<Filters>(
  conditions: Conditions<Filters>,
  filters: { [Name in keyof Conditions<Filters>]?: Filters[Name] },
): SQL | undefined {
  const met = <Name extends keyof Conditions<Filters>>(name: Name) => {
    const value = filters[name]
    return value == null ? undefined : conditions[name](value)
  }
  return and(...(Object.keys(conditions) as (keyof Conditions<Filters>)[]).map(met))
}

/** The values of a JSON list, whatever their number: they travel as one parameter, as D1 binds at most 100. */
export function valuesOf(list: readonly (string | number | null)[] | Placeholder): SQL {
  return sql`select value from json_each(${is(list, Placeholder) ? list : JSON.stringify(list)})`
}

/** `column in list`. */
export function isOneOf(column: SQLWrapper, list: readonly (string | number)[] | Placeholder): SQL {
  if (Array.isArray(list) && list.length === 1) return sql`${column} = ${list[0]}`
  return sql`${column} in (${valuesOf(list)})`
}

/** `column` within `range`, both sides inclusive; undefined when there is no bound at all. */
export function within<T>(
  column: SQLWrapper,
  range: { min: T | null; max: T | null } | null | undefined,
): SQL | undefined {
  return and(
    range?.min == null ? undefined : sql`${column} >= ${range.min}`,
    range?.max == null ? undefined : sql`${column} <= ${range.max}`,
  )
}

/** Whether a row of `owner` is linked to the contact `contact_id` in `links`. */
export function hasContact(
  owner: SQLiteTable & { id: SQLiteColumn },
  links: LinkTable,
  contact_id: number,
): SQL {
  const ids = sql`select ${sql.identifier(linkColumns(links).owner)} from ${links} where contact_id = ${contact_id}`
  return sql`${owner.id} in (${ids})`
}
