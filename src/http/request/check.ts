/**
 * Checks a JSON object against a schema key by key, so that one bad key does not hide the others.
 *
 *     const draft = checkObject(listingInput, body)
 *     if (draft.values.category && …) draft.refuse('subcategory', 'Invalid subcategory: …')
 *     const listing = draft.complete()          // throws 400 with the first problem in the schema's order
 *
 * By convention a field that may be left out may also be null; one that may not be null is required.
 */
import { z } from 'zod'
import { invalid, type Problem } from '../errors.ts'
import { messageOf, toProblem } from './explain.ts'
import {
  hasTooManyKeys,
  isObject,
  MAX_KEYS,
  MAX_NAMED,
  takesAnyKey,
  toGroup,
  unwrapSchema,
} from './object-keys.ts'

/** Most problems told at once, and of one field: a long list may have one in every entry. */
const MAX_PROBLEMS = 100
/** Longest sentence about a problem, in characters: it may quote what was sent. */
const MAX_MESSAGE = 2000

/** What a body holds so far: the good values, the problems, and the keys nobody knows. */
export class Draft<T> {
  /** The values that passed; keys that were not sent are absent. */
  readonly values: Partial<T>
  /** The first keys that nobody knows, dotted; at most 20. */
  readonly unknownFields: string[] = []
  private unknown = 0
  /** By field. */
  private readonly problems = new Map<string, Problem[]>()
  private readonly schema: z.ZodObject

  constructor(schema: z.ZodObject, raw: Record<string, unknown>) {
    this.schema = schema
    this.values = checkKeys(this, schema, raw, '') as Partial<T>
  }

  /** How many keys nobody knows, the named ones included. */
  get unknownCount(): number {
    return this.unknown
  }

  /** Whether a problem of `field` is known, or of an entry of the list that it is. */
  isRefused(field: string): boolean {
    return this.problems.has(field) || this.fieldsWithin(field).some((name) => isEntry(name, field))
  }

  /** Whether nothing is known to be wrong. */
  get isComplete(): boolean {
    return this.problems.size === 0
  }

  /** A draft of the same values to note problems in that this one never hears of. */
  fork(): Draft<T> {
    const problems = new Map([...this.problems].map(([field, known]) => [field, [...known]]))
    return Object.create(this, { problems: { value: problems } })
  }

  /** Notes a problem; `message` is the whole sentence. */
  refuse(field: string, message: string): void {
    const known = this.problems.get(field)
    const problem = { field: shorten(field), message: shorten(message) }
    if (!known) this.problems.set(field, [problem])
    else if (known.length < MAX_PROBLEMS) known.push(problem)
  }

  /** Notes a key that nobody knows, as `prefix` and `key`. */
  ignore(prefix: string, key: string): void {
    this.unknown++
    if (this.unknownFields.length < MAX_NAMED) this.unknownFields.push(prefix + key)
  }

  /** Forgets `field` (dotted): neither its value nor what is wrong with it counts. */
  drop(field: string): void {
    for (const name of [field, ...this.fieldsWithin(field)]) this.problems.delete(name)
    const path = field.split('.')
    const last = path.pop() ?? field
    let group: unknown = this.values
    for (const key of path) group = isObject(group) ? group[key] : undefined
    if (isObject(group)) delete group[last]
  }

  /** Takes every null for nothing sent, as it is meant on create. */
  dropNulls(): void {
    const { values } = this
    for (const key of Object.keys(values) as (keyof T)[]) if (values[key] === null) delete values[key]
  }

  /** The fields with problems that are within `field`. */
  private fieldsWithin(field: string): string[] {
    return [...this.problems.keys()].filter((name) => name.startsWith(`${field}.`))
  }

  /** The values, when nothing is wrong with them; else throws 400, problems in the schema's order. */
  complete(): T {
    if (this.isComplete) return this.values as T
    const order = new Map(fieldOrder(this.schema).map((field, index) => [field, index]))
    const fields = [...this.problems].map(([field, problems]) => ({
      position: positionIn(order, field),
      entry: entryIn(field),
      problems,
    }))
    const sorted = fields
      .toSorted((a, b) => a.position - b.position || a.entry - b.entry)
      .flatMap(({ problems }) => problems)
    throw invalid(sorted.slice(0, MAX_PROBLEMS))
  }
}

/** Checks `raw` against `schema`; nothing is thrown, every problem is in the draft. */
export function checkObject<S extends z.ZodObject>(schema: S, raw: Record<string, unknown>) {
  return new Draft<z.output<S>>(schema, raw)
}

