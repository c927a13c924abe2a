/**
 * Writes calendars that phones and mail programs read: iCalendar, RFC 5545. Each line passes through `contentLine`, so that
 * no text can begin a line of its own.
 *
 *     const { start, event, end } = calendarWriter({ timeZone, from, to, name: 'Diary' })
 *     const file = start + event(appointment) + end
 */
import { cleanLine, cleanLines } from '../../fields/clean.ts'
import { describeZone } from './vtimezone.ts'

/** Maximum length of a line without its CRLF (3.1). */
const MAX_OCTETS = 75

interface Calendar {
  timeZone: string
  /** Between these instants in UTC events have local times; others have theirs in UTC. */
  from: string
  to: string
  /** What a program that subscribes to it shows. */
  name?: string
  /** What a mail wants (RFC 5546); absent from calendars to subscribe to. The first two need an organizer and attendees. */
  method?: 'REQUEST' | 'CANCEL' | 'PUBLISH'
}

/** An event of a calendar. Times are in UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface CalendarEvent {
  /** The same for ever, whatever becomes of the event. */
  uid: string
  sequence: number
  changed: string
  status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
  /** Two instants, or two days `YYYY-MM-DD`; the event ends before the second. */
  starts: string
  ends: string
  summary: string
  location?: string | null
  description?: string | null
  /** Whether its time stays free, as for a task. */
  isFree?: boolean
  organizer?: Participant
  attendees?: Participant[]
}

/** Somebody whom a mail about an event is from or for. */
interface Participant {
  name: string
  email: string
}

/** Makes the pieces of a calendar: what it starts with, any of its events, and what it ends with. */
export function calendarWriter({ timeZone, from, to, name, method }: Calendar) {
  const zone = describeZone(timeZone, from, to)

  /** Readers take local time that a clock shows twice for either, so that only UTC can say which. */
  function times({ starts, ends }: CalendarEvent): string[] {
    const isDays = starts.length === 'YYYY-MM-DD'.length
    if (isDays) return [`DTSTART;VALUE=DATE:${compact(starts)}`, `DTEND;VALUE=DATE:${compact(ends)}`]
    const [start, end] = [zone.toLocal(starts), zone.toLocal(ends)]
    return start && end
      ? [`DTSTART;TZID=${timeZone}:${compact(start)}`, `DTEND;TZID=${timeZone}:${compact(end)}`]
      : [`DTSTART:${compact(starts)}Z`, `DTEND:${compact(ends)}Z`]
  }

  return {
    start: contentLines([
      'BEGIN:VCALENDAR',
      'PRODID:-//Estia//Diary//EN',
      'VERSION:2.0',
      ...(method ? [`METHOD:${method}`] : ['REFRESH-INTERVAL;VALUE=DURATION:PT15M', 'X-PUBLISHED-TTL:PT15M']),
      text('NAME', name),
      text('X-WR-CALNAME', name),
      ...zone.lines,
    ]),
    event: (event: CalendarEvent): string =>
      contentLines([
        'BEGIN:VEVENT',
        text('UID', event.uid),
        `SEQUENCE:${event.sequence}`,
        // Without METHOD, both say when the event was last changed (3.8.7.2).
        `DTSTAMP:${compact(event.changed)}Z`,
        `LAST-MODIFIED:${compact(event.changed)}Z`,
        `STATUS:${event.status}`,
        ...times(event),
        text('SUMMARY', event.summary),
        text('LOCATION', event.location),
        text('DESCRIPTION', event.description),
        event.isFree ? 'TRANSP:TRANSPARENT' : '',
        event.organizer ? participant('ORGANIZER', event.organizer) : '',
        ...(event.attendees ?? []).map((attendee) => participant('ATTENDEE', attendee)),
        'END:VEVENT',
      ]),
    end: contentLines(['END:VCALENDAR']),
  }
}

/** A date or date-time without its punctuation: `20261201T100000`. */
const compact = (dateTime: string) => dateTime.replace(' ', 'T').replace(/[-:]/g, '')

/** A property of type TEXT (3.3.11); nothing if it has no value. */
function text(name: string, value: string | null | undefined): string {
  if (!value) return ''
  const escaped = cleanLines(value).replace(/[\\;,]/g, String.raw`\$&`)
  return `${name}:${escaped.replaceAll('\n', String.raw`\n`)}`
}

/** A property whose value is an address. Quoted names cannot hold quotation marks (3.2). */
function participant(property: string, { name, email }: Participant): string {
  const address = encodeURIComponent(email).replace('%40', '@').replaceAll('%2B', '+')
  return `${property};CN="${name.replaceAll('"', "'")}":mailto:${address}`
}

const contentLines = (contents: string[]) => contents.filter(Boolean).map(contentLine).join('')

/** One line, folded where it is too long, but never within a character. */
function contentLine(content: string): string {
  const line = cleanLine(content)
  if (Buffer.byteLength(line) <= MAX_OCTETS) return `${line}\r\n`
  let folded = ''
  let octets = 0
  for (const character of line) {
    octets += Buffer.byteLength(character)
    if (octets > MAX_OCTETS) {
      folded += '\r\n '
      octets = 1 + Buffer.byteLength(character)
    }
    folded += character
  }
  return `${folded}\r\n`
}
