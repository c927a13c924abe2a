/**
 * Bounds how many requests of one isolate do the same kind of work at once.
 *
 *     const slot = makings.take()            // null: none is free
 *     slot.beat()                            // at least every `silence` milliseconds
 *     slot.free()
 *
 * A request that its client has cancelled stops silently and frees nothing. So a slot without a recent beat is free.
 */

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
  /** When each slot last had a beat, as `Date.now()`. */
  readonly #beats = new Map<object, number>()

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
    const silentSince = Date.now() - this.#silence
    for (const [slot, beat] of this.#beats) if (beat < silentSince) this.#beats.delete(slot)
    if (this.#beats.size >= this.#max) return null
    const key = {}
    this.#beats.set(key, Date.now())
    return {
      beat: () => void this.#beats.set(key, Date.now()),
      free: () => void this.#beats.delete(key),
    }
  }

  /** The next free slot, or null at `until`, as `Date.now()`. */
  async wait(until: number): Promise<Slot | null> {
    for (let slot = this.take(); ; slot = this.take()) {
      if (slot || Date.now() >= until) return slot
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
