/**
 * Turns the filters of a list into SQL conditions. Each filter has its function, and a missing one is a compiler error.
 *
 *     const CONDITIONS = {
 *       store_id: (id) => eq(offers.store_id, id),
 *       date_created: (range) => within(offers.date_created, range),
 *     } satisfies Conditions<Filters>
 *     …
 *     const where = whereClause(CONDITIONS, filters)
 */
import { and, is, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type LinkTable, linkColumns } from './tables/links.ts'

/** The SQL condition of each filter that selects records. */
export type Conditions<Filters> = {
  [Name in Exclude<keyof Filters, 'page' | 'per_page' | 'sort' | 'fields'>]-?: (
    value: NonNullable<Filters[Name]>,
  ) => SQL | undefined
}

/** The conditions of all filters that are set, joined by `and`; undefined if none is set. */
export function whereClause<Filters>(
  conditions: Conditions<Filters>,
  filters: { [Name in keyof Conditions<Filters>]?: Filters[Name] },
): SQL | undefined {
  const conditionOf = <Name extends keyof Conditions<Filters>>(name: Name) => {
    const value = filters[name]
    return value == null ? undefined : conditions[name](value)
  }
  return and(...(Object.keys(conditions) as (keyof Conditions<Filters>)[]).map(conditionOf))
}

/** A select of the values of a list of any length. It is one JSON parameter, as D1 binds at most 100 parameters. */
export function valuesOf(list: readonly (string | number | null)[] | Placeholder): SQL {
  return sql`select value from json_each(${is(list, Placeholder) ? list : JSON.stringify(list)})`
}

/** The condition `column in list`. */
export function isOneOf(column: SQLWrapper, list: readonly (string | number)[] | Placeholder): SQL {
  if (Array.isArray(list) && list.length === 1) return sql`${column} = ${list[0]}`
  return sql`${column} in (${valuesOf(list)})`
}

/** Whether `column` is within `range`, bounds included; undefined without any bound. */
export function within<T>(
  column: SQLWrapper,
  range: { min: T | null; max: T | null } | null | undefined,
): SQL | undefined {
  return and(
    range?.min == null ? undefined : sql`${column} >= ${range.min}`,
    range?.max == null ? undefined : sql`${column} <= ${range.max}`,
  )
}

/** The condition that a record is linked to one of `ids` in `links`. */
export function isLinkedTo(links: LinkTable, ids: readonly number[]): SQL {
  const { owner, target } = linkColumns(links)
  return sql`id in (select ${sql.identifier(owner)} from ${links} where ${isOneOf(sql.identifier(target), ids)})`
}
