/** Parameters of an operation: ids in its path, filters in its query, `Prefer` among its headers. */
import type { Contract, Endpoint } from '../http/router.ts'
import { type Json, type Schemas, withoutNull } from './schemas.ts'

/** What a parameter in a path stands for. */
const PATH_PARAMETERS: Record<string, string> = {
  id: 'Id of the record',
  name: 'Name of the stored file, as its address ends',
  token: 'Token of the tour, as its address ends',
}

/** Parameters that many operations share, by name in the components. */
const SHARED: Record<string, string> = { 'path id': 'Id', 'query page': 'Page', 'query fields': 'Fields' }

const PREFER = {
  name: 'Prefer',
  in: 'header',
  description: '`handling=strict` refuses keys that the service does not know; without it they are ignored',
  // Not an enumeration: tools that let people try calls would fill in its only value.
  schema: { type: 'string' },
}

/** The parameters of an operation; those of other operations too become components. */
export class Parameters {
  readonly components: Record<string, Json> = { Prefer: PREFER }
  private readonly schemas: Schemas

  constructor(schemas: Schemas) {
    this.schemas = schemas
  }

  of({ path, contract }: Endpoint): Json[] {
    const own = [...pathParameters(path, contract), ...this.filters(contract)]
    const reads = contract.filters || contract.body
    return [
      ...own.map((parameter) => this.share(parameter)),
      ...(reads ? [{ $ref: '#/components/parameters/Prefer' }] : []),
    ]
  }

  /** Filters as query parameters; ranges as `name[min]` and `name[max]`. */
  private filters({ filters }: Contract): Json[] {
    if (!filters) return []
    const { properties } = this.schemas.resolve(this.schemas.of(filters, 'input'))
    return Object.entries(properties as Record<string, Json>).map(([name, property]) => {
      const { description, ...schema } = withoutNull(property)
      const { properties: parts, description: own } = this.schemas.resolve(schema)
      return {
        name,
        in: 'query',
        description: description ?? own,
        ...(parts ? { style: 'deepObject', explode: true } : {}),
        schema,
      }
    })
  }

  private share(parameter: Json): Json {
    const name = SHARED[`${parameter.in} ${parameter.name}`]
    if (!name) return parameter
    this.components[name] ??= parameter
    const same = JSON.stringify(this.components[name]) === JSON.stringify(parameter)
    return same ? { $ref: `#/components/parameters/${name}` } : parameter
  }
}

function pathParameters(path: string, { resource, idPattern }: Contract): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? name,
    schema:
      resource && !idPattern
        ? { type: 'integer', minimum: 1 }
        : { type: 'string', ...(idPattern ? { pattern: idPattern } : {}) },
    ...(resource && !idPattern ? { example: 1 } : {}),
  }))
}
