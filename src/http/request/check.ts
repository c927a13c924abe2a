/**
 * Checks a JSON object against a schema key by key, so that one bad key does not hide the others.
 *
 *     const draft = checkObject(listingInput, body)
 *     if (draft.values.category && …) draft.refuse('subcategory', 'Invalid subcategory: …')
 *     const listing = draft.complete()          // throws 400 with the problems, in the schema's order
 *
 * By convention an optional field may also be null, and a field that may not be null is required.
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
  withEmptyObjects,
} from './object-keys.ts'

/** Maximum number of problems in a reply, and per field: every entry of a long list may have one. */
const MAX_PROBLEMS = 100
/** Maximum length of a message in characters, because messages may quote the input. */
const MAX_MESSAGE = 2000

/** The state of a validation: valid values, problems and unknown keys. */
export class Draft<T> {
  /** The valid values; keys that were not sent are absent. */
  readonly values: Partial<T>
  /** The first 20 unknown keys, dotted. */
  readonly unknownFields: string[] = []
  private unknown = 0
  private readonly problems = new Map<string, Problem[]>()
  private readonly schema: z.ZodObject

  constructor(schema: z.ZodObject, raw: Record<string, unknown>) {
    this.schema = schema
    this.values = checkKeys(this, schema, raw, '') as Partial<T>
  }

  /** Number of all unknown keys, including those in `unknownFields`. */
  get unknownCount(): number {
    return this.unknown
  }

  /** Whether `field` has a problem, or an entry of it if it is a list. */
  isRefused(field: string): boolean {
    return this.problems.has(field) || this.fieldsWithin(field).some((name) => isEntry(name, field))
  }

  /** Whether there is no problem so far. */
  get isComplete(): boolean {
    return this.problems.size === 0
  }

  /** A draft that shares the values and copies the problems. New problems of the copy do not affect this draft. */
  fork(): Draft<T> {
    const problems = new Map([...this.problems].map(([field, known]) => [field, [...known]]))
    return Object.create(this, { problems: { value: problems } })
  }

  /** Adds problems that a read has found. */
  refuseAll(problems: readonly Problem[]): void {
    for (const { field, message } of problems) this.refuse(field, message)
  }

  /** Adds a problem; `message` is a whole sentence. */
  refuse(field: string, message: string): void {
    const known = this.problems.get(field)
    const problem = { field: shorten(field), message: shorten(message) }
    if (!known) this.problems.set(field, [problem])
    else if (known.length < MAX_PROBLEMS) known.push(problem)
  }

  /** Adds the unknown key `prefix` + `key`. */
  ignore(prefix: string, key: string): void {
    this.unknown++
    if (this.unknownFields.length < MAX_NAMED) this.unknownFields.push(prefix + key)
  }

  /** Removes the value and the problems of `field` (dotted). */
  drop(field: string): void {
    for (const name of [field, ...this.fieldsWithin(field)]) this.problems.delete(name)
    const path = field.split('.')
    const last = path.pop() ?? field
    let group: unknown = this.values
    for (const key of path) group = isObject(group) ? group[key] : undefined
    if (isObject(group)) delete group[last]
  }

  /** Removes every null value: on create, null means the same as an absent key. */
  dropNulls(): void {
    const { values } = this
    for (const key of Object.keys(values) as (keyof T)[]) if (values[key] === null) delete values[key]
  }

  /**
   * The draft of the object under `group`, for rules that know nothing of what is around it. Its fields have names of their
   * own there, also in messages.
   */
  within<Group extends keyof T & string>(group: Group): DraftPart<NonNullable<T[Group]>> {
    const nameOf = (field: string) => `${group}.${field}`
    return {
      values: this.values[group] ?? {},
      refuse: (field, message) => this.refuse(nameOf(field), message.replace(field, nameOf)),
      isRefused: (field) => this.isRefused(nameOf(field)),
      drop: (field) => this.drop(nameOf(field)),
      // Rules ask only for an object that was sent.
      complete: () => this.complete()[group] as NonNullable<T[Group]>,
      reject: () => this.reject(),
    }
  }

  private fieldsWithin(field: string): string[] {
    return [...this.problems.keys()].filter((name) => name.startsWith(`${field}.`))
  }

  /** Returns the values if there is no problem. Otherwise throws 400, as `reject` does. */
  complete(): T {
    return this.isComplete ? (this.values as T) : this.reject()
  }

