/**
 * Converts the schemas that validate to JSON Schema. Zod does most of it. This file tidies the result up, and moves
 * named schemas (`.meta({ id })`, and enumerations of `names.ts`) to the components of the document.
 */
import { z } from 'zod'

export type Json = Record<string, unknown>

/** A closed set of values, described in the document. */
export type Enumeration = readonly [values: readonly string[], description: string]

const PREFIX = '#/components/schemas/'

export class Schemas {
  readonly components: Record<string, Json> = {}
  private readonly enumerations: Map<string, { name: string; schema: Json }>
  private readonly known = new Map<z.ZodType, Json>()

  constructor(enumerations: Record<string, Enumeration>) {
    this.enumerations = new Map(
      Object.entries(enumerations).map(([name, [values, description]]) => [
        JSON.stringify(values),
        { name, schema: { type: 'string', description, enum: values } },
      ]),
    )
  }

  /** The JSON Schema of `schema` as input or output: a reference if it has a name. */
  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const known = this.known.get(schema)
    if (known) return known
    const { $schema, $defs, ...own } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      // Of what a transform makes, Zod knows nothing: it is of the type that it was made of.
      override: ({ zodSchema, jsonSchema }) => {
        const { def } = zodSchema._zod
        if (
          def.type !== 'pipe' ||
          def.out._zod.def.type !== 'transform' ||
          Object.keys(jsonSchema).length > 0
        )
          return
        const { $schema: _, ...taken } = z.toJSONSchema(def.in, { io, unrepresentable: 'any' })
        Object.assign(jsonSchema, taken)
      },
    }) as Json
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) {
      this.add(name, this.tidy(definition))
    }
    const made = this.tidy(own)
    this.known.set(schema, made)
    return made
  }

  /** Names `schema` and returns a reference to it. Throws if the name belongs to a different schema. */
  add(name: string, schema: Json): Json {
    const known = this.components[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas of the documentation are called ${name}`)
    }
    this.components[name] = schema
    return { $ref: PREFIX + name }
  }

  /** The schema that a reference points to; any other schema is returned as it is. */
  resolve(schema: Json): Json {
    const name = nameOf(schema)
    return (name && this.components[name]) || schema
  }

  private tidy(schema: Json): Json {
    const { $ref, ...rest } = schema
    const tidied = mapSchemas(rest, (inner) => this.tidy(inner))
    // Every integer is a safe integer. Stating it each time would hide the bounds that matter.
    if (tidied.minimum === Number.MIN_SAFE_INTEGER) delete tidied.minimum
    if (tidied.maximum === Number.MAX_SAFE_INTEGER) delete tidied.maximum
    if (typeof $ref === 'string') return { $ref: $ref.replace('#/$defs/', PREFIX), ...tidied }
    return this.named(foldNull(tidied))
  }

  /** Replaces a named enumeration by a reference. */
  private named(schema: Json): Json {
    const { enum: values, type, ...rest } = schema
    const known = Array.isArray(values) ? this.enumerations.get(JSON.stringify(values)) : undefined
    return known ? { ...this.add(known.name, known.schema), ...rest } : schema
  }
}

/** The schema name in a reference; undefined for any other schema. */
export function nameOf(schema: Json | undefined): string | undefined {
  return typeof schema?.$ref === 'string' ? schema.$ref.slice(PREFIX.length) : undefined
}

/** `schema` without null as a choice, for parameters, which cannot be null. */
export function withoutNull(schema: Json): Json {
  const { type, anyOf, ...rest } = schema
  if (Array.isArray(type)) return { ...rest, type: type.find((name) => name !== 'null') }
  if (!Array.isArray(anyOf)) return schema
  const others = anyOf.filter((choice: Json) => choice.type !== 'null')
  return others.length === 1 ? { ...others[0], ...rest } : { anyOf: others, ...rest }
}

/** Simplifies "an integer or null" to `{type: ['integer', 'null'], …}`, and flattens nested choices. */
function foldNull(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const choices = anyOf.flatMap((choice: Json) =>
    Array.isArray(choice.anyOf) && Object.keys(choice).length === 1 ? choice.anyOf : [choice],
  )
  const [first, second] = choices
  const foldable = choices.length === 2 && second.type === 'null' && typeof first.type === 'string'
  if (!foldable || 'enum' in first || 'const' in first) return { ...rest, anyOf: choices }
  return { ...first, ...rest, type: [first.type, 'null'] }
}

/** Replaces every schema directly inside `schema`. */
function mapSchemas(schema: Json, replace: (inner: Json) => Json): Json {
  const { propertyNames, ...mapped } = schema
  for (const key of ['anyOf', 'oneOf']) {
    if (Array.isArray(mapped[key])) mapped[key] = mapped[key].map(replace)
  }
  for (const key of ['items', 'additionalProperties']) {
    if (typeof mapped[key] === 'object' && mapped[key] !== null) mapped[key] = replace(mapped[key] as Json)
  }
  if (mapped.properties) {
    const properties = Object.entries(mapped.properties as Record<string, Json>)
    mapped.properties = Object.fromEntries(properties.map(([name, inner]) => [name, replace(inner)]))
  }
  return mapped
}
