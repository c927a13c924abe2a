/**
 * The contract as it is reviewed: what it promises beyond the last release or no longer, the limits of values, and a hash
 * of every operation and component, so that no change goes unseen, not even of a description. Examples are left out.
 */
import { createHash } from 'node:crypto'
import { listOf, type Node, objectOf, promisesOf } from './promises.ts'

/** Keywords of a schema that narrow its values, beside types and names of values, which are promises. */
const LIMITS = [
  ...['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minItems', 'maxItems', 'const', 'default'],
]

/** What `test/contract.json` holds: the OpenAPI document in as many lines as a reviewer reads. */
export function reviewedContract(document: Node, released: { version: string; promises: string[] }): Node {
  const { paths, components, ...rest } = document
  const [promised, kept] = [new Set(released.promises), new Set(promisesOf(document))]
  const schemas = Object.entries(objectOf(objectOf(components).schemas))
  return {
    since: released.version,
    added: [...kept].filter((line) => !promised.has(line)),
    removed: released.promises.filter((line) => !kept.has(line)),
    limits: schemas.flatMap(([name, schema]) => limitsOf(schema, name)).toSorted(),
    operations: hashes(paths, (path, method) => `${method.toUpperCase()} ${path}`),
    components: hashes(components, (kind, name) => `${kind}/${name}`),
    others: hashOf({ ...rest, info: { ...objectOf(rest.info), version: '' } }),
  }
}

/** A hash of each value that is two levels deep, by a name made from its keys. */
function hashes(groups: unknown, nameOf: (group: string, key: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(groups)).flatMap(([group, members]) =>
      Object.entries(objectOf(members)).map(([key, member]) => [nameOf(group, key), hashOf(member)]),
    ),
  )
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}

/** A line for each value within a schema whose range is narrower than its type. */
function limitsOf(value: unknown, path: string): string[] {
  if (value === undefined) return []
  const schema = objectOf(value)
  const limits = LIMITS.filter(
    (key) => key in schema && Math.abs(Number(schema[key])) !== Number.MAX_SAFE_INTEGER,
  )
  const choices = ['anyOf', 'oneOf', 'prefixItems'].flatMap((key) => listOf(schema[key]))
  return [
    ...(limits.length > 0
      ? [`${path}: ${limits.map((key) => `${key} ${JSON.stringify(schema[key])}`).join(', ')}`]
      : []),
    ...choices.flatMap((choice) => limitsOf(choice, path)),
    ...limitsOf(schema.items, `${path}[]`),
    ...Object.entries(objectOf(schema.properties)).flatMap(([name, inner]) =>
      limitsOf(inner, `${path}.${name}`),
    ),
  ]
}
