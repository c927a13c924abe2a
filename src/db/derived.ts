/**
 * Keeps stored what code derives from records, such as folded texts for searching. Writers store it themselves; this is for
 * what other code has written: an older version that did not know the column, or derived other values. Whichever version
 * writes, a trigger enters the record in the change feed, so this follows the feed and derives anew. When the code that
 * derives has changed, it starts at the beginning of the feed, which has every record.
 */
import { type Database, runStatement } from './client.ts'
import { type SqlFragment, type Statement, textStatement } from './statements.ts'
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

/** Records in a portion, and maximum portions in a run. */
const PORTION = 100
const MAX_PORTIONS = 40
/** Calls to D1 for a portion: to find the records, to read them, and to store what differs. */
const CALLS_PER_PORTION = 3

const CHANGED = `from changes where resource = ?
  and cursor > ifnull((select cursor from derivations where name = ? and form = ?), 0)`
const SELECT_CHANGED = `select cursor, id ${CHANGED} order by cursor limit ?`

const STORE_CURSOR = `insert into derivations (name, form, cursor) values (?, ?, ?)
  on conflict (name) do update set form = excluded.form, cursor = excluded.cursor`

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
      const changed = await runStatement(db, selecting)
      cursors = new Map(changed.map(({ id, cursor }) => [id, cursor]))
      return [...cursors.keys()]
    },
    work: (ids) => derive(db, ids),
    pass: (id) => textStatement(STORE_CURSOR, [name, form, cursors.get(id)]),
  })
}
