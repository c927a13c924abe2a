/** Makes `docs/import-fields.md`, with every field of every entity of an import, from the schemas that check the lines. */
import { z } from 'zod'
import { ENUMERATIONS } from '../../src/catalogue/enumerations.ts'

/** An entity, as far as the page shows it. */
interface DescribedEntity {
  name: string
  key?: string
  schema: z.ZodObject
}

interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  description?: string
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

const INTRODUCTION = `# Fields of an import

Every field of every entity that [import](transfer.md) takes, in the order of a file. [Bringing your data](bringing-your-data.md)
shows how to make such a file. This page is made from the schemas that check the lines.

**Bold** fields are required in a line that creates a record. All others may be left out or null. Types are those of
[fields and values](values.md): dates are \`YYYY-MM-DD\`, date-times \`YYYY-MM-DD HH:MM:SS\` in UTC. A dot leads into an object,
\`[]\` into each entry of a list. Names of values are in \`/api/enumerations\`.
`

/** Longest list of values that the page repeats. */
const MAX_VALUES = 14

/** The page as Markdown. */
export function importFieldsPage(entities: readonly DescribedEntity[]): string {
  return [INTRODUCTION, ...entities.map(describeEntity)].join('\n')
}

function describeEntity({ name, key = 'id', schema }: DescribedEntity): string {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  const rows = rowsOf(json, json.$defs ?? {}, '', new Set([key]))
  return `## ${name}\n\n| field | type | |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** A row for each property, followed by those of the objects in it. */
function rowsOf(
  object: Schema,
  defs: Record<string, Schema>,
  prefix: string,
  always: ReadonlySet<string> = new Set(),
): string[] {
  return Object.entries(object.properties ?? {}).flatMap(([name, found]) => {
    const schema = resolved(found, defs)
    const isRequired = always.has(name) || object.required?.includes(name)
    const path = `\`${prefix}${name}\``
    const meaning = (schema.description ?? '').replaceAll('|', '\\|')
    const row = `| ${isRequired ? `**${path}**` : path} | ${typeOf(schema, defs)} | ${meaning} |`
    const item = schema.items && resolved(schema.items, defs)
    const inner = schema.properties
      ? rowsOf(schema, defs, `${prefix}${name}.`)
      : item?.properties
        ? rowsOf(item, defs, `${prefix}${name}[].`)
        : []
    return [row, ...inner]
  })
}

/** A schema without its reference, and without null as a choice. */
function resolved(schema: Schema, defs: Record<string, Schema>): Schema {
  const { $ref, ...own } = schema
  const target = $ref === undefined ? own : { ...defs[$ref.replace('#/$defs/', '')], ...own }
  if (Array.isArray(target.type)) {
    const types = target.type.filter((type) => type !== 'null')
    const { type: _, ...rest } = target
    const [type] = types
    return types.length === 1 && type
      ? { ...rest, type }
      : { ...rest, anyOf: types.map((one) => ({ type: one })) }
  }
  const choices = target.anyOf?.map((choice) => resolved(choice, defs)).filter(({ type }) => type !== 'null')
  const [only] = choices ?? []
  if (!choices || !only) return target
  const { anyOf: _, ...rest } = target
  return choices.length === 1 ? { ...only, ...rest } : { ...rest, anyOf: choices }
}

function typeOf(schema: Schema, defs: Record<string, Schema>): string {
  const { anyOf, enum: values, type, items, properties, maxLength, maxItems } = schema
  if (anyOf) return [...new Set(anyOf.map((choice) => typeOf(choice, defs)))].join(' or ')
  if (values) return valuesText(values)
  if (items) {
    const item = resolved(items, defs)
    const most = maxItems === undefined ? '' : `, at most ${maxItems}`
    return `list of ${item.properties ? 'objects' : plural(typeOf(item, defs))}${most}`
  }
  if (properties || type === 'object') return 'object'
  if (type === 'string') return maxLength === undefined ? 'text' : `text ≤ ${maxLength}`
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') return `integer${rangeOf(schema)}`
  return type === 'number' ? `number${rangeOf(schema)}` : 'anything'
}

/** `one of` the values; the name of their enumeration if there are many. */
function valuesText(values: unknown[]): string {
  const named = ENUMERATIONS.find((one) =>
    isSame(
      one.values.map(({ value }) => value),
      values,
    ),
  )
  if (values.length > MAX_VALUES && named) return `a value of \`${named.name}\``
  return values.map((value) => `\`${value}\``).join(', ')
}

function isSame(a: unknown[], b: unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/** `1–8192`, `≥ 0`; nothing where only the range of JavaScript bounds it. */
function rangeOf({ minimum, maximum }: Schema): string {
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (least !== undefined && most !== undefined) return most === 2 ** 40 ? '' : ` ${least}–${most}`
  if (least !== undefined) return ` ≥ ${least}`
  return most === undefined ? '' : ` ≤ ${most}`
}

function plural(type: string): string {
  return type.replace(/^(integer|number|text)/, (word) => (word === 'text' ? 'texts' : `${word}s`))
}
