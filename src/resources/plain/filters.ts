/**
 * The filters of a list, each said once: the schema of its value, and the condition that it means.
 *
 *     const { filters, findPage } = filteredList('offers', offers, {
 *       filters: { status: oneOf(offers.status, OFFER_STATUSES, 'Status of the negotiation'), … },
 *       sort: ['date_created', 'date_updated'],
 *       select: selectOffers,
 *     })
 */
import { and, eq, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { z } from 'zod'
import { oneOf as anyOf, type ResourceName, resourceNamed } from '../../catalogue/resources.ts'
import { subjects } from '../../catalogue/subjects.ts'
import type { Database } from '../../db/client.ts'
import { isLinkedTo, isOneOf, within } from '../../db/conditions.ts'
import { type Order, orderedPage, orderOf, type Page, readPage, type TableWithId } from '../../db/page.ts'
import { preparedAround, type Statement } from '../../db/statements.ts'
import type { LinkTable } from '../../db/tables/links.ts'
import { named } from '../../fields/values.ts'
import type { PageFilters } from '../../http/reply/envelope.ts'
import {
  amountRange,
  booleanFilter,
  dateRange,
  dateTimeRange,
  idFilter,
  listFilters,
  oneOfFilter,
  oneOrMoreFilter,
  type Range,
  textFilter,
  userFilter,
} from '../../http/request/filters.ts'

/** A filter. Its condition is a method, so that filters of different values fit into one record. */
export interface Filter<T = unknown> {
  schema: z.ZodType<T | null | undefined>
  /** @param all the values of all filters, where another one says how to find what it means */
  where(value: T, all: FilterValues): SQL | undefined
  /** Whether its condition finds few records by an index of its own, so that SQLite should not choose another one. */
  isNarrow?(all: FilterValues): boolean
}

type Filters = Readonly<Record<string, Filter>>

/** A filter that none of the others is. */
export function filter<T>(
  schema: z.ZodType<T | null | undefined>,
  doc: string,
  where: Filter<T>['where'],
  isNarrow: Filter<T>['isNarrow'] = () => false,
): Filter<T> {
  return { schema: schema.describe(doc), where, isNarrow }
}

const ranged =
  <T>(schema: () => z.ZodType<Range<T> | null | undefined>) =>
  (column: SQLWrapper, doc: string) =>
    filter(schema(), doc, (range) => within(column, range))

/** One value of an enumeration. */
export const oneOf = (column: SQLiteColumn, values: readonly [string, ...string[]], doc: string) =>
  filter<string>(oneOfFilter(values), doc, (value) => eq(column, value))

/** One or several values of an enumeration. */
export const someOf = (column: SQLiteColumn, values: readonly [string, ...string[]], doc: string) =>
  filter<string[]>(oneOrMoreFilter(values), doc, (list) => isOneOf(column, list))

const equal =
  <T>(schema: () => z.ZodType<T | null | undefined>) =>
  (column: SQLiteColumn, doc: string) =>
    filter(schema(), doc, (value) => eq(column, value))

const linked = (schema: () => z.ZodType<number | null | undefined>) => (links: LinkTable, doc: string) =>
  filter(schema(), doc, (value) => isLinkedTo(links, [value]))

export const id = equal(idFilter)
export const flag = equal(booleanFilter)

export const dates = ranged(dateRange)
export const dateTimes = ranged(dateTimeRange)
export const amounts = ranged(amountRange)

/** An id in a list of the record. */
export const linkedTo = linked(idFilter)

/** A user, who may be `me`. */
export const user = equal(userFilter)

/** A user in a list of the record, who may be `me`. */
export const linkedUser = linked(userFilter)

/** The records that an activity or a task is about, besides contacts. */
export const subjectFilters = (table: Record<keyof typeof subjects, SQLiteColumn>) =>
  Object.fromEntries(
    Object.entries(subjects).map(([name, { doc }]) => [name, id(table[name as keyof typeof subjects], doc)]),
  )

/** Text to search for. */
export const search = (where: (text: string) => SQL | undefined, doc: string) =>
  filter<string>(textFilter(), doc, (text) => where(text))

/** Whether a record meets a condition. */
export const meets = (condition: SQL, doc: string) =>
  filter<boolean>(booleanFilter(), doc, (isMet) => (isMet ? condition : not(condition)))

interface Declared<Row, Sorted extends string> {
  filters: Filters
  /** What the list can be sorted by besides the id. */
  sort: readonly Sorted[]
  /** Makes the statement that reads whole records; it is given the SQL after the table. */
  select: (rest: SQL) => Statement<Row>
  /** The same for what a list shows without `fields=all`; by default whole records. */
  selectBrief?: (rest: SQL) => Statement<Row>
  /** A further condition, whatever the filters. */
  always?: SQL
  /** The table with the index to read, where SQLite would take another, by the filters that are set and the order. */
  from?: (names: readonly string[], order: Order) => SQL | TableWithId
  /** What a record is called in the names of schemas, if it is not the name of the resource. */
  name?: string
}

/** The values of filters as they are parsed. */
export type FilterValues = PageFilters & { sort?: string | null } & Record<string, unknown>

/** The schema of the filters of a list, and the function that reads a page in one round trip. */
export function filteredList<Row, const Sorted extends string>(
  resource: ResourceName,
  table: TableWithId & Record<Sorted, SQLiteColumn>,
  { filters, sort, select, selectBrief = select, always, from = () => table, name }: Declared<Row, Sorted>,
) {
  const facts = resourceNamed(resource)
  const schemas = Object.fromEntries(Object.entries(filters).map(([key, { schema }]) => [key, schema]))
  const columns: Record<string, SQLiteColumn> = Object.fromEntries(sort.map((key) => [key, table[key]]))
  const [selectWhole, selectListed] = [preparedAround(select), preparedAround(selectBrief)]
  return {
    filters: named(
      `${name ?? facts.one.replaceAll(' ', '')}Filters`,
      `Filters of ${facts.many}; ${anyOf(facts)} must meet all of them`,
      { ...schemas, ...listFilters(...sort) },
    ),
    findPage(db: Database, values: FilterValues): Promise<Page<Row>> {
      const set = Object.entries(filters).filter(([key]) => values[key] != null)
      const narrow = set.filter(([, { isNarrow }]) => isNarrow?.(values))
      const of = (some: typeof set) => some.map(([key, { where }]) => where(values[key], values))
      const others = and(always, ...of(set.filter((one) => !narrow.includes(one))))
      // No index serves the truth of a condition.
      const where = narrow.length > 0 ? and(...of(narrow), others && sql`(${others}) is true`) : others
      const order = orderOf(columns, values.sort)
      const source = from(
        set.map(([key]) => key),
        order,
      )
      const page = orderedPage(source, where, values, order)
      return readPage(db, table, page, values.fields === 'all' ? selectWhole : selectListed)
    },
  }
}
