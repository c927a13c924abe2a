/**
 * The promises of a contract to its clients, one line each: the operations, their parameters and fields, which of these
 * are optional, and the fields of replies. A newer contract may promise more, never less.
 */

/** A value of the document with keys. */
export type Node = Record<string, unknown>

const METHODS = ['get', 'put', 'post', 'delete']

/** Every promise of an OpenAPI document, sorted. */
export function promisesOf(document: Node): string[] {
  const components = objectOf(document.components)
  const promises = new Set<string>()
  for (const [path, methods] of Object.entries(objectOf(document.paths))) {
    for (const method of METHODS.filter((name) => name in objectOf(methods))) {
      for (const line of operation(objectOf(objectOf(methods)[method]), components)) {
        promises.add(`${method.toUpperCase()} ${path} ${line}`.trimEnd())
      }
    }
  }
  for (const [name, schema] of Object.entries(objectOf(components.schemas))) {
    for (const line of fields(objectOf(schema), name)) promises.add(line)
  }
  return [...promises].toSorted()
}

/** What a contract requires of a caller, one line each. A newer contract may require less, never more. */
export function demandsOf(document: Node): string[] {
  return promisesOf(document).filter((line) => line.endsWith(' required'))
}

function operation(declared: Node, components: Node): string[] {
  const lines = ['']
  for (const entry of listOf(declared.parameters)) {
    const { name, in: place, required } = dereferenced(entry, components)
    lines.push(`takes ${place} ${name}`)
    if (required) lines.push(`${place} ${name} required`)
  }
  const bodies = Object.entries(objectOf(objectOf(declared.requestBody).content))
  for (const [type, { schema }] of bodies.map(([name, media]) => [name, objectOf(media)] as const)) {
    lines.push(`takes ${type} ${typeOf(objectOf(schema))}`)
  }
  const success = objectOf(objectOf(declared.responses)['200'])
  for (const [type, { schema }] of Object.entries(objectOf(success.content)).map(
    ([name, media]) => [name, objectOf(media)] as const,
  )) {
    lines.push(`gives ${type} ${typeOf(objectOf(schema))}`)
  }
  return lines
}

/** The fields of a schema, dotted, with their types and whether they are required. */
function fields(schema: Node, name: string): string[] {
  const required = new Set(listOf(schema.required))
  return Object.entries(objectOf(schema.properties)).flatMap(([key, value]) => {
    const field = objectOf(value)
    const path = `${name}.${key}`
    return [
      `${path}: ${typeOf(field)}`,
      ...(required.has(key) ? [`${path} required`] : []),
      ...listOf(field.enum).map((choice) => `${path} = ${JSON.stringify(choice)}`),
      ...fields(field, path),
      ...fields(objectOf(field.items), `${path}[]`),
    ]
  })
}

function typeOf(schema: Node): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? ''
  const choices = listOf(schema.anyOf).map((choice) => typeOf(objectOf(choice)))
  if (choices.length > 0) return choices.join('|')
  const type = [schema.type ?? ('const' in schema ? JSON.stringify(schema.const) : 'any')].flat().join('|')
  if (type !== 'array') return type
  // Of a list whose items have several types, each.
  const items = typeOf(objectOf(schema.items)).split('|')
  return items.map((one) => `${one}[]`).join('|')
}

function dereferenced(entry: unknown, components: Node): Node {
  const { $ref } = objectOf(entry)
  if (typeof $ref !== 'string') return objectOf(entry)
  const [kind = '', name = ''] = $ref.split('/').slice(-2)
  return objectOf(objectOf(components[kind])[name])
}

/** A value as an object; an empty one if it is none. */
export function objectOf(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {}
}

/** A value as a list; an empty one if it is none. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
