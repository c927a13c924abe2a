/**
 * Makes the portions of the index. Cron keeps them up; where it has not, as after an upgrade, an isolate that loads the index
 * makes them. One at a time is at it for each form, and the others wait. Two versions at work at once have a form each.
 */
import { batch, type Database, mayCall, type Results } from '../../../db/client.ts'
import { type Statement, textStatement } from '../../../db/statements.ts'
import { yieldToEventLoop } from '../../../http/concurrency/waiting.ts'
import form from './form.json' with { type: 'json' }
import { makePortion as portionOf, type SourceRow } from './listing-index.ts'
import { encodePortion } from './portion-format.ts'
import { SELECT_POSITION, selectListingRange } from './source.ts'
import {
  gapsBetween,
  type IdRange,
  moveOn,
  PORTION_SIZE,
  type StoredPortion,
  selectChanges,
  selectPortions,
  USABLE,
} from './stored-portions.ts'

/** The hash of the code that makes portions, which another version may not read. */
export const FORM = form

/** Most characters of a portion, as D1 takes no value above 2 MB. */
const MAX_TEXT = 1_900_000

/** A portion is made anew after so many changes of its listings. */
const MAX_CHANGES = 256
/** A portion with any change is made anew after so many changes of all listings, as each isolate that loads it reads those. */
const MAX_BEHIND = 1024
/** Portions that are made, or removed, in one run of cron. */
const MAX_MADE = 64
/** Seconds without a new portion after which another takes over. */
const SILENCE = 5
/** Seconds without use after which a form counts as that of a version that is gone. */
const UNUSED = 24 * 60 * 60
/** Seconds after which a use is noted again. */
const USE = 60 * 60

const GONE = `select form from index_forms where used < unixepoch() - ${UNUSED}`

/** What there is of a form, in one state of the database, and whether a use is to be noted or forms that are gone are left. */
const selectState = (form: string) => ({
  positions: SELECT_POSITION,
  portions: selectPortions(form),
  changed: selectChanges(form),
  due: textStatement<{ isDue: number }>(
    `select ifnull((select used from index_forms where form = ?), 0) < unixepoch() - ${USE} or exists (${GONE}) as isDue`,
    [form],
  ),
})
type State = Results<ReturnType<typeof selectState>>

/** The ranges to make portions of, and the portions that only lag behind. */
function planOf({ positions, portions, changed }: State, size: number) {
  const now = positions[0]?.cursor ?? 0
  const changesOf = new Map(changed.map(({ id, changes }) => [id, changes]))
  const isBehind = ({ cursor }: StoredPortion) => now - cursor > MAX_BEHIND
  const isOutdated = (portion: StoredPortion) => {
    const changes = changesOf.get(portion.id) ?? 0
    return changes >= MAX_CHANGES || (changes > 0 && isBehind(portion))
  }
  const ranges = gapsBetween(portions, (portion, isBehindGap) => {
    // So most of them are at least half full, and one that is has its own place while it is made anew.
    if (2 * portion.rows < size && isBehindGap) return 'joins'
    return isOutdated(portion) ? 'begins' : 'stays'
  })
  const lagging = portions.filter((portion) => isBehind(portion) && !changesOf.has(portion.id))
  return { now, ranges, lagging }
}

/** How many portions a run has made, and how many ranges of ids it leaves to the next. */
export interface Packed {
  packed: number
  left: number
}

/**
 * Makes the portions that are missing or have changed much. Returns null if another is at it, or has taken over.
 * @param size listings in each
 * @param max how many are made at most
 * @param onProgress called after each
 */
export async function packPortions(
  { client, allowance }: Database,
  { form = FORM, size = PORTION_SIZE, max = MAX_MADE, onProgress = () => {} } = {},
): Promise<Packed | null> {
  // A database without the call that searches: portions are no write of its own.
  const db = { client, allowance }
  const seen = await batch(db, selectState(form))
  const { ranges, lagging } = planOf(seen, size)
  if (ranges.length + lagging.length + (seen.due[0]?.isDue ?? 0) === 0) return { packed: 0, left: 0 }
  const { claimed, state } = await batch(db, { claimed: claim(form), state: selectState(form) })
  if (!claimed[0]) return null
  const turn: Turn = { form, until: claimed[0].held_until }
  try {
    const plan = planOf(state, size)
    await batch(db, { moved: moveOn(plan.lagging, plan.now), ...REMOVE_GONE })
    return await makePortions(db, turn, plan.ranges, { size, max, onProgress })
  } finally {
    // Otherwise it ends by itself.
    await batch(db, { released: hold(turn, '0') }).catch(() => undefined)
  }
}

