/** Time zones: instants are stored in UTC, and people read them in the zone of their agency. */

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

const LOCALES = { el: 'el-GR', en: 'en-GB' }

/** A date-time in UTC, `YYYY-MM-DD HH:MM:SS`, as people in a time zone write it. */
export function formatInZone(dateTime: string, timeZone: string, language: keyof typeof LOCALES): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'full',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(`${dateTime.replace(' ', 'T')}Z`))
}
