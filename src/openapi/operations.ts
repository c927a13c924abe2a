/** One endpoint as the document has it. */
import { BOOKMARK } from '../http/bookmark.ts'
import type { Contract, Endpoint } from '../http/contract.ts'
import { describeDeprecation } from '../http/deprecation.ts'
import { taggingOf } from '../http/entity-tags.ts'
import { IDEMPOTENCY_KEY, REPLAYED } from '../http/idempotency.ts'
import { nameScope, type Scope, scopesOf } from '../http/scopes.ts'
import { FILE_TYPES } from '../http/upload.ts'
import { ErrorResponses, headerReferences } from './errors.ts'
import { type Examples, examplesOf, type Recorded } from './examples.ts'
import { operationIdOf } from './operation-id.ts'
import { Parameters } from './parameters.ts'
import { type Json, nameOf, type Schemas } from './schemas.ts'

/** Makes operations, and keeps what they share. */
export class Operations {
  private readonly schemas: Schemas
  private readonly parameters: Parameters
  private readonly errors: ErrorResponses
  private readonly examples: Examples

  constructor(schemas: Schemas, examples: Examples) {
    this.schemas = schemas
    this.parameters = new Parameters(schemas)
    this.errors = new ErrorResponses(schemas)
    this.examples = examples
  }

  /** What the operations made so far share. */
  get components(): Json {
    const sorted = (entries: Record<string, Json>) =>
      Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return {
      schemas: sorted(this.schemas.components),
      parameters: sorted(this.parameters.components),
      responses: sorted(this.errors.components),
    }
  }

