/**
 * How often a run of cron may call D1: an invocation of a Worker has 1,000 calls, which all its jobs share. Each job has a
 * part of its own, so that none starves. What is beyond the parts, and what a job leaves of its own when it ends, is for those
 * that need more. `client.ts` counts; jobs ask before each portion of their work whether enough is left for it.
 *
 * Likewise with time: where D1 is slow, a job begins no portion after `stop` and goes on in the next run. Another run may do
 * its work from `end` on, so nothing is written then.
 */

export interface SharedCalls {
  left: number
}

/** The times of a run, as `Date.now()` has them. */
export interface RunTimes {
  /** When its jobs begin no more portions. */
  stop: number
  /** When it makes no more calls; later once its lease is renewed. */
  end: number
}

/** Of work that only calls limit. */
const ANY_TIME: RunTimes = { stop: Infinity, end: Infinity }

/** The calls of one job, or of one import. */
export class Allowance {
  /** Calls that were made. */
  used = 0
  private readonly own: number
  private readonly shared: SharedCalls
  private readonly times: RunTimes

  constructor(own: number, shared: SharedCalls, times: RunTimes = ANY_TIME) {
    this.own = own
    this.shared = shared
    this.times = times
  }

  /** Counts a call. It is made even if nothing is left: a portion that has begun is finished, unless the run is over. */
  count(): void {
    if (Date.now() >= this.times.end) throw new Error('The run has taken too long')
    this.used++
    if (this.used > this.own) this.shared.left--
  }

  /** Leaves what this job had for itself to the others, as it has ended. */
  release(): void {
    this.shared.left += Math.max(0, this.own - this.used)
  }

  /** Whether `calls` more may be made. */
  has(calls: number): boolean {
    if (Date.now() >= this.times.stop) return false
    return Math.max(0, this.own - this.used) + Math.max(0, this.shared.left) >= calls
  }
}
