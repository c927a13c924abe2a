/**
 * Parts of records that are no fields of their own: lists of ids, and rows of another table. A part says how it is read, shown,
 * checked and stored; `resource.ts` and the import put parts together.
 */
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { type ResourceName, resourceNamed } from '../../catalogue/resources.ts'
import { replaceLinkRows, replaceRows } from '../../db/bulk.ts'
import { fieldReferences, idList, isNotDeleted, type Reference } from '../../db/references.ts'
import { jsonList, jsonObject, linkedIds } from '../../db/relations.ts'
import { JsonField, type Statement, sqlStatement } from '../../db/statements.ts'
import { type LinkTable, linkColumns } from '../../db/tables/links.ts'
import { inputs, outputs, present, toRow } from '../../fields/derive.ts'
import type { Fields } from '../../fields/field.ts'
import { ids, list, named } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'
import { checkChildIds, type StoredChild, selectOwners } from './children.ts'

export type Values = Record<string, unknown>

/** A part as it is read. Its functions are methods, so that parts of different values fit into one record. */
export interface Part<Stored = unknown> {
  /** What it is, in the documentation of lists that leave it out. */
  doc: string
  /** The sub-select that reads it under its name; absent if columns of the record hold it. */
  select?: JsonField<Stored>
  output: z.ZodType
  /** @param url makes the public URL of a stored file */
  show(stored: Stored, row: Values, url: (key: string) => string): unknown
}

/** A checked record of which a part is a key. */
interface Checked<Sent> {
  /** The key of the part. */
  name: string
  sent: Sent
  isChanged: boolean
  /** The valid records above it that the same import stores. */
  earlier: readonly Values[]
}

/** A part that can be written. What is sent is undefined or null if the body does not have it. */
export interface WrittenPart<Stored = unknown, Sent = unknown, Found = unknown> extends Part<Stored> {
  input: z.ZodType<Sent>
  references(sent: Sent, name: string): Reference[]
  /** The ids of rows within it, which have a table of their own. */
  nestedIds?(sent: Sent, name: string): Reference[]
  /** Reads what `check` needs, once for several records. */
  load?(sent: Sent[]): Statement<Found>
  check?(draft: Draft<Values>, found: Found[], record: Checked<Sent>): void
  /** The table of a list of ids. */
  links?: LinkTable
  /** Whether custom fields, places or other definitions decide what is valid. */
  usesDefinitions?: true
  /** What a record has of it: a value under its name, or columns. */
  resolve(sent: Sent, name: string, before: Stored | undefined, now: string): Values
  store?(records: { id: number; stored: Stored }[]): Statement[]
}

/** Whether a part can be written. */
export function isWritten(part: Part): part is WrittenPart {
  return 'input' in part
}

interface LinkDocs {
  /** In replies, as `Buyers: ids of contacts`. What stands before the colon describes it in bodies. */
  doc: string
}

/** A list of ids in their order. `target` is the table that they refer to. */
export function links(
  owner: SQLiteTable,
  table: LinkTable,
  target: string,
  { doc }: LinkDocs,
): WrittenPart<number[], number[] | null | undefined> {
  return {
    doc,
    links: table,
    select: linkedIds(owner, table),
    output: z.array(z.int()).describe(doc),
    show: (stored) => stored,
    input: ids().nullish().describe(doc.replace(/:.*/, '')),
    references: (sent, field) => [{ field, table: target, ids: idList(sent) }],
    resolve: (sent, name) => ({ [name]: sent ?? [] }),
    store: (records) => replaceLinkRows(table, records, ({ stored }) => stored),
  }
}

/** The name of the entry of a lookup that records of a resource show. */
export function shownName(resource: ResourceName, doc: string): Part<string> {
  const { shows } = resourceNamed(resource)
  if (!shows) throw new Error(`${resource} shows no name`)
  return {
    doc,
    select: new JsonField(sql.raw(`(select name from ${shows.table} where id = ${shows.column})`), String),
    output: z.string().describe(doc),
    show: (name) => name,
  }
}

/** The statement for the contacts in a list of the record `owner` that are not deleted, in their order: a new record copies them. */
export function selectContactsOf(
  table: LinkTable,
  owner: SQL | number | null | undefined,
): Statement<{ id: number }> {
  return sqlStatement(sql`select contact_id as id from ${table} join contacts on contacts.id = contact_id
    where ${sql.identifier(linkColumns(table).owner)} = ${owner ?? null} and ${isNotDeleted} order by position`)
}

