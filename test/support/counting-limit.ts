/** A rate limit that is counted here instead of by the platform. */
export class CountingLimit implements RateLimit {
  /** The callers, one for each call. */
  readonly counted: string[] = []
  /** How often each has called. */
  readonly counts = new Map<string, number>()
  private readonly calls: number

  constructor(calls = 3) {
    this.calls = calls
  }

  limit({ key }: RateLimitOptions): Promise<RateLimitOutcome> {
    const count = (this.counts.get(key) ?? 0) + 1
    this.counted.push(key)
    this.counts.set(key, count)
    return Promise.resolve({ success: count <= this.calls })
  }
}