  /** Throws 400 with the problems in the order of the schema. */
  reject(): never {
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

/** A draft, or the part of one under a group. */
export type DraftPart<T> = Pick<Draft<T>, 'values' | 'refuse' | 'isRefused' | 'drop' | 'complete' | 'reject'>

/** Checks `raw` against `schema`. Never throws; problems are in the draft. */
export function checkObject<S extends z.ZodObject>(schema: S, raw: Record<string, unknown>) {
  return new Draft<z.output<S>>(schema, raw)
}

/** The valid values of `raw`. Adds problems and unknown keys to `draft`, with `prefix` before their names. */
function checkKeys(
  draft: Draft<unknown>,
  schema: z.ZodObject,
  sent: Record<string, unknown>,
  prefix: string,
): Record<string, unknown> {
  const raw = withEmptyObjects(schema, sent)
  const values = checkUnknown(draft, schema, raw, prefix)
  for (const [key, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined
    const name = prefix + key
    // First, as most bodies have few of the keys.
    if (value === undefined) {
      if (isRequiredKey(field)) draft.refuse(name, `Missing ${name}`)
      continue
    }
    const group = toGroup(field)
    if (takesAnyKey(group ?? unwrapSchema(field)) && hasTooManyKeys(value)) {
      draft.refuse(name, `Invalid ${name}: must have at most ${MAX_KEYS} entries`)
    } else if (group && isObject(value)) {
      values[key] = checkKeys(draft, group, value, `${name}.`)
    } else if (isBlank(value) && isRequired(field, value)) {
      draft.refuse(name, `Missing ${name}`)
    } else {
      const result = checkValue(draft, field, value, name)
      if (result.success) values[key] = result.data
    }
  }
  return values
}

/** Adds unknown keys to `draft`. A loose schema returns them instead, because its rules check them later. */
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

/** Checks a field as a whole. If it is a range or a list of objects, also checks the objects key by key. */
function checkValue(draft: Draft<unknown>, field: z.ZodType, value: unknown, name: string) {
  const result = field.safeParse(value, { error: messageOf })
  const issues = result.error?.issues.slice(0, MAX_PROBLEMS) ?? []
  // If a list is too long, its entries are not checked.
  if (issues.some(({ code, path }) => code === 'too_big' && path.length === 0)) {
    for (const issue of issues) refuseIssue(draft, name, issue)
    return result
  }
  const { parts, depth } = partsOf(field, value)
  for (const { schema, raw, path } of parts) checkKeys(draft, schema, raw, `${[name, ...path].join('.')}.`)
  // The loop above has already reported issues inside a part, so do not repeat them.
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
  path: number[]
}

/** The objects in `value` and their depth: `value` itself if it is an object, or the entries if it is a list. */
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
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** Whether a blank `value` counts as missing: by convention an optional field may also be null. */
function isRequired(field: z.ZodType, value: unknown): boolean {
  return !(Array.isArray(value) && field.safeParse(value).success) && !field.safeParse(null).success
}

/** Results of `isRequiredKey`, which runs for most keys of every body. */
const presenceCache = new WeakMap<z.ZodType, boolean>()

function isRequiredKey(field: z.ZodType): boolean {
  let answer = presenceCache.get(field)
  if (answer === undefined) {
    answer = !field.safeParse(undefined).success && !field.safeParse(null).success
    presenceCache.set(field, answer)
  }
  return answer
}

/** Every field of `schema` in order, with dotted names inside groups. */
function fieldOrder(schema: z.ZodObject, prefix = ''): string[] {
  return (Object.entries(schema.shape) as [string, z.ZodType][]).flatMap(([key, field]) => {
    const group = toGroup(field)
    return group ? [prefix + key, ...fieldOrder(group, `${prefix}${key}.`)] : [prefix + key]
  })
}

/** The position of `field` in `order`, or of the closest field that contains it; otherwise the end. */
function positionIn(order: Map<string, number>, field: string): number {
  for (let end = field.length; end > 0; end = field.lastIndexOf('.', end - 1)) {
    const position = order.get(field.slice(0, end))
    if (position !== undefined) return position
  }
  return order.size
}

/** Whether `name` is an entry of the list `field`, or a field inside an entry. */
function isEntry(name: string, field: string): boolean {
  return /^\.\d+(\.|$)/.test(name.slice(field.length))
}

/** The index of the list entry that `field` is or belongs to; -1 for any other field. */
function entryIn(field: string): number {
  return Number(/\.(\d{1,9})(?:\.|$)/.exec(field)?.[1] ?? -1)
}
