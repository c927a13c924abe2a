/** When appointments end, by themselves and at most. */
import { instantOf, nextMidnight } from '../../fields/time-zone.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'

const MINUTE = 60_000
/** How long an appointment lasts at most. */
const MAX_LENGTH = 31 * 24 * 60 * MINUTE
/** The last instant that a date-time can say. */
const LAST = instantOf('9999-12-31 23:59:59')

/** When an appointment ends that says nothing of it: after half an hour, a valuation after one, an absence with the day. */
export function defaultEnd(type: string | undefined, starts: string, timeZone: string): string {
  if (type === 'absence') return nextMidnight(starts, timeZone)
  const minutes = type === 'valuation' ? 60 : 30
  return formatDateTime(new Date(Math.min(instantOf(starts) + minutes * MINUTE, LAST)))
}

/** Refuses an end that is not later than the start, or too late. */
export function checkEnd(draft: Pick<Draft<unknown>, 'refuse'>, starts: string, ends: string): void {
  if (ends <= starts) draft.refuse('ends', 'Invalid ends: must be later than starts')
  else if (instantOf(ends) - instantOf(starts) > MAX_LENGTH)
    draft.refuse('ends', 'Invalid ends: must be at most 31 days after starts')
}
