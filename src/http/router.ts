/**
 * The only app constructor: endpoints are declared with their contract, and `serve` makes a Hono app of them in
 * which authentication, scopes, 405 and HTTP QUERY work the same everywhere.
 *
 *     export const listingRoutes = new Router('Listings', 'Property listings of the agency.')
 *     listingRoutes.get(
 *       '/api/listings',
 *       { summary: 'List listings', filters: listingFilters, reply: listBody(listing), list: true },
 *       async (c, { filters }) => list(c, …),
 *     )
 */
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import type { App, KeyKeeper, Once } from './app.ts'
import { requireAdmin, requireKey, requireScope } from './auth.ts'
import { enterSession, tellBookmark } from './bookmark.ts'
import type { Draft } from './check.ts'
import { announce, type Deprecated } from './deprecation.ts'
import { type Call, resourceOf, type Target, type Tell, tagAnswer } from './entity-tags.ts'
import { ApiError, answerError, methodNotAllowed } from './errors.ts'
import { checkFilters } from './filters.ts'
import { answerOnce, IDEMPOTENCY_KEY } from './idempotency.ts'
import { headerCheck, headersOf, paramCheck, paramsOf } from './parameters.ts'
import { MAX_BODY, MAX_FILTERS, readFilters } from './request.ts'
import { Incoming } from './upload.ts'

/** What an endpoint takes and gives; the documentation is made of it too. */
export interface Contract<
  F extends z.ZodObject = z.ZodObject,
  B extends z.ZodObject = z.ZodObject,
  P extends z.ZodObject = z.ZodObject,
  H extends z.ZodObject = z.ZodObject,
> {
  summary: string
  description?: string
  /** Name of the call for generated clients, where method and path do not make a good one. */
  operationId?: string
  /** Parameters of the path, where it holds anything but the id of `resource`; a schema's message is the text of 404. */
  params?: P
  /** Request headers beyond those that every endpoint of its kind takes. */
  headers?: H
  /** Filters of a list, or options of another call. */
  filters?: F
  /** Set on lists: they also answer to HTTP QUERY. */
  list?: true
  body?: B
  /** The list in `body` that may come as files instead: one as the whole body, or several in a form. */
  files?: string & keyof z.output<B>
  /** Media type of a body that is not JSON. */
  bodyType?: string
  /** Most bytes of the body; for JSON see `bodyLimit`. */
  maxBytes?: number
  /** Body of the successful answer; none where it is not JSON. */
  reply?: z.ZodType
  /** Media type of an answer that is not JSON. */
  replyType?: string
  /** Headers of the successful answer beyond those that every endpoint of its kind sends, with what they say. */
  replyHeaders?: Record<string, string>
  /** What `Listing` is in `Listing not found`; set where the path holds an id. */
  resource?: string
  /** Further resources that the answer tells of: their read scope is asked for as well. */
  alsoReads?: string[]
  /** Set where what is asked for decides on the scopes: the handler checks them, and the path is none. */
  checksScopes?: true
  /** Answers that are neither success nor error: what they mean by status. */
  otherReplies?: Record<number, string>
  /** Set on a call that should no longer be made: its answers and the documentation say so. */
  deprecated?: Deprecated
  /** Errors beyond those that every endpoint of its kind can send: an example of the text by status. */
  errors?: Record<number, string>
}

/** The parts of a request as its contract types them; read when the handler is ready for their errors. */
export interface Input<
  F extends z.ZodObject,
  B extends z.ZodObject,
  P extends z.ZodObject = z.ZodObject,
  H extends z.ZodObject = z.ZodObject,
> {
  /** The contract's own; those of every endpoint of its kind are in `c.get('headers')`. */
  headers: z.output<H>
  /** Throws 404. */
  params: () => z.output<P>
  /** The id of the contract's `resource`. Throws 404. */
  id: () => number
  /** The record of that id, as its reading and writing take it. Throws 404. */
  record: () => Target
  /** What storing a new record owes to this call. */
  call: Call
  /** Throws 400. */
  filters: () => Promise<z.output<F>>
  /** Throws 400 for what is no JSON object; single fields wait in the draft. */
  body: () => Promise<Draft<z.output<B>>>
}

