/**
 * Keeps stored what code derives from records, such as folded texts for searching. Writers store it themselves; this is for
 * what other code has written: an older version that did not know the column, or derived other values. Whichever version
 * writes, a trigger enters the record in the change feed, so this follows the feed and derives anew. When the code that
 * derives has changed, it starts at the beginning of the feed, which has every record. Of several versions at work at once
 * only the newest derives, as each would undo what the others did: those that were replaced wait until it is gone.
 */
import { getTableColumns, getTableName, type InferSelectModel, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { jsonParts } from './bulk.ts'
import { batch, type Database, runStatement } from './client.ts'
import { isOneOf } from './conditions.ts'
import { requireResource } from './record-versions.ts'
import { type SqlFragment, type Statement, select, textStatement } from './statements.ts'
import { workThrough } from './work-through.ts'

/** What is derived from the records of a resource. */
export interface Derived {
  name: string
  /** The hash of the code that derives. */
  form: string
  /** The resource, as the change feed names it. */
  resource: string
  /** Returns the statements that store what differs for records, unless they change in between. */
  derive: (db: Database, ids: number[]) => Promise<Statement[]>
}

/**
 * A text that is derived from columns of a record, in `column` of its table. Nothing else is written: nothing that clients see
 * has changed.
 */
export function derivedText<
  T extends SQLiteTable & { id: SQLiteColumn; version: SQLiteColumn },
  Name extends keyof InferSelectModel<T> & string,
>(
  table: T,
  column: string,
  from: readonly Name[],
  make: (row: Pick<InferSelectModel<T>, Name>) => string,
  form: string,
): Derived {
  const { id } = table
  const name = getTableName(table)
  const columns = Object.entries<SQLiteColumn>(getTableColumns(table))
  const fields = Object.fromEntries(columns.filter(([key]) => ['id', 'version', ...from].includes(key)))
  const store = `update ${name} set ${column} = made.value ->> 2 from json_each(?) made
    where ${name}.id = made.value ->> 0 and version = made.value ->> 1 and ${column} <> made.value ->> 2`
  return {
    name: `${name}.${column}`,
    form,
    resource: requireResource(table),
    derive: async (db, ids) => {
      const rows = await runStatement(db, select(fields, sql`from ${table} where ${isOneOf(id, ids)}`))
      // The cast: TypeScript does not know that the columns, gathered by name, are those of the table.
      const made = rows.map((row) => [row.id, row.version, make(row as InferSelectModel<T>)])
      const { parts } = jsonParts(made)
      return parts.map((part) => textStatement(store, [part]))
    },
  }
}

/** Records in a portion, and maximum portions in a run. */
const PORTION = 100
const MAX_PORTIONS = 40
/** Calls to D1 for a portion: to find the records, to read them, and to store what differs. */
const CALLS_PER_PORTION = 3

const CHANGED = `from changes where resource = ?
  and cursor > ifnull((select cursor from derivations where name = ? and form = ?), 0)`
const SELECT_CHANGED = `select cursor, id ${CHANGED} order by cursor limit ?`

/** Seconds without use after which a form counts as that of a version that is gone. */
const UNUSED = 6 * 60 * 60
/** Seconds after which a use is noted again. */
const USE = 60 * 60

/** Characters of the list of replaced forms: more than versions are ever at work at once. */
const MAX_REPLACED = 128
/** SQL for whether a form, the parameter `?2`, is among those that were replaced. */
const IS_REPLACED = `instr(' ' || ifnull(replaced, '') || ' ', ' ' || ?2 || ' ') > 0`

/** How far something is derived. */
interface Turn {
  cursor: number
  /** Whether the form waits, as a newer one has replaced it. */
  waits: number
  /** Whether the form is to be stored again, as its last use was long ago. */
  isDue: number
}

/** The statement that reads how far something is derived, for the code of a form. No row if no code has begun. */
export function selectTurn(name: string, form: string): Statement<Turn> {
  return textStatement(
    `select cursor, form <> ?2 and ${IS_REPLACED} and used > unixepoch() - ${UNUSED} as waits,
      form = ?2 and used < unixepoch() - ${USE} as isDue
    from derivations where name = ?1`,
    [name, form],
  )
}

/** The statement that stores how far what has a form is derived, unless a newer form has replaced it meanwhile. */
export function storeCursor(name: string, form: string, cursor: number): Statement {
  return textStatement(
    `insert into derivations (name, form, cursor, used) values (?1, ?2, ?3, unixepoch())
    on conflict (name) do update set form = excluded.form, cursor = excluded.cursor, used = excluded.used,
      replaced = iif(form = excluded.form, replaced, substr(
        trim(replace(' ' || form || ' ' || ifnull(replaced, '') || ' ', ' ' || ?2 || ' ', ' ')), 1, ${MAX_REPLACED}))
    where form = excluded.form or not ${IS_REPLACED} or used <= unixepoch() - ${UNUSED}`,
    [name, form, cursor],
  )
}

/** SQL that selects the records that are still to be looked at. */
export function selectChanged({ resource, name, form }: Derived): SqlFragment {
  return { text: `select id ${CHANGED}`, params: [resource, name, form] }
}

/** Looks at the records that have changed since the last run. Several runs may work at the same time. */
export async function followChanges(
  db: Database,
  { name, form, resource, derive }: Derived,
  { portions = MAX_PORTIONS, size = PORTION } = {},
): Promise<void> {
  const selecting = textStatement<{ cursor: number; id: number }>(SELECT_CHANGED, [
    resource,
    name,
    form,
    size,
  ])
  let cursors = new Map<number, number>()
  await workThrough(db, {
    job: 'search_texts',
    resource,
    portions,
    calls: CALLS_PER_PORTION,
    next: async () => {
      if (cursors.size > 0 && cursors.size < size) return []
      const { changed, turns } = await batch(db, { changed: selecting, turns: selectTurn(name, form) })
      const [turn] = turns
      if (turn?.waits) return []
      if (changed.length === 0 && turn?.isDue) await runStatement(db, storeCursor(name, form, turn.cursor))
      cursors = new Map(changed.map(({ id, cursor }) => [id, cursor]))
      return [...cursors.keys()]
    },
    work: (ids) => derive(db, ids),
    pass: (id) => storeCursor(name, form, cursors.get(id) ?? 0),
  })
}