/** The values of `raw` that pass; whatever else there is, is noted in `draft` under `prefix`. */
function checkKeys(
  draft: Draft<unknown>,
  schema: z.ZodObject,
  raw: Record<string, unknown>,
  prefix: string,
): Record<string, unknown> {
  const values = checkUnknown(draft, schema, raw, prefix)
  for (const [key, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined
    const name = prefix + key
    const group = toGroup(field)
    if (takesAnyKey(group ?? unwrapSchema(field)) && hasTooManyKeys(value)) {
      draft.refuse(name, `Invalid ${name}: must have at most ${MAX_KEYS} entries`)
    } else if (group && isObject(value)) {
      values[key] = checkKeys(draft, group, value, `${name}.`)
    } else if (isBlank(value) && isRequired(field, value)) {
      draft.refuse(name, `Missing ${name}`)
    } else if (value !== undefined) {
      const result = checkValue(draft, field, value, name)
      if (result.success) values[key] = result.data
    }
  }
  return values
}

/** Notes the keys that `schema` does not know; a loose one gets them back, for its rules to judge. */
function checkUnknown(
  draft: Draft<unknown>,
  schema: z.ZodObject,
  raw: Record<string, unknown>,
  prefix: string,
): Record<string, unknown> {
  const isUnknown = (key: string) => !Object.hasOwn(schema.shape, key)
  if (takesAnyKey(schema)) {
    return Object.fromEntries(Object.entries(raw).filter(([key]) => isUnknown(key)))
  }
  for (const key of Object.keys(raw)) if (isUnknown(key)) draft.ignore(prefix, key)
  return {}
}

/** One field as a whole, and key by key where it is a range or a list of objects. */
function checkValue(draft: Draft<unknown>, field: z.ZodType, value: unknown, name: string) {
  const result = field.safeParse(value, { error: messageOf })
  const issues = result.error?.issues.slice(0, MAX_PROBLEMS) ?? []
  // The entries of a list that is too long are not looked at.
  if (issues.some(({ code, path }) => code === 'too_big' && path.length === 0)) {
    for (const issue of issues) refuseIssue(draft, name, issue)
    return result
  }
  const { parts, depth } = partsOf(field, value)
  for (const { schema, raw, path } of parts) checkKeys(draft, schema, raw, `${[name, ...path].join('.')}.`)
  // What is wrong within a part was told just now.
  for (const issue of issues) {
    const { field: at } = toProblem(name, issue)
    if (issue.path.length <= depth || !draft.isRefused(at)) refuseIssue(draft, name, issue)
  }
  return result
}

function refuseIssue(draft: Draft<unknown>, name: string, issue: z.core.$ZodIssue): void {
  const { field, message } = toProblem(name, issue)
  draft.refuse(field, message)
}

interface SchemaPart {
  schema: z.ZodObject
  raw: Record<string, unknown>
  /** Where it stands within its field. */
  path: number[]
}

/** The objects that `value` is made of, and how deep they lie: itself where it is a range, or its entries. */
function partsOf(field: z.ZodType, value: unknown): { parts: SchemaPart[]; depth: number } {
  const inner = unwrapSchema(field)
  if (inner instanceof z.ZodObject && isObject(value)) {
    return { parts: [{ schema: inner, raw: value, path: [] }], depth: 0 }
  }
  const schema = inner instanceof z.ZodArray ? unwrapSchema(inner.element) : null
  if (!(schema instanceof z.ZodObject) || !Array.isArray(value)) {
    return { parts: [], depth: Number.POSITIVE_INFINITY }
  }
  const parts = value.flatMap((raw: unknown, index) =>
    isObject(raw) ? [{ schema, raw, path: [index] }] : [],
  )
  return { parts, depth: 1 }
}

function shorten(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : text
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** Whether a blank `value` is a missing one: by convention what may be left out may also be null. */
function isRequired(field: z.ZodType, value: unknown): boolean {
  if (value === undefined) return isRequiredKey(field)
  return !(Array.isArray(value) && field.safeParse(value).success) && !field.safeParse(null).success
}

/** The answers so far of `mustBeSent`, which most keys of most bodies are asked. */
const presenceCache = new WeakMap<z.ZodType, boolean>()

function isRequiredKey(field: z.ZodType): boolean {
  let answer = presenceCache.get(field)
  if (answer === undefined) {
    answer = !field.safeParse(undefined).success && !field.safeParse(null).success
    presenceCache.set(field, answer)
  }
  return answer
}

/** Every field of `schema` in its order, groups dotted. */
function fieldOrder(schema: z.ZodObject, prefix = ''): string[] {
  return (Object.entries(schema.shape) as [string, z.ZodType][]).flatMap(([key, field]) => {
    const group = toGroup(field)
    return group ? [prefix + key, ...fieldOrder(group, `${prefix}${key}.`)] : [prefix + key]
  })
}

/** Where `field` stands in `order`: where the nearest field does that it is within, or at the end. */
function positionIn(order: Map<string, number>, field: string): number {
  for (let end = field.length; end > 0; end = field.lastIndexOf('.', end - 1)) {
    const position = order.get(field.slice(0, end))
    if (position !== undefined) return position
  }
  return order.size
}

/** Whether `name` is an entry of the list `field`, or within one. */
function isEntry(name: string, field: string): boolean {
  return /^\.\d+(\.|$)/.test(name.slice(field.length))
}

/** Which entry of a list `field` is, or is within; -1 for any other field. */
function entryIn(field: string): number {
  return Number(/\.(\d{1,9})(?:\.|$)/.exec(field)?.[1] ?? -1)
}
