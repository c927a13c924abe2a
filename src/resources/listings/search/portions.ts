/**
 * Loads the index from its portions in D1, so that an isolate need not read every listing: each has listings as they were at a
 * position in the change feed (`packing.ts`). The index follows the feed from there.
 */
import { portionsOf } from '../../../db/bulk.ts'
import { batch, type Database, runStatement } from '../../../db/client.ts'
import { type Statement, textStatement } from '../../../db/statements.ts'
import { sleep } from '../../../http/concurrency/waiting.ts'
import { databaseBusy } from '../../../http/errors.ts'
import { describeFailure, log } from '../../../http/log.ts'
import { ListingIndex, makePortion, type Portion } from './listing-index.ts'
import { FORM, packPortions } from './packing.ts'
import { Places, selectPlaces } from './places.ts'
import { decodePortion } from './portion-format.ts'
import { type Position, SELECT_POSITION, selectListingRange } from './source.ts'
import {
  gapsBetween,
  type IdRange,
  PORTION_SIZE,
  type StoredPortion,
  selectPortions,
} from './stored-portions.ts'

/** Bytes of portions that are read in one call to D1, about: those of a listing, and those of a portion beside them. */
const BYTES_PER_CALL = 8_000_000
const BYTES = { listing: 250, portion: 4000 }

/** Changes that are followed rather than that portions are made anew: each costs seven rows, and a listing in a portion one. */
export const MAX_FOLLOWED = 16_384
/** How often, in ms, it is looked whether another has made portions, and how long that may take. */
const POLL_MS = 500
const MAX_WAIT_MS = 30_000

/** An index, and the position in which the database was when it began to be read. */
export interface Loaded {
  index: ListingIndex
  position: Position
}

/** The index that a load fills. */
export interface Filling {
  index: ListingIndex | null
  /** Set to end the load, whose memory is needed; then the index is to be null. */
  isEnded: boolean
}

export const newFilling = (): Filling => ({ index: null, isEnded: false })

/**
 * Loads all listings, except for what has changed since `index.cursor`. Portions that are missing or far behind are made first.
 * Null if the load was ended.
 * @param onProgress called after each answer of D1
 */
export async function loadListings(
  { client, allowance }: Database,
  { form = FORM, size = PORTION_SIZE, onProgress = () => {}, filling = newFilling() } = {},
): Promise<Loaded | null> {
  const db = { client, allowance }
  const { position, places, portions } = await readReady(db, { form, size, onProgress })
  const cursor = Math.min(position.cursor, ...portions.map((portion) => portion.cursor))
  if (filling.isEnded) return null
  // Nothing else may refer to it between two portions.
  filling.index = new ListingIndex(cursor, new Places(places))
  filling.index.reserve(portions.reduce((sum, { rows }) => sum + rows, 0))
  for await (const portion of readPortions(db, form, portions)) {
    if (!filling.index) break
    filling.index.fill(portion)
    onProgress()
  }
  return filling.index && { index: filling.index, position }
}

/** What portions are made of a form, and what is called after each. */
interface Making {
  form: string
  size: number
  onProgress: () => void
}

/** Reads which portions there are, once none is missing or far behind, or none can be made. */
async function readReady(db: Database, { form, size, onProgress }: Making) {
  const until = Date.now() + MAX_WAIT_MS
  for (let isDone = false; ; ) {
    const { positions, portions, places } = await batch(db, {
      positions: SELECT_POSITION,
      portions: selectPortions(form),
      places: selectPlaces(),
    })
    onProgress()
    const [position] = positions
    if (!position) throw new Error('The change feed has no position')
    const isReady =
      gapsBetween(portions).length === 0 &&
      portions.every(({ cursor }) => position.cursor - cursor <= MAX_FOLLOWED)
    if (isReady || isDone) return { position, portions, places }
    if (Date.now() > until) throw databaseBusy()
    isDone = await makePortions(db, { form, size, onProgress })
  }
}

/** Makes what portions lack, or waits while another does so. Returns whether that has ended: if it fails, all is read from the table. */
async function makePortions(db: Database, making: Making): Promise<boolean> {
  try {
    const packed = await packPortions(db, { ...making, max: Number.POSITIVE_INFINITY })
    if (packed === null) await sleep(POLL_MS)
    return packed !== null
  } catch (error) {
    log('error', { work: 'making portions of listings', ...describeFailure(error) })
    return true
  }
}

/** All portions in the order of their ids; those that are missing are made for this index alone. */
async function* readPortions(
  db: Database,
  form: string,
  stored: readonly StoredPortion[],
): AsyncGenerator<Portion> {
  const gaps = gapsBetween(stored)
  const lengthOf = ({ rows }: StoredPortion) => BYTES.portion + rows * BYTES.listing
  for (const together of portionsOf(stored, { length: BYTES_PER_CALL, lengthOf })) {
    const read = await runStatement(db, selectData(form, together))
    const texts = new Map(read.map(({ id, data }) => [id, data]))
    for (const portion of together) {
      if (gaps[0] && gaps[0].first < portion.first_id) yield* readTable(db, gaps.shift())
      const decoded = decode(portion, texts.get(portion.id))
      if (decoded) yield decoded
      else yield* readTable(db, { first: portion.first_id, last: portion.last_id })
    }
  }
  yield* readTable(db, gaps.shift())
}

/** Portions of what the table has of a range. */
async function* readTable(db: Database, range: IdRange | undefined): AsyncGenerator<Portion> {
  for (let first = range?.first ?? null; range && first !== null; ) {
    const listings = await runStatement(db, selectListingRange(first, range.last, PORTION_SIZE))
    if (listings.length > 0) yield makePortion(listings)
    const last = listings.length === PORTION_SIZE ? listings.at(-1)?.id : null
    first = last == null ? null : last + 1
  }
}

/** The data of portions, without those that were replaced since. */
function selectData(
  form: string,
  portions: readonly StoredPortion[],
): Statement<{ id: number; data: string }> {
  return textStatement(
    `select id, data from index_portions join index_portion_data on portion_id = id
    where form = ? and (id, first_id, last_id) in (select value ->> 0, value ->> 1, value ->> 2 from json_each(?))`,
    [form, JSON.stringify(portions.map(({ id, first_id, last_id }) => [id, first_id, last_id]))],
  )
}

/** The portion of a text; null if it is missing or broken. */
function decode({ first_id }: StoredPortion, text: string | undefined): Portion | null {
  if (text === undefined) return null
  try {
    return decodePortion(text)
  } catch (error) {
    log('error', { work: 'reading a portion of listings', first_id, ...describeFailure(error) })
    return null
  }
}
