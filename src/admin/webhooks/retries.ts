/** When a delivery that failed is tried again. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds until the next attempt, by how many have failed: 5 s, 30 s, …, then every 6 hours for 3 days. */
const PAUSES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  ...Array<number>(12).fill(6 * HOUR),
]

/** What the service notes of a subscription that it gives up. */
export const GIVEN_UP = `Not delivered in ${PAUSES.length + 1} attempts`
export const GONE = 'The receiver answered 410'

/** What follows an attempt that failed: the moment of the next, or why there is none. */
export type Sequel = { next: number } | { disabled: string }

/** @param failures how many attempts have failed by now, this one included */
export function afterFailure(failures: number, status: number | null, now: number): Sequel {
  if (status === 410) return { disabled: GONE }
  const pause = PAUSES[failures - 1]
  return pause === undefined ? { disabled: GIVEN_UP } : { next: now + pause }
}
