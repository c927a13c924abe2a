/**
 * Portions of the index in D1, so that an isolate need not read every listing: each has the listings of a range of ids, as
 * they were at a position in the change feed. Cron makes them; an isolate that loads the index follows the feed from there. What
 * has no portion, or one of other code, is read from the table.
 */
import { portionsOf } from '../../../db/bulk.ts'
import { batch, type Database, mayCall, runStatement } from '../../../db/client.ts'
import { type Statement, textStatement } from '../../../db/statements.ts'
import { yieldToEventLoop } from '../../../http/concurrency/queue.ts'
import { describeFailure, log } from '../../../http/log.ts'
import form from './form.json' with { type: 'json' }
import { ListingIndex, makePortion, type Portion } from './listing-index.ts'
import { Places, selectPlaces } from './places.ts'
import { decodePortion, encodePortion } from './portion-format.ts'
import { type Position, SELECT_POSITION, selectListingRange } from './source.ts'

/** Ids in the range of a portion. */
export const RANGE = 4096
/** Bytes of portions that are read in one call to D1, about: those of a listing, and those of a portion beside them. */
const BYTES_PER_CALL = 8_000_000
const BYTES = { listing: 250, portion: 4000 }
/** A longer text is not stored, as D1 takes no value above 2 MB. */
const MAX_TEXT = 1_900_000

/** A portion is made anew after so many changes of its listings. */
const MAX_CHANGES = 256
/** A portion with any change is made anew after so many changes of all listings, as each isolate that loads it reads those. */
const MAX_BEHIND = 1024
/** Portions that are made in one run of cron. */
const MAX_MADE = 64

/** A portion as it is stored. */
interface Stored {
  first_id: number
  rows: number
  cursor: number
  /** The first listing after its range; null if it is the last. */
  next_id: number | null
}

const SELECT_PORTIONS: Statement<Stored> = textStatement(
  `select first_id, rows, cursor, (select min(id) from listings where id >= first_id + ${RANGE}) as next_id
  from search_portions where form = ? and cursor >= (select purged from change_feed) order by first_id`,
  [form],
)

const SELECT_FIRST: Statement<{ id: number | null }> = textStatement('select min(id) as id from listings')

/** An index, and the position in which the database was when it began to be read. */
export interface Loaded {
  index: ListingIndex
  position: Position
}

/**
 * Loads all listings, except for what has changed since `index.cursor`.
 * @param onProgress called after each answer of D1
 */
export async function loadListings(db: Database, onProgress: () => void = () => undefined): Promise<Loaded> {
  const { portions, first, places, positions } = await batch(db, {
    positions: SELECT_POSITION,
    portions: SELECT_PORTIONS,
    first: SELECT_FIRST,
    places: selectPlaces(),
  })
  onProgress()
  const [position] = positions
  if (!position) throw new Error('The change feed has no position')
  const cursor = Math.min(position.cursor, ...portions.map((portion) => portion.cursor))
  const index = new ListingIndex(cursor, new Places(places))
  index.reserve(portions.reduce((sum, { rows }) => sum + rows, 0))
  for await (const portion of readPortions(db, portions, first[0]?.id ?? null)) {
    index.fill(portion)
    onProgress()
  }
  return { index, position }
}

/** All portions in the order of their ids; those that are missing are made. */
async function* readPortions(
  db: Database,
  stored: readonly Stored[],
  firstId: number | null,
): AsyncGenerator<Portion> {
  const byFirst = new Map(stored.map((portion) => [portion.first_id, portion]))
  const texts = new Map<number, string>()
  for (let id = firstId; id !== null; ) {
    const portion = byFirst.get(rangeOf(id))
    if (!portion) {
      const last =
        (stored.find(({ first_id }) => first_id > Number(id))?.first_id ?? Number.MAX_SAFE_INTEGER) - 1
      const listings = await runStatement(db, selectListingRange(id, last, RANGE))
      if (listings.length > 0) yield makePortion(listings)
      const end: number = listings.length === RANGE ? (listings.at(-1)?.id ?? last) : last
      id = end + 1 < Number.MAX_SAFE_INTEGER ? end + 1 : null
      continue
    }
    if (!texts.has(portion.first_id)) {
      texts.clear()
      const rows = await runStatement(db, selectData(portionsOfCall(stored, portion)))
      for (const { first_id, data } of rows) texts.set(first_id, data)
    }
    const made = decode(portion.first_id, texts.get(portion.first_id))
    if (made) yield made
    else {
      const last = portion.first_id + RANGE - 1
      yield makePortion(await runStatement(db, selectListingRange(portion.first_id, last, RANGE)))
    }
    id = portion.next_id
  }
}

/** The portions that are read in one call: `first` and those after it. */
function portionsOfCall(stored: readonly Stored[], first: Stored): number[] {
  const lengthOf = ({ rows }: Stored) => BYTES.portion + rows * BYTES.listing
  const [wanted = []] = portionsOf(stored.slice(stored.indexOf(first)), { length: BYTES_PER_CALL, lengthOf })
  return wanted.map(({ first_id }) => first_id)
}

const rangeOf = (id: number) => Math.floor(id / RANGE) * RANGE

