/**
 * How often a run of cron may call D1: an invocation of a Worker has 1,000 calls, which all its jobs share. Each job has a
 * part of its own, so that none starves. What is beyond the parts, and what a job leaves of its own when it ends, is for those
 * that need more. `client.ts` counts; jobs ask before each portion of their work whether enough is left for it.
 */

/** Calls that several jobs share. */
export interface SharedCalls {
  left: number
}

/** The calls of one job. */
export class Allowance {
  /** Calls that were made. */
  used = 0
  private readonly own: number
  private readonly shared: SharedCalls

  constructor(own: number, shared: SharedCalls) {
    this.own = own
    this.shared = shared
  }

  /** Counts a call. It is made even if nothing is left: a portion that has begun is finished. */
  count(): void {
    this.used++
    if (this.used > this.own) this.shared.left--
  }

  /** Leaves what this job had for itself to the others, as it has ended. */
  release(): void {
    this.shared.left += Math.max(0, this.own - this.used)
  }

  /** Whether `calls` more may be made. */
  has(calls: number): boolean {
    return Math.max(0, this.own - this.used) + Math.max(0, this.shared.left) >= calls
  }
}
