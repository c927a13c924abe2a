import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dayInZone,
  nextMidnight,
  todayIn,
  toLocal,
  wholeDays,
  zoneChanges,
} from '../../src/fields/time-zone.ts'
import { formatDateTime } from '../../src/fields/values.ts'

/** As Python's `zoneinfo` has them: the first seconds of a day and of the next. */
const DAYS = [
  ['Europe/Athens', '2026-12-01', '2026-11-30 22:00:00', '2026-12-01 22:00:00'],
  // 23 and 25 hours.
  ['Europe/Athens', '2026-03-29', '2026-03-28 22:00:00', '2026-03-29 21:00:00'],
  ['Europe/Athens', '2026-10-25', '2026-10-24 21:00:00', '2026-10-25 22:00:00'],
  // No midnight.
  ['America/Santiago', '2024-09-08', '2024-09-08 04:00:00', '2024-09-09 03:00:00'],
  ['Asia/Beirut', '2022-03-27', '2022-03-26 22:00:00', '2022-03-27 21:00:00'],
  ['Africa/Cairo', '2024-04-26', '2024-04-25 22:00:00', '2024-04-26 21:00:00'],
  ['America/Toronto', '1919-03-31', '1919-03-31 04:30:00', '1919-04-01 04:00:00'],
  // Two midnights.
  ['America/Havana', '2024-11-03', '2024-11-03 04:00:00', '2024-11-04 05:00:00'],
  ['America/St_Johns', '2010-11-07', '2010-11-07 02:30:00', '2010-11-08 03:30:00'],
  // Half an hour, a quarter, none.
  ['Australia/Lord_Howe', '2024-04-07', '2024-04-06 13:00:00', '2024-04-07 13:30:00'],
  ['Asia/Kathmandu', '2026-01-01', '2025-12-31 18:15:00', '2026-01-01 18:15:00'],
  ['UTC', '2026-01-01', '2026-01-01 00:00:00', '2026-01-02 00:00:00'],
  // A day that Samoa skipped.
  ['Pacific/Apia', '2011-12-29', '2011-12-29 10:00:00', '2011-12-30 10:00:00'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30 10:00:00', '2011-12-30 10:00:00'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30 10:00:00', '2011-12-31 10:00:00'],
  // What has no other name.
  ['Europe/Athens', '0000-01-01', '0000-01-01 00:00:00', '0000-01-01 22:25:08'],
  ['America/New_York', '9999-12-31', '9999-12-31 05:00:00', '9999-12-31 23:59:59'],
] as const

const zones = fc.constantFrom(...new Set(DAYS.map(([zone]) => zone)))
const YEARS = { min: Date.UTC(1972, 0), max: Date.UTC(2025, 0) }
const instants = fc.integer(YEARS).map((instant) => Math.floor(instant / 1000) * 1000)
/** An instant near a change of the zone, or any. */
const moments = zones.chain((zone) => {
  const changes = zoneChanges(zone, YEARS.min, YEARS.max).map(({ at }) => at)
  const near = fc
    .tuple(fc.constantFrom(...changes, 0), fc.integer({ min: -180_000, max: 180_000 }))
    .map(([change, seconds]) => change + seconds * 1000)
  return fc.record({ zone: fc.constant(zone), instant: fc.oneof(near, instants) })
})

const utc = (instant: number) => formatDateTime(new Date(instant))
const parse = (dateTime: string) => Date.parse(`${dateTime.replace(' ', 'T')}Z`)
/** What the clocks show, by another way through `Intl`. */
const shown = (instant: number, timeZone: string) => new Date(instant).toLocaleString('sv', { timeZone })

describe('days of a time zone', () => {
  it.each(DAYS)('%s: %s', (zone, day, from, to) => {
    expect(dayInZone(day, zone)).toEqual({ from, to })
  })

  it('begin with the first second that shows them, and end where the next begins', () => {
    fc.assert(
      fc.property(moments, ({ zone, instant }) => {
        const day = shown(instant, zone).slice(0, 10)
        const { from, to } = dayInZone(day, zone)
        expect(shown(parse(from), zone).slice(0, 10)).toBe(day)
        expect(shown(parse(from) - 1000, zone) < day).toBe(true)
        expect(shown(parse(to), zone) > `${day} 24`).toBe(true)
        expect(shown(parse(to) - 1000, zone).slice(0, 10)).toBe(day)
      }),
    )
  })

  it('are followed by the next midnight, from any instant', () => {
    fc.assert(
      fc.property(moments, ({ zone, instant }) => {
        const next = nextMidnight(utc(instant), zone)
        const { from, to } = dayInZone(shown(parse(next) - 1000, zone).slice(0, 10), zone)
        expect(next).toBe(to)
        expect([from, next].map((end) => Math.sign(parse(end) - instant - 0.5))).toEqual([-1, 1])
      }),
    )
    // The clock was set back over midnight at 00:01: the old day is shown again, but the new one has begun.
    expect(nextMidnight('2010-11-07 02:45:00', 'America/St_Johns')).toBe('2010-11-08 03:30:00')
    expect(nextMidnight('2011-12-30 09:59:59', 'Pacific/Apia')).toBe('2011-12-30 10:00:00')
  })

  it('are whole where both ends are midnights', () => {
    const athens = (starts: string, ends: string) => wholeDays(starts, ends, 'Europe/Athens')
    expect(athens('2026-03-28 22:00:00', '2026-03-29 21:00:00')).toEqual({
      from: '2026-03-29',
      to: '2026-03-30',
    })
    expect(athens('2026-10-23 21:00:00', '2026-10-25 22:00:00')).toEqual({
      from: '2026-10-24',
      to: '2026-10-26',
    })
    expect(athens('2026-03-28 22:00:00', '2026-03-29 22:00:00')).toBeUndefined()
    expect(athens('2026-03-28 22:00:01', '2026-03-29 21:00:00')).toBeUndefined()
    const skipped = wholeDays('2024-09-08 04:00:00', '2024-09-09 03:00:00', 'America/Santiago')
    expect(skipped).toEqual({ from: '2024-09-08', to: '2024-09-09' })
  })
})

describe('local time', () => {
  it('is what the clocks of the zone show', () => {
    fc.assert(
      fc.property(moments, ({ zone, instant }) => {
        expect(toLocal(utc(instant), zone)).toBe(shown(instant, zone))
        expect(todayIn(zone, new Date(instant))).toBe(shown(instant, zone).slice(0, 10))
      }),
    )
  })
})
