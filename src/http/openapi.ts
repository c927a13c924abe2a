/**
 * The OpenAPI 3.1 document, made from the contracts and the very schemas that validate. Zod writes the JSON
 * Schema; what is added here is the frame around it.
 */
import { z } from 'zod'
import { errorBody } from './errors.ts'
import { type Contract, type Endpoint, type Method, type Router, scopeOf } from './router.ts'

type Json = Record<string, unknown>

const ERRORS: Record<string, string> = {
  400: 'The request is not valid; `error_message` tells the first problem',
  401: 'No valid credentials',
  403: 'The API key lacks the scope',
  404: 'No such record',
  405: 'The path does not take this method',
  409: 'The record was changed by another request at the same time',
  413: 'The body is too large',
  500: 'The service failed',
  503: 'Something that the service needs does not answer',
}

/** The document for the endpoints of `routers`. */
export function describeApi(
  routers: Router[],
  info: { title: string; version: string; description: string },
): Json {
  const paths: Record<string, Json> = {}
  for (const router of routers) {
    for (const endpoint of router.endpoints) {
      paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operation(endpoint, router) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: routers.map(({ name, description }) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBody, 'output') },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, text]) => [status, errorResponse(text)]),
      ),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key; also as `X-API-Key`.' },
        admin: { type: 'http', scheme: 'bearer', description: 'The ADMIN_TOKEN of the deployment.' },
      },
    },
  }
}

function operation({ method, path, contract }: Endpoint, router: Router): Json {
  const scope = scopeOf(path, method)
  const security = path.startsWith('/admin/') ? [{ admin: [] }] : scope ? [{ apiKey: [] }] : []
  const needs = scope ? `Scope: \`${scope.resource}:${scope.access}\`.` : ''
  return {
    operationId: operationId(method, path),
    tags: [router.name],
    summary: contract.summary,
    description: [contract.description, needs].filter(Boolean).join('\n\n'),
    security,
    parameters: [...pathParameters(path), ...queryParameters(contract)],
    ...(requestBody(contract) ?? {}),
    responses: {
      200: success(contract),
      ...Object.fromEntries(
        errorsOf(method, path, contract).map((code) => [code, { $ref: `#/components/responses/${code}` }]),
      ),
    },
  }
}

function errorsOf(method: Method, path: string, contract: Contract): number[] {
  const secured = path.startsWith('/api/') || path.startsWith('/admin/')
  return [
    ...(contract.filters || contract.body || contract.bodyType ? [400] : []),
    ...(secured ? [401] : []),
    ...(path.startsWith('/api/') ? [403] : []),
    ...(path.includes('{') ? [404] : []),
    405,
    ...(path.startsWith('/api/') && method !== 'get' ? [409] : []),
    ...(contract.body || contract.bodyType ? [413] : []),
    500,
    ...(contract.errors ?? []),
  ]
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' && path.startsWith('/api/') ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }))
}

/** Filters as query parameters; ranges as `name[min]` and `name[max]`. */
function queryParameters({ filters }: Contract): Json[] {
  const properties = filters ? ((jsonSchema(filters, 'input').properties ?? {}) as Record<string, Json>) : {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(isRange(schema) ? { style: 'deepObject', explode: true } : {}),
    ...(typeof schema.description === 'string' ? { description: schema.description } : {}),
    schema,
  }))
}

function isRange(schema: Json): boolean {
  return JSON.stringify(schema).includes('"min":')
}

function requestBody({ body, bodyType }: Contract): Json | null {
  if (bodyType) return { requestBody: { required: true, content: { [bodyType]: { schema: {} } } } }
  if (body) return { requestBody: { required: true, content: json(jsonSchema(body, 'input')) } }
  return null
}

function success({ reply, replyType = 'application/octet-stream' }: Contract): Json {
  return {
    description: 'Success',
    content: reply ? json(jsonSchema(reply, 'output')) : { [replyType]: { schema: {} } },
  }
}

function errorResponse(description: string): Json {
  return { description, content: json({ $ref: '#/components/schemas/Error' }) }
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  return rest
}

function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/(api|admin)\//, (_, area) => (area === 'admin' ? 'admin-' : ''))
    .split(/[/{}_.-]+/)
  return (
    method +
    words
      .filter(Boolean)
      .map((word) => word[0]?.toUpperCase() + word.slice(1))
      .join('')
  )
}
