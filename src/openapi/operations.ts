/** Describes one endpoint as an operation of the document. */
import type { z } from 'zod'
import { capitalised } from '../fields/values.ts'
import { BOOKMARK } from '../http/bookmark.ts'
import { nameScope, type Scope } from '../http/caller/scope.ts'
import { tagPolicyOf } from '../http/concurrency/entity-tags.ts'
import { IDEMPOTENCY_KEY, REPLAYED } from '../http/concurrency/idempotency.ts'
import type { Audience, Contract, Endpoint, Method } from '../http/endpoint/contract.ts'
import { visitorHeaders, visitorWriteHeaders } from '../http/endpoint/parameters.ts'
import { scopesOf } from '../http/endpoint/scopes.ts'
import type { VisitorEndpoint } from '../http/endpoint/visitors.ts'
import { envelopeOf } from '../http/reply/envelope.ts'
import { FILE_TYPES } from '../http/request/upload.ts'
import { ErrorResponses, headerReferences } from './errors.ts'
import { type Examples, examplesOf, type Recorded } from './examples.ts'
import { Parameters } from './parameters.ts'
import { type Json, nameOf, type Schemas } from './schemas.ts'
import { describeVisit, VISITORS, type Visit } from './visitors.ts'

/** Marks a PUT or DELETE that may have another effect when repeated, unless it is sent with `If-Match`. */
export const REPEAT_NEEDS_IF_MATCH = 'x-repeat-needs-if-match'

