/**
 * Queues requests of one isolate that would get in each other's way. Writers of one record queue, so that each needs
 * only one attempt. Photos queue, so that a call with one photo does not wait for a call with many.
 *
 * Correctness does not depend on the queue. The guard of a record's version decides between writers, including those
 * of other isolates. Processing of a photo is synchronous. But its memory depends on the queue: a queue with a limit runs
 * nothing out of order, and refuses what would wait for too long.
 *
 *     await runInOrder('listings 5', () => mergeOnce())
 *     await runInOrder('photos', () => process(bytes), { limit: PHOTOS, bytes: bytes.length })   // throws QueueBusy
 */
import { ApiError } from '../errors.ts'
import { makeRoom } from './room.ts'
import { HEARTBEAT_MS, Heartbeat, isWithin, sleep } from './waiting.ts'

interface QueueEntry {
  heartbeat: Heartbeat
  /** What the request holds in memory. */
  bytes: number
}

/** What the requests in a queue may hold together, beside the one at its head. */
export interface QueueLimit {
  requests: number
  bytes: number
}

/** 503: the queue of a request is full, or did not get to it in time. Its work has not begun. */
export class QueueBusy extends ApiError {
  override readonly name = 'QueueBusy'

  constructor() {
    super(503, 'Too many requests are waiting', [], {
      'Retry-After': String(MAX_WAIT_MS / 1000),
      'Cache-Control': 'no-store',
    })
  }
}

/** Polling interval in ms: per request ahead, and the maximum. */
const POLL_MS = 4
const MAX_POLL_MS = 200
/** How long the heartbeat of a request may be missing, in ms. */
const SILENCE_LIMIT_MS = 700
/** Maximum wait in ms; after it the request runs anyway, or is refused if the queue has a limit. */
const MAX_WAIT_MS = 15_000

/** How long a request with a large body may be silent: others may compute for seconds. In ms. */
const BODY_SILENCE_MS = 10_000
/** What the large bodies of all requests may hold together, unless it is the only one. */
const MAX_BODY_BYTES = 48 * 1024 * 1024
/** With so many bytes read, a body is large: its text and its values take several times as much. */
const LARGE_BODY_BYTES = 8 * 1024 * 1024
/** How long the announced length of a body takes room, in ms. After that only what has come does. */
const MAX_UPLOAD_MS = 60_000

/** A request with a large body, of which `bytes` were read. */
interface LargeBody extends QueueEntry {
  /** Its length; 0 if that is unknown. */
  announced: number
  begunAt: number
}

const queues = new Map<string, QueueEntry[]>()
const largeBodies = new Set<LargeBody>()

/**
 * Runs `work` when all earlier requests in `queue` are done or dead, or after `MAX_WAIT_MS`. With a limit it throws
 * QueueBusy instead, at once if the queue is full.
 * @param bytes what the request holds in memory while it waits
 */
export async function runInOrder<T>(
  queue: string,
  work: () => Promise<T>,
  { limit, bytes = 0 }: { limit?: QueueLimit; bytes?: number } = {},
): Promise<T> {
  if (limit && isFull(queue, bytes, limit)) throw new QueueBusy()
  const entry: QueueEntry = { heartbeat: new Heartbeat(), bytes }
  const end = Date.now() + MAX_WAIT_MS
  /** Since when timers run on time: while a photo is processed, no request can send a heartbeat. */
  let heardSince = Date.now()
  queues.set(queue, [...(queues.get(queue) ?? []), entry])
  const runAtHead = async () => {
    let ahead = countBefore(queue, entry)
    while (ahead > 0 && Date.now() < end) {
      const pause = Math.min(MAX_POLL_MS, POLL_MS * ahead)
      const expected = Date.now() + pause
      await sleep(pause)
      if (!isWithin(expected, HEARTBEAT_MS)) heardSince = Date.now()
      if (Date.now() - heardSince > SILENCE_LIMIT_MS) removeSilentEntries(queue, entry)
      ahead = countBefore(queue, entry)
    }
    if (limit && ahead > 0) throw new QueueBusy()
    return await work()
  }
  try {
    return await entry.heartbeat.during(runAtHead)
  } finally {
    leaveQueue(queue, (other) => other === entry)
  }
}

/**
 * Runs `work` for a request whose body has so many bytes; 0 if that is unknown. Throws QueueBusy, before anything is read,
 * if they have no room beside those of other requests.
 * @param work gets a function that reports how many bytes were read, and throws QueueBusy if there is no room for more
 */
export async function runWithBody<T>(
  bytes: number,
  work: (reportRead: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  for (const entry of largeBodies) if (!entry.heartbeat.isHeard(BODY_SILENCE_MS)) largeBodies.delete(entry)
  const entry: LargeBody = { heartbeat: new Heartbeat(), bytes: 0, announced: bytes, begunAt: Date.now() }
  const requireRoom = (size: number) => {
    const others = [...largeBodies].reduce((sum, other) => (other === entry ? sum : sum + heldBy(other)), 0)
    if (others > 0 && others + size > MAX_BODY_BYTES) throw new QueueBusy()
  }
  const reportRead = (read: number) => {
    if (read <= entry.bytes) return
    requireRoom(read)
    entry.bytes = read
    if (read >= LARGE_BODY_BYTES) makeRoom()
  }
  requireRoom(bytes)
  largeBodies.add(entry)
  try {
    return await entry.heartbeat.during(() => work(reportRead))
  } finally {
    largeBodies.delete(entry)
  }
}

function heldBy({ bytes, announced, begunAt }: LargeBody): number {
  return isWithin(begunAt, MAX_UPLOAD_MS) ? Math.max(bytes, announced) : bytes
}

/** What the requests in `queue` hold together. */
export function bytesIn(queue: string): number {
  return (queues.get(queue) ?? []).reduce((sum, { bytes }) => sum + bytes, 0)
}

function countBefore(queue: string, entry: QueueEntry): number {
  return queues.get(queue)?.indexOf(entry) ?? 0
}

/** Whether a request with so many bytes would have to wait beyond the limit. Forgets those that are long dead. */
function isFull(queue: string, bytes: number, limit: QueueLimit): boolean {
  // By then each has been processed or refused, so no request may be left that would remove it.
  leaveQueue(queue, ({ heartbeat }) => !heartbeat.isHeard(MAX_WAIT_MS + SILENCE_LIMIT_MS))
  const [head, ...waiting] = queues.get(queue) ?? []
  if (!head) return false
  const held = waiting.reduce((sum, entry) => sum + entry.bytes, bytes)
  return waiting.length >= limit.requests || held > limit.bytes
}

/** Removes requests without a recent heartbeat. */
function removeSilentEntries(queue: string, entry: QueueEntry): void {
  leaveQueue(queue, (other) => other !== entry && !other.heartbeat.isHeard(SILENCE_LIMIT_MS))
}

function leaveQueue(queue: string, isLeaving: (entry: QueueEntry) => boolean): void {
  const left = (queues.get(queue) ?? []).filter((entry) => !isLeaving(entry))
  if (left.length > 0) queues.set(queue, left)
  else queues.delete(queue)
}
