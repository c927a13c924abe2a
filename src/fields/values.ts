/**
 * Schemas of the values in bodies and replies. They are as strict as JSON: `"5"` is not an integer, `1.0` is one.
 *
 *     const body = z.object({ price: amount().nullish(), date: date(), tags: list(filledText(), { max: 20 }) })
 *
 * Some bounds hold everywhere: integers are safe integers, text is well-formed Unicode without NUL, and every list has
 * a maximum length.
 */
import { z } from 'zod'

/** Maximum length of short text, in characters. */
export const SHORT_TEXT = 255
/** Maximum length of an e-mail address, in characters (RFC 5321, 4.5.3.1.3). */
export const EMAIL_TEXT = 254
/** Maximum length of a phone number with its extension, in characters. */
export const PHONE_TEXT = 40
/** Maximum length of a URL of another site, in characters. Portals put whole searches in their URLs. */
export const LONG_URL = 2048
/** Maximum length of a note, description or article, in characters. */
export const LONG_TEXT = 65_535

/** Any safe integer. */
export const int = () => z.int({ error: integerError })

/** Replaces Zod's message, which says "number" instead of "integer"; bounds keep their messages. */
function integerError({ code }: { code?: string }): string | undefined {
  return code === 'invalid_type' ? 'must be an integer' : undefined
}

/** An integer of at least 0: a price, a count, a distance. */
export const count = () => int().min(0)

/** A number of at least 0: a size, a length, a percentage. */
export const measure = () => z.number().min(0)

/** Maximum id: far above any real id, and far below the largest safe integer. */
export const MAX_ID = 2 ** 40

/** The id of a record. Whether the record exists is checked against the database. */
export const id = () => int().min(1).max(MAX_ID)

/** Maximum length of a list: its entries go to the database in one parameter, which must stay small. */
export const MAX_ENTRIES = 1000

interface ListBounds {
  /** Minimum number of entries. */
  min?: number
  /** Maximum number of entries. */
  max?: number
  /** Maximum size of all entries together, in bytes of JSON: they share a row of the database. */
  bytes?: number
}

/** A list. If it is too long, its entries are not checked. All lists in bodies are made with this function. */
export const list = <T extends z.ZodType>(
  entry: T,
  { min = 0, max = MAX_ENTRIES, bytes = Number.POSITIVE_INFINITY }: ListBounds = {},
) => {
  const bounded = z.array(entry).check(maxLength(max))
  const filled = min > 0 ? bounded.check(minLength(min)) : bounded
  if (bytes === Number.POSITIVE_INFINITY) return filled
  return filled.refine((entries) => jsonBytes(entries) <= bytes, `must be at most ${bytes} bytes in all`)
}

// Zod's own checks compare the `length` of any value, which throws for `{"length": {"toString": 1}}`.
const maxLength = (maximum: number) =>
  new z.core.$ZodCheckMaxLength({ check: 'max_length', maximum, when: isList })
const minLength = (minimum: number) =>
  new z.core.$ZodCheckMinLength({ check: 'min_length', minimum, when: isList })

function isList({ value }: { value: unknown }): boolean {
  return Array.isArray(value)
}

/** An object that the documentation has under a name of its own. */
export const named = <Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).meta({ id, description })

/** The values that a schema shows, in its order. Others are left out. */
export function shownBy<S extends z.ZodObject>(schema: S, values: z.output<S>): z.output<S> {
  const names: (keyof typeof values)[] = Object.keys(schema.shape)
  return Object.fromEntries(names.map((name) => [name, values[name]])) as z.output<S>
}

/** The size of `value` as JSON in UTF-8, in bytes. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength
}

/** A list of ids in the order sent, without duplicates. */
export const ids = (bounds: ListBounds = {}) => list(id(), bounds).overwrite(unique)

/**
 * Text of at most `max` characters, stored exactly as sent. A character is a code point, so an emoji counts as one.
 * @param clean changes the text before it is checked
 */
export const text = (max = SHORT_TEXT, clean?: (text: string) => string) =>
  (clean ? z.string().overwrite(clean) : z.string())
    .refine((value) => isWithin(value, max), `must be at most ${max} characters`)
    // D1 truncates a string at NUL, and UTF-8 cannot encode a lone surrogate.
    .refine(
      (value) => !value.includes('\0') && value.isWellFormed(),
      'must not contain NUL or broken Unicode',
    )
    .meta({ maxLength: max })

/** Counts code points only if the text can be short enough: a code point has at most two units. */
function isWithin(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max)
}

