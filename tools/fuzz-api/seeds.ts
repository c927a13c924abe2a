/** Valid calls from the OpenAPI document: every operation with parameters and a body that its schemas allow. */

import { demoLines } from '../../demo/agency.ts'
import { PIXEL } from '../../fixtures/pictures.ts'
import type { Random } from '../../fixtures/random.ts'
import { ADMIN_TOKEN, KEY } from '../runtime/agency.ts'

/** A call before it is encoded as bytes, so that its JSON can still be changed. */
export interface Seed {
  method: string
  path: string
  /** Query parameters, undecoded. */
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  body: { json: unknown } | { bytes: Buffer } | null
}

/** The part of an OpenAPI document, or of a JSON schema in it, that is read here. */
interface Schema {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  type?: string | string[]
  format?: string
  examples?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema?: Schema
}

interface Media {
  schema?: Schema
  examples?: Record<string, { value?: unknown }>
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  'x-filters'?: Schema
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

const METHODS = ['get', 'post', 'put', 'delete']
const MAX_DEPTH = 6
/** Valid values of headers with a special format. */
const HEADER_VALUES: Record<string, string[]> = {
  'If-Match': ['*', '"1-a"', 'W/"2-b", "3-c"'],
  'If-None-Match': ['*', '"1-a"', 'W/"2-b", "3-c"'],
  // Few, so that they are repeated with the same call and with others.
  'Idempotency-Key': ['key-1', '"key-1"', 'key-2', '"a\\"b"'],
  'X-D1-Bookmark': ['any'],
  Prefer: ['handling=strict', 'handling=lenient'],
}
const TEXTS = ['Ερμού', 'x', 'Διαμέρισμα 80 τ.μ.', 'https://example.com/a', '2026-01-01', '😀', 'RES-00001']

/** Makes valid calls of the operations of `document`. Those with many inputs come more often, as more can go wrong. */
export function seedMaker(document: Document): (random: Random) => Seed {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method]
      if (!operation) return []
      const weight = operation.requestBody ? 5 : operation['x-filters'] ? 2 : 1
      return Array.from({ length: weight }, () => ({ path, method, operation }))
    }),
  )
  const lines = Array.from(demoLines({ contacts: 20, listings: 20 }))
  const resolve = <T extends { $ref?: string }>(part: T): T => {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref ?? '') ?? []
    return name ? resolve(document.components[kind]?.[name] as T) : part
  }

  function makeSeed(random: Random): Seed {
    const { path, method, operation } = random.pick(operations)
    const isAdmin = path.startsWith('/admin/')
    const seed: Seed = {
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === 'id' || name === 'ordernum' ? String(random.int(1, 12)) : 'f'.repeat(32),
      ),
      query: [],
      headers: [['Authorization', `Bearer ${isAdmin ? ADMIN_TOKEN : KEY}`]],
      body: null,
    }
    const content = operation.requestBody?.content
    if (content) seed.body = makeBody(random, content)
    const filters = operation['x-filters']
    if (filters && random.chance(0.4)) {
      seed.body = { json: makeValue(random, filters, 0) }
      if (random.chance(0.5)) seed.method = 'QUERY'
    }
    for (const part of operation.parameters ?? []) {
      const { name, in: place, schema } = resolve(part)
      if (schema && place === 'query' && random.chance(0.25))
        seed.query.push(...asQuery(name, makeValue(random, schema, 0)))
      if (schema && place === 'header' && random.chance(0.2)) {
        const good = HEADER_VALUES[name]
        seed.headers.push([name, good ? random.pick(good) : String(makeValue(random, schema, 0))])
      }
    }
    return seed
  }

  function makeBody(random: Random, content: Record<string, Media>): Seed['body'] {
    const [[type, media] = ['', {}]] = random.sample(Object.entries(content), 1)
    if (type.includes('ndjson')) {
      const picked = random.sample(lines, random.int(1, 5))
      return { bytes: Buffer.from(picked.map((line) => JSON.stringify(line)).join('\n')) }
    }
    if (!type.includes('json')) return { bytes: Buffer.from(PIXEL, 'base64') }
    const examples = Object.values(media.examples ?? {}).flatMap(({ value }) => (value ? [value] : []))
    const json = random.chance(0.5) && examples.length > 0 ? structuredClone(random.pick(examples)) : null
    return { json: json ?? (media.schema ? makeValue(random, media.schema, 0) : {}) }
  }

  function makeValue(random: Random, schema: Schema, depth: number): unknown {
    const { anyOf, oneOf, allOf, type, examples, ...facts } = resolve(schema)
    const choices = anyOf ?? oneOf ?? allOf
    if (choices?.length) return makeValue(random, random.pick(choices), depth + 1)
    if (facts.enum?.length) return random.pick(facts.enum)
    if ('const' in facts) return facts.const
    if (examples?.length && random.chance(0.5)) return structuredClone(random.pick(examples))
    switch (Array.isArray(type) ? random.pick(type) : type) {
      case 'object':
        return makeObject(random, facts, depth)
      case 'array': {
        const length = depth > MAX_DEPTH ? 0 : random.int(0, 3)
        return Array.from({ length }, () => makeValue(random, facts.items ?? {}, depth + 1))
      }
      case 'integer':
        return random.int(Math.max(facts.minimum ?? 0, 0), Math.min(facts.maximum ?? 300, 300))
      case 'number':
        return random.int(0, 5000) / 10
      case 'boolean':
        return random.chance(0.5)
      case 'null':
        return null
      default:
        return facts.format === 'date' ? '2026-05-01' : random.chance(0.1) ? PIXEL : random.pick(TEXTS)
    }
  }

  function makeObject(random: Random, { properties = {}, required = [] }: Schema, depth: number): unknown {
    const chosen = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (depth <= MAX_DEPTH && random.chance(0.3)),
    )
    return Object.fromEntries(chosen.map(([name, value]) => [name, makeValue(random, value, depth + 1)]))
  }

  return makeSeed
}

/** A filter as query parameters. */
function asQuery(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.map((entry) => [name, String(entry)])
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([bound, entry]) => [`${name}[${bound}]`, String(entry)])
  return [[name, String(value)]]
}
