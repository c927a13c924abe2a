/** Describes the parameters of an operation: path parameters, filters in the query, headers. */
import type { z } from 'zod'
import { BOOKMARK } from '../http/bookmark.ts'
import { VISITOR_ADDRESS } from '../http/caller/website-keys.ts'
import { IDEMPOTENCY_KEY } from '../http/concurrency/idempotency.ts'
import type { Contract, Endpoint } from '../http/endpoint/contract.ts'
import { type Json, type Schemas, withoutNull } from './schemas.ts'

/** Parameters that many operations share, by name in the components. */
const SHARED: Record<string, string> = {
  'path id': 'Id',
  'query page': 'Page',
  'query per_page': 'PerPage',
  'query fields': 'Fields',
  'header Prefer': 'Prefer',
  [`header ${BOOKMARK}`]: 'Bookmark',
  'header If-Match': 'IfMatch',
  'header If-None-Match': 'IfNoneMatch',
  [`header ${IDEMPOTENCY_KEY}`]: 'IdempotencyKey',
  [`header ${VISITOR_ADDRESS}`]: 'VisitorAddress',
}

/** The parameters of operations; shared ones become components. */
export class Parameters {
  readonly components: Record<string, Json> = {}
  private readonly schemas: Schemas

  constructor(schemas: Schemas) {
    this.schemas = schemas
  }

  of({ contract }: Endpoint): Json[] {
    const own = [
      ...this.plain('path', contract.params),
      ...this.plain('query', contract.query),
      ...this.filters(contract),
      ...this.plain('header', contract.headers),
    ]
    return own.map((parameter) => this.share(parameter))
  }

  private plain(place: 'path' | 'query' | 'header', declared: z.ZodObject | undefined): Json[] {
    if (!declared) return []
    const { properties = {}, required = [] } = this.schemas.of(declared, 'input')
    return Object.entries(properties as Record<string, Json>).map(
      ([name, { description, example, ...schema }]) => ({
        name,
        in: place,
        ...((required as string[]).includes(name) ? { required: true } : {}),
        description,
        schema,
        ...(example === undefined ? {} : { example }),
      }),
    )
  }

  /** Filters as query parameters. Ranges are `name[min]` and `name[max]`. */
  private filters({ filters }: Contract): Json[] {
    if (!filters) return []
    const { properties } = this.schemas.resolve(this.schemas.of(filters, 'input'))
    // What may only be null is refused otherwise, and a parameter is never null.
    const accepted = Object.entries(properties as Record<string, Json>).filter(
      ([, { type }]) => type !== 'null',
    )
    return accepted.map(([name, property]) => {
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
