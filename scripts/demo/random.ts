/** Chance that repeats itself: the same seed always gives the same demo data, byte for byte. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number, both bounds included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
  /** `count` different values, in the order in which they were drawn. */
  sample<T>(values: readonly T[], count: number): T[]
  /** Draws every value once before any comes a second time, so that none is left out. */
  deck<T>(values: readonly T[]): () => T
}

/** A generator of chance (mulberry32) that starts from a seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(values: readonly T[]): T => {
    const value = values[int(0, values.length - 1)]
    if (value === undefined) throw new Error('Nothing to pick from')
    return value
  }
  const sample = <T>(values: readonly T[], count: number): T[] => {
    const rest = [...values]
    const drawn: T[] = []
    while (drawn.length < count && rest.length > 0) drawn.push(...rest.splice(int(0, rest.length - 1), 1))
    return drawn
  }
  const deck = <T>(values: readonly T[]) => {
    let left: T[] = []
    return () => {
      if (left.length === 0) left = sample(values, values.length)
      const value = left.pop()
      if (value === undefined) throw new Error('An empty deck')
      return value
    }
  }
  return { next, int, chance: (probability) => next() < probability, pick, sample, deck }
}

/** First and last moment of the demo agency's records. */
export const OPENED = Date.UTC(2024, 0, 8, 8)
export const LATEST = Date.UTC(2026, 9, 30, 16)

/** A moment of a working day, between two moments. */
export function momentBetween(random: Random, from: number, to: number): number {
  const moment = new Date(from + Math.floor(random.next() * (to - from)))
  moment.setUTCHours(random.int(7, 17), random.int(0, 59), random.int(0, 59))
  return Math.min(Math.max(moment.getTime(), from), to)
}

/** `YYYY-MM-DD HH:MM:SS`. */
export function dateTime(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
}

/** `YYYY-MM-DD`. */
export function date(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

export const DAY = 24 * 60 * 60 * 1000