interface RowDocs {
  doc: string
  /** In bodies, and in lists that leave them out. */
  brief: string
  entry: { name: string; doc: string }
  /** The column by which they are in order, before their ids. */
  by: string
  /** Maximum bytes as JSON: they are read as one value, which D1 limits to 2 MB. */
  bytes: number
}

type RowList = Values[] | null | undefined

/** Rows of a table of their own, with ids. The first column of the table is the id of their record. */
export function rows(
  owner: SQLiteTable,
  table: SQLiteTable,
  fields: Fields,
  docs: RowDocs,
): WrittenPart<Values[], RowList, StoredChild> & Pick<ReturnType<typeof orderedRows>, 'output'> {
  const { by } = docs
  const [owned = ''] = Object.keys(getTableColumns(table))
  const target = getTableName(table)
  const idOf = ({ id }: Values) => Number(id)
  return {
    ...orderedRows(owner, table, fields, { ...docs, by: `${by}, id` }),
    nestedIds: (sent, name) =>
      (sent ?? []).map((row, index) => ({
        field: `${name}.${index}.id`,
        table: target,
        ids: [idOf(row)],
      })),
    load: (sent) => selectOwners(table, owned, sent.flatMap((list) => list ?? []).map(idOf)),
    check: (draft, found, { name, earlier }) => checkChildIds(draft, name, found, earlier),
    resolve: (sent, name, before, now) => {
      const dates = new Map(before?.map((row) => [row.id, row.date_created]))
      const made = (sent ?? []).map(
        (row): Values => ({
          ...toRow(fields, row),
          date_created: row.date_created ?? dates.get(row.id) ?? now,
        }),
      )
      return { [name]: made.toSorted((a, b) => compare(a, b, by) || idOf(a) - idOf(b)) }
    },
  }
}

/** Rows of a table of their own without ids: the column in `by` is their key, and their order. */
export function keyedRows(
  owner: SQLiteTable,
  table: SQLiteTable,
  fields: Fields,
  docs: RowDocs,
): WrittenPart<Values[], RowList> {
  const { by } = docs
  return {
    ...orderedRows(owner, table, fields, docs),
    check: (draft, _, { name, sent }) => {
      const keys = (sent ?? []).map((row) => toRow(fields, row)[by])
      const twice = keys.find((key, index) => keys.indexOf(key) < index)
      if (twice !== undefined) draft.refuse(name, `Invalid ${name}: ${twice} stands twice`)
    },
    resolve: (sent, name) => ({
      [name]: (sent ?? []).map((row): Values => toRow(fields, row)).toSorted((a, b) => compare(a, b, by)),
    }),
  }
}

/** Rows of a table of their own, in the order of the lists that are sent. `by` is that order in SQL. */
export function orderedRows(
  owner: SQLiteTable,
  table: SQLiteTable,
  fields: Fields,
  { doc, brief, entry, by, bytes }: RowDocs,
) {
  const [owned = ''] = Object.keys(getTableColumns(table))
  const target = getTableName(table)
  return {
    doc: brief,
    select: jsonList<Values>(target, jsonObject(fields), `${owned} = ${getTableName(owner)}.id`, by),
    output: z.array(named(entry.name, entry.doc, outputs(fields))).describe(doc),
    show: (stored: Values[]) => stored.map((row) => present(fields, row)),
    input: list(z.object(inputs(fields)), { bytes })
      .nullish()
      .describe(brief),
    references: (sent: RowList, name: string) =>
      (sent ?? []).flatMap((row) => fieldReferences(fields, row, `${name}.`)),
    resolve: (sent: RowList, name: string): Values => ({
      [name]: (sent ?? []).map((row) => toRow(fields, row)),
    }),
    store: (records: { id: number; stored: Values[] }[]) =>
      replaceRows(
        table,
        owned,
        records.map(({ id }) => id),
        records.flatMap(({ id, stored }) => stored.map((row) => ({ [owned]: id, ...row }))),
      ),
  }
}

function compare(a: Values, b: Values, by: string): number {
  // The cast: of one column, all are texts or all are numbers.
  const [one, other] = [a[by], b[by]] as [string, string]
  return one === other ? 0 : one < other ? -1 : 1
}
