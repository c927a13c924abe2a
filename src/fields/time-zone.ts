/**
 * Time zones: instants are stored in UTC, and people read them in the zone of their agency.
 *
 * All follows from one question to `Intl`: the offset of a zone at an instant. `Temporal` would answer more, but neither
 * workerd nor the oldest Node that is supported has it, and a library would bring another copy of the zones.
 */
import { formatDateTime } from './values.ts'

/** The time zone of an agency that has set none. */
export const DEFAULT_TIME_ZONE = 'Europe/Athens'

/** Whether `name` is a time zone of the IANA database, such as `Europe/Athens`. An offset is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const DAY = 86_400_000
/** How far apart two changes of a zone are at least: Morocco changes twice around Ramadan. */
const MIN_CHANGE_INTERVAL = 14 * DAY
/** The instants that `YYYY-MM-DD HH:MM:SS` can say. */
const [FIRST, LAST] = [instantOf('0000-01-01 00:00:00'), instantOf('9999-12-31 23:59:59')]

/** From the first instant or day up to, but not including, the second. */
interface Span {
  from: string
  to: string
}

/**
 * A day of a zone in UTC. It has 23 to 25 hours, and begins later than at midnight where the clock skips that. A day that
 * the zone has skipped ends when it begins.
 */
export function dayInZone(day: string, timeZone: string): Span {
  const midnight = instantOf(`${day} 00:00:00`)
  return { from: inUtc(startOfDay(midnight, timeZone)), to: inUtc(startOfDay(midnight + DAY, timeZone)) }
}

/** When the next day of a zone begins after an instant, both in UTC. */
export function nextMidnight(dateTime: string, timeZone: string): string {
  const instant = instantOf(dateTime)
  // Not simply tomorrow: a clock that was set back over midnight shows the old day again.
  let midnight = instantOf(`${toLocal(dateTime, timeZone).slice(0, 10)} 00:00:00`)
  while (startOfDay(midnight, timeZone) <= instant) midnight += DAY
  return inUtc(startOfDay(midnight, timeZone))
}

/** An instant as the clocks of a zone show it, both `YYYY-MM-DD HH:MM:SS`. */
export function toLocal(dateTime: string, timeZone: string): string {
  const instant = instantOf(dateTime)
  return inUtc(instant + offsetAt(instant, timeZone))
}

/** The day that it is in a zone, `YYYY-MM-DD`. */
export function todayIn(timeZone: string, now = new Date()): string {
  return toLocal(formatDateTime(now), timeZone).slice(0, 10)
}

/** The days between two instants in UTC, the last excluded; undefined unless a day begins at both. */
export function wholeDays(starts: string, ends: string, timeZone: string): Span | undefined {
  const [from, to] = [toLocal(starts, timeZone).slice(0, 10), toLocal(ends, timeZone).slice(0, 10)]
  const isWhole = dayInZone(from, timeZone).from === starts && dayInZone(to, timeZone).from === ends
  return isWhole ? { from, to } : undefined
}

/** A change of the offset of a zone, in milliseconds: when it is, and the offsets before and from then on. */
export interface ZoneChange {
  at: number
  before: number
  after: number
}

/** The changes of a zone between two instants, in order. */
export function zoneChanges(timeZone: string, from: number, to: number): ZoneChange[] {
  const changes: ZoneChange[] = []
  let before = offsetAt(from, timeZone)
  for (let start = from; start < to; start += MIN_CHANGE_INTERVAL) {
    const end = Math.min(start + MIN_CHANGE_INTERVAL, to)
    const after = offsetAt(end, timeZone)
    if (after !== before) changes.push({ at: findChange(start, end, timeZone), before, after })
    before = after
  }
  return changes
}

/** The first instant of a day. `midnight`: that of the day, as if the zone were UTC. */
function startOfDay(midnight: number, timeZone: string): number {
  const offsets = [offsetAt(midnight - DAY, timeZone), offsetAt(midnight + DAY, timeZone)]
  // Midnight can be twice, and the first counts.
  const candidates = [midnight - Math.max(...offsets), midnight - Math.min(...offsets)]
  const start = candidates.find((instant) => instant + offsetAt(instant, timeZone) === midnight)
  return start ?? findChange(midnight - DAY, midnight + DAY, timeZone)
}

/** When a zone changes between two instants, to the second. */
function findChange(from: number, to: number, timeZone: string): number {
  const before = offsetAt(from, timeZone)
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (offsetAt(middle, timeZone) === before) low = middle
    else high = middle
  }
  return high
}

/** What makes the offsets of a zone. Only the last is kept: it takes much longer to make than to use, and agencies have one. */
let latest: { timeZone: string; format: Intl.DateTimeFormat } | undefined

/** By how much the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
export function offsetAt(instant: number, timeZone: string): number {
  if (latest?.timeZone !== timeZone) {
    latest = { timeZone, format: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }) }
  }
  // `1/31/2026, GMT+02:00`; `GMT` alone is none, and local mean time has seconds.
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(latest.format.format(instant)) ?? []
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

/** The instant of a date-time in UTC. */
export function instantOf(dateTime: string): number {
  return Date.parse(`${dateTime.replace(' ', 'T')}Z`)
}

/** An instant as a date-time in UTC; the first or last that there is, if it lies beyond. */
function inUtc(instant: number): string {
  return formatDateTime(new Date(Math.min(Math.max(instant, FIRST), LAST)))
}

const LOCALES = { el: 'el-GR', en: 'en-GB' }

/** A date-time in UTC, `YYYY-MM-DD HH:MM:SS`, as people in a time zone write it. */
export function formatInZone(dateTime: string, timeZone: string, language: keyof typeof LOCALES): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'full',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  }).format(instantOf(dateTime))
}
