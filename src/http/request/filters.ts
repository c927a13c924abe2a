/**
 * The filters of a list: one schema, three ways to send them. Clients may send a JSON object in a GET or QUERY body, or
 * query parameters of the same names (`status=active&status=draft`, `status[]=active`, `status[0]=active`, `price[min]=1`).
 *
 *     const filters = z.object({ status: oneOrMoreFilter(STATUSES), date_created: dateTimeRange(), ...listFilters('date_created') })
 *     const draft = checkFilters(c, filters, await readFilters(c, MAX_FILTERS))
 *     const { status, date_created, page, sort } = draft.complete()
 *
 * Null, an empty list and an absent key all mean "no filter".
 */
import type { Context } from 'hono'
import { z } from 'zod'
import { cents } from '../../fields/money.ts'
import { date, int, isDate, isDateTime, list, MAX_ENTRIES, text, unique } from '../../fields/values.ts'
import { KEY_PARAMETER } from '../caller/website-keys.ts'
import type { App } from '../context.ts'
import { canonicalObject } from './canonical.ts'
import { checkObject, type Draft } from './check.ts'
import { pickKnownKeys, unwrapSchema } from './object-keys.ts'
import { MAX_PAGE_SIZE, PAGE_SIZE } from './page-size.ts'
import { reportUnknownFields } from './read.ts'

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

export const fieldsFilter = () =>
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
const ME = 'me'
const NOBODY = 'me is the user behind the key or the person who calls, and there is none'
const ofUsers = z.registry<{ takesMe: true }>()
const userId = () => z.union([int(), z.literal(ME)])

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

const amounts = z.object({ min: bound('Minimum'), max: bound('Maximum') }).meta({
  id: 'AmountRange',
  description:
    'Amounts as numbers or as text with at most two decimals. Both sides are inclusive; one may be absent or null, ' +
    'which means no limit there. `min` must not be above `max`.',
})

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

/** The filters of body and query; for the same key the body wins. Problems wait in the draft. */
export function checkFilters<S extends z.ZodObject>(
  c: Context<App>,
  schema: S,
  body: Record<string, unknown>,
): Draft<z.output<S>> {
  const query = c.req.raw.url.includes('?') ? readQuery(filtersInQuery(c), schema, flagsOf(c)) : {}
  const sent = { ...query, ...body }
  const draft = checkObject(schema, withUserOf(c, schema, sent))
  const { fields } = draft.values as { fields?: FieldSelection | 'all' | null }
  if (fields && fields !== 'all') for (const name of fields.unknown) draft.ignore('fields.', name)
  reportUnknownFields(c, draft)
  if (c.get('key')?.website) {
    c.set('knownFilters', canonicalObject(pickKnownKeys(schema, sent).known))
  } else {
    const known = Object.entries(body).filter(([name]) => Object.hasOwn(schema.shape, name))
    c.set('knownFilters', Object.fromEntries(known))
  }
  return draft
}

/** Filters with the id of the user behind the caller in the place of `me`. */
function withUserOf(
  c: Context<App>,
  schema: z.ZodObject,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const { user_id } = c.get('key') ?? {}
  if (user_id == null) return sent
  const known = (one: unknown) => (one === ME ? user_id : one)
  const entries = Object.entries(sent).map(([name, value]): [string, unknown] => {
    if (!Object.hasOwn(schema.shape, name) || !ofUsers.get(schema.shape[name])) return [name, value]
    return [name, Array.isArray(value) ? value.map(known) : known(value)]
  })
  return Object.fromEntries(entries)
}

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

/** The query parameters of a call; those of visitors without the API key. */
function filtersInQuery(c: Context<App>): Record<string, string[]> {
  const queries = c.req.queries()
  if (!c.get('key')?.website) return queries
  const { [KEY_PARAMETER]: _, ...filters } = queries
  return filters
}

