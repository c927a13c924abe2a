/** Rows and their links as statements whose text is joined of the names of columns: what every write is made of. */
import { getTableColumns, getTableName, type InferInsertModel, type InferSelectModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { encode } from './columns.ts'
import { type SqlFragment, type Statement, textStatement } from './statements.ts'
import { type LinkTable, linkColumns } from './tables/links.ts'

/**
 * The statement that stores a new row and gives its id; columns without a value have their default.
 * @param guard what must hold: else `version` becomes null, which NOT NULL refuses, which undoes the whole batch
 */
export function insertRow<T extends SQLiteTable>(
  table: T,
  values: Partial<InferInsertModel<T>>,
  guard?: SqlFragment | null,
): Statement<{ id: number }> {
  const { names, params } = assignments(table, values)
  const marks = names.map(() => '?')
  if (guard) {
    names.push('version')
    marks.push(`case when ${guard.text} then 1 end`)
    params.push(...guard.params)
  }
  return textStatement(
    `insert into ${getTableName(table)} (${names.join(', ')}) values (${marks.join(', ')}) returning id`,
    params,
  )
}

/** The row that `insertRow` makes of `values`, as it will be read, but for its id. */
export function newRow<T extends SQLiteTable>(
  table: T,
  values: Partial<InferInsertModel<T>>,
): Omit<InferSelectModel<T>, 'id'> {
  const given = new Map<string, unknown>(Object.entries(values))
  const entries = Object.entries(getTableColumns(table)).map(([name, column]) => [
    name,
    given.get(name) ?? column.default ?? null,
  ])
  return Object.fromEntries(entries) as InferSelectModel<T>
}

/**
 * The statement that changes a row, unless it is at another version than the one that was `read`: `version` becomes
 * null then, which NOT NULL refuses, which undoes the whole batch.
 * @param extraAssignments further assignments as SQL, where `version` still is the old one
 * @param guard what else must hold
 */
export function updateRow<T extends SQLiteTable>(
  table: T,
  current: { id: number; version: number },
  values: Partial<InferInsertModel<T>>,
  extraAssignments: readonly string[] = [],
  guard?: SqlFragment | null,
): Statement<never> {
  const { names, params } = assignments(table, values)
  const sets = [
    ...names.map((name) => `${name} = ?`),
    ...extraAssignments,
    `version = case when version = ?${guard ? ` and ${guard.text}` : ''} then version + 1 end`,
  ]
  return textStatement(`update ${getTableName(table)} set ${sets.join(', ')} where id = ?`, [
    ...params,
    current.version,
    ...(guard?.params ?? []),
    current.id,
  ])
}

/** The statements that make each of `lists` that is given, in its order, the whole list of the record `id`. */
export function replaceLinks<Name extends string>(
  links: Record<Name, LinkTable>,
  id: number,
  lists: { [N in Name]?: readonly number[] },
): Statement[] {
  return givenColumns(links, lists).flatMap(([table, ids]) => [
    textStatement(`delete from ${getTableName(table)} where ${linkColumns(table).owner} = ?`, [id]),
    ...insertLinks(table, { text: '?', params: [id] }, ids),
  ])
}

/** The statements that store the lists of the record that the same batch has just added to `table`. */
export function addLinks<Name extends string>(
  links: Record<Name, LinkTable>,
  table: SQLiteTable,
  lists: { [N in Name]?: readonly number[] },
): Statement[] {
  return givenColumns(links, lists).flatMap(([linkTable, ids]) =>
    insertLinks(linkTable, newestId(table), ids),
  )
}

/** The id of the row that the same batch has just added: ids only grow, so within the transaction it is the highest. */
export function newestId(table: SQLiteTable): SqlFragment {
  return { text: `(select max(id) from ${getTableName(table)})`, params: [] }
}

function insertLinks(table: LinkTable, id: SqlFragment, ids: readonly number[]): Statement[] {
  if (ids.length === 0) return []
  const { owner, target } = linkColumns(table)
  return [
    textStatement(
      `insert into ${getTableName(table)} (${owner}, ${target}, position)
      select ${id.text}, value, key from json_each(?)`,
      [...id.params, JSON.stringify(ids)],
    ),
  ]
}

function givenColumns<Name extends string>(
  links: Record<Name, LinkTable>,
  lists: { [N in Name]?: readonly number[] },
): [LinkTable, readonly number[]][] {
  return (Object.keys(links) as Name[]).flatMap((name) => {
    const ids = lists[name]
    return ids ? [[links[name], ids]] : []
  })
}

/** The columns of `values` that are not undefined, and their values as D1 takes them. */
function assignments(table: SQLiteTable, values: object): { names: string[]; params: unknown[] } {
  const columns = new Map<string, SQLiteColumn>(Object.entries(getTableColumns(table)))
  const names: string[] = []
  const params: unknown[] = []
  for (const [name, value] of Object.entries(values)) {
    const column = columns.get(name)
    if (value === undefined || !column) continue
    names.push(column.name)
    params.push(encode(column, value))
  }
  return { names, params }
}
