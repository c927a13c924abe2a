/**
 * Which portions of the index are stored. Each covers a range of ids; those of one form never overlap, and together they
 * cover all ids but for gaps. A portion counts listings, not ids: however far ids lie apart, portions are few.
 */
import { type Statement, textStatement } from '../../../db/statements.ts'

/** Most listings in a portion. */
export const PORTION_SIZE = 4096

const LAST_ID = Number.MAX_SAFE_INTEGER - 1

/** Ids from `first` to `last`. */
export interface IdRange {
  first: number
  last: number
}

export interface StoredPortion {
  id: number
  first_id: number
  last_id: number
  rows: number
  /** The position in the change feed up to which it has all changes. */
  cursor: number
}

/** SQL for the cursors of portions that can be used: older ones may lack a deletion that the feed has forgotten. */
export const USABLE = `(select purged from change_feed) and ifnull((select max(cursor) from changes), 0)`
/** The SQL of the trigger that removes the data of a portion with it. */
export const PORTION_TRIGGER = `CREATE TRIGGER index_portions_delete AFTER DELETE ON index_portions
BEGIN
  DELETE FROM index_portion_data WHERE portion_id = old.id;
END;`

const OF_FORM = `from index_portions where form = ?1 and cursor between ${USABLE}`

/** The portions of a form, in the order of ids. */
export function selectPortions(form: string): Statement<StoredPortion> {
  return textStatement(`select id, first_id, last_id, rows, cursor ${OF_FORM} order by first_id`, [form])
}

/** The portions of a form with changes since they were made, and how many. */
export function selectChanges(form: string): Statement<{ id: number; changes: number }> {
  return textStatement(
    `select portion.id, count(*) as changes from changes join index_portions portion on portion.form = ?1
      and first_id = (select max(first_id) from index_portions where form = ?1 and first_id <= changes.id)
    where resource = 'listings' and changes.cursor > (select min(cursor) ${OF_FORM})
      and changes.cursor > portion.cursor and changes.id <= last_id
    group by portion.id`,
    [form],
  )
}

/** The statement that notes that portions, of which nothing has changed, have everything up to `cursor`. */
export function moveOn(portions: readonly StoredPortion[], cursor: number): Statement {
  // One that was replaced meanwhile differs in one of these.
  return textStatement(
    `update index_portions set cursor = ? where (id, first_id, last_id, cursor) in (
      select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?))`,
    [cursor, JSON.stringify(portions.map((one) => [one.id, one.first_id, one.last_id, one.cursor]))],
  )
}

/** What becomes of a portion: it stays, or is made anew: with the gap before it, or as the beginning of one. */
type Role = 'stays' | 'joins' | 'begins'

/** The ranges of ids that no portion covers, ascending. `roleOf` may count the ranges of portions among them. */
export function gapsBetween(
  portions: readonly StoredPortion[],
  roleOf: (portion: StoredPortion, isBehindGap: boolean) => Role = () => 'stays',
): IdRange[] {
  const gaps: IdRange[] = []
  let first = 0
  for (const portion of portions) {
    const isBehindGap = first < portion.first_id
    const role = roleOf(portion, isBehindGap)
    if (role === 'joins') continue
    if (isBehindGap) gaps.push({ first, last: portion.first_id - 1 })
    first = role === 'stays' ? portion.last_id + 1 : portion.first_id
  }
  if (first <= LAST_ID) gaps.push({ first, last: LAST_ID })
  return gaps
}
