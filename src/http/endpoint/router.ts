/**
 * Declares endpoints by their contracts. `registerRoutes` adds them to a Hono app, in which authentication, scopes, 405
 * and HTTP QUERY work the same for all of them.
 *
 *     export const listingRoutes = new Router('Listings', 'Property listings of the agency.')
 *     listingRoutes.get(
 *       '/api/listings',
 *       { summary: 'List listings', filters: listingFilters, reply: pageBody(listing), list: true },
 *       async (c, { filters }) => ({ page, per_page, total, rows: … }),
 *     )
 */
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { KEYED_AREAS } from '../areas.ts'
import { enterSession, sendBookmark } from '../bookmark.ts'
import { type FindPerson, requireAdmin, requireKey, requireScope } from '../caller/auth.ts'
import { enterProvenance } from '../caller/provenance.ts'
import { tagReply } from '../concurrency/entity-tags.ts'
import { IDEMPOTENCY_KEY, replyOnce, replyOnceUnclaimed } from '../concurrency/idempotency.ts'
import { runWithBody } from '../concurrency/queue.ts'
import type { App, IdempotencyStore, IdempotentCall } from '../context.ts'
import { ApiError, type DatabaseErrors, methodNotAllowed, replyWithError } from '../errors.ts'
import { varyByAccept } from '../reply/common-headers.ts'
import { replierOf } from '../reply/envelope.ts'
import { bodyLengthOf } from '../request/body.ts'
import { MAX_BODY, readFilters } from '../request/read.ts'
import { RequestBody } from '../request/upload.ts'
import {
  audienceOf,
  type Contract,
  type Endpoint,
  type Handler,
  type Method,
  maxBodyBytes,
  waitsForRestore,
} from './contract.ts'
import { CallInput } from './input.ts'
import { LiteralsFirst } from './literals-first.ts'
import { headerSchemaOf, headerValidator, paramSchemaOf, paramValidator } from './parameters.ts'
import { scopesOf } from './scopes.ts'
import {
  handleVisit,
  type OpenReaders,
  type Scopes,
  type VisitorEndpoint,
  VisitorRoutes,
} from './visitors.ts'

export class Router {
  readonly name: string
  readonly description: string
  readonly endpoints: Endpoint[] = []
  /** The endpoints for visitors. Each has the path and method of one of `endpoints`. */
  readonly visitorEndpoints: VisitorEndpoint[] = []

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

  /** Declares endpoints for visitors with one of `scopes`, which answer with what `open` lets them read. */
  forVisitors<Readers>(scopes: Scopes, open: OpenReaders<Readers>): VisitorRoutes<Readers> {
    return new VisitorRoutes(this.visitorEndpoints, scopes, open)
  }

  private add<F extends z.ZodObject, B extends z.ZodObject, P extends z.ZodObject, H extends z.ZodObject>(
    method: Method,
    path: string,
    declared: Contract<F, B, P, H>,
    handler: Handler<F, B, P, H>,
  ): void {
    const audience = audienceOf(path)
    const endpoint = { method, path, audience, contract: declared }
    const contract = { ...declared, params: paramSchemaOf(endpoint), headers: headerSchemaOf(endpoint) }
    const limit = maxBodyBytes(contract) ?? MAX_BODY
    const isFile = contract.body !== undefined && contract.bodyType !== undefined
    const [checkHeaders, checkParams] = [headerValidator(contract.headers), paramValidator(contract.params)]
    const replyWith = replierOf(declared.reply)
    const handle = (c: Context<App>) => {
      const length = bodyLengthOf(c)
      const isSmall = limit <= MAX_BODY || !c.req.raw.body || (length > 0 && length <= MAX_BODY)
      if (isSmall) return handleCall(c)
      return runWithBody(Math.min(length, limit), (reportRead) => {
        c.set('reportRead', reportRead)
        return handleCall(c)
      })
    }
    const handleCall = async (c: Context<App>) => {
      const headers = await checkHeaders(c)
      c.set('headers', headers)
      if (declared.alternatives) varyByAccept(c)
      if (audience === 'api') enterSession(c, method === 'get')
      const params = await checkParams(c)
      // Reading the filters now reports a malformed body before any record is looked up.
      // If the body has another media type, filters are sent in the query only.
      const sent = declared.filters && !declared.bodyType ? await readFilters(c, limit) : {}
      const body = new RequestBody(c, limit, { list: declared.files, file: isFile })
      const reply = async (once?: IdempotentCall) => {
        const input = new CallInput(c, path, declared, { headers, params, sent, body, once })
        return tagReply(c, replyWith(c, await handler(c, input)), input.fields)
      }
      const key = c.get('headers')?.[IDEMPOTENCY_KEY]
      if (key === undefined) return reply()
      return declared.isIdempotent ? replyOnceUnclaimed(c, key, body, reply) : replyOnce(c, key, body, reply)
    }
    this.endpoints.push({ method, path, audience, contract, handle })
  }
}

