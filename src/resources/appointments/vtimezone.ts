/**
 * A time zone as calendars describe it: a VTIMEZONE of RFC 5545, made of what `Intl` knows. Changes that come each year by
 * a rule are written as that rule, because Outlook reads nothing else; others are written one by one.
 */
import { instantOf, offsetAt, type ZoneChange, zoneChanges } from '../../fields/time-zone.ts'
import { formatDateTime } from '../../fields/values.ts'

/** How many years are read, from the one before the first: enough to distinguish the last Sunday from the fourth. */
const YEARS = 8
const DAY = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/**
 * Describes a zone from the year of one instant to that of another, both in UTC: by the lines of its VTIMEZONE, and by the
 * local time of instants. That is undefined outside of these years, and where the clock shows it twice.
 */
export function describeZone(timeZone: string, from: string, to: string) {
  const firstYear = yearOf(from) - 1
  const lastYear = Math.max(firstYear + YEARS - 1, yearOf(to))
  const [start, end] = [Date.UTC(firstYear, 0), Date.UTC(lastYear + 1, 0)]
  const changes = zoneChanges(timeZone, start, end)
  // What held at the start is left out if nothing needs it: Outlook refuses a second STANDARD.
  if (!changes.some(({ at }) => at <= instantOf(from))) {
    const offset = offsetAt(start, timeZone)
    changes.unshift({ at: start, before: offset, after: offset })
  }
  const alike = [...Map.groupBy(changes, ({ before, after }) => `${before} ${after}`).values()]
  const observances = alike.flatMap((observed) => observance(observed, lastYear))
  return {
    lines: ['BEGIN:VTIMEZONE', `TZID:${timeZone}`, ...observances, 'END:VTIMEZONE'],
    toLocal: (dateTime: string): string | undefined => {
      const instant = instantOf(dateTime)
      const current = changes.findLast(({ at }) => at <= instant)
      const isTwice = changes.some(
        ({ at, before, after }) => instant >= at - (before - after) && instant < at + (before - after),
      )
      if (!current || instant >= end || isTwice) return undefined
      return formatDateTime(new Date(instant + current.after))
    },
  }
}

const yearOf = (dateTime: string) => Number(dateTime.slice(0, 4))

/** Changes between the same two offsets. */
function observance(changes: ZoneChange[], lastYear: number): string[] {
  const [{ before, after } = { before: 0, after: 0 }] = changes
  const onsets = changes.map(({ at }) => new Date(at + before))
  const times = onsets.map((local) => local.toISOString().slice(0, 19).replace(/[-:]/g, ''))
  const rule = yearlyRule(onsets, lastYear)
  const name = after > before ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${name}`,
    `DTSTART:${times[0]}`,
    // Readers look at the first date of a line only, or at no DTSTART where there are others.
    ...(rule ? [`RRULE:${rule}`] : times.length > 1 ? times.map((time) => `RDATE:${time}`) : []),
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    `END:${name}`,
  ]
}

/** The rule of which the onsets are all that there are up to the last year. */
function yearlyRule(onsets: Date[], lastYear: number): string | undefined {
  const [first = new Date(0)] = onsets
  const isYearly = onsets.length >= YEARS - 1 && onsets.length === lastYear - first.getUTCFullYear() + 1
  const isPunctual = onsets.every((onset) => (onset.getTime() - first.getTime()) % DAY === 0)
  if (!isYearly || !isPunctual) return undefined
  return rulesFor(first).find((rule) => onsets.every((onset) => rulesFor(onset).includes(rule)))
}

/** The rules by which a day can be chosen: the nth of its weekday in a month, or the last. */
function rulesFor(day: Date): string[] {
  const month = day.getUTCMonth()
  const isLast = new Date(day.getTime() + 7 * DAY).getUTCMonth() !== month
  const weeks = [...(isLast ? [-1] : []), Math.ceil(day.getUTCDate() / 7)]
  return weeks.map((week) => `FREQ=YEARLY;BYMONTH=${month + 1};BYDAY=${week}${WEEKDAYS[day.getUTCDay()]}`)
}

/** `+0200`. */
const offsetText = (offset: number) =>
  `${offset < 0 ? '-' : '+'}${new Date(Math.abs(offset)).toISOString().slice(11, 16).replace(':', '')}`
