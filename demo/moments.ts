/** Times of the demo agency, in milliseconds and in the format of the API. */
import type { Random } from '../fixtures/random.ts'

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
export function dateTimeOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
}

/** `YYYY-MM-DD`. */
export function dateOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

export const DAY = 24 * 60 * 60 * 1000