/** Text that is not blank. */
export const filledText = (max = SHORT_TEXT, clean?: (text: string) => string) =>
  text(max, clean)
    .refine((value) => value.trim() !== '', 'must not be blank')
    .meta({ maxLength: max, minLength: 1 })

/** Optional text; an empty string becomes null. */
export const optionalText = (max = SHORT_TEXT, clean?: (text: string) => string) =>
  text(max, clean).transform((value) => (value === '' ? null : value))

export interface TextFormat {
  /** Its name in JSON Schema. */
  name: string
  matches: (value: string) => boolean
  /** The rule, as error messages state it. */
  rule: string
}

/** An e-mail address in ASCII, without a display name: what browsers accept in a form. */
export const EMAIL: TextFormat = {
  name: 'email',
  matches: (value) => z.regexes.html5Email.test(value),
  rule: 'must be an e-mail address',
}

/** A URL that pages may link to: http or https, so never a script. */
export const WEB_URL: TextFormat = {
  name: 'uri',
  // The URL parser alone also accepts line breaks, surrounding spaces and `https:host`.
  matches: (value) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value),
  rule: 'must be an http or https URL',
}

/** A URL that strangers send: one that shows which host it leads to. */
export const PLAIN_WEB_URL: TextFormat = {
  name: 'uri',
  matches: (value) => WEB_URL.matches(value) && !hidesHost(value),
  rule: 'must be an http or https URL without credentials and backslashes',
}

/** A phone number as people write it, possibly with an extension. */
export const PHONE: TextFormat = {
  name: 'phone',
  matches: (value) => {
    const [number = ''] = /^[\d +\-()./]*/.exec(value) ?? []
    const extension = value.slice(number.length)
    if (extension !== '' && !EXTENSION.test(extension)) return false
    return /\d/.test(number) || value.trim() === ''
  },
  rule: 'must be a phone number of digits, spaces and +-()./, possibly with an extension',
}

const EXTENSION = /^[,;]? ?(?:ext(?:n|ension)?|x|#|εσωτ(?:ερικ[οό])?)[.:]{0,2} ?\d{1,8}\)? *$/iu

/** A phone number with plain spaces and dashes: other programs write no-break spaces and longer dashes. */
export function plainPhone(text: string): string {
  return text.replace(/\p{Zs}/gu, ' ').replace(/[\p{Pd}\u2212]/gu, '-')
}

/** Whether readers and browsers may take different hosts from a URL. */
function hidesHost(url: string): boolean {
  const { username, password } = new URL(url)
  return url.includes('\\') || username !== '' || password !== '' || /^https?:\/+[^/?#]*@/i.test(url)
}

/** Optional text in a format; an empty string becomes null. */
export const formattedText = (
  { name, matches, rule }: TextFormat,
  max = SHORT_TEXT,
  clean?: (text: string) => string,
) =>
  text(max, clean)
    .refine((value) => value === '' || matches(value), rule)
    .meta({ maxLength: max, format: name })
    .transform((value) => (value === '' ? null : value))

/** A calendar day, `YYYY-MM-DD`. */
export const date = () => z.string().refine(isDate, 'must be a date, YYYY-MM-DD').meta({ format: 'date' })

const dateTimeText = z
  .string()
  .refine(isDateTime, 'must be a date-time, YYYY-MM-DD HH:MM:SS')
  .meta({
    id: 'DateTime',
    description: 'A date-time in UTC, `YYYY-MM-DD HH:MM:SS`',
    pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$`,
    examples: ['2026-01-31 18:30:00'],
  })

/** A date-time in UTC, `YYYY-MM-DD HH:MM:SS`. */
export const dateTime = () => dateTimeText

/** One value of an enumeration. */
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values)

/** Whether `value` is an existing day, written `YYYY-MM-DD`. */
export function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}

/** Whether `value` is an existing date-time, written `YYYY-MM-DD HH:MM:SS`. */
export function isDateTime(value: string): boolean {
  return /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value) && isDate(value.slice(0, 10))
}

/** Formats a date-time as the API does, in UTC: `YYYY-MM-DD HH:MM:SS`. */
export function formatDateTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

/** The distinct values, in order of first appearance. */
export function unique<T>(values: T[]): T[] {
  return [...new Set(values)]
}

/** `values` without the keys that are undefined. */
export function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

/** An empty list for null, which clears the stored one. */
export function emptyForNull<T>(list: T[] | null | undefined): T[] | undefined {
  return list === null ? [] : list
}

/** `text` with a capital first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