/** What the routes need of the floors above. */
export interface Services {
  /** Stores the idempotency keys of calls under `/api/` and `/office/`. */
  idempotencyStore: IdempotencyStore
  databaseErrors: DatabaseErrors
  /** Finds what a person may do who is signed in. */
  findPerson: FindPerson
  /** Enters a call that administers in the trail, before it acts. Throws 503 if that fails. */
  enterCall: (c: Context<App>) => Promise<void>
}

/** Adds every endpoint of `routers` to `app`, and the errors for unknown paths and methods. */
export function registerRoutes(
  app: Hono<App>,
  routers: Router[],
  { idempotencyStore, databaseErrors, findPerson, enterCall }: Services,
): void {
  for (const area of KEYED_AREAS) app.use(`/${area}/*`, requireKey(findPerson), sendBookmark(databaseErrors))
  app.use('/admin/*', requireAdmin(findPerson))
  const counterparts = counterpartsOf(routers)
  for (const [path, endpoints] of groupByPath(routers)) {
    const pattern = path.replace(/\{(\w+)\}/g, ':$1')
    for (const endpoint of endpoints) {
      const { method, contract, handle } = endpoint
      const methods = contract.list ? ['GET', 'QUERY'] : [method.toUpperCase()]
      const counterpart = counterparts.get(endpoint)
      const isOfTrail = method !== 'get' || contract.readsInBulk
      app.on(methods, pattern, async (c) => {
        c.set('idempotencyStore', idempotencyStore)
        if (isOfTrail) enterProvenance(c, endpoint.path, (isToken) => waitsForRestore(endpoint, isToken))
        const website = c.get('key')?.website
        if (website && endpoint.audience === 'api') return handleVisit(c, website, endpoint, counterpart)
        for (const scope of scopesOf(endpoint)) requireScope(c, scope)
        if (isOfTrail && endpoint.audience === 'admin') await enterCall(c)
        return handle(c)
      })
    }
    app.all(pattern, () => {
      throw methodNotAllowed(allowedMethods(endpoints))
    })
  }
  // Does not throw, because then the middleware of the request would not see the reply.
  app.notFound((c) => replyWithError(new ApiError(404, 'Not found'), c, databaseErrors))
  app.onError((error, c) => replyWithError(error, c, databaseErrors))
}

/** An empty app that accepts a trailing slash. */
export function createApp(): Hono<App> {
  return new Hono<App>({ strict: false, router: new LiteralsFirst() })
}

/** Endpoints by path. Literal paths come first, so that `/api/listings/sources` is not read as an id. */
function groupByPath(routers: Router[]): [string, Endpoint[]][] {
  const paths = new Map<string, Endpoint[]>()
  for (const endpoint of routers.flatMap((router) => router.endpoints)) {
    paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint])
  }
  return [...paths].toSorted(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

/** The endpoints for visitors, by their ordinary endpoints. Throws if one has none. */
function counterpartsOf(routers: Router[]): Map<Endpoint, VisitorEndpoint> {
  return new Map(
    routers.flatMap(({ endpoints, visitorEndpoints }) =>
      visitorEndpoints.map((visitors) => {
        const { method, path } = visitors
        const ordinary = endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path)
        if (!ordinary) throw new Error(`Nothing but visitors may call ${path}`)
        return [ordinary, visitors]
      }),
    ),
  )
}

function allowedMethods(endpoints: Endpoint[]): string {
  const methods = endpoints.flatMap(({ method, contract }) =>
    method === 'get' ? ['GET', 'HEAD', ...(contract.list ? ['QUERY'] : [])] : [method.toUpperCase()],
  )
  return [...methods, 'OPTIONS'].join(', ')
}
