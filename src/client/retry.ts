/**
 * Making a call again that got no answer, or was told to come back: after longer and longer pauses, which differ so
 * that those who were turned away together do not come back together.
 */

/** How often, and how long, a call is made again. */
export interface Retries {
  /** Most times that a call is sent, the first included; 5 unless given. */
  tries?: number | undefined
  /** For how many seconds from its beginning a call may be sent again; 90 unless given, as a budget is for 60. */
  seconds?: number | undefined
}

/** A try that got no answer, with the error of `fetch`. */
interface CallWithoutReply {
  lost: unknown
}

interface CallWithReply {
  response: Response
}

interface Call extends Required<Retries> {
  /** Whether sending it twice does no more than sending it once. */
  isRepeatable: boolean
  signal: AbortSignal | undefined
}

/** The first pause, and the longest that nobody asked for, in milliseconds. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 10_000
/** A timer that is set to more ends at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** What holds when it is told as `retries`; false means once. */
export function retriesOf(retries: Retries | false | undefined): Required<Retries> {
  const { tries = 5, seconds = 90 } = retries || { tries: retries === false ? 1 : undefined }
  return { tries, seconds: tries > 1 ? seconds : 0 }
}

/**
 * Sends until an answer stands, or until tries or time are used up: then it gives the last answer, or throws the last
 * error. To wait for the same call of before, which is still at work (409 with `Retry-After`), takes time but no try.
 * Throws the reason of `signal` when it is aborted during a pause.
 * @param send sends once; what it throws is final
 * @returns the answer, and whether a try before it may have been done without anybody knowing
 */
export async function callWithRetries<Answer extends CallWithReply>(
  send: () => Promise<Answer | CallWithoutReply>,
  { tries, seconds, isRepeatable, signal }: Call,
): Promise<{ answer: Answer; inDoubt: boolean }> {
  const end = Date.now() + seconds * 1000
  let inDoubt = false
  for (let sent = 0, pauses = 0; ; pauses++) {
    const outcome = await send()
    const response = 'lost' in outcome ? undefined : outcome.response
    const requested = response ? retryAfter(response) : 0
    if (response?.status !== 409 || requested === 0) sent++
    const pause = pauseOf(pauses, requested)
    const isOver = sent >= tries || Date.now() + pause > end || signal?.aborted
    if (isOver || !mayRepeat(response, isRepeatable)) return toOutcome(outcome, inDoubt)
    await wait(pause, signal)
    // Timers stand still while a machine sleeps, and the service knows a key for a day.
    if (Date.now() > end) return toOutcome(outcome, inDoubt)
    inDoubt ||= hasNoReply(response)
  }
}

function toOutcome<Answer extends CallWithReply>(outcome: Answer | CallWithoutReply, inDoubt: boolean) {
  if ('lost' in outcome) throw outcome.lost
  return { answer: outcome, inDoubt }
}

/** What is answered 409 or 429 may be sent again: nothing was done. */
function mayRepeat(response: Response | undefined, isRepeatable: boolean): boolean {
  return response?.status === 409 || response?.status === 429 || (isRepeatable && hasNoReply(response))
}

/** Whether nobody knows if the call was done: no answer, 503, or an error of what stands before the service. */
function hasNoReply(response: Response | undefined): boolean {
  if (!response || response.status === 503) return true
  return response.status >= 500 && !response.headers.has('X-Request-Id')
}

/** How long an answer asks to wait, in milliseconds; 0 where it does not. It is a number of seconds or a date. */
function retryAfter({ headers }: Response): number {
  const retryAfterSeconds = headers.get('Retry-After')?.trim() ?? ''
  const wait = /^\d+$/.test(retryAfterSeconds)
    ? Number(retryAfterSeconds) * 1000
    : Date.parse(retryAfterSeconds) - Date.now()
  return wait > 0 ? wait : 0
}

/** @param requested milliseconds that it takes at least */
function pauseOf(pauses: number, requested: number): number {
  const own = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** pauses)
  return Math.min(LONGEST_TIMER, requested * (1 + Math.random() / 10) + own * (0.5 + Math.random() / 2))
}

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
