/**
 * Joins the reads that parts of one piece of work ask for at the same time into one call to D1.
 *
 *     const joined: Database = { ...db, joined: new JoinedReads() }
 *     await Promise.all([batch(joined, { … }), batch(joined, { … })])   // one call
 */
import { yieldToEventLoop } from '../http/concurrency/waiting.ts'
import type { Statement } from './statements.ts'

/** Runs statements as one call. */
type Send = (statements: readonly Statement[]) => Promise<D1Result<Record<string, unknown>>[]>

/** Statements of one part, which waits for their results. */
interface Waiting {
  statements: readonly Statement[]
  results: (results: Awaited<ReturnType<Send>>) => void
  failure: (error: unknown) => void
}

/** The reads that wait for the next call. */
export class JoinedReads {
  private waiting: Waiting[] = []

  /** The results of `statements`, which only read. All parts must use the same `send`. */
  run(statements: readonly Statement[], send: Send): ReturnType<Send> {
    return new Promise((results, failure) => {
      this.waiting.push({ statements, results, failure })
      if (this.waiting.length === 1) void this.sendSoon(send)
    })
  }

  /** Sends what waits once every part that can go on has asked. */
  private async sendSoon(send: Send): Promise<void> {
    await yieldToEventLoop()
    const parts = this.waiting
    this.waiting = []
    try {
      const found = await send(parts.flatMap(({ statements }) => statements))
      let next = 0
      for (const { statements, results } of parts) {
        results(found.slice(next, next + statements.length))
        next += statements.length
      }
    } catch (error) {
      for (const { failure } of parts) failure(error)
    }
  }
}
