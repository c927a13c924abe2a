import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLines } from '../../../src/fields/clean.ts'
import { type CalendarEvent, calendarWriter } from '../../../src/resources/appointments/icalendar.ts'

const EVENT: CalendarEvent = {
  uid: 'appointment-31@estia.example',
  sequence: 2,
  changed: '2010-02-01 08:00:00',
  status: 'CONFIRMED',
  starts: '2010-03-28 00:30:00',
  ends: '2010-03-28 01:30:00',
  summary: 'Viewing',
}

const writer = (settings: Partial<Parameters<typeof calendarWriter>[0]> = {}) =>
  calendarWriter({
    timeZone: 'Europe/Athens',
    from: '2010-02-01 00:00:00',
    to: '2011-04-01 00:00:00',
    ...settings,
  })

const lines = (text: string) => text.split('\r\n').slice(0, -1)
/** The lines of an event that say when it is. */
const times = (event: Partial<CalendarEvent>) =>
  lines(writer().event({ ...EVENT, ...event })).filter((line) => /^DT(START|END)/.test(line))
/** The observances of a zone, each in one line. */
const observances = (timeZone: string, from = '2010-02-01 00:00:00') =>
  lines(writer({ timeZone, from }).start)
    .join(' ')
    .replace(/^.*TZID:\S+ /, '')
    .replace(' END:VTIMEZONE', '')
    .split(/(?<=END:\w+) /)

describe('calendars', () => {
  it('to subscribe to', () => {
    const { start, event, end } = writer({ name: 'Μαρία; A, B' })
    expect(lines(start.replace(/BEGIN:VTIMEZONE.*END:VTIMEZONE/s, 'the zone'))).toEqual([
      'BEGIN:VCALENDAR',
      'PRODID:-//Estia//Diary//EN',
      'VERSION:2.0',
      'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
      'X-PUBLISHED-TTL:PT15M',
      'NAME:Μαρία\\; A\\, B',
      'X-WR-CALNAME:Μαρία\\; A\\, B',
      'the zone',
    ])
    const written = event({ ...EVENT, location: 'A\\B', description: 'one\r\ntwo', isFree: true })
    expect(lines(written + end)).toEqual([
      'BEGIN:VEVENT',
      'UID:appointment-31@estia.example',
      'SEQUENCE:2',
      'DTSTAMP:20100201T080000Z',
      'LAST-MODIFIED:20100201T080000Z',
      'STATUS:CONFIRMED',
      'DTSTART;TZID=Europe/Athens:20100328T023000',
      'DTEND;TZID=Europe/Athens:20100328T043000',
      'SUMMARY:Viewing',
      'LOCATION:A\\\\B',
      'DESCRIPTION:one\\ntwo',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
    ])
  })

  it('in a mail', () => {
    const { start, event } = writer({ method: 'CANCEL' })
    const organizer = { name: 'Estia "Kifisia": A;B\r\nX:1', email: 'office@estia.example' }
    const attendees = [{ name: 'Μαρία', email: "o'b+c?d%e@estia.example" }]
    expect(start).toContain('\r\nVERSION:2.0\r\nMETHOD:CANCEL\r\nBEGIN:VTIMEZONE\r\n')
    expect(lines(event({ ...EVENT, status: 'CANCELLED', organizer, attendees })).slice(-3)).toEqual([
      `ORGANIZER;CN="Estia 'Kifisia': A;B X:1":mailto:office@estia.example`,
      `ATTENDEE;CN="Μαρία":mailto:o'b+c%3Fd%25e@estia.example`,
      'END:VEVENT',
    ])
  })
})