/** The data of portions of this code, which another version may have replaced since. */
function selectData(firstIds: readonly number[]): Statement<{ first_id: number; data: string }> {
  return textStatement(
    `select first_id, data from search_portions join search_portion_data using (first_id)
    where form = ? and first_id in (select value from json_each(?))`,
    [form, JSON.stringify(firstIds)],
  )
}

/** The portion of a text; null if it is missing or broken. */
function decode(firstId: number, text: string | undefined): Portion | null {
  if (text === undefined) return null
  try {
    return decodePortion(text)
  } catch (error) {
    log('error', { work: 'reading a portion of listings', first_id: firstId, ...describeFailure(error) })
    return null
  }
}

/** How many listings of a portion have changed since it was made. Those without a change are missing. */
const SELECT_CHANGES: Statement<{ first_id: number; changes: number }> = textStatement(
  `select first_id, count(*) as changes from changes join search_portions
    on first_id = changes.id / ${RANGE} * ${RANGE} and changes.cursor > search_portions.cursor
  where resource = 'listings' and form = ?1
    and changes.cursor > (select min(cursor) from search_portions where form = ?1) group by first_id`,
  [form],
)

/** Makes the portions that are missing or have changed much. Returns how many, and how many are known to be left for the next run. */
export async function packPortions(db: Database): Promise<{ packed: number; left: number }> {
  const { positions, portions, changed, first } = await batch(db, {
    positions: SELECT_POSITION,
    portions: SELECT_PORTIONS,
    changed: SELECT_CHANGES,
    first: SELECT_FIRST,
  })
  const now = positions[0]?.cursor ?? 0
  const changesOf = new Map(changed.map(({ first_id, changes }) => [first_id, changes]))
  const isOld = ({ first_id, cursor }: Stored) => {
    const changes = changesOf.get(first_id) ?? 0
    return changes >= MAX_CHANGES || (changes > 0 && now - cursor > MAX_BEHIND)
  }
  const unchanged = portions.filter(
    ({ first_id, cursor }) => !changesOf.has(first_id) && now - cursor > MAX_BEHIND,
  )
  if (unchanged.length > 0) await batch(db, { moved: moveOn(unchanged, now) })
  const outdated = portions.filter(isOld).map(({ first_id }) => first_id)
  let packed = 0
  for await (const id of missingRanges(db, portions, first[0]?.id ?? null)) outdated.push(id)
  for (const id of outdated) {
    if (packed === MAX_MADE || !mayCall(db, 2)) break
    await yieldToEventLoop()
    await pack(db, id)
    packed++
  }
  return { packed, left: outdated.length - packed }
}

/** The ranges with listings and without a portion: one more than a run makes, so that it says that more are left. */
async function* missingRanges(
  db: Database,
  stored: readonly Stored[],
  firstId: number | null,
): AsyncGenerator<number> {
  const byFirst = new Map(stored.map((portion) => [portion.first_id, portion]))
  for (let id = firstId, found = 0; id !== null && found <= MAX_MADE; ) {
    const portion = byFirst.get(rangeOf(id))
    if (portion) {
      id = portion.next_id
      continue
    }
    if (!mayCall(db, 1)) return
    found++
    yield rangeOf(id)
    const next = textStatement<{ id: number | null }>('select min(id) as id from listings where id >= ?', [
      rangeOf(id) + RANGE,
    ])
    const [row] = await runStatement(db, next)
    id = row?.id ?? null
  }
}

/** Makes a portion. One that is too long is removed: its listings are read from the table, and the others from portions. */
async function pack(db: Database, firstId: number): Promise<void> {
  const { listings, positions } = await batch(db, {
    listings: selectListingRange(firstId, firstId + RANGE - 1, RANGE),
    positions: SELECT_POSITION,
  })
  const data = encodePortion(makePortion(listings))
  if (data.length > MAX_TEXT) {
    log('error', { work: 'storing a portion of listings', first_id: firstId, bytes: data.length })
    await batch(db, { removed: textStatement('delete from search_portions where first_id = ?', [firstId]) })
    return
  }
  const cursor = positions[0]?.cursor ?? 0
  // A run that has read later may have stored later listings meanwhile.
  const isLater = 'where excluded.cursor >= search_portions.cursor or search_portions.form <> excluded.form'
  await batch(db, {
    portion: textStatement(
      `insert into search_portions (first_id, form, rows, cursor) values (?, ?, ?, ?)
      on conflict (first_id) do update set form = excluded.form, rows = excluded.rows, cursor = excluded.cursor ${isLater}`,
      [firstId, form, listings.length, cursor],
    ),
    data: textStatement(
      `insert into search_portion_data (first_id, data) select ?1, ?2
      where exists (select 1 from search_portions where first_id = ?1 and form = ?3 and cursor = ?4)
      on conflict (first_id) do update set data = excluded.data`,
      [firstId, data, form, cursor],
    ),
  })
}

/** The statement that notes that portions have everything up to `cursor`. */
function moveOn(portions: readonly Stored[], cursor: number): Statement {
  return textStatement(
    `update search_portions set cursor = ?1 where form = ?2 and cursor < ?1
      and first_id in (select value from json_each(?3))
      and not exists (select 1 from changes where resource = 'listings' and changes.cursor > search_portions.cursor
        and changes.cursor <= ?1 and changes.id between first_id and first_id + ${RANGE - 1})`,
    [cursor, form, JSON.stringify(portions.map(({ first_id }) => first_id))],
  )
}
