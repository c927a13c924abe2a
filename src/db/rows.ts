/** Statements that insert and update rows and their links. Their text is built from the names of the columns. */
import { getTableColumns, getTableName, type InferInsertModel, type InferSelectModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { formatDateTime } from '../fields/values.ts'
import { encode } from './columns.ts'
import { type SqlFragment, type Statement, textStatement } from './statements.ts'
import { type LinkTable, linkColumns } from './tables/links.ts'
import { changesOf, enterChanges } from './trail.ts'

/**
 * The statement that inserts a row and returns its id. Columns without a value get their default.
 * @param guard must hold; otherwise `version` becomes null, which violates NOT NULL and rolls the whole batch back
 */
export function insertRow<T extends SQLiteTable>(
  table: T,
  values: Partial<InferInsertModel<T>>,
  guard?: SqlFragment | null,
): Statement<{ id: number }> {
  const { names, params } = assignments(table, values)
  const expressions = names.map(() => '?')
  if (guard) {
    names.push('version')
    expressions.push(`case when ${guard.text} then 1 end`)
    params.push(...guard.params)
  }
  names.push('id')
  expressions.push(floorOf(getTableName(table)))
  return textStatement(
    `insert into ${getTableName(table)} (${names.join(', ')}) values (${expressions.join(', ')}) returning id`,
    params,
  )
}

/**
 * SQL for the id of a new record where the highest ids are those of deleted records, or of erased ones that a restore could
 * not bring back.
 * Otherwise null, and SQLite takes the next one.
 */
function floorOf(name: string): string {
  return `(select id + 1 from id_floors where name = '${name}' and id >= ifnull((select max(id) from ${name}), 0)
    and id >= ifnull((select seq from sqlite_sequence where name = '${name}'), 0))`
}

/** The condition that all of `guards` hold; null if there is none. */
export function allOf(...guards: (SqlFragment | null | undefined)[]): SqlFragment | null {
  const held = guards.flatMap((guard) => guard ?? [])
  if (held.length === 0) return null
  return {
    text: held.map(({ text }) => `(${text})`).join(' and '),
    params: held.flatMap(({ params }) => params),
  }
}

/** The row that `insertRow` stores for `values`, as it will be read, without its id. */
export function newRow<T extends SQLiteTable>(table: T, values: Partial<InferInsertModel<T>>) {
  const valuesByName = new Map<string, unknown>(Object.entries(values))
  const entries = Object.entries(getTableColumns(table)).map(([name, column]) => [
    name,
    valuesByName.get(name) ?? column.default ?? null,
  ])
  return Object.fromEntries(entries) as InferSelectModel<T>
}

/**
 * The statement that updates a row if it still has the version of `current`. Otherwise `version` becomes null, which
 * violates NOT NULL and rolls the whole batch back.
 * @param extraAssignments further assignments, in which columns have their old values
 * @param guard a further condition that must hold
 */
export function updateRow<T extends SQLiteTable>(
  table: T,
  current: { id: number; version: number },
  values: Partial<InferInsertModel<T>>,
  extraAssignments: readonly SqlFragment[] = [],
  guard?: SqlFragment | null,
): Statement<never> {
  const { names, params } = assignments(table, values)
  const sets = [
    ...names.map((name) => `${name} = ?`),
    ...extraAssignments.map(({ text }) => text),
    `version = case when version = ?${guard ? ` and ${guard.text}` : ''} then version + 1 end`,
  ]
  return textStatement(`update ${getTableName(table)} set ${sets.join(', ')} where id = ?`, [
    ...params,
    ...extraAssignments.flatMap((assignment) => assignment.params),
    current.version,
    ...(guard?.params ?? []),
    current.id,
  ])
}

/** How `updateRecord` stores a change. */
interface UpdateOptions<T extends SQLiteTable> {
  guard?: SqlFragment | null
  extraAssignments?: readonly SqlFragment[]
  /** Columns that are stored with a change, but are none themselves. */
  more?: Partial<InferInsertModel<T>>
}

/**
 * The statements that store a change of `current` in its row and links, with the date, and enter it in the trail; null if
 * nothing changes.
 */
export function updateRecord<T extends SQLiteTable, Name extends string>(
  table: T,
  links: Record<Name, LinkTable>,
  current: { id: number; version: number },
  change: { columns: Partial<InferInsertModel<T>> } & { [N in NoInfer<Name>]?: readonly number[] },
  { guard, extraAssignments, more }: UpdateOptions<T> = {},
) {
  const { columns, ...lists } = change
  if (!hasChanges({ ...columns, ...lists }, current)) return null
  const row = { ...columns, ...more, date_updated: formatDateTime(new Date()) }
  const name = getTableName(table)
  const changes = changesOf(name, current, { ...columns, ...lists })
  const linked = replaceLinks(links, current.id, change)
  return {
    row: updateRow(table, current, row, extraAssignments, guard),
    links: linked,
    trail: enterChanges(name, [{ id: current.id, version: current.version + 1, changes }]),
  }
}

/**
 * Whether a value of `changes` differs from the stored one; undefined values are ignored. Throws if `stored` lacks a
 * key.
 */
export function hasChanges(changes: object, stored: object): boolean {
  const before = new Map<string, unknown>(Object.entries(stored))
  return Object.entries(changes).some(([key, value]) => {
    if (value === undefined) return false
    if (!before.has(key)) throw new Error(`${key} is to be compared, but was not read`)
    return JSON.stringify(value) !== JSON.stringify(before.get(key))
  })
}

/** The statements that replace the links of the record `id` by those of `lists` that are present, in their order. */
function replaceLinks<Name extends string>(
  links: Record<Name, LinkTable>,
  id: number,
  lists: { [N in NoInfer<Name>]?: readonly number[] },
): Statement[] {
  return presentLists(links, lists).flatMap(([table, ids]) => [
    textStatement(`delete from ${getTableName(table)} where ${linkColumns(table).owner} = ?`, [id]),
    ...insertLinks(
      table,
      (dates) => ({ text: ['? as id', ...dates.map((date) => `null as ${date}`)].join(), params: [id] }),
      ids,
    ),
  ])
}

/** The statements that store the links of the record that the same batch has added to `table`: the newest. */
export function addLinks<Name extends string>(
  links: Record<Name, LinkTable>,
  table: SQLiteTable,
  lists: { [N in NoInfer<Name>]?: readonly number[] },
): Statement[] {
  return presentLists(links, lists).flatMap(([linkTable, ids]) =>
    insertLinks(
      linkTable,
      (dates) => ({
        text: `${['id', ...dates].join()} from ${getTableName(table)} order by id desc limit 1`,
        params: [],
      }),
      ids,
    ),
  )
}

/** SQL for the id of the row that the same batch has added. Ids only grow, so it is the highest in the transaction. */
export function newestId(table: SQLiteTable): SqlFragment {
  return { text: `(select max(id) from ${getTableName(table)})`, params: [] }
}

/** @param record makes a select of the record: `id`, and the dates that its links have */
function insertLinks(
  table: LinkTable,
  record: (dates: readonly string[]) => SqlFragment,
  ids: readonly number[],
): Statement[] {
  if (ids.length === 0) return []
  const { owner, target, dates } = linkColumns(table)
  const { text, params } = record(dates)
  return [
    textStatement(
      `insert into ${getTableName(table)} (${[owner, target, 'position', ...dates].join()})
      select ${['record.id', 'value', 'key', ...dates].join()} from (select ${text}) record, json_each(?)`,
      [...params, JSON.stringify(ids)],
    ),
  ]
}

function presentLists<Name extends string>(
  links: Record<Name, LinkTable>,
  lists: { [N in NoInfer<Name>]?: readonly number[] },
): [LinkTable, readonly number[]][] {
  return (Object.keys(links) as Name[]).flatMap((name) => {
    const ids = lists[name]
    return ids ? [[links[name], ids]] : []
  })
}

/** The columns of `values` that are not undefined, and their encoded values. */
export function assignments(table: SQLiteTable, values: object): { names: string[]; params: unknown[] } {
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
