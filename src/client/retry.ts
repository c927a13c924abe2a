/**
 * Retries calls that got no reply, or a reply that asks to try later. The pauses grow and are partly random, so that
 * clients that failed at the same time do not retry at the same time.
 */

export interface Retries {
  /** Maximum number of attempts, including the first; 5 by default. */
  tries?: number | undefined
  /**
   * Time after the first attempt in which a call may be repeated, in seconds. The default of 90 exceeds the period of
   * a rate limit, 60.
   */
  seconds?: number | undefined
}

/** An attempt without a reply, with the error of `fetch`. */
interface CallWithoutReply {
  lost: unknown
}

interface CallWithReply {
  response: Response
}

interface RetryPolicy extends Required<Retries> {
  /** Whether sending the call twice has the same effect as sending it once. */
  isRepeatable: boolean
  signal: AbortSignal | undefined
}

/** The first pause and the maximum pause, unless the reply asks for a longer one. */
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 10_000
/** The longest pause that 429 may ask for. A rate limit lasts a minute, too many idempotency keys an hour. */
const MAX_LIMIT_MS = 600_000
/** The longest timer: with a longer one, `setTimeout` fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The limits for the option `retries`; false means one attempt. */
export function retryLimits(retries: Retries | false | undefined): Required<Retries> {
  const { tries = 5, seconds = 90 } = retries || { tries: retries === false ? 1 : undefined }
  return { tries, seconds: tries > 1 ? seconds : 0 }
}

/**
 * Sends until there is a final reply, or until attempts or time are used up. Then it returns the last reply or throws
 * the last error. Waiting for an earlier attempt that is still running (409 with `Retry-After`) costs no attempt. If
 * `signal` is aborted during a pause, throws its reason.
 * @param send sends once; an error that it throws is final
 * @returns the reply, and whether an earlier attempt without a reply may have succeeded
 */
export async function callWithRetries<Answer extends CallWithReply>(
  send: () => Promise<Answer | CallWithoutReply>,
  { tries, seconds, isRepeatable, signal }: RetryPolicy,
): Promise<{ answer: Answer; inDoubt: boolean }> {
  const end = Date.now() + seconds * 1000
  let inDoubt = false
  for (let sent = 0, pauses = 0; ; pauses++) {
    const outcome = await send()
    const response = 'lost' in outcome ? undefined : outcome.response
    const requested = response ? retryAfter(response) : 0
    if (response?.status !== 409 || requested === 0) sent++
    const pause = nextPause(pauses, requested)
    const isOver = sent >= tries || Date.now() + pause > end || signal?.aborted
    if (isOver || !mayRepeat(response, isRepeatable)) return finalReply(outcome, inDoubt)
    await wait(pause, signal)
    // Timers stop while a machine sleeps, and the service keeps a key for one day only.
    if (Date.now() > end) return finalReply(outcome, inDoubt)
    inDoubt ||= isOutcomeUnknown(response)
  }
}

/** The reply of the last attempt. Throws its error if there is none. */
function finalReply<Answer extends CallWithReply>(outcome: Answer | CallWithoutReply, inDoubt: boolean) {
  if ('lost' in outcome) throw outcome.lost
  return { answer: outcome, inDoubt }
}

/** Whether the call may be repeated. After 409 and 429 it may, because nothing was done. */
function mayRepeat(response: Response | undefined, isRepeatable: boolean): boolean {
  if (response?.status === 429) return retryAfter(response) <= MAX_LIMIT_MS
  return response?.status === 409 || (isRepeatable && isOutcomeUnknown(response))
}

/** Whether the call may have succeeded: no reply, 503, or an error of a proxy in front of the service. */
function isOutcomeUnknown(response: Response | undefined): boolean {
  if (!response || response.status === 503) return true
  return response.status >= 500 && !response.headers.has('X-Request-Id')
}

/** The pause in `Retry-After` in milliseconds; 0 if absent. The header is a number of seconds or a date. */
function retryAfter({ headers }: Response): number {
  const retryAfterSeconds = headers.get('Retry-After')?.trim() ?? ''
  const wait = /^\d+$/.test(retryAfterSeconds)
    ? Number(retryAfterSeconds) * 1000
    : Date.parse(retryAfterSeconds) - Date.now()
  return wait > 0 ? wait : 0
}

/**
 * The pause before the next attempt, in milliseconds.
 * @param pauses pauses so far
 * @param requested minimum pause in milliseconds
 */
function nextPause(pauses: number, requested: number): number {
  const backoff = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses)
  return Math.min(MAX_TIMER_MS, requested * (1 + Math.random() / 10) + backoff * (0.5 + Math.random() / 2))
}

/** Waits. Rejects with the reason of `signal` as soon as it is aborted. */
function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
