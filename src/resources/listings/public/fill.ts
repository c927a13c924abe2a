/**
 * Fills `public_listings` anew, where a migration has changed what visitors see: it then removes the mark in `derivations`.
 * Cron does so in portions. Dates stay, as no listing was edited. Only code whose triggers the database has fills it: the
 * version that runs while a migration is applied, or after a rollback, would fill in what it knows.
 */
import { batch, type Database } from '../../../db/client.ts'
import { textStatement } from '../../../db/statements.ts'
import { FILL_MARK, LAST_FILL } from '../../../db/tables/public-listings.ts'
import { workThrough } from '../../../db/work-through.ts'
import { MAX_ID } from '../../../fields/values.ts'
import { IS_PUBLIC, PUBLIC_COLUMNS } from './shown.ts'
import { PUBLIC_TRIGGERS } from './triggers.ts'

/** Listings in one portion, and maximum portions in one run. */
const PORTION = 500
const MAX_PORTIONS = 40

const COLUMNS = Object.keys(PUBLIC_COLUMNS)
const FILLED = COLUMNS.filter((name) => name !== 'id' && name !== 'date_updated')

/** The mark of the last time and, unless all are filled, the SQL of the triggers of the database. */
const SELECT_STATE = `select ${LAST_FILL} as fill, case when ${LAST_FILL} = '' then (
  select group_concat(sql, ' ') from sqlite_master where type = 'trigger' and name like 'public~_%' escape '~') end as triggers`

/** The words of SQL, as layout does not count. */
const wordsOf = (sql: string) => sql.split(/[\s;]+/).join(' ')
const OWN_TRIGGERS = PUBLIC_TRIGGERS.map(wordsOf)

const CURSOR = `ifnull((select cursor from derivations where name = '${FILL_MARK}'), 0)`
/** SQL that selects the listings that are still to be filled. It reads none of them once all are. */
export const SELECT_UNFILLED = `select id from (select 1 where ${LAST_FILL} = '') cross join listings where id > ${CURSOR}`
const SELECT_NEXT = `${SELECT_UNFILLED} and ${IS_PUBLIC} order by id limit ?`

const FILL = `insert into public_listings (${COLUMNS})
  select ${Object.values(PUBLIC_COLUMNS)} from listings where id in (select value from json_each(?)) and ${IS_PUBLIC}
  on conflict (id) do update set ${FILLED.map((name) => `${name} = excluded.${name}`)}
  where (${FILLED.map((name) => `public_listings.${name}`)}) is not (${FILLED.map((name) => `excluded.${name}`)})`

/** Takes out what is not public, or not any more by another rule. */
const TAKE_OUT = `delete from public_listings where id > ${CURSOR} and id <= ?
  and not exists (select 1 from listings where listings.id = public_listings.id and ${IS_PUBLIC})`

const STORE_CURSOR = `insert into derivations (name, form, cursor) values ('${FILL_MARK}', '', ?)
  on conflict (name) do update set cursor = excluded.cursor`

/** Fills within the limits of one run. A write of a listing meanwhile fills it, too. Returns whether all are filled. */
export async function fillPublicListings(db: Database, { portions = MAX_PORTIONS, size = PORTION } = {}) {
  let isFilled = false
  const done = await workThrough(db, {
    job: 'search_portions',
    resource: 'listings',
    portions,
    calls: 2,
    next: async () => {
      const { states, nexts } = await batch(db, {
        states: textStatement<{ fill: string; triggers: string | null }>(SELECT_STATE),
        nexts: textStatement<{ id: number }>(SELECT_NEXT, [size]),
      })
      const [state] = states
      isFilled = Boolean(state?.fill)
      if (isFilled) return []
      const stored = `${wordsOf(state?.triggers ?? '')} `
      if (!OWN_TRIGGERS.every((trigger) => stored.includes(trigger))) return []
      if (nexts.length === 0) {
        await batch(db, FINISH)
        isFilled = true
      }
      return nexts.map(({ id }) => id)
    },
    work: async (ids) => textStatement(FILL, [JSON.stringify(ids)]),
    pass: (id, hasFailed) => ({
      // What an earlier version has filled in may be more than visitors may see now.
      failed: hasFailed ? textStatement('delete from public_listings where id = ?', [id]) : [],
      left: textStatement(TAKE_OUT, [id]),
      cursor: textStatement(STORE_CURSOR, [id]),
    }),
  })
  return { isFilled, ...done }
}

/** What was made of the old values goes: searches read them anew. */
const FINISH = {
  left: textStatement(TAKE_OUT, [MAX_ID]),
  portions: ['index_portions', 'search_portions', 'search_portion_data'].map((table) =>
    textStatement(`delete from ${table}`),
  ),
  mark: textStatement(`insert into derivations (name, form, cursor) values ('${FILL_MARK}', hex(randomblob(4)), 0)
    on conflict (name) do update set form = excluded.form`),
}