export type Method = 'get' | 'post' | 'put' | 'delete'

type Handler<F extends z.ZodObject, B extends z.ZodObject, P extends z.ZodObject, H extends z.ZodObject> = (
  c: Context<App>,
  input: Input<F, B, P, H>,
) => Response | Promise<Response>

export interface Endpoint {
  method: Method
  /** As OpenAPI writes it: `/api/listings/{id}`. */
  path: string
  contract: Contract
  handle: (c: Context<App>) => Response | Promise<Response>
}

/** The endpoints of one resource. */
export class Router {
  readonly name: string
  readonly description: string
  readonly endpoints: Endpoint[] = []

  constructor(name: string, description: string) {
    this.name = name
    this.description = description
  }

  get<F extends z.ZodObject, P extends z.ZodObject, H extends z.ZodObject>(
    path: string,
    contract: Contract<F, never, P, H>,
    handler: Handler<F, never, P, H>,
  ): void {
    this.add('get', path, contract, handler)
  }

  post<F extends z.ZodObject, B extends z.ZodObject, P extends z.ZodObject, H extends z.ZodObject>(
    path: string,
    contract: Contract<F, B, P, H>,
    handler: Handler<F, B, P, H>,
  ): void {
    this.add('post', path, contract, handler)
  }

  put<B extends z.ZodObject, P extends z.ZodObject, H extends z.ZodObject>(
    path: string,
    contract: Contract<never, B, P, H>,
    handler: Handler<never, B, P, H>,
  ): void {
    this.add('put', path, contract, handler)
  }

  delete<P extends z.ZodObject, H extends z.ZodObject>(
    path: string,
    contract: Contract<never, never, P, H>,
    handler: Handler<never, never, P, H>,
  ): void {
    this.add('delete', path, contract, handler)
  }

  private add<F extends z.ZodObject, B extends z.ZodObject, P extends z.ZodObject, H extends z.ZodObject>(
    method: Method,
    path: string,
    declared: Contract<F, B, P, H>,
    handler: Handler<F, B, P, H>,
  ): void {
    const contract = {
      ...declared,
      params: paramsOf(path, declared),
      headers: headersOf(method, path, declared),
    }
    const { filters, body, resource } = declared
    const limit = bodyLimit(contract) ?? MAX_BODY
    const missing = (part: string) => new Error(`${method} ${path} declares no ${part}`)
    const [checkHeaders, checkParams] = [headerCheck(contract.headers), paramCheck(contract.params)]
    const handle = async (c: Context<App>) => {
      const headers = await checkHeaders(c)
      c.set('headers', headers)
      if (path.startsWith('/api/')) enterSession(c, method === 'get')
      const params = await checkParams(c)
      // A body that is no JSON is told before anything is looked up.
      // Where the body is something else, options come in the query alone.
      const sent = filters && !contract.bodyType ? await readFilters(c, limit) : {}
      let fields: unknown
      const incoming = new Incoming(c, limit, declared.files)
      const tell: Tell = (stamp) => c.set('stamp', stamp)
      const id = () => {
        if (!resource) throw missing('resource')
        return Number(params().id)
      }
      const answer = async (once?: Once) => {
        const reply = await handler(c, {
          headers: headers as z.output<H>,
          params: params as () => z.output<P>,
          id,
          record: () => ({
            name: resource ?? '',
            resource: resourceOf(path),
            id: id(),
            expected: headers['If-Match'] as Target['expected'],
            tell,
            once,
          }),
          call: { tell, once },
          filters: async () => {
            if (!filters) throw missing('filters')
            const checked = checkFilters(c, filters, sent)
            ;({ fields } = checked as { fields?: unknown })
            return checked
          },
          body: () => {
            if (!body) throw missing('body')
            return incoming.understand(body)
          },
        })
        return tagAnswer(c, reply, fields)
      }
      const key = c.get('headers')?.[IDEMPOTENCY_KEY]
      return key === undefined ? answer() : answerOnce(c, key, incoming, answer)
    }
    this.endpoints.push({ method, path, contract, handle })
  }
}

