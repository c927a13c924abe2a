/**
 * The trail: who changed a record, and what of it. A writer puts the statement of the entry into the transaction of its
 * write. Where the write comes from is not its concern: `batch` knows it (`http/caller/provenance.ts`), and leaves the
 * statement out where records are not to be entered.
 *
 *     const changes = changesOf('contacts', current, columns)
 *     await batch(db, { row: updateRow(contacts, …), trail: enterChanges('contacts', [{ id, version, changes }]) })
 *
 * Writes that read nothing first put `enterChangesWhere` before the statement that changes the record.
 */
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { columnFields, RECORD_FIELDS, type RecordFields, UNNAMED } from '../catalogue/record-fields.ts'
import { present } from '../fields/derive.ts'
import type { Field } from '../fields/field.ts'
import type { Provenance } from '../http/caller/provenance.ts'
import { resourceOfTable } from './changes.ts'
import { Statement, sqlStatement } from './statements.ts'

export interface Changes {
  /** The values before and after, by field. */
  changed: Record<string, [unknown, unknown]>
  /** The names of other fields. */
  others: string[]
}

/** The statement of an entry. Its first parameters are where the write comes from, which `batch` binds. */
export class TrailStatement extends Statement<never> {
  readonly isOfRecord: boolean

  constructor(text: string, params: readonly unknown[], isOfRecord = true) {
    super(text, params, () => [], true)
    this.isOfRecord = isOfRecord
  }

  /** The parameters, with where the write comes from. */
  paramsFrom({ actor, address, method, route, request_id }: Provenance): unknown[] {
    return [actor.type, actor.id, address, method, route, request_id, ...this.params]
  }
}

const ENTRY = `insert into trail (date, actor_type, actor_id, address, method, route, request_id, status,
    resource, record_id, version, changed, others)
  select datetime('now'), ?, ?, ?, ?, ?, ?, 200,`

/** The entry of the record that the same batch has added to `table`. */
export function enterCreation(table: SQLiteTable): TrailStatement {
  const name = getTableName(table)
  const version = 'version' in getTableColumns(table) ? '1' : 'null'
  return entry(`'${resourceName(name)}', (select max(id) from ${name}), ${version}, null, '[]'`)
}

interface WrittenRecord {
  id: number | string
  /** After the write; null for a record without versions. */
  version: number | null
  /** Null for a new record. */
  changes: Changes | null
}

/** The entries of records of `table` that the same batch writes; null if there are none. */
export function enterChanges(table: string, records: readonly WrittenRecord[]): TrailStatement | null {
  const [record] = records
  if (!record) return null
  const resource = `'${resourceName(table)}'`
  // Most writes are of one record, for which SQLite needs no list.
  if (records.length === 1) {
    const { id, version, changes } = record
    const changed = changes && JSON.stringify(changes.changed)
    const others = JSON.stringify(changes?.others ?? [])
    return entry(`${resource}, ?, ?, ?, ?`, [String(id), version, changed, others])
  }
  const rows = records.map(({ id, version, changes }) => [
    id,
    version,
    changes?.changed ?? null,
    changes?.others ?? [],
  ])
  return entry(
    `${resource}, value ->> 0, value ->> 1, nullif(value -> 2, 'null'), value -> 3 from json_each(?)`,
    [JSON.stringify(rows)],
  )
}

interface ChangesInSql {
  /** The values before and after, as JSON. */
  changed?: SQL
  /** The names of other fields, as JSON. */
  others?: SQL
}

/** The entries of records that a later statement of the batch changes: those of `table` that meet `where`. */
export function enterChangesWhere(
  table: SQLiteTable,
  where: SQL,
  changes: ChangesInSql = {},
): TrailStatement {
  return enterSelected(table, sql`${sql.identifier(getTableName(table))} where ${where}`, changes)
}

/**
 * The entries of records that later statements of the batch change, or add.
 * @param from SQL after `from`, which gives the records
 */
export function enterSelected(
  table: SQLiteTable,
  from: SQL,
  {
    id = sql`id`,
    version = sql.raw('version' in getTableColumns(table) ? 'version + 1' : 'null'),
    changed = sql`json('{}')`,
    others = sql`json('[]')`,
  }: ChangesInSql & {
    /** Their ids. */
    id?: SQL
    /** Their versions after the write. */
    version?: SQL
  } = {},
): TrailStatement {
  const resource = sql.raw(`'${resourceName(getTableName(table))}'`)
  const { sql: text, params } = sqlStatement(
    sql`${resource}, ${id}, ${version}, ${changed}, ${others} from ${from}`,
  )
  return entry(text, params)
}

