/**
 * Declares endpoints for visitors: the only ones that website keys reach. Each answers a path and method that also has an
 * ordinary endpoint. Its handler gets a `Visit` instead of the Hono context: it can reach neither the bindings nor the
 * database, only the readers of its group of routes. So the `Visit` is all that an answer depends on, and answers can be
 * kept (`reply/visitor-cache.ts`).
 *
 * A call by which visitors write (`post`) is another matter: nothing of it is kept.
 *
 *     const visitors = agencyRoutes.forVisitors([PUBLIC_LISTINGS], openAgency)
 *     visitors.get('/api/stores', { reply: lookupBody(publicStore) }, ({ readers }) => readers.stores())
 */
import type { Context } from 'hono'
import type { z } from 'zod'
import { nearestCopy } from '../bookmark.ts'
import { missingScope } from '../caller/auth.ts'
import { nameScope } from '../caller/scope.ts'
import { requireOrigin, requireVisitorAddress } from '../caller/website-keys.ts'
import { IDEMPOTENCY_KEY, replyOnceUnclaimed } from '../concurrency/idempotency.ts'
import { Slots } from '../concurrency/slots.ts'
import type { App, IdempotentCall, WebsiteAccess } from '../context.ts'
import { tooManyVisits } from '../errors.ts'
import { varyByAccept } from '../reply/common-headers.ts'
import { type Answer, replierOf } from '../reply/envelope.ts'
import { type Rights, replyFromCache } from '../reply/visitor-cache.ts'
import type { Draft } from '../request/check.ts'
import { MAX_BODY, MAX_FILTERS, readFilters } from '../request/read.ts'
import { RequestBody } from '../request/upload.ts'
import { type PublicUrl, publicUrlBuilder } from '../urls.ts'
import type { Contract, Endpoint } from './contract.ts'
import { CallInput } from './input.ts'
import {
  headerValidator,
  paramSchemaOf,
  paramValidator,
  visitorHeaders,
  visitorWriteHeaders,
} from './parameters.ts'
import { scopesOf } from './scopes.ts'

/** The facts of an endpoint for visitors. The others are those of the ordinary endpoint. */
export type VisitorContract<F extends z.ZodObject = z.ZodObject, P extends z.ZodObject = z.ZodObject> = Pick<
  Contract<F, never, P>,
  'filters' | 'params' | 'resource' | 'alternatives'
> &
  Required<Pick<Contract, 'reply'>>

/** A call with a website key, and the ways to answer it. */
export interface Visit<Readers, F extends z.ZodObject, P extends z.ZodObject> {
  /** Read what the key may see, and nothing else. */
  readers: Readers
  url: PublicUrl
  /** The `Accept` header. Answers are kept apart by it if it names a type of JSON, such as `application/ld+json`. */
  accept: string | undefined
  /** Throws 404. */
  params: () => z.output<P>
  /** The id of the contract's `resource`. Throws 404. */
  id: () => number
  /** Never throws: problems of filters wait in the draft. */
  filters: () => Draft<z.output<F>>
  /** Replies with a whole document of another media type. */
  replyWithDocument: (document: string, type: string) => Response
}

/**
 * Makes the readers of a call. `env` has nothing but a session that may read any copy of the database. Readers must
 * confine themselves to `stores`, unless it is null.
 */
export type OpenReaders<Readers> = (env: Pick<Env, 'DB'>, access: Rights) => Readers

/** The facts of an endpoint by which visitors write. */
export type VisitorWriteContract<B extends z.ZodObject = z.ZodObject> = Required<
  Pick<Contract<never, B>, 'body' | 'reply'>
>

/** A call by which a visitor writes. Nothing of it is kept, so the handler has the context. */
type WriteHandler<B extends z.ZodObject> = (
  c: Context<App>,
  input: Pick<CallInput<never, B, z.ZodObject, z.ZodObject>, 'body' | 'call'>,
  access: WebsiteAccess,
) => Promise<Response>

/** Any one of these scopes is enough. */
export type Scopes = readonly [string, ...string[]]

/** An endpoint for visitors, beside the ordinary one of the same path and method. */
export interface VisitorEndpoint {
  method: 'get' | 'post'
  path: string
  contract: VisitorContract & Partial<Pick<Contract, 'body'>>
  scopes: Scopes
  handle: (c: Context<App>, access: WebsiteAccess) => Promise<Response>
}

/** Answers that an isolate makes for visitors at once. */
const MAX_AT_WORK = 32
/** After so many ms, a call that has not ended counts as dead. */
const MAX_WORK_MS = 30_000
const makings = new Slots(MAX_AT_WORK, MAX_WORK_MS)

