/** What every view knows: who has signed in, the words, and how data is loaded. */
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'hono/jsx/dom'
import { CallError, type Self } from './call.ts'
import type { Language, Texts } from './texts.ts'
import * as words from './words.ts'

/** A key that was just made. */
export interface MadeKey {
  name: string
  key: string
}

export interface ConsoleState {
  self: Self
  language: Language
  texts: Texts
  /** Called when the service no longer takes the key. */
  onSignedOut: () => void
  /** The keys that were made and are not yet kept; in memory until then. */
  made: MadeKey[]
  /** What the address names within the view: `12` of `#people/12`; empty if nothing. */
  argument: string
  setMade: (keys: MadeKey[]) => void
}

export const ConsoleContext = createContext<ConsoleState | null>(null)

export type Console = ReturnType<typeof useConsole>

/** The state, and how names and values are shown to the user. */
export function useConsole() {
  const state = useContext(ConsoleContext)
  if (!state) throw new Error('A view stands outside the console')
  return { ...state, ...formatsFor(state) }
}

export type Loaded<T> = { data: T | null; error: CallError | null; isLoading: boolean; reload: () => void }

/** Loads when the view appears and whenever `key` changes. An answer that comes after a newer call is dropped. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const { onSignedOut } = useConsole()
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ data: null, error: null, isLoading: true })
  const latest = useRef(0)
  const reload = useCallback(() => {
    const number = latest.current + 1
    latest.current = number
    setState((before) => ({ ...before, isLoading: true }))
    load().then(
      (data) => {
        if (latest.current === number) setState({ data, error: null, isLoading: false })
      },
      (error: unknown) => {
        if (latest.current !== number) return
        if (!(error instanceof CallError)) throw error
        if (error.status === 401) onSignedOut()
        else setState((before) => ({ ...before, error, isLoading: false }))
      },
    )
  }, [key])
  useEffect(reload, [key])
  return { ...state, reload }
}

/** The day that it is for the agency. */
export function todayOf({ time_zone }: Self): string {
  // Swedes write dates as the service does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone }).format()
}

const LOCALES = { en: 'en-GB', el: 'el-GR' }
const UNITS = ['B', 'KB', 'MB', 'GB']

export function formatsFor({ self, language, texts }: ConsoleState) {
  const locale = LOCALES[language]
  const time = { timeStyle: 'short', hourCycle: 'h23', timeZone: self.time_zone } as const
  const formatNumber = (value: number) => new Intl.NumberFormat(locale).format(value)
  return {
    nameOf: (kind: string, name: string) => words.nameOf(kind, name, language),
    namesOf: (kind: string) => words.namesOf(kind, language),
    fieldName: (field: string) => words.fieldName(field, language),
    valueName: (resource: string | null, field: string, value: string) =>
      words.valueName(resource, field, value, language),
    formatNumber,
    formatBytes(bytes: number): string {
      const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
      return `${formatNumber(Math.round((bytes / 1000 ** power) * 10) / 10)} ${UNITS[power]}`
    },
    /** Dates come in UTC, as `YYYY-MM-DD HH:MM:SS`, and are shown in the time zone of the agency; days are `YYYY-MM-DD`. */
    formatDate(date: string | null | undefined, dateStyle: 'medium' | 'full' = 'medium'): string {
      if (!date) return texts.never
      if (date.length === 'YYYY-MM-DD'.length)
        return new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(new Date(date))
      const instant = new Date(`${date.replace(' ', 'T')}Z`)
      return Number.isNaN(instant.getTime())
        ? date
        : new Intl.DateTimeFormat(locale, { dateStyle, ...time }).format(instant)
    },
    /** From when until when; with dates where it ends on another day. */
    formatTimes(starts: string, ends: string): string {
      const [from, to] = [starts, ends].map((date) => Date.parse(`${date.replace(' ', 'T')}Z`))
      return new Intl.DateTimeFormat(locale, time).formatRange(from ?? 0, to ?? 0)
    },
  }
}