/** The entry of work that writes no record, if the statement before it has changed something. */
export function enterWork(resource: string, record_id: string): TrailStatement {
  return entry('?, ?, null, null, null where changes() > 0', [resource, record_id], false)
}

const MAX_ENTRIES = 1000
/** Maximum entries that go with a new one: more are there only if the maximum was higher once. */
const MAX_REMOVED = 10

/**
 * The trigger that removes the oldest entries of a record. A write that is entered raises the version of its record, so that a
 * record of few versions has few entries: then nothing is read. Calls about the record keep their entries.
 */
export const TRAIL_TRIGGER = `CREATE TRIGGER trail_maximum AFTER INSERT ON trail
WHEN new.others IS NOT NULL AND ifnull(new.version, ${MAX_ENTRIES} + 1) > ${MAX_ENTRIES}
BEGIN
  DELETE FROM trail WHERE id IN (
    SELECT id FROM trail WHERE resource = new.resource AND record_id = new.record_id AND others IS NOT NULL
    ORDER BY id DESC LIMIT ${MAX_REMOVED} OFFSET ${MAX_ENTRIES});
END;`

/** The names of fields, as SQL. */
export function jsonNames(...fields: string[]): SQL {
  return sql`json(${JSON.stringify(fields)})`
}

/** The change of a deletion, as SQL. */
export const MARKED_AS_DELETED = { changed: sql`json('{"is_deleted":[false,true]}')` }

/** The change of a record that is added, as SQL. */
export const ADDED = { version: sql`1`, changed: sql`null` }

function entry(columns: string, params: readonly unknown[] = [], isOfRecord = true): TrailStatement {
  return new TrailStatement(`${ENTRY} ${columns}`, params, isOfRecord)
}

/** The resource that the trail names for a table. */
export function resourceName(table: string): string {
  return resourceOfTable(table) ?? table.replaceAll('_', '-')
}

/**
 * What differs between two states of a record. Columns that `after` lacks, or whose value is undefined, stay.
 * @param table the name of the table of the record
 */
export function changesOf(table: string, before: object, after: object): Changes {
  const fields = RECORD_FIELDS.get(table) ?? NO_FIELDS
  const stored = new Map<string, unknown>(Object.entries(before))
  const changes: Changes = { changed: {}, others: [] }
  for (const [column, value] of Object.entries(after)) {
    const previous = stored.get(column)
    if (value === undefined || UNNAMED.includes(column) || isSame(previous, value)) continue
    const object = fields.objects?.[column]
    if (object) {
      for (const key of new Set([...Object.keys(previous ?? {}), ...Object.keys(value ?? {})])) {
        const pair = [previous, value].map(
          (one: Record<string, unknown> | null | undefined) => one?.[key] ?? null,
        )
        const field = object.fields?.[key]
        note(changes, object.prefix + key, pair, {
          field,
          isValued: !object.fields || field?.history === true,
        })
      }
      continue
    }
    const row = fields.rows?.[column]
    if (row) {
      const [one, other] = [previous, value].map(
        (list) => Array.isArray(list) && list.map((entry) => present(row, entry)),
      )
      if (!isSame(one, other)) changes.changed[column] = [one, other]
      else changes.others.push(column)
      continue
    }
    const { name, field } = namesOf(table, fields).get(column) ?? { name: column }
    if (name === null) continue
    const isValued = field?.history === true || (fields.valued ?? []).includes(name)
    note(changes, name, [previous ?? null, value], { field, isValued })
  }
  return changes
}

const NO_FIELDS: RecordFields = { columns: {} }

function note(
  { changed, others }: Changes,
  name: string,
  [before, after]: unknown[],
  { field, isValued }: { field?: Field | undefined; isValued: boolean },
): void {
  if (isSame(before, after)) return
  const show = (value: unknown) => (value === null || !field?.show ? value : field.show(value))
  if (isValued) changed[name] = [show(before), show(after)]
  else if (!others.includes(name)) others.push(name)
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before ?? null) === JSON.stringify(after ?? null)
}

/** The name of a column, and its field; the name is null for what the service derives for itself. */
type Named = Map<string, { name: string | null; field?: Field }>
const names = new Map<string, Named>()

function namesOf(table: string, fields: RecordFields): Named {
  const known = names.get(table)
  if (known) return known
  const made: Named = new Map([
    ...columnFields(fields).map(({ column, name, field }) => [column, { name, field }] as const),
    ...Object.entries(fields.names ?? {}).map(([column, name]) => [column, { name }] as const),
  ])
  names.set(table, made)
  return made
}