/** Makes an answer. Throws 503 while as many are being made as may be. */
async function makeInSlot(make: () => Promise<Response>): Promise<Response> {
  const slot = makings.take()
  if (!slot) throw tooManyVisits()
  try {
    return await make()
  } finally {
    slot.free()
  }
}

/** Adds endpoints for visitors to a Router (`router.forVisitors`). */
export class VisitorRoutes<Readers> {
  private readonly endpoints: VisitorEndpoint[]
  private readonly scopes: Scopes
  private readonly open: OpenReaders<Readers>

  constructor(endpoints: VisitorEndpoint[], scopes: Scopes, open: OpenReaders<Readers>) {
    this.endpoints = endpoints
    this.scopes = scopes
    this.open = open
  }

  get<F extends z.ZodObject, P extends z.ZodObject>(
    path: string,
    contract: VisitorContract<F, P>,
    handler: (visit: Visit<Readers, F, P>) => Answer | Promise<Answer>,
  ): void {
    const whole: Contract<F, never, P> = { summary: '', ...contract }
    const checkHeaders = headerValidator(visitorHeaders(contract))
    const checkParams = paramValidator(
      paramSchemaOf({ method: 'get', path, audience: 'api', contract: whole }),
    )
    const replyWith = replierOf(contract.reply)
    const handle = async (c: Context<App>, { stores }: WebsiteAccess) => {
      const headers = await checkHeaders(c)
      c.set('headers', headers)
      if (contract.alternatives) varyByAccept(c)
      const params = await checkParams(c)
      const sent = contract.filters ? await readFilters(c, MAX_FILTERS) : {}
      const body = new RequestBody(c, MAX_FILTERS)
      const input = new CallInput(c, path, whole, { headers, params, sent, body, once: undefined })
      const { id, params: ownParams } = input
      const draft = contract.filters ? input.filters() : undefined
      const rights = { stores }
      const make = async () => {
        const readers = this.open({ DB: nearestCopy(c.env.DB) }, rights)
        const accept = c.req.header('Accept')
        const answer = await handler({
          readers,
          url: publicUrlBuilder(c),
          accept,
          filters: () => draft ?? input.filters(),
          id,
          params: ownParams,
          replyWithDocument: (document, type) => c.body(document, 200, { 'Content-Type': type }),
        })
        return replyWith(c, answer)
      }
      const reply = () => makeInSlot(make)
      // The answer is an error, which is not kept. Values that are invalid, such as 1e400, have no text of their own.
      if (draft && !draft.isComplete) return reply()
      return replyFromCache(c, { rights, filters: c.get('knownFilters') ?? {} }, reply)
    }
    this.endpoints.push({ method: 'get', path, contract, scopes: this.scopes, handle })
  }

  /** Adds an endpoint by which visitors write. The reply has neither the tag of the record nor a bookmark. */
  post<B extends z.ZodObject>(
    path: string,
    contract: VisitorWriteContract<B>,
    handler: WriteHandler<B>,
  ): void {
    const whole: Contract<never, B> = { summary: '', ...contract }
    const checkHeaders = headerValidator(visitorWriteHeaders())
    const handle = async (c: Context<App>, access: WebsiteAccess) => {
      const headers = await checkHeaders(c)
      c.set('headers', headers)
      const body = new RequestBody(c, MAX_BODY)
      const reply = (once?: IdempotentCall) => {
        const received = { headers, params: () => ({}), sent: {}, body, once }
        return handler(c, new CallInput(c, path, whole, received), access)
      }
      const key = c.get('headers')?.[IDEMPOTENCY_KEY]
      return key === undefined ? reply() : replyOnceUnclaimed(c, key, body, reply)
    }
    this.endpoints.push({ method: 'post', path, contract, scopes: this.scopes, handle })
  }
}

/**
 * Handles a call with a website key. Throws 403 for another origin, and if `endpoint` has no counterpart for visitors;
 * 400 for an invalid address of a visitor.
 */
export function handleVisit(
  c: Context<App>,
  access: WebsiteAccess,
  endpoint: Endpoint,
  counterpart: VisitorEndpoint | undefined,
): Promise<Response> {
  const key = c.get('key')
  requireOrigin(c, key)
  if (!counterpart) throw missingScope(firstScopeOf(endpoint))
  const { scopes } = counterpart
  if (!scopes.some((scope) => key.scopes.includes(scope))) throw missingScope(scopes[0])
  requireVisitorAddress(c)
  return counterpart.handle(c, access)
}

/** The first scope that an endpoint requires. Where the handler checks scopes, `*:read` or `*:write` is enough. */
function firstScopeOf(endpoint: Endpoint): string {
  const [scope] = scopesOf(endpoint)
  return nameScope(scope ?? { resource: '*', access: endpoint.method === 'get' ? 'read' : 'write' })
}