describe('times of events', () => {
  it('are days where they are written as days', () => {
    const days = ['DTSTART;VALUE=DATE:20100328', 'DTEND;VALUE=DATE:20100329']
    expect(times({ starts: '2010-03-28', ends: '2010-03-29' })).toEqual(days)
  })

  it('are UTC where the clock shows one of them twice', () => {
    const [before, last] = ['2010-10-30 22:59:59', '2010-10-30 23:59:59']
    const [first, second, after] = ['2010-10-31 00:00:00', '2010-10-31 01:59:59', '2010-10-31 02:00:00']
    const local = ['DTSTART;TZID=Europe/Athens:20101031T015959', 'DTEND;TZID=Europe/Athens:20101031T025959']
    expect(times({ starts: before, ends: last })).toEqual(local)
    expect(times({ starts: last, ends: first })).toEqual([
      'DTSTART:20101030T235959Z',
      'DTEND:20101031T000000Z',
    ])
    expect(times({ starts: second, ends: after })).toEqual([
      'DTSTART:20101031T015959Z',
      'DTEND:20101031T020000Z',
    ])
    expect(times({ starts: after, ends: after })[0]).toBe('DTSTART;TZID=Europe/Athens:20101031T040000')
  })

  it('are UTC beyond the years that the calendar describes', () => {
    const utc = ['DTSTART:20400101T100000Z', 'DTEND:20400101T110000Z']
    expect(times({ starts: '2040-01-01 10:00:00', ends: '2040-01-01 11:00:00' })).toEqual(utc)
  })
})

describe('time zones of calendars', () => {
  it('without changes have one offset', () => {
    const tokyo = 'BEGIN:STANDARD DTSTART:20090101T090000 TZOFFSETFROM:+0900 TZOFFSETTO:+0900 END:STANDARD'
    expect(observances('Asia/Tokyo')).toEqual([tokyo])
    expect(observances('UTC').join()).toContain('TZOFFSETFROM:+0000 TZOFFSETTO:+0000')
  })

  it('have the last or nth weekday of a month as a rule', () => {
    expect(observances('Europe/Athens')).toEqual([
      'BEGIN:DAYLIGHT DTSTART:20090329T030000 RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU TZOFFSETFROM:+0200 TZOFFSETTO:+0300 END:DAYLIGHT',
      'BEGIN:STANDARD DTSTART:20091025T040000 RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU TZOFFSETFROM:+0300 TZOFFSETTO:+0200 END:STANDARD',
    ])
    const newYork = observances('America/New_York').join(' ')
    expect(newYork).toContain(
      'DTSTART:20090308T020000 RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU TZOFFSETFROM:-0500',
    )
  })

  it('have their changes one by one where no rule holds', () => {
    expect(observances('Europe/Istanbul')).toEqual([
      'BEGIN:DAYLIGHT DTSTART:20090329T030000 RDATE:20090329T030000 RDATE:20100328T030000 RDATE:20110328T030000 RDATE:20120325T030000 RDATE:20130331T030000 RDATE:20140331T030000 RDATE:20150329T030000 RDATE:20160327T030000 TZOFFSETFROM:+0200 TZOFFSETTO:+0300 END:DAYLIGHT',
      'BEGIN:STANDARD DTSTART:20091025T040000 RDATE:20091025T040000 RDATE:20101031T040000 RDATE:20111030T040000 RDATE:20121028T040000 RDATE:20131027T040000 RDATE:20141026T040000 RDATE:20151108T040000 TZOFFSETFROM:+0300 TZOFFSETTO:+0200 END:STANDARD',
    ])
  })

  it('have no rule that ends within their years, or changes its hour', () => {
    expect(observances('Europe/Moscow', '2005-02-01 00:00:00').join()).not.toContain('BYMONTH=10')
    expect(observances('America/St_Johns', '2008-02-01 00:00:00').join()).not.toContain('RRULE')
  })
})

describe('texts', () => {
  const part = fc.constantFrom(...'aΩ中👩;,\\":\n\r\t\0\u0007\u2028', '\r\n', 'BEGIN:VEVENT', ' ')

  it('come back whole from lines of at most 75 octets', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 60, maxLength: 200 }), (parts) => {
        const description = parts.join('')
        const written = writer().event({ ...EVENT, description })
        expect(Math.max(...lines(written).map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
        const unfolded = written.replaceAll('\r\n ', '')
        expect(unfolded.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u)
        expect(lines(unfolded)).toHaveLength(11)
        const value = /^DESCRIPTION:(.*)$/m.exec(unfolded)?.[1] ?? ''
        const read = value.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
        expect(read).toBe(cleanLines(description))
      }),
    )
  })
})
