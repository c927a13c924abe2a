/**
 * How requests of one isolate wait for each other. None awaits a promise of another: a request that its client has cancelled
 * stops silently, and its promise would stay pending forever. So they poll, and one without a heartbeat counts as dead.
 */

/** Interval of heartbeats in ms. */
export const HEARTBEAT_MS = 200

/** Resolves after so many milliseconds. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/**
 * Lets other requests, timers and sockets proceed. A local D1 runs in the same process, so consecutive queries never
 * wait for the system, and long work would block all other requests.
 */
export const yieldToEventLoop = (): Promise<void> => sleep(0)

/**
 * The first value of `find` that is not null; null if there is none at `until`.
 * @param interval milliseconds between two calls of `find`
 * @param until as `Date.now()`
 */
export async function poll<T>(
  find: () => T | null,
  interval: number,
  until = Number.POSITIVE_INFINITY,
): Promise<T | null> {
  for (let found = find(); ; found = find()) {
    if (found !== null || Date.now() >= until) return found
    await sleep(interval)
  }
}

/** Whether `time` is at most so many milliseconds away; a clock that has gone back leaves times to come. */
export function isWithin(time: number, milliseconds: number): boolean {
  return Math.abs(Date.now() - time) <= milliseconds
}

/** The signs of life of a request. */
export class Heartbeat {
  #heardAt = Date.now()

  beat(): void {
    this.#heardAt = Date.now()
  }

  /** Whether it was heard within so many milliseconds. */
  isHeard(silence: number): boolean {
    return isWithin(this.#heardAt, silence)
  }

  /** Beats while `work` runs: the timer ends with its request, even if the client cancels it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => this.beat(), HEARTBEAT_MS)
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }
}
