/** Bodies of calls as the OpenAPI document describes them: the smallest, the largest, and those with one key changed. */
import { SUBCATEGORIES } from '../../src/catalogue/property-enums.ts'
import { MAX_ID } from '../../src/fields/values.ts'
import { isObject } from '../../src/http/request/object-keys.ts'

type Data = Record<string, unknown>

/** The part of a JSON schema that is read here. */
export interface Schema {
  $ref?: string
  anyOf?: Schema[]
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  examples?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minItems?: number
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** A name for which an id other than 1 is needed. */
const IDS: Record<string, number> = { locations: 11, area_level2: 11, area_level3: 111 }

const FORMATS: Record<string, string> = {
  date: '2026-01-31',
  email: 'anna@example.com',
  phone: '+30 690 000 0001',
  uri: 'https://www.example.com/a?b=c',
  color: '#08f',
}

/** Formats of texts that the document describes by a pattern, or by words. */
const FORMAT_OF: Record<string, string> = { photos: 'uri', color: 'color' }

/** What a body is made with. */
interface Options {
  schemas: Record<string, Schema>
  /** Whether it has all keys, or only those that are required. */
  keys: 'all' | 'required'
  /** Characters of each text; fewer where no more are allowed. */
  length?: number
}

/** A body that `schema` allows. */
export function bodyOf(schema: Schema, options: Options, name = ''): unknown {
  const { type, ...facts } = resolved(schema, options.schemas)
  if (facts.enum) return facts.enum[0]
  if ('const' in facts) return facts.const
  if (facts.examples) return facts.examples[0]
  switch ([type].flat().find((one) => one !== 'null')) {
    case 'object':
      return objectOf(facts, options)
    case 'array':
      return options.keys === 'all' || (facts.minItems ?? 0) > 0
        ? [bodyOf(facts.items ?? {}, options, name)]
        : []
    case 'integer':
      return facts.maximum === MAX_ID ? (IDS[name] ?? 1) : Math.max(facts.minimum ?? 0, 1)
    case 'number':
      return Math.min(1.5, facts.maximum ?? 1.5)
    case 'boolean':
      return true
    default: {
      const { format = FORMAT_OF[name] ?? '', maxLength = 1 } = facts
      const length = Math.min(maxLength, options.length ?? 10)
      return FORMATS[format] ?? 'Ω"\n'.repeat(length).slice(0, length).trim()
    }
  }
}

function objectOf({ properties = {}, required = [] }: Schema, options: Options): Data {
  const names = options.keys === 'all' ? Object.keys(properties) : required
  const body: Data = {}
  for (const name of names) body[name] = bodyOf(properties[name] ?? {}, options, name)
  return body
}

/** The schema that `schema` refers to, or its first alternative. */
function resolved(schema: Schema, schemas: Record<string, Schema>): Schema {
  const { $ref, anyOf: [first] = [], ...facts } = schema
  const inner = $ref ? schemas[$ref.split('/').at(-1) ?? ''] : first
  return inner ? { ...resolved(inner, schemas), ...facts } : schema
}

/** The choices of the required keys that decide which others apply: each value of an enumeration. */
export function kindsOf(schema: Schema, schemas: Record<string, Schema>): Data[] {
  const { properties = {}, required = [] } = resolved(schema, schemas)
  return required
    .map(
      (name) => resolved(properties[name] ?? {}, schemas).enum?.map((value) => ({ [name]: value })) ?? [{}],
    )
    .reduce<Data[]>(
      (kinds, values) => kinds.flatMap((kind) => values.map((value) => ({ ...kind, ...value }))),
      [{}],
    )
}

/** `body` of another kind, with a subcategory that belongs to it. */
export function ofKind(body: Data, kind: Data): Data {
  const [subcategory] = SUBCATEGORIES[(kind.category ?? 'residential') as keyof typeof SUBCATEGORIES] ?? []
  return {
    ...body,
    ...kind,
    ...('subcategory' in body ? { subcategory } : {}),
    ...('subcategories' in body ? { subcategories: [subcategory] } : {}),
  }
}

type Path = (string | number)[]

/** The paths of all values within `body`. */
function pathsOf(body: unknown, path: Path = []): Path[] {
  const entries: [string | number, unknown][] = Array.isArray(body)
    ? [...body.entries()]
    : isObject(body)
      ? Object.entries(body)
      : []
  return entries.flatMap(([key, value]) => [[...path, key], ...pathsOf(value, [...path, key])])
}

/** `body` with each of its values left out, null and empty: alone, or `together` with some that lie far from it. */
export function variantsOf(body: Data, together = 1): Data[] {
  const paths = pathsOf(body)
  const step = Math.ceil(paths.length / together)
  const groups = paths.slice(0, step).flatMap((_, first) => {
    const group = paths.filter((_path, index) => index % step === first)
    const inner = group.filter((path) => group.some((other) => other !== path && isWithin(path, other)))
    return [group.filter((path) => !inner.includes(path)), ...inner.map((path) => [path])]
  })
  return (['absent', 'null', 'empty'] as const).flatMap((how) =>
    // From the last to the first, so that places in lists stay what they are.
    groups.map((group) => group.reduceRight((changed, path) => withChange(changed, path, how), body)),
  )
}

const isWithin = (path: Path, other: Path) => other.every((key, index) => key === path[index])

function withChange(body: Data, path: Path, how: 'absent' | 'null' | 'empty'): Data {
  const copy = structuredClone(body)
  const holder = path.slice(0, -1).reduce<object>((inner, key) => Reflect.get(inner, key), copy)
  const key = path.at(-1) ?? ''
  if (how === 'absent' && Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (how === 'absent') Reflect.deleteProperty(holder, key)
  else Reflect.set(holder, key, how === 'null' ? null : emptyOf(Reflect.get(holder, key)))
  return copy
}

function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (isObject(value)) return {}
  return typeof value === 'string' ? '' : typeof value === 'number' ? 0 : false
}

/** `body` without the keys that a reply names as refused. */
export function without(body: Data, fields: string[]): Data {
  const copy = structuredClone(body)
  for (const field of fields) {
    const path = field.split('.')
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), copy)
    if (isObject(holder)) delete holder[path.at(-1) ?? '']
  }
  return copy
}
