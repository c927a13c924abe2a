/**
 * The schemas of filters. Null, an empty list and an absent key all mean "no filter". `read-filters.ts` reads what clients send.
 *
 *     const filters = z.object({ status: oneOrMoreFilter(STATUSES), date_created: dateTimeRange(), ...listFilters('date_created') })
 */
import { z } from 'zod'
import { cents } from '../../fields/money.ts'
import { date, int, isDate, isDateTime, list, named, text, unique } from '../../fields/values.ts'
import { MAX_PAGE_SIZE, PAGE_SIZE } from './page-size.ts'

/** Both bounds are inclusive; null means no bound. */
export interface Range<T> {
  min: T | null
  max: T | null
}

/** The filters that every list with pages accepts. */
export const pageFilters = {
  page: int().min(1).nullish().describe('Page number, from 1; a page past the end is empty'),
  per_page: int()
    .min(1)
    .max(MAX_PAGE_SIZE)
    .nullish()
    .describe(`Records per page, at most ${MAX_PAGE_SIZE}; ${PAGE_SIZE} by default`),
}

const fieldsFilter = () =>
  z.enum(['all']).nullish().describe('`all` adds the stored fields that the standard representation omits')

/** The fields of a record that a call asks for, and those of them that no record has. */
export interface FieldSelection {
  names: string[]
  unknown: string[]
}

/**
 * The fields that each record of a reply has: names with commas between them, or a list of names. `all` asks for every
 * field. Unknown names are ignored like unknown keys, unless no name is known.
 */
export const fieldSelection = (names: readonly string[]) =>
  z
    .union([text(), list(text())])
    .nullish()
    .transform((sent, context): FieldSelection | null => {
      const asked = namesIn(sent)
      if (asked.length === 0) return null
      if (asked.includes('all')) return { names: [...names], unknown: [] }
      const known = names.filter((name) => asked.includes(name))
      if (known.length === 0) context.addIssue('must name a field of the record')
      return { names: known, unknown: asked.filter((name) => !names.includes(name)) }
    })
    .describe('Names of the fields of each record, with commas between them; every field when omitted')

/** Some of `names`, with commas between them, or a list of them; null for none. */
export const namesFilter = <const Name extends string>(names: readonly Name[]) =>
  z
    .union([text(), list(text())])
    .nullish()
    .transform((sent, context): Name[] | null => {
      const asked = namesIn(sent)
      const known = names.filter((name) => asked.includes(name))
      if (asked.some((name) => !names.some((one) => one === name)))
        context.addIssue(`must be some of ${names.join(', ')}`)
      return known.length > 0 ? known : null
    })

function namesIn(sent: string | string[] | null | undefined): string[] {
  const names = [sent ?? []].flat().flatMap((text) => text.split(','))
  return unique(names.map((name) => name.trim()).filter(Boolean))
}

/** `record` with the selected fields, in its own order. */
export function selectFields<T extends object>(
  record: T,
  selection: FieldSelection | null | undefined,
): Partial<T> {
  if (!selection) return record
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => selection.names.includes(name)),
  ) as Partial<T>
}

/** A value of `sort`: the name of a field for ascending order, with `-` for descending order. */
export type Sort<Name extends string> = Name | `-${Name}`

/** The order of a list: by one of the fields `names`. */
export const sortFilter = <Name extends string>(names: readonly Name[]) =>
  z
    .enum(names.flatMap((name): Sort<Name>[] => [name, `-${name}`]))
    .nullish()
    .meta({
      description:
        'Field to sort by, ascending, or descending with `-`. By default `-id`, newest first. Records without a value come ' +
        'last; those with the same value are newest first',
      default: '-id',
    })

/** The filters that a list of records accepts. It can be sorted by `id` and the fields `names`. */
export const listFilters = <const Name extends string>(...names: Name[]) => ({
  ...pageFilters,
  sort: sortFilter(['id', ...names]),
  fields: fieldsFilter(),
})

/** The filters that lists of records have in common. */
export type CommonFilters = Omit<ReturnType<typeof listFilters>, 'sort'>

/** The options of every single read. */
export const readOptions = z.object({ fields: fieldsFilter() })

const RANGE_DOCS =
  'Both sides are inclusive; one may be absent or null, which means no limit there. `min` must not be above `max`.'

/** Equality with one value of an enumeration. */
export const oneOfFilter = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values).nullish()

/** Equality with one or several values of an enumeration. The parsed value is a list, or null when absent. */
export const oneOrMoreFilter = <const V extends readonly [string, ...string[]]>(values: V) =>
  z
    .union([z.enum(values), list(z.enum(values))])
    .nullish()
    .transform(toList)

/** Equality with an id. */
export const idFilter = () => int().nullish()