  of(endpoint: Endpoint, tag: string): Json {
    const { method, path, contract } = endpoint
    const operationId = operationIdOf(endpoint)
    const recorded = this.examples[operationId] ?? {}
    const scopes = scopesOf(path, method, contract)
    const parameters = this.parameters.of(endpoint)
    const filters = this.filtersOf(contract)
    const description = [
      contract.deprecated && describeDeprecation(contract.deprecated),
      contract.description,
      filters &&
        `The filters may also be sent as a JSON object, \`${nameOf(filters)}\`: see [Filters and pages](/docs/filters.md).`,
      scopes.length > 0 &&
        `${scopes.length > 1 ? 'Scopes' : 'Scope'}: ${scopes.map((scope) => `\`${nameScope(scope)}\``).join(', ')}.`,
    ]
    return {
      operationId,
      tags: [tag],
      summary: contract.summary,
      ...(contract.deprecated ? { deprecated: true } : {}),
      ...(description.some(Boolean) ? { description: description.filter(Boolean).join('\n\n') } : {}),
      security: securityOf(path, scopes),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(filters ? { 'x-filters': filters } : {}),
      ...this.requestBody(contract, recorded),
      responses: {
        200: this.success(contract, recorded, path.startsWith('/api/'), taggingOf(method, path).sends),
        ...otherReplies(endpoint),
        ...this.errors.of(endpoint, recorded.errors),
      },
    }
  }

  /** The object that a list takes in the body of GET or QUERY: OpenAPI 3.1 knows neither, so an extension tells. */
  private filtersOf({ filters, list }: Contract): Json | undefined {
    const schema = filters && list ? this.schemas.of(filters, 'input') : undefined
    return nameOf(schema) ? schema : undefined
  }

  private requestBody({ body, bodyType, maxBytes, files }: Contract, { request }: Recorded): Json {
    const examples = examplesOf(request)
    if (body) {
      const schema = this.schemas.of(body, 'input')
      const content = { 'application/json': { schema, ...examples }, ...(files ? fileContent(files) : {}) }
      return { requestBody: { required: true, content } }
    }
    if (!bodyType) return {}
    const size = maxBytes ? { description: `At most ${maxBytes} bytes` } : {}
    const schema = bodyType.startsWith('application/octet-stream') ? {} : { schema: { type: 'string' } }
    return { requestBody: { ...size, required: true, content: { [bodyType]: { ...schema, ...examples } } } }
  }

  private success(contract: Contract, recorded: Recorded, hasBudget: boolean, sendsTag: boolean): Json {
    const { reply, replyType = 'application/octet-stream' } = contract
    const schema = reply && this.envelope(this.schemas.of(reply, 'output'))
    const isPage = Boolean(nameOf(schema)?.endsWith('Page'))
    const headers = replyHeaders(contract, isPage, hasBudget, sendsTag)
    const plain = replyType.startsWith('text/') ? { schema: { type: 'string' } } : {}
    return {
      description: 'Success',
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      content: {
        [schema ? 'application/json' : replyType]: {
          ...(schema ? { schema } : plain),
          ...examplesOf(recorded.reply),
        },
      },
    }
  }

  /** The shape of an answer under the name of what it holds: `ListingResponse`, `ListingPage`, `LanguageList`. */
  private envelope(schema: Json): Json {
    if (nameOf(schema)) return schema
    const properties = schema.properties as { data: Json; page?: Json }
    const { items } = properties.data as { items?: Json & { anyOf?: Json[] } }
    const record = nameOf(items?.anyOf?.[0] ?? items ?? properties.data)
    if (!record) throw new Error(`An answer without a name: ${JSON.stringify(schema)}`)
    const kind = properties.page ? 'Page' : items ? 'List' : 'Response'
    return this.schemas.add(record.replace(/Summary$/, '') + kind, schema)
  }
}

/** Media types that the list `field` of a body may also come in: one file, or a form with several. */
function fileContent(field: string): Json {
  const file = { type: 'string', contentMediaType: FILE_TYPES.one }
  const files = { type: 'array', items: file, description: 'Every part that is a file, whatever its name' }
  return {
    [FILE_TYPES.one]: {},
    [FILE_TYPES.several]: { schema: { type: 'object', properties: { [field]: files } } },
  }
}

function replyHeaders(
  { filters, body, headers, deprecated, replyHeaders: own = {} }: Contract,
  isPage: boolean,
  hasBudget: boolean,
  sendsTag: boolean,
): Json {
  const described = Object.entries(own).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return {
    ...headerReferences([
      ...(sendsTag ? ['ETag'] : []),
      ...(isPage ? ['X-Total-Count', 'Link'] : []),
      ...(filters || body ? ['X-Ignored-Fields'] : []),
      ...(Object.hasOwn(headers?.shape ?? {}, IDEMPOTENCY_KEY) ? [REPLAYED] : []),
      ...(Object.hasOwn(headers?.shape ?? {}, BOOKMARK) ? [BOOKMARK] : []),
      ...(hasBudget ? ['RateLimit-Policy'] : []),
      ...(deprecated ? ['Deprecation', 'Sunset'] : []),
    ]),
    ...Object.fromEntries(described),
  }
}

function securityOf(path: string, scopes: Scope[]): Json[] {
  if (path.startsWith('/admin/')) return [{ admin: [] }]
  if (!path.startsWith('/api/')) return []
  // For schemes other than OAuth the names in the list are roles, as OpenAPI calls them.
  const roles = scopes.map(nameScope)
  return [{ apiKey: roles }, { apiKeyHeader: roles }, { apiKeyPassword: roles }]
}

/** Answers without an envelope: those that an endpoint declares, and those of stored pictures and files. */
function otherReplies({ method, path, contract }: Endpoint): Json {
  const isConditional = taggingOf(method, path).header === 'If-None-Match'
  const texts: Record<number, string> = {
    ...(isConditional ? NOT_MODIFIED : {}),
    ...(path.endsWith('/{name}') ? STORED_FILE : {}),
    ...contract.otherReplies,
  }
  return Object.fromEntries(Object.entries(texts).map(([status, description]) => [status, { description }]))
}

const NOT_MODIFIED: Record<number, string> = { 304: 'Not modified since the client last had it' }

/** What a stored file answers to conditional requests and to those for a part of it. */
const STORED_FILE: Record<number, string> = {
  206: 'The part that `Range` asks for',
  ...NOT_MODIFIED,
  412: 'The file is not the one that `If-Match` or `If-Unmodified-Since` means',
  416: '`Range` asks for what lies beyond the end',
}