/**
 * Converts query parameters to JSON: `a=1&b[min]=2&c=x&c[]=y` → `{a: 1, b: {min: 2}, c: ['x', 'y']}`. A value beside parts of
 * the same name, as in `b=1&b[min]=2`, makes a list of both, which no filter accepts.
 */
function readQuery(
  queries: Record<string, string[]>,
  schema: z.ZodObject,
  flags: typeof FLAGS,
): Record<string, unknown> {
  // Without a prototype, `__proto__` is a name like any other.
  const filters: Record<string, unknown> = Object.create(null)
  const groups: Record<string, Record<string, unknown>> = Object.create(null)
  const lists = new Map<string, unknown[]>()
  for (const [key, values] of inOrderOfIndices(queries)) {
    const { name, part, field } = fieldOf(key, schema)
    const list = lists.get(`${name}[${part}`) ?? []
    lists.set(`${name}[${part}`, list)
    // One entry more than a list may have, so that a longer list is still refused.
    for (const value of values.slice(0, MAX_ENTRIES + 1 - list.length))
      list.push(field ? filtersFromQuery(value, field, flags) : value)
    const value = list.length === 1 ? list[0] : list
    if (part) groups[name] = { ...groups[name], [part]: value }
    else filters[name] = value
  }
  for (const [name, group] of Object.entries(groups))
    filters[name] = filters[name] == null ? group : [filters[name], group]
  return filters
}

/** Query parameters, of which those that name an entry of a list (`status[1]`) come in the order of the entries. */
function inOrderOfIndices(queries: Record<string, string[]>): [key: string, values: string[]][] {
  const indexOf = (key: string) => Number(INDEXED.exec(key)?.[2] ?? -1)
  return Object.entries(queries).toSorted(([a], [b]) => indexOf(a) - indexOf(b))
}

/** The name of an entry of a list, and its index. */
const INDEXED = /^(\w+)\[(\d{1,9})\]$/

/** The field of `schema` that a query key names; of `near[radius]`, the part `radius` of `near`. */
function fieldOf(key: string, schema: z.ZodObject): { name: string; part: string; field?: z.ZodType } {
  const [, outer, part = ''] = /^(\w+)\[(\w*)\]$/.exec(key) ?? []
  const name = outer ?? key
  const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined
  if (field && INDEXED.test(key)) return { name, part: '', field }
  const group = unwrapSchema(field)
  const hasPart = group instanceof z.ZodObject && Object.hasOwn(group.shape, part)
  if (hasPart) return { name, part, field: group.shape[part] as z.ZodType }
  // Bounds of anything else are reported as a wrong value of it.
  if (part && part !== 'min' && part !== 'max') return { name: key, part: '' }
  return { name, part, ...(field && { field }) }
}

/**
 * Converts a query value: to a number or boolean if `field` accepts one, an empty value to null, otherwise text. Decimals are no
 * integer, even `200.000`, which may mean 200,000. Where numbers may be text, as amounts, the text decides what it means.
 */
function filtersFromQuery(value: string, field: z.ZodType, flags: typeof FLAGS): unknown {
  if (value === '') return null
  if (/^[+-]?\d+$/.test(value) && (acceptsKind(field, 1) || acceptsKind(field, Number(value))))
    return Number(value)
  if (/^-?\d+\.\d+$/.test(value) && acceptsKind(field, 1.5) && !acceptsKind(field, '1')) return Number(value)
  const flag = flags.get(value)
  return flag !== undefined && acceptsKind(field, flag) ? flag : value
}

/** Booleans of a query. Reads take them as languages write them, too: PHP `1`, Python `True`. */
const FLAGS = new Map([
  ['true', true],
  ['false', false],
])
const FLAGS_OF_READS = new Map([...FLAGS, ['True', true], ['1', true], ['False', false], ['0', false]])

const flagsOf = (c: Context<App>) => (c.req.method === 'POST' ? FLAGS : FLAGS_OF_READS)

function acceptsKind(field: z.ZodType, value: number | boolean | string): boolean {
  return field.safeParse(value).success || field.safeParse({ min: value, max: value }).success
}
