/** The OpenAPI 3.1 document: made of the contracts, so whatever is served is described, and nothing else. */
import { BOOKMARK } from '../http/bookmark.ts'
import { REPLAYED } from '../http/concurrency/idempotency.ts'
import type { Router } from '../http/endpoint/router.ts'
import { API_VERSION } from '../http/version.ts'
import type { Examples } from './examples.ts'
import { GUIDE } from './guide.ts'
import { ENUMERATIONS } from './names.ts'
import { Operations } from './operations.ts'
import { type Json, Schemas } from './schemas.ts'
import { describeWebhooks } from './webhooks.ts'

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key as bearer token. What it may do, its scopes say.',
  },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key in a header.' },
  apiKeyPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'The same key as password, for clients that know nothing else; any user name will do.',
  },
  admin: { type: 'http', scheme: 'bearer', description: 'The `ADMIN_TOKEN` of the deployment.' },
}

const text = { type: 'string' }
const HEADERS = {
  'X-Request-Id': {
    description: "Names this request in the service's log; the client's own, when it sends one",
    schema: text,
  },
  ETag: {
    description:
      'Names what the record is at and the form of this answer; after a write, of a read of the standard form. Whoever ' +
      'brings it in `If-None-Match` reads only what is new, in `If-Match` writes only over what it has seen',
    schema: text,
  },
  'X-Total-Count': { description: 'Same as `total_results`', schema: { type: 'integer' } },
  Link: {
    description: 'The neighbouring pages, where there are any: `<…?page=2>; rel="next"`',
    schema: text,
  },
  'X-Ignored-Fields': {
    description:
      'The keys that the service does not know and passed over, dotted and separated by commas, at most 20. Absent ' +
      'when it knows them all',
    schema: text,
  },
  'Preference-Applied': {
    description: '`handling=strict` where the request asked for it and had unknown keys',
    schema: text,
  },
  [BOOKMARK]: {
    description:
      'The state of the database that this answer has seen or made; the next call may bring it. Absent where the call ' +
      'did not get as far as the database',
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      'The budget that this call counts against, where the deployment sets one: `"key";q=1200;w=60` are 1,200 calls of ' +
      'one key in 60 seconds, `"address";q=30;w=60` 30 wrong keys or admin tokens of one address. Counted per location ' +
      'of the network and nearly, not exactly',
    schema: text,
  },
  [REPLAYED]: {
    description:
      '`true` where the answer is that of an earlier call with the same `Idempotency-Key`, and nothing was done',
    schema: text,
  },
  'Retry-After': { description: 'Seconds after which a call is taken again', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'Always `Bearer`', schema: text },
  Allow: { description: 'The methods that the path takes', schema: text },
}

/** Described where there is a call that sends them. */
const DEPRECATION_HEADERS = {
  Deprecation: {
    description: 'Since when the call is deprecated, as `@` and seconds since 1970 (RFC 9745)',
    schema: text,
  },
  Sunset: { description: 'When the call may be gone (RFC 8594), where that is known', schema: text },
}

/** The document for the endpoints of `routers`. */
export function describeApi(routers: Router[], examples: Examples): Json {
  const schemas = new Schemas(ENUMERATIONS)
  const operations = new Operations(schemas, examples)
  const paths: Record<string, Json> = {}
  for (const router of routers) {
    for (const endpoint of router.endpoints) {
      const { path, method } = endpoint
      paths[path] = { ...paths[path], [method]: operations.of(endpoint, router.name) }
    }
  }
  const announced = routers.some(({ endpoints }) => endpoints.some(({ contract }) => contract.deprecated))
  const tags = new Map(routers.map(({ name, description }) => [name, { name, description }]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Estia',
      version: API_VERSION,
      summary: 'The HTTP API of a real-estate agency',
      description: GUIDE,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The deployment that serves this document' }],
    tags: [...tags.values()],
    security: [{ apiKey: [] }],
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      ...operations.components,
      headers: announced ? { ...HEADERS, ...DEPRECATION_HEADERS } : HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
