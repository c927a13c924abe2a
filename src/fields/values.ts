/**
 * The values that cross the wire, strict as JSON has them: `"5"` is no integer, `1.0` is one.
 *
 *     const body = z.object({ price: amount().nullish(), date: date(), tags: list(filledText(), { max: 20 }) })
 *
 * Bounds hold for the whole service: integers are safe integers, text is well-formed Unicode without NUL, every list
 * has a most.
 */
import { z } from 'zod'

/** Longest short text, in characters. */
export const SHORT_TEXT = 255
/** Longest URL of another site, in characters: portals carry their searches in them. */
export const LONG_URL = 2048
/** Longest note, description or article, in characters. */
export const LONG_TEXT = 65_535

/** Any safe integer. */
export const int = () => z.int({ error: integerError })

/** Zod says "number" of a text where an integer is wanted; the bounds keep their own messages. */
function integerError({ code }: { code?: string }): string | undefined {
  return code === 'invalid_type' ? 'must be an integer' : undefined
}

/** An integer of at least 0: a price, a count, a distance. */
export const count = () => int().min(0)

/** A number of at least 0: a size, a length, a percentage. */
export const measure = () => z.number().min(0)

/** Highest id that is stored: far above any real one, far below where numbers stop counting by one. */
export const MAX_ID = 2 ** 40

/** The id of a record; whether the record exists is checked against the database. */
export const id = () => int().min(1).max(MAX_ID)

/** Longest list: what goes to the database in one parameter has to stay small. */
export const MAX_ENTRIES = 1000

/** Bounds of a list. */
interface ListBounds {
  /** Fewest entries. */
  min?: number
  /** Most entries. */
  max?: number
  /** Most bytes of all entries together, as JSON: they share a row of the database. */
  bytes?: number
}

/** A list; one that is too long is refused before its entries are looked at. The only maker of lists that come in. */
export const list = <T extends z.ZodType>(
  entry: T,
  { min = 0, max = MAX_ENTRIES, bytes = Number.POSITIVE_INFINITY }: ListBounds = {},
) => {
  const bounded = z.array(entry).check(maxLength(max))
  const filled = min > 0 ? bounded.check(minLength(min)) : bounded
  if (bytes === Number.POSITIVE_INFINITY) return filled
  return filled.refine((entries) => jsonBytes(entries) <= bytes, `must be at most ${bytes} bytes in all`)
}

// Left to themselves, these compare the `length` of whatever has one, and that of `{"length": {"toString": 1}}` throws.
const maxLength = (maximum: number) =>
  new z.core.$ZodCheckMaxLength({ check: 'max_length', maximum, when: isList })
const minLength = (minimum: number) =>
  new z.core.$ZodCheckMinLength({ check: 'min_length', minimum, when: isList })

function isList({ value }: { value: unknown }): boolean {
  return Array.isArray(value)
}

/** Bytes that `value` takes as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength
}

/** A list of ids in the order sent, duplicates dropped. */
export const ids = (bounds: ListBounds = {}) => list(id(), bounds).overwrite(unique)

/** Text of at most `max` characters, stored exactly as sent. Characters are code points: an emoji is one. */
export const text = (max = SHORT_TEXT) =>
  z
    .string()
    .refine((value) => isWithin(value, max), `must be at most ${max} characters`)
    // D1 cuts a string at NUL, and a lone surrogate cannot be written as UTF-8.
    .refine(
      (value) => !value.includes('\0') && value.isWellFormed(),
      'must not contain NUL or broken Unicode',
    )
    .meta({ maxLength: max })

/** Only a text that may be short enough is taken apart to be counted: a character has two units at most. */
function isWithin(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max)
}

/** Text that is not blank. */
export const filledText = (max = SHORT_TEXT) =>
  text(max)
    .refine((value) => value.trim() !== '', 'must not be blank')
    .meta({ maxLength: max, minLength: 1 })

/** Optional text: an empty string means none. */
export const optionalText = (max = SHORT_TEXT) =>
  text(max).transform((value) => (value === '' ? null : value))

/** A calendar day, `YYYY-MM-DD`. */
export const date = () => z.string().refine(isDate, 'must be a date, YYYY-MM-DD').meta({ format: 'date' })

const dateTimeText = z
  .string()
  .refine(isDateTime, 'must be a date-time, YYYY-MM-DD HH:MM:SS')
  .meta({
    id: 'DateTime',
    description: 'A moment in UTC, `YYYY-MM-DD HH:MM:SS`',
    pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$`,
    examples: ['2026-01-31 18:30:00'],
  })

/** A moment in UTC, `YYYY-MM-DD HH:MM:SS`. */
export const dateTime = () => dateTimeText

/** One of a closed set of strings. */
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values)

/** Whether `value` is a day of the calendar written `YYYY-MM-DD`. */
export function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}

/** Whether `value` is a moment written `YYYY-MM-DD HH:MM:SS`. */
export function isDateTime(value: string): boolean {
  return /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value) && isDate(value.slice(0, 10))
}

/** `date` in UTC as the interface writes moments, `YYYY-MM-DD HH:MM:SS`. */
export function formatDateTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

/** The values in order of their first appearance. */
export function unique<T>(values: T[]): T[] {
  return [...new Set(values)]
}

/** `values` without the keys that are undefined: what was given. */
export function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
