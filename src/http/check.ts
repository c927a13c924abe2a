/**
 * Checks a JSON object against a schema key by key, so that one bad key does not hide the others.
 *
 *     const draft = checkObject(createListing, body)
 *     if (draft.values.category && …) draft.refuse('subcategory', 'Invalid subcategory: …')
 *     const listing = draft.complete()          // throws 400 with the first problem in the schema's order
 *
 * By convention a field that may be left out may also be null; one that may not be null is required.
 */
import { z } from 'zod'
import { invalid, type Problem } from './errors.ts'

/** Most problems told of one field: a long list may have one in every entry. */
const MAX_PROBLEMS = 100

/** What a body holds so far: the good values, the problems, and the keys nobody knows. */
export class Draft<T> {
  /** The values that passed; keys that were not sent are absent. */
  readonly values: Partial<T>
  readonly unknownFields: string[]
  private problems: Problem[]
  private readonly schema: z.ZodObject

  constructor(values: Partial<T>, problems: Problem[], unknownFields: string[], schema: z.ZodObject) {
    this.values = values
    this.problems = problems
    this.unknownFields = unknownFields
    this.schema = schema
  }

  /** Whether a problem of `field` is known. */
  isRefused(field: string): boolean {
    return this.problems.some((problem) => problem.field === field)
  }

  /** Notes a problem; `message` is the whole sentence. */
  refuse(field: string, message: string): void {
    this.problems.push({ field, message })
  }

  /** Forgets `field` (dotted): neither its value nor what is wrong with it counts. */
  drop(field: string): void {
    this.problems = this.problems.filter((problem) => problem.field !== field)
    const path = field.split('.')
    const last = path.pop() ?? field
    let group: unknown = this.values
    for (const key of path) group = isObject(group) ? group[key] : undefined
    if (isObject(group)) delete group[last]
  }

  /** The values, when nothing is wrong with them; else throws 400, problems in the schema's order. */
  complete(): T {
    if (this.problems.length === 0) return this.values as T
    const order = fieldOrder(this.schema)
    throw invalid(this.problems.toSorted((a, b) => positionIn(order, a.field) - positionIn(order, b.field)))
  }
}

/** Checks `raw` against `schema`; nothing is thrown, every problem is in the draft. */
export function checkObject<S extends z.ZodObject>(schema: S, raw: Record<string, unknown>) {
  const problems: Problem[] = []
  const unknownFields: string[] = []
  const values = checkKeys(schema, raw, '', problems, unknownFields)
  return new Draft<z.output<S>>(values as Partial<z.output<S>>, problems, unknownFields, schema)
}

/** Whether `value` is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkKeys(
  schema: z.ZodObject,
  raw: Record<string, unknown>,
  prefix: string,
  problems: Problem[],
  unknownFields: string[],
): Record<string, unknown> {
  const unknown = Object.entries(raw).filter(([key]) => !Object.hasOwn(schema.shape, key))
  const isLoose = schema.def.catchall instanceof z.ZodUnknown
  // A loose object keeps what it does not know, for its rules to judge.
  const values: Record<string, unknown> = Object.fromEntries(isLoose ? unknown : [])
  if (!isLoose) for (const [key] of unknown) unknownFields.push(prefix + key)
  for (const [key, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined
    const name = prefix + key
    const group = asGroup(field)
    if (group && isObject(value)) {
      values[key] = checkKeys(group, value, `${name}.`, problems, unknownFields)
    } else if (isBlank(value) && isRequired(field, value)) {
      problems.push({ field: name, message: `Missing ${name}` })
    } else if (value !== undefined) {
      const result = field.safeParse(value)
      if (result.success) values[key] = result.data
      else
        for (const issue of result.error.issues.slice(0, MAX_PROBLEMS)) problems.push(toProblem(name, issue))
    }
  }
  return values
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** Whether a blank `value` is a missing one: by convention what may be left out may also be null. */
function isRequired(field: z.ZodType, value: unknown): boolean {
  const accepts = (blank: unknown) => field.safeParse(blank).success
  if (value === undefined || Array.isArray(value)) return !accepts(value) && !accepts(null)
  return !accepts(null)
}

/** The object schema inside `field`, when it is a plain group of keys. */
function asGroup(field: z.ZodType): z.ZodObject | null {
  let inner: unknown = field
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
  return inner instanceof z.ZodObject ? inner : null
}

/** Every field of `schema` in its order, groups dotted. */
function fieldOrder(schema: z.ZodObject, prefix = ''): string[] {
  return (Object.entries(schema.shape) as [string, z.ZodType][]).flatMap(([key, field]) => {
    const group = asGroup(field)
    return group ? [prefix + key, ...fieldOrder(group, `${prefix}${key}.`)] : [prefix + key]
  })
}

/** Where `field` stands in `order`; a field within an unlisted one stands where that does, any other at the end. */
function positionIn(order: string[], field: string): number {
  const exact = order.indexOf(field)
  if (exact >= 0) return exact
  const parent = order.indexOf(field.split('.')[0] ?? field)
  return parent >= 0 ? parent : order.length
}

function toProblem(name: string, issue: z.core.$ZodIssue): Problem {
  const path = issue.path.map(String)
  // A list of plain values is one field; a list of objects names the object and its key.
  if (/^\d+$/.test(path.join('.'))) path.pop()
  const field = [name, ...path].join('.')
  return { field, message: `Invalid ${field}: ${explain(issue)}` }
}

const TYPE_NAMES: Record<string, string> = {
  int: 'an integer',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function explain(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.startsWith('must be')) return issue.message
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return issue.origin === 'array' ? 'must not be empty' : `must be at least ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'invalid_union': {
      // The branch that got furthest explains best: for a list the one of the list, else the plain value's.
      const branches = issue.errors.map((errors) => errors[0]).filter((first) => first !== undefined)
      const best = branches.toSorted((a, b) => b.path.length - a.path.length)[0]
      return best ? explain(best) : issue.message
    }
    default:
      return issue.message
  }
}
