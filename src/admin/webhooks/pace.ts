/** What deliveries take of time; tests have another one. */

export interface Pace {
  /** Milliseconds, as of `Date.now()`. */
  now: () => number
  wait: (milliseconds: number) => Promise<void>
  /** How long a receiver may take to answer, in milliseconds. */
  answerLimit: number
}

/** How long a receiver may take to answer, in milliseconds. */
export const ANSWER_LIMIT = 10_000

export const REAL_PACE: Pace = {
  now: () => Date.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  answerLimit: ANSWER_LIMIT,
}