/** Makes operations, and collects their shared components. */
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

  /** The components that the operations made so far share. */
  get components(): Json {
    const sorted = (entries: Record<string, Json>) =>
      Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return {
      schemas: sorted(this.schemas.components),
      parameters: sorted(this.parameters.components),
      responses: sorted(this.errors.components),
    }
  }

  /** @param visitors the endpoint for visitors beside it */
  of(endpoint: Endpoint, tag: string, visitors?: VisitorEndpoint): Json {
    const { method, audience, contract } = endpoint
    const operationId = operationIdOf(endpoint)
    const recorded = this.examples[operationId] ?? {}
    const scopes = scopesOf(endpoint)
    const parameters = this.parameters.of(endpoint)
    const filters = this.filtersOf(contract)
    const reply = contract.reply && this.envelope(contract.reply)
    const visit = visitors && this.visit(endpoint, visitors, recorded.visitors)
    const description = [
      contract.description,
      filters &&
        `The filters may also be sent as a JSON object, \`${nameOf(filters)}\`: see [Filters and pages](/docs/filters.md).`,
      scopes.length > 0 &&
        `${scopes.length > 1 ? 'Scopes' : 'Scope'}: ${scopes.map((scope) => `\`${nameScope(scope)}\``).join(', ')}.`,
      visit && describeVisit(visit, { method, scopes: visitors.scopes }, { filters, reply }),
    ]
    return {
      operationId,
      tags: [tag],
      summary: contract.summary,
      ...(description.some(Boolean) ? { description: description.filter(Boolean).join('\n\n') } : {}),
      security: [
        ...securityOf(audience, scopes),
        ...(visitors ? [{ publishableKey: visitors.scopes.slice(0, 1) }] : []),
      ],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(filters ? { 'x-filters': filters } : {}),
      ...(visit ? { [VISITORS]: visit } : {}),
      // Repeating it may have another effect, because other calls may renumber the parts in between.
      ...(contract.part && (method === 'put' || method === 'delete')
        ? { [REPEAT_NEEDS_IF_MATCH]: true }
        : {}),
      ...this.requestBody(contract, recorded),
      responses: {
        200: this.success(endpoint, recorded),
        ...otherReplies(endpoint),
        ...this.errors.of(endpoint, recorded.errors, visitors !== undefined),
      },
    }
  }

  /** The call as visitors make it, in the form of an operation: OpenAPI has one operation for a path and method. */
  private visit(endpoint: Endpoint, visitors: VisitorEndpoint, examples: Recorded['reply']): Visit {
    const { filters, reply, params = endpoint.contract.params } = visitors.contract
    const headers = endpoint.method === 'get' ? visitorHeaders(visitors.contract) : visitorWriteHeaders()
    const contract: Contract = { ...endpoint.contract, filters, reply, params, headers }
    const parameters = this.parameters.of({ ...endpoint, contract })
    const named = this.filtersOf(contract)
    const schema = this.envelope(reply)
    const content = {
      'application/json': { schema, ...examplesOf(examples) },
      ...alternativesOf(visitors.contract),
    }
    return {
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(named ? { 'x-filters': named } : {}),
      ...this.requestBody({ ...endpoint.contract, body: visitors.contract.body }, {}),
      responses: { 200: { description: 'Success', content } },
    }
  }

  /** Filters that a list accepts in the body of GET or QUERY. An extension, because OpenAPI 3.1 supports neither. */
  private filtersOf({ filters, list }: Contract): Json | undefined {
    const schema = filters && list ? this.schemas.of(filters, 'input') : undefined
    return nameOf(schema) ? schema : undefined
  }

  private requestBody({ body, bodyShown, bodyType, maxBytes, files }: Contract, { request }: Recorded): Json {
    const examples = examplesOf(request)
    if (body && !bodyType) {
      const schema = this.schemas.of(bodyShown ?? body, 'input')
      const content = { 'application/json': { schema, ...examples }, ...(files ? fileContent(files) : {}) }
      return { requestBody: { required: true, content } }
    }
    if (!bodyType) return {}
    const size = maxBytes ? { description: `At most ${maxBytes} bytes` } : {}
    const schema = bodyType.startsWith('application/octet-stream') ? {} : { schema: { type: 'string' } }
    const form = { type: 'object', properties: { file: { type: 'string', contentMediaType: bodyType } } }
    const content = {
      [bodyType]: { ...schema, ...examples },
      ...(body ? { [FILE_TYPES.several]: { schema: form } } : {}),
    }
    return { requestBody: { ...size, required: true, content } }
  }

  private success(endpoint: Endpoint, recorded: Recorded): Json {
    const { reply, replyType = 'application/octet-stream' } = endpoint.contract
    const schema = reply && this.envelope(reply)
    const headers = replyHeaders(endpoint)
    const plain = replyType.startsWith('text/') ? { schema: { type: 'string' } } : {}
    return {
      description: 'Success',
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      content: {
        [schema ? 'application/json' : replyType]: {
          ...(schema ? { schema } : plain),
          ...examplesOf(recorded.reply),
        },
        ...alternativesOf(endpoint.contract),
      },
    }
  }

  /** The schema of a reply, named after its record: `ListingResponse`, `ListingPage`, `LanguageList`. */
  private envelope(reply: z.ZodType): Json {
    const schema = this.schemas.of(reply, 'output')
    if (nameOf(schema)) return schema
    const envelope = envelopeOf(reply)
    const record = envelope && nameOf(this.schemas.of(envelope.record, 'output'))
    if (!record) throw new Error(`An answer without a name: ${JSON.stringify(schema)}`)
    return this.schemas.add(record + envelope.kind, schema)
  }
}

/** Media types for the list `field` of a body: one file, or multipart with several. */
function fileContent(field: string): Json {
  const file = { type: 'string', contentMediaType: FILE_TYPES.one }
  const files = { type: 'array', items: file, description: 'Every part that is a file, whatever its name' }
  return {
    [FILE_TYPES.one]: {},
    [FILE_TYPES.several]: { schema: { type: 'object', properties: { [field]: files } } },
  }
}

function replyHeaders(endpoint: Endpoint): Json {
  const { reply, filters, body, headers, replyHeaders: own = {} } = endpoint.contract
  const isPage = reply !== undefined && envelopeOf(reply)?.kind === 'Page'
  const described = Object.entries(own).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return {
    ...headerReferences([
      ...(tagPolicyOf(endpoint).sends ? ['ETag'] : []),
      ...(isPage ? ['X-Total-Count', 'Link'] : []),
      ...(filters || body ? ['X-Ignored-Fields'] : []),
      ...(Object.hasOwn(headers?.shape ?? {}, IDEMPOTENCY_KEY) ? [REPLAYED] : []),
      ...(Object.hasOwn(headers?.shape ?? {}, BOOKMARK) ? [BOOKMARK] : []),
      ...(endpoint.audience === 'api' ? ['RateLimit-Policy'] : []),
    ]),
    ...Object.fromEntries(described),
  }
}

function securityOf(audience: Audience, scopes: Scope[]): Json[] {
  if (audience === 'public') return []
  // For schemes other than OAuth the names in the list are roles, as OpenAPI calls them.
  const roles = scopes.map(nameScope)
  if (audience === 'admin') return [{ admin: [] }, { apiKey: roles }]
  return [{ apiKey: roles }, { apiKeyHeader: roles }, { apiKeyPassword: roles }]
}

/** Replies that are neither success nor error. */
function otherReplies(endpoint: Endpoint): Json {
  const isConditional = tagPolicyOf(endpoint).header === 'If-None-Match'
  const texts: Record<number, string> = {
    ...(isConditional ? NOT_MODIFIED : {}),
    ...endpoint.contract.otherReplies,
  }
  return Object.fromEntries(Object.entries(texts).map(([status, description]) => [status, { description }]))
}

const NOT_MODIFIED: Record<number, string> = { 304: 'Not modified since the client last had it' }

/** The other media types of a reply; objects of a shape that its standard defines. */
function alternativesOf({ alternatives = {} }: Pick<Contract, 'alternatives'>): Json {
  return Object.fromEntries(
    Object.entries(alternatives).map(([type, description]) => [
      type,
      { schema: { type: 'object', description } },
    ]),
  )
}

/** The verbs of operation ids for generated clients: `listListings`, `getListing`, `createContact`. */
const VERBS: Record<Method, string> = { get: 'get', post: 'create', put: 'update', delete: 'delete' }

/** The id that an endpoint declares, otherwise one derived from its method and path. */
function operationIdOf({ method, path, contract }: Endpoint): string {
  if (contract.operationId) return contract.operationId
  const segments = path.replace(/^\/(?:api|office|admin)?\/?/, '').split('/')
  const nouns = segments.filter((segment) => !segment.startsWith('{'))
  const isLookup = contract.reply !== undefined && envelopeOf(contract.reply)?.kind === 'List'
  const isList =
    method === 'get' && !segments.at(-1)?.startsWith('{') && (isLookup || path.startsWith('/api/'))
  // The last noun of a list stays plural: `listListingTags`.
  const words = nouns.map((noun, index) => (isList && index === nouns.length - 1 ? noun : singular(noun)))
  return (
    (isList ? 'list' : VERBS[method]) +
    words
      .flatMap((word) => word.split('-'))
      .map(capitalised)
      .join('')
  )
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '')
}