/**
 * Adds every endpoint of `routers` to `app`, and the errors of paths and methods that do not exist.
 * @param keeper where the idempotency keys of calls under `/api/` are kept
 */
export function serve(app: Hono<App>, routers: Router[], keeper: KeyKeeper): void {
  app.use('/api/*', requireKey, tellBookmark)
  app.use('/api/*', (c, next) => {
    c.set('keeper', keeper)
    return next()
  })
  app.use('/admin/*', requireAdmin)
  const resources = resourcesOf(routers)
  app.use('/admin/*', (c, next) => {
    c.set('resources', resources)
    return next()
  })
  for (const [path, endpoints] of byPath(routers)) {
    const pattern = path.replace(/\{(\w+)\}/g, ':$1')
    for (const { method, contract, handle } of endpoints) {
      const methods = contract.list ? ['GET', 'QUERY'] : [method.toUpperCase()]
      if (contract.deprecated) app.on(methods, pattern, announce(contract.deprecated))
      app.on(methods, pattern, (c) => {
        for (const { resource, access } of scopesOf(path, method, contract)) requireScope(c, resource, access)
        return handle(c)
      })
    }
    app.all(pattern, () => {
      throw methodNotAllowed(allowed(endpoints))
    })
  }
  // Not thrown: no middleware that the request went through would see the answer.
  app.notFound((c) => answerError(new ApiError(404, 'Not found'), c))
  app.onError(answerError)
}

/** A fresh app that tolerates a trailing slash. */
export function createApp(): Hono<App> {
  return new Hono<App>({ strict: false })
}

/** What a key must be good for. */
export interface Scope {
  resource: string
  access: 'read' | 'write'
}

/** The resources that scopes can be for, in alphabetical order. */
function resourcesOf(routers: Router[]): string[] {
  const endpoints = routers.flatMap((router) => router.endpoints)
  const names = endpoints.flatMap(({ path, method, contract }) =>
    scopesOf(path, method, contract).map(({ resource }) => resource),
  )
  return [...new Set(names)].toSorted()
}

/** Most bytes that a call takes in its body; undefined where it takes none. */
export function bodyLimit({ maxBytes, body, filters }: Contract): number | undefined {
  return maxBytes ?? (body ? MAX_BODY : filters ? MAX_FILTERS : undefined)
}

/**
 * The scopes that an endpoint asks for: the path segment after `/api/`, read or write, and those its contract adds.
 * Outside `/api/` there are none, nor where the handler checks them.
 */
export function scopesOf(path: string, method: Method, { alsoReads = [], checksScopes }: Contract): Scope[] {
  const [, area, resource] = path.split('/')
  if (area !== 'api' || !resource || checksScopes) return []
  return [
    { resource, access: method === 'get' ? 'read' : 'write' },
    ...alsoReads.map((name): Scope => ({ resource: name, access: 'read' })),
  ]
}

/** As keys have it: `listings:read`. */
export function nameScope({ resource, access }: Scope): string {
  return `${resource}:${access}`
}

/** Endpoints by path, literal paths first: `/api/listings/sources` is no id. */
function byPath(routers: Router[]): [string, Endpoint[]][] {
  const paths = new Map<string, Endpoint[]>()
  for (const endpoint of routers.flatMap((router) => router.endpoints)) {
    paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint])
  }
  return [...paths].toSorted(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

function allowed(endpoints: Endpoint[]): string {
  const methods = endpoints.flatMap(({ method, contract }) =>
    method === 'get' ? ['GET', 'HEAD', ...(contract.list ? ['QUERY'] : [])] : [method.toUpperCase()],
  )
  return [...methods, 'OPTIONS'].join(', ')
}
