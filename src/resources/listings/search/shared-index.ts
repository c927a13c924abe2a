/**
 * The index of this isolate: loaded when a search first needs it, and kept up by the change feed. Requests share it, but
 * none awaits a promise of another, as that may never settle.
 */
import { releaseCodec } from '@estia/photo-codec'
import { batch, type Database, type NamedStatements, type Results } from '../../../db/client.ts'
import { Heartbeat, isWithin, poll, sleep } from '../../../http/concurrency/waiting.ts'
import { databaseBusy } from '../../../http/errors.ts'
import type { ListingIndex, SourceRow } from './listing-index.ts'
import { Places, selectPlaces } from './places.ts'
import { type Filling, loadListings, MAX_FOLLOWED, newFilling } from './portions.ts'
import { type ChangedRow, type Position, SELECT_POSITION, selectChangedListings } from './source.ts'

/** The age in ms that an index may have when visitors search it: usually, and while D1 fails. */
export const MAX_AGE = { visitors: 10_000, duringFailure: 60_000 }

/** Changes that are read at once. */
const MAX_CHANGES = 1000
/** Attempts to choose a page and read its records at one state of the index, when others write all the time. */
const MAX_TRIES = 4
/** Polling interval in ms, and how long a request that reads changes, or loads, may be silent before another takes over. */
const POLL_MS = 5
const MAX_SILENCE = { following: 1000, loading: 5000 }
const MAX_WAIT_MS = 30_000

interface Kept {
  /** Null once its memory was needed: so requests that await an answer of D1 hold only this. */
  index: ListingIndex | null
  /** When it was last as new as the database, as `Date.now()`. */
  checkedAt: number
  deployment: string
  placesVersion: string
  /** The request that last began to read what has changed; null if none is at it. */
  follower: Heartbeat | null
}

let kept: Kept | null = null
let loading: { heartbeat: Heartbeat; filling: Filling } | null = null

/**
 * Drops the index, and one that is being loaded, if together they take at least `bytes`. One whose size is not known yet counts
 * as enough. The next search loads the index anew, and a load that was ended is begun again.
 */
export function releaseIndex(bytes = 0): void {
  const filling = loading?.filling
  const size = filling && (filling.index?.bytes ?? Number.POSITIVE_INFINITY)
  if ((kept?.index?.bytes ?? 0) + (size ?? 0) < bytes) return
  if (kept) forget(kept)
  endLoad()
}

function forget(current: Kept): void {
  current.index = null
  if (kept === current) kept = null
}

/** Ends the load at the next answer of D1, and drops what it holds now. */
function endLoad(): void {
  if (loading) Object.assign(loading.filling, { index: null, isEnded: true })
}

/**
 * The index, with every write before the call, or at most `maxAge` ms old.
 * @param maxAge above 0, a state up to a minute old is used while D1 fails
 */
export async function freshIndex(db: Database, maxAge = 0): Promise<ListingIndex> {
  await followedByOther(maxAge)
  for (const since = Date.now(); ; ) {
    const current = await loaded(db, since)
    let isComplete = isRecent(current, maxAge)
    try {
      if (!isComplete) ({ isComplete } = await follow(db, current, {}))
    } catch (error) {
      isComplete = maxAge > 0 && isRecent(current, MAX_AGE.duringFailure)
      if (!isComplete) throw error
    }
    if (isComplete && current.index) return current.index
  }
}

/** What is chosen from the index: the ids of a page, and the number of all. */
export interface Choice {
  ids: number[]
  total: number
}

/** Reads records that are chosen from the index, mostly in one round trip. The records come in any order. */
export async function readChosen<S>(
  db: Database,
  maxAge: number,
  choose: (index: ListingIndex) => Choice,
  select: (ids: readonly number[]) => S & NamedStatements,
): Promise<{ choice: Choice; results: Results<S>; places: Places }> {
  await followedByOther(maxAge)
  const since = Date.now()
  for (let tries = 1; ; ) {
    const current = await loaded(db, since)
    const chosen = chooseFrom(current, choose)
    if (!chosen) continue
    const { choice } = chosen
    const statements = select(choice.ids)
    if (isRecent(current, maxAge)) return { ...chosen, results: (await batch(db, statements)) as Results<S> }
    const { isComplete, hasChanged, results } = await follow(db, current, statements)
    const now = hasChanged ? chooseFrom(current, choose) : chosen
    if (!isComplete || !now) continue
    if (tries++ === MAX_TRIES || isSame(now.choice, choice)) return { ...now, choice, results }
  }
}

/** Null if the index was dropped. */
const chooseFrom = ({ index }: Kept, choose: (index: ListingIndex) => Choice) =>
  index && { choice: choose(index), places: index.places }

