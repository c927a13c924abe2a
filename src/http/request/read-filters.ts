/**
 * Reads the filters of a list: one schema, three ways to send them. Clients may send a JSON object in a GET or QUERY body, or
 * query parameters of the same names (`status=active&status=draft`, `status[]=active`, `status[0]=active`, `price[min]=1`).
 *
 *     const draft = checkFilters(c, filters, await readFilters(c, MAX_FILTERS))
 *     const { status, date_created, page, sort } = draft.complete()
 */
import type { Context } from 'hono'
import { z } from 'zod'
import { MAX_ENTRIES } from '../../fields/values.ts'
import { KEY_PARAMETER } from '../caller/website-keys.ts'
import type { App } from '../context.ts'
import { checkObject, type Draft } from './check.ts'
import { type FieldSelection, ME, takesMe } from './filters.ts'
import { isObject, pickKnownKeys, unwrapSchema } from './object-keys.ts'
import { reportUnknownFields } from './read.ts'

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
    const known = knownParts(schema, pickKnownKeys(schema, sent).known)
    c.set('knownFilters', canonical(known) as Record<string, unknown>)
  } else {
    const known = Object.entries(body).filter(([name]) => Object.hasOwn(schema.shape, name))
    c.set('knownFilters', Object.fromEntries(known))
  }
  return draft
}

/** Filters without parts that they do not have, such as `price[x]`: an answer does not depend on them. */
function knownParts(schema: z.ZodObject, filters: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(filters).map(([name, value]) => {
    const group = unwrapSchema(schema.shape[name])
    return [name, group instanceof z.ZodObject && isObject(value) ? pickKnownKeys(group, value).known : value]
  })
  return Object.fromEntries(entries)
}

/**
 * The canonical order of what a visitor sends: a copy whose keys are sorted, at every depth. Answers are made from it and kept
 * under it, so that calls that differ in order only share one answer, down to its headers.
 */
function canonical(value: unknown): unknown {
  // Lists keep their order.
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]))
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
    if (!Object.hasOwn(schema.shape, name) || !takesMe(schema.shape[name])) return [name, value]
    return [name, Array.isArray(value) ? value.map(known) : known(value)]
  })
  return Object.fromEntries(entries)
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
  if (part && group instanceof z.ZodObject) {
    // As in a body, an unknown part is named, and is no bound.
    const isKnown = Object.hasOwn(group.shape, part)
    return { name, part, ...(isKnown && { field: group.shape[part] as z.ZodType }) }
  }
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
