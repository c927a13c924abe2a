/**
 * Queues requests of one isolate that would get in each other's way. Writers of one record queue, so that each needs
 * only one attempt. Photos queue, so that a call with one photo does not wait for a call with many.
 *
 * Correctness does not depend on the queue. The guard of a record's version decides between writers, including those
 * of other isolates. Processing of a photo is synchronous.
 *
 *     await runInOrder('listings 5', () => mergeOnce())
 *
 * Requests do not await each other's promises: a request that its client has cancelled stops silently, and its promise
 * would stay pending forever. So each request polls, and requests without a heartbeat are skipped.
 */

/** The place of one request in a queue. */
interface QueueEntry {
  /** When the request counts as dead unless it sends a heartbeat, as `Date.now()`. */
  aliveUntil: number
}

/** Polling interval in ms: per request ahead, and the maximum. */
const POLL_MS = 4
const MAX_POLL_MS = 200
/** Interval of the heartbeat, and how long it may be missing, in ms. */
const HEARTBEAT_MS = 200
const SILENCE_LIMIT_MS = 700
/** Maximum wait in ms; after it the request runs anyway. */
const MAX_WAIT_MS = 15_000

const queues = new Map<string, QueueEntry[]>()

/** Runs `work` when all earlier requests in `queue` are done or dead, or after `MAX_WAIT_MS`. */
export async function runInOrder<T>(queue: string, work: () => Promise<T>): Promise<T> {
  const entry: QueueEntry = { aliveUntil: Date.now() + SILENCE_LIMIT_MS }
  const end = Date.now() + MAX_WAIT_MS
  /** Since when timers run on time: while a photo is processed, no request can send a heartbeat. */
  let heardSince = Date.now()
  queues.set(queue, [...(queues.get(queue) ?? []), entry])
  // The timer ends with its request, even if the client cancels it.
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
 * Lets other requests, timers and sockets proceed. A local D1 runs in the same process, so consecutive queries never
 * wait for the system, and long work would block all other requests.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

function countBefore(queue: string, entry: QueueEntry): number {
  return queues.get(queue)?.indexOf(entry) ?? 0
}

/** Removes requests without a recent heartbeat. */
function removeSilentEntries(queue: string, entry: QueueEntry): void {
  const now = Date.now()
  leaveQueue(queue, (other) => other !== entry && other.aliveUntil < now)
}

function leaveQueue(queue: string, isLeaving: (entry: QueueEntry) => boolean): void {
  const left = (queues.get(queue) ?? []).filter((entry) => !isLeaving(entry))
  if (left.length > 0) queues.set(queue, left)
  else queues.delete(queue)
}