const isSame = (a: Choice, b: Choice) => a.total === b.total && a.ids.join() === b.ids.join()

const isRecent = ({ checkedAt }: Kept, maxAge: number) => maxAge > 0 && isWithin(checkedAt, maxAge)

/** Waits while another request reads what has changed: many visitors would read the same. Secret keys read for themselves. */
async function followedByOther(maxAge: number): Promise<void> {
  if (maxAge === 0) return
  await poll(() => {
    const isFollowed = kept?.follower?.isHeard(MAX_SILENCE.following) ?? false
    return kept && isFollowed && !isRecent(kept, maxAge) ? null : true
  }, POLL_MS)
}

/** Reads what has changed, in the same round trip as `statements`, and stores it in the index. */
async function follow<S>(db: Database, current: Kept, statements: S & NamedStatements) {
  const cursor = current.index?.cursor ?? 0
  const startedAt = Date.now()
  const follower = new Heartbeat()
  current.follower = follower
  const { positions, changed, results } = await batch(db, {
    positions: SELECT_POSITION,
    changed: selectChangedListings(cursor, MAX_CHANGES),
    // The compiler cannot follow the recursion of generic statements.
    results: statements as never,
  }).finally(() => {
    if (current.follower === follower) current.follower = null
  })
  const [position] = positions
  if (!position || !canFollow(current, current.index?.cursor ?? cursor, position)) {
    forget(current)
    return { isComplete: false, hasChanged: true, results }
  }
  const isComplete = changed.length < MAX_CHANGES
  const hasNewPlaces = position.places !== current.placesVersion
  if (hasNewPlaces) await readPlaces(db, current)
  const { index } = current
  if (index) store(index, changed, isComplete ? position.cursor : (changed.at(-1)?.cursor ?? 0))
  if (index && isComplete && position.cursor >= index.cursor) current.checkedAt = startedAt
  return { isComplete, hasChanged: hasNewPlaces || changed.length > 0, results }
}

/**
 * Whether the index is to follow the change feed from `from` to a position. It cannot if the database is another one, or forgot a
 * deletion. A copy of the database may be behind for a while; if it stays so, it was restored. An index that was idle is
 * loaded anew; one that was just loaded goes on however far it is behind, so that this ends.
 */
function canFollow(current: Kept, from: number, { deployment, purged, cursor }: Position): boolean {
  const isBehind = cursor < from
  const isFar = current.checkedAt > 0 && cursor - from > MAX_FOLLOWED
  return (
    !isFar &&
    deployment === current.deployment &&
    purged <= from &&
    !(isBehind && !isRecent(current, MAX_AGE.duringFailure))
  )
}

/** Stores changes up to `cursor`, unless another request has stored later ones. */
function store(index: ListingIndex, changed: readonly ChangedRow[], cursor: number): void {
  if (cursor <= index.cursor) return
  index.remove(changed.flatMap(({ id, changed_id }) => (id === null ? changed_id : [])))
  index.apply(changed.filter((row): row is ChangedRow & SourceRow => row.id !== null))
  index.cursor = cursor
}

async function readPlaces(db: Database, current: Kept): Promise<void> {
  const { places, positions } = await batch(db, { places: selectPlaces(), positions: SELECT_POSITION })
  if (current.index) current.index.places = new Places(places)
  current.placesVersion = positions[0]?.places ?? current.placesVersion
}

/** The index in its last state; loaded by one request if there is none. Throws 503 long after `since`. */
async function loaded(db: Database, since: number): Promise<Kept> {
  while (!kept) {
    if (!isWithin(since, MAX_WAIT_MS)) throw databaseBusy()
    // A load that was ended leaves what another has loaded since.
    if (!loading?.heartbeat.isHeard(MAX_SILENCE.loading)) kept = (await load(db)) ?? kept
    else await sleep(POLL_MS)
  }
  return kept
}

/** Null if the load was ended. */
async function load(db: Database): Promise<Kept | null> {
  const mine = { heartbeat: new Heartbeat(), filling: newFilling() }
  // One that was silent may go on: two would take the memory twice. A large photo has left as much in the codec.
  endLoad()
  releaseCodec()
  loading = mine
  try {
    const onProgress = () => mine.heartbeat.beat()
    const done = await loadListings(db, { onProgress, filling: mine.filling })
    if (!done) return null
    const { index, position } = done
    return {
      index,
      checkedAt: 0,
      follower: null,
      deployment: position.deployment,
      placesVersion: position.places,
    }
  } finally {
    if (loading === mine) loading = null
  }
}
