/**
 * Requests of one isolate take turns where they would be in each other's way: writers of the same record, so that each
 * tries once instead of all of them again and again, and photos, so that no call waits for all those of another.
 * Nothing depends on it: the guard of a record's version decides between writers, those of other isolates among them,
 * and a photo is worked on in one go.
 *
 *     await takeTurn('listings 5', () => mergeOnce())
 *
 * Requests share no promise: one that its client has given up ends without a word, and whoever waited for a promise
 * of it would wait for ever. So each looks from time to time whether it is its turn, and those that give no sign of life
 * are passed over.
 */

/** One request's place in a line. */
interface QueueEntry {
  /** When it is taken for dead unless it gives a sign of life, as `Date.now()`. */
  aliveUntil: number
}

/** Between two looks, in milliseconds for each request ahead, and at most. */
const POLL_MS = 4
const MAX_POLL_MS = 200
/** Between two signs of life, and how long there may be none, in milliseconds. */
const HEARTBEAT_MS = 200
const SILENCE_LIMIT_MS = 700
/** How long a request waits at all before it goes ahead. */
const MAX_WAIT_MS = 15_000

const queues = new Map<string, QueueEntry[]>()

/** Runs `work` when all who came before in `line` are done, or gone. */
export async function runInOrder<T>(queue: string, work: () => Promise<T>): Promise<T> {
  const entry: QueueEntry = { aliveUntil: Date.now() + SILENCE_LIMIT_MS }
  const end = Date.now() + MAX_WAIT_MS
  /** Since when others can be heard: while a photo is worked on, nobody can give a sign of life. */
  let heardSince = Date.now()
  queues.set(queue, [...(queues.get(queue) ?? []), entry])
  // Ends with the request, whatever ends it.
  const heartbeat = setInterval(() => {
    entry.aliveUntil = Date.now() + SILENCE_LIMIT_MS
  }, HEARTBEAT_MS)
  try {
    for (
      let ahead = countBefore(queue, entry);
      ahead > 0 && Date.now() < end;
      ahead = countBefore(queue, entry)
    ) {
      const pause = Math.min(MAX_POLL_MS, POLL_MS * ahead)
      const expected = Date.now() + pause
      await new Promise((resolve) => setTimeout(resolve, pause))
      if (Date.now() - expected > HEARTBEAT_MS) heardSince = Date.now()
      if (Date.now() - heardSince > SILENCE_LIMIT_MS) removeSilentEntries(queue, entry)
    }
    return await work()
  } finally {
    clearInterval(heartbeat)
    leaveQueue(queue, (other) => other === entry)
  }
}

/**
 * Lets other requests, timers and sockets come in. Where D1 runs in the same process, as on a machine of one's own, nothing
 * waits for the system while one query follows the other: long work would hold up everybody else until it ends.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

function countBefore(queue: string, entry: QueueEntry): number {
  return queues.get(queue)?.indexOf(entry) ?? 0
}

/** Takes those for dead who have not been heard of. */
function removeSilentEntries(queue: string, entry: QueueEntry): void {
  const now = Date.now()
  leaveQueue(queue, (other) => other !== entry && other.aliveUntil < now)
}

function leaveQueue(queue: string, isLeaving: (entry: QueueEntry) => boolean): void {
  const left = (queues.get(queue) ?? []).filter((entry) => !isLeaving(entry))
  if (left.length > 0) queues.set(queue, left)
  else queues.delete(queue)
}
