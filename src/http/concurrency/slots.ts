/**
 * Bounds how many requests of one isolate do the same kind of work at once.
 *
 *     const slot = makings.take()            // null: none is free
 *     slot.beat()                            // at least every `silence` milliseconds
 *     slot.free()
 *
 * A request that its client has cancelled stops silently and frees nothing. So a slot without a recent beat is free.
 */
import { Heartbeat, poll } from './waiting.ts'

export interface Slot {
  /** Says that the work goes on. */
  beat: () => void
  free: () => void
}

/** Polling interval of `wait` in ms. */
const POLL_MS = 50

export class Slots {
  readonly #max: number
  readonly #silence: number
  readonly #taken = new Set<Heartbeat>()

  /**
   * @param max slots
   * @param silence after so many milliseconds without a beat a slot is free
   */
  constructor(max: number, silence: number) {
    this.#max = max
    this.#silence = silence
  }

  /** A free slot, or null. */
  take(): Slot | null {
    for (const other of this.#taken) if (!other.isHeard(this.#silence)) this.#taken.delete(other)
    if (this.#taken.size >= this.#max) return null
    const heartbeat = new Heartbeat()
    this.#taken.add(heartbeat)
    return { beat: () => heartbeat.beat(), free: () => void this.#taken.delete(heartbeat) }
  }

  /** The next free slot, or null at `until`, as `Date.now()`. */
  wait(until: number): Promise<Slot | null> {
    return poll(() => this.take(), POLL_MS, until)
  }
}
