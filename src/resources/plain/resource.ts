/**
 * A resource whose records are fields and parts, without rules between them: its schemas, how it is read, and its pages. What
 * needs more keeps files of its own, and may use `filters.ts` and `parts.ts` alone.
 *
 *     export const offers = plain('offers', {
 *       table,
 *       doc: "A buyer's bid for a property",
 *       fields: offer,
 *       parts: { contacts: links(table, offer_contacts, 'contacts', { doc: 'Buyers: ids of contacts' }), … },
 *       brief: ['rounds'],
 *       filters: { status: oneOf(table.status, OFFER_STATUSES, 'Status of the negotiation'), … },
 *       sort: ['date_created', 'date_updated'],
 *     })
 *
 *     serveRecords(offerRoutes, offers)         // list, read, history
 *     serveWrites(offerRoutes, writesOf(offers, rules))
 *     entityOf(offers)                          // import and export
 */
import { and, eq, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { oneOf, type ResourceName, resourceNamed } from '../../catalogue/resources.ts'
import type { TableWithId } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { jsonOf } from '../../db/relations.ts'
import {
  type JsonField,
  prepared,
  type RowOf,
  type SelectedFields,
  type Statement,
  select,
} from '../../db/statements.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import type { Fields } from '../../fields/field.ts'
import { capitalised, named } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'
import { type Filter, filteredList } from './filters.ts'
import type { Part, Values } from './parts.ts'
import type { Known, Sent } from './plain-writes.ts'

/** A record as it is read: the columns of its table, and the parts that are read beside them. */
export type PlainRow<Table extends SQLiteTable, Parts> = InferSelectModel<Table> & {
  [Name in keyof Parts as Parts[Name] extends { select?: JsonField<unknown> }
    ? unknown extends StoredOf<Parts[Name]>
      ? never
      : Name
    : never]: StoredOf<Parts[Name]>
}
type StoredOf<P> = P extends Part<infer Stored> ? Stored : never

interface Declared<Table extends SQLiteTable, F extends Fields, Parts, Sorted extends string> {
  table: Table & TableWithId & Record<Sorted, SQLiteColumn>
  doc: string
  fields: F
  /** What else a record has, in the order in which it is shown. */
  parts: Parts & Readonly<Record<string, Part>>
  /** Fields and parts that stand before all others, in this order. */
  first?: readonly string[]
  /** The rules between its fields, which calls and imports have to meet. */
  check?(draft: Draft<Sent<F, Parts>>, known: Known<PlainRow<Table, Parts>>): void
  /** Columns that follow from others, such as a text for searching. */
  derive?(row: Partial<InferSelectModel<Table>>): Partial<InferSelectModel<Table>>
  /** Fields and parts that lists show only with `fields=all`. */
  brief: readonly string[]
  filters: Readonly<Record<string, Filter>>
  sort: readonly Sorted[]
}

/** Puts a plain resource together: what `serveRecords` serves, `writesOf` writes, and `entityOf` imports. */
export function plain<Table extends SQLiteTable, F extends Fields, Parts, const Sorted extends string>(
  resource: ResourceName,
  declared: Declared<Table, F, Parts, Sorted>,
) {
  const { table, fields, check, derive, first = [], brief, filters, sort } = declared
  type Row = PlainRow<Table, Parts>
  const facts = resourceNamed(resource)
  // As they were declared: `entityOf` takes parts that can be written.
  const parts: Parts = declared.parts
  const all = Object.entries<Part>(declared.parts)
  // A key keeps its place when it gets another value.
  const places = Object.fromEntries(first.map((name) => [name, z.never()]))
  const whole = named(facts.one, declared.doc, {
    ...places,
    ...outputs(fields),
    ...Object.fromEntries(all.map(([name, { output }]) => [name, output])),
  })
  const left = brief.map((name) => {
    const { doc = name } = fields[name] ?? declared.parts[name] ?? {}
    return [name, whole.shape[name]?.optional().describe(`${doc}. ${WITH_ALL}`) ?? z.never()] as const
  })
  const listed = whole
    .extend(Object.fromEntries(left))
    .meta({ id: `${facts.one}Summary`, description: `${capitalised(oneOf(facts))} in a list` })

  const columns: SelectedFields = getTableColumns(table)
  const selects = all.flatMap(([name, { select }]) => (select ? [[name, select] as const] : []))
  const everything = { ...columns, ...Object.fromEntries(selects) }
  const nothing = brief.map((name) => [name, jsonOf('null')] as const)
  // The cast: TypeScript does not know that the columns, gathered by name, are those of the table.
  const reading = (fields: SelectedFields) => (rest: SQL) =>
    select(fields, sql`from ${table} ${rest}`) as unknown as Statement<Row>
  const selectWhole = reading(everything)

  const show = (
    row: object,
    url: (key: string) => string,
    isAll: boolean,
    left: readonly string[] = [],
  ): Values => {
    const values: Values = { ...row }
    const parts = all.filter(([name]) => !left.includes(name))
    return {
      ...places,
      ...present<Fields>(fields, values, isAll),
      ...Object.fromEntries(parts.map(([name, part]) => [name, part.show(values[name], values, url)])),
    }
  }
  // Deleted records are neither listed nor read, but exported.
  const always = facts.deletedIf === 'is_deleted' ? isNotDeleted : undefined
  const list = filteredList(resource, table, {
    filters,
    sort,
    select: selectWhole,
    selectBrief: reading({ ...everything, ...Object.fromEntries(nothing) }),
    ...(always && { always }),
  })
  /** Makes the function whose statement reads the record with an id, and what else `more` says. */
  const selectWith = <More extends SelectedFields>(more: More) =>
    prepared(
      () =>
        select(
          { ...everything, ...more },
          sql`from ${table} where ${and(eq(table.id, sql.placeholder('id')), always)}`,
        ) as unknown as Statement<Row & RowOf<More>>,
    )
  const names = brief.map((name) => `\`${name}\``).join(' and ')
  return {
    resource,
    table,
    fields,
    parts,
    ...(check && { check }),
    ...(derive && { derive }),
    selectWhole,
    list: {
      description: `Newest first unless \`sort\` is set.${brief.length > 0 ? ` Records have ${names} only with \`fields=all\`.` : ''}`,
      filters: list.filters,
      record: listed,
    },
    read: { record: whole },
    findPage: list.findPage,
    select: selectWith({}),
    selectWith,
    present: (row: object, url: (key: string) => string, isAll: boolean) => show(row, url, isAll),
    presentListed: (row: object, url: (key: string) => string) =>
      Object.fromEntries(
        Object.entries(show(row, url, false, brief)).filter(([name]) => !brief.includes(name)),
      ),
  }
}
