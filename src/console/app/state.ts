/** What every view knows: who has signed in, the words, and how data is loaded. */
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'hono/jsx/dom'
import { CallError, type Self } from './call.ts'
import type { Language, Texts } from './texts.ts'

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

export function useConsole(): ConsoleState {
  const state = useContext(ConsoleContext)
  if (!state) throw new Error('A view stands outside the console')
  return state
}

export type Loaded<T> = { data: T | null; error: CallError | null; isLoading: boolean; reload: () => void }

/** Loads when the view appears and whenever `key` changes. An answer that comes after a newer call is dropped. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const { onSignedOut } = useConsole()
  const [state, setState] = useState<{ data: T | null; error: CallError | null; isLoading: boolean }>({
    data: null,
    error: null,
    isLoading: true,
  })
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

/** Dates come in UTC, as `YYYY-MM-DD HH:MM:SS`, and are shown in the time zone of the agency; days are `YYYY-MM-DD`. */
export function formatDate(
  date: string | null | undefined,
  { self, language, texts }: ConsoleState,
  dateStyle: 'medium' | 'full' = 'medium',
): string {
  if (!date) return texts.never
  if (date.length === 'YYYY-MM-DD'.length)
    return new Intl.DateTimeFormat(LOCALES[language], { dateStyle, timeZone: 'UTC' }).format(new Date(date))
  const instant = new Date(`${date.replace(' ', 'T')}Z`)
  return Number.isNaN(instant.getTime())
    ? date
    : new Intl.DateTimeFormat(LOCALES[language], {
        dateStyle,
        timeStyle: 'short',
        hourCycle: 'h23',
        timeZone: self.time_zone,
      }).format(instant)
}

/** From when until when; with dates where it ends on another day. */
export function formatTimes(starts: string, ends: string, { self, language }: ConsoleState): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: self.time_zone,
  })
  const [from, to] = [starts, ends].map((date) => Date.parse(`${date.replace(' ', 'T')}Z`))
  return format.formatRange(from ?? 0, to ?? 0)
}

const LOCALES = { en: 'en-GB', el: 'el-GR' }

export function formatNumber(value: number, { language }: ConsoleState): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value)
}

const UNITS = ['B', 'KB', 'MB', 'GB']

export function formatBytes(bytes: number, state: ConsoleState): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  return `${formatNumber(Math.round((bytes / 1000 ** power) * 10) / 10, state)} ${UNITS[power]}`
}