/** The work of making portions of a form, which one has for itself until then. Where that is over, another may have it. */
interface Turn {
  form: string
  until: number
}

async function makePortions(
  db: Database,
  turn: Turn,
  ranges: readonly IdRange[],
  { size, max, onProgress }: { size: number; max: number; onProgress: () => void },
): Promise<Packed | null> {
  let packed = 0
  for (const [done, { first, last }] of ranges.entries())
    for (let next: number | null = first; next !== null; packed++) {
      if (packed === max || !mayCall(db, 3)) return { packed, left: ranges.length - done }
      await yieldToEventLoop()
      next = await makePortion(db, turn, { first: next, last }, size)
      onProgress()
      if (turn.until === 0) return null
    }
  return { packed, left: 0 }
}

/** Makes the portion at the beginning of a range. Returns the first id after it; null if it covers the range. */
async function makePortion(db: Database, turn: Turn, { first, last }: IdRange, size: number) {
  const { positions, listings } = await batch(db, {
    positions: SELECT_POSITION,
    listings: selectListingRange(first, last, size + 1),
  })
  const { rows, data } = encodeFirst(listings.slice(0, size))
  const next = listings[rows]?.id ?? null
  const end = next === null ? last : next - 1
  const { cursor = 0, deployment = '' } = positions[0] ?? {}
  const { form } = turn
  const overlapping = 'from index_portions where form = ?1 and first_id <= ?3 and last_id >= ?2'
  const { held } = await batch(db, {
    // What another has made of a later state stays. Then this one is not stored, and what it alone covers is made next time.
    removed: textStatement(`delete ${overlapping} and not (cursor > ?4 and cursor between ${USABLE})`, [
      ...[form, first, end, cursor],
    ]),
    stored: textStatement(
      // Nor is what was read before what visitors see was filled anew: no change leads from it to that.
      `insert into index_portions (form, first_id, last_id, rows, cursor) select ?1, ?2, ?3, ?4, ?5
      where not exists (select 1 ${overlapping}) and (select deployment from (${SELECT_POSITION.sql})) = ?6`,
      [form, first, end, rows, cursor, deployment],
    ),
    data: textStatement(
      'insert into index_portion_data (portion_id, data) select last_insert_rowid(), ? where changes() > 0',
      [data],
    ),
    held: hold(turn, `unixepoch() + ${SILENCE}`),
  })
  turn.until = held[0]?.held_until ?? 0
  return next
}

/** The portion of the first listings, of as many as fit. */
function encodeFirst(listings: readonly SourceRow[]): { rows: number; data: string } {
  for (let rows = listings.length; ; rows >>= 1) {
    const data = encodePortion(portionOf(listings.slice(0, rows)))
    if (data.length <= MAX_TEXT || rows <= 1) return { rows, data }
  }
}

/** The statement that lets others wait, unless another has done so. Returns until when if it did. */
function claim(form: string): Statement<{ held_until: number }> {
  // A time further ahead comes from a clock that has gone back since.
  return textStatement(
    `insert into index_forms (form, used, held_until) values (?, unixepoch(), unixepoch() + ${SILENCE})
    on conflict (form) do update set used = excluded.used, held_until = excluded.held_until
      where held_until not between unixepoch() + 1 and unixepoch() + ${SILENCE} returning held_until`,
    [form],
  )
}

/** The statement that lets others wait until another time. It changes nothing, and returns no row, once another has taken over. */
function hold({ form, until }: Turn, time: string): Statement<{ held_until: number }> {
  // Another takes over after that second, so its own is a later one.
  return textStatement(
    `update index_forms set held_until = ${time} where form = ? and held_until = ? returning held_until`,
    [form, until],
  )
}

/** Removes portions of versions that are gone, so many at a time; those of a form are gone before the form is. */
const REMOVE_GONE = {
  portions: textStatement(
    `delete from index_portions where id in (select id from index_portions where form in (${GONE}) limit ${MAX_MADE})`,
  ),
  forms: textStatement(
    `delete from index_forms where form in (${GONE})
      and not exists (select 1 from index_portions where index_portions.form = index_forms.form)`,
  ),
}