/** What stands in filters of users for the one behind the caller. */
export const ME = 'me'
const NOBODY = 'me is the user behind the key or the person who calls, and there is none'
const ofUsers = z.registry<{ takesMe: true }>()
const userId = () => z.union([int(), z.literal(ME)])

/** Whether a filter takes `me`. A description makes a schema that only `get` knows as this one. */
export const takesMe = (filter: z.ZodType | undefined) =>
  filter !== undefined && ofUsers.get(filter) !== undefined

/** A filter of users. `checkFilters` puts the id in the place of `me`; where there is none, `me` is refused. */
function withMe<T>(schema: z.ZodType<T>): z.ZodType<Exclude<T, typeof ME>> {
  const resolved = schema.transform((value, context) => {
    if ([value].flat().some((one) => one === ME)) context.addIssue(NOBODY)
    return value as Exclude<T, typeof ME>
  })
  ofUsers.add(resolved, { takesMe: true })
  return resolved
}

/** Equality with a user, who may be `me`. */
export const userFilter = () => withMe(userId().nullish())

/** Equality with one or several users, one of whom may be `me`. The parsed value is a list, or null when absent. */
export const usersFilter = () =>
  withMe(
    z
      .union([userId(), list(userId())])
      .nullish()
      .transform(toList),
  ) as z.ZodType<number[] | null>

/** Equality with one or several ids. The parsed value is a list, or null when absent. */
export const idsFilter = () =>
  z
    .union([int(), list(int())])
    .nullish()
    .transform(toList)

export const booleanFilter = () => z.boolean().nullish()

/** Text to search for, without spaces around it; blank text means no filter. */
export const textFilter = () =>
  text()
    .nullish()
    .transform((value) => value?.trim() || null)

const dates = range(date()).meta({ id: 'DateRange', description: `Dates. ${RANGE_DOCS}` })

const dateOrDateTime = z
  .string()
  .refine((value) => isDate(value) || isDateTime(value), 'must be a date-time, YYYY-MM-DD HH:MM:SS')
  .meta({ pattern: String.raw`^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$` })

const dateTimes = range(dateOrDateTime, (value, side) =>
  value.length > 10 ? value : `${value} ${side === 'min' ? '00:00:00' : '23:59:59'}`,
).meta({
  id: 'DateTimeRange',
  description:
    `Date-times in UTC, \`YYYY-MM-DD HH:MM:SS\`. A bare date counts from its first second as \`min\`, to its last as ` +
    `\`max\`. ${RANGE_DOCS}`,
  examples: [{ min: '2026-01-01', max: '2026-01-31 12:00:00' }],
})

const integers = range(int()).meta({ id: 'IntRange', description: `Integers. ${RANGE_DOCS}` })

const bound = (doc: string) => cents().nullish().describe(doc)

const amounts = named(
  'AmountRange',
  'Amounts as numbers or as text with at most two decimals. Both sides are inclusive; one may be absent or null, ' +
    'which means no limit there. `min` must not be above `max`.',
  { min: bound('Minimum'), max: bound('Maximum') },
)

export const dateRange = () => dates.nullish()

/** A range of date-times. A bare date means its first second as `min` and its last second as `max`. */
export const dateTimeRange = () => dateTimes.nullish()

export const intRange = () => integers.nullish()

const numbers = range(z.number()).meta({ id: 'NumberRange', description: `Numbers. ${RANGE_DOCS}` })

export const numberRange = () => numbers.nullish()

type Bounds = Partial<Range<number>>

/** A range of amounts. Clients send euros; the parsed bounds are in cents. */
export const amountRange = () =>
  amounts.nullish().pipe(intRange() as z.ZodType<Range<number> | null | undefined, Bounds | null | undefined>)

/** An object with `min` and `max`. An absent bound becomes null; `min` above `max` is refused. */
function range<T extends string | number>(
  bound: z.ZodType<T>,
  complete: (value: T, side: 'min' | 'max') => T = (value) => value,
) {
  return z
    .object({
      min: bound.nullish().describe('Minimum'),
      max: bound.nullish().describe('Maximum'),
    })
    .refine((value) => value.min !== undefined || value.max !== undefined, 'must have min, max or both')
    .transform(
      ({ min, max }): Range<T> => ({
        min: min == null ? null : complete(min, 'min'),
        max: max == null ? null : complete(max, 'max'),
      }),
    )
    .refine(({ min, max }) => min === null || max === null || min <= max, 'min must not be above max')
}

function toList<T>(value: T | T[] | null | undefined): T[] | null {
  if (value === null || value === undefined) return null
  const values = unique(Array.isArray(value) ? value : [value])
  return values.length > 0 ? values : null
}
