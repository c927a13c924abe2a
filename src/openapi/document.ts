/** The OpenAPI 3.1 document. It is derived from the contracts, so it describes exactly what is served. */
import { BOOKMARK } from '../http/bookmark.ts'
import { KEY_PARAMETER } from '../http/caller/website-keys.ts'
import { REPLAYED } from '../http/concurrency/idempotency.ts'
import type { Router } from '../http/endpoint/router.ts'
import { MERGED_INTO } from '../http/errors.ts'
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
    description: 'An API key as bearer token. Its scopes say what it may do.',
  },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key in a header.' },
  apiKeyPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'The same key as password, for clients that support nothing else, with any user name.',
  },
  publishableKey: {
    type: 'apiKey',
    in: 'query',
    name: KEY_PARAMETER,
    description: 'A publishable key, which needs no preflight there. It is taken in the headers, too.',
  },
  admin: { type: 'http', scheme: 'bearer', description: 'The `ADMIN_TOKEN` of the deployment.' },
}

const INTEGERS = ['X-Total-Count', MERGED_INTO, 'Retry-After']
const HEADERS = {
  'X-Request-Id': "Identifies this request in the service's log; the client's own, if it sends one",
  ETag:
    'Identifies the version of the record and the representation of this reply; after a write, the standard one. Send ' +
    'it in `If-None-Match` to read only what is new, or in `If-Match` to write only what you have seen',
  'X-Total-Count': 'Same as `total_results`',
  Link: 'The neighbouring pages, if there are any: `<…?page=2>; rel="next"`',
  'X-Ignored-Fields':
    'Unknown keys, which the service ignored: dotted, separated by commas, at most 20. Absent if all keys are known',
  'Preference-Applied': '`handling=strict`, if the request asked for it and had unknown keys',
  [BOOKMARK]:
    'The state of the database that this reply has seen or written; send it with the next call. Absent if the call ' +
    'did not use the database',
  'RateLimit-Policy':
    'The rate limit of this call, if the deployment has one: `"key";q=1200;w=60` means 1,200 calls per key in 60 ' +
    'seconds, `"visitor";q=300;w=60` 300 calls per website key and visitor, `"address";q=30;w=60` 30 wrong keys ' +
    'or admin tokens per address. Counted approximately, and per location of the network',
  [REPLAYED]:
    '`true` if this is the recorded reply of an earlier call with the same `Idempotency-Key`, and nothing was done',
  [MERGED_INTO]:
    'The id of the record to read instead, which this one was merged into; for keys that may read it',
  'Retry-After': 'Seconds to wait before the next attempt',
  'WWW-Authenticate': 'Always `Bearer`',
  Allow: 'The methods of the path',
}

/** The headers of replies, as components. */
function describeHeaders(): Json {
  const described = Object.entries(HEADERS).map(([name, description]) => [
    name,
    { description, schema: { type: INTEGERS.includes(name) ? 'integer' : 'string' } },
  ])
  return Object.fromEntries(described)
}

/** Makes the document for the endpoints of `routers`. */
export function describeApi(routers: Router[], examples: Examples): Json {
  const schemas = new Schemas(ENUMERATIONS)
  const operations = new Operations(schemas, examples)
  const paths: Record<string, Json> = {}
  for (const router of routers) {
    for (const endpoint of router.endpoints) {
      const { path, method } = endpoint
      const visitors = router.visitorEndpoints.find((other) => other.path === path && other.method === method)
      paths[path] = { ...paths[path], [method]: operations.of(endpoint, router.name, visitors) }
    }
  }
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
    components: { ...operations.components, headers: describeHeaders(), securitySchemes: SECURITY_SCHEMES },
  }
}
