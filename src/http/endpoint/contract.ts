/** The types of an endpoint: its contract, its handler, and the input that the Router passes to the handler. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { needsKey } from '../areas.ts'
import type { RecordRef, WriteContext } from '../concurrency/entity-tags.ts'
import type { App } from '../context.ts'
import type { Answer } from '../reply/envelope.ts'
import type { Draft } from '../request/check.ts'
import { MAX_BODY, MAX_FILTERS } from '../request/read.ts'

/** A scope of keys that administer: `admin:export`. */
type AdminScope = `admin:${string}`

/** The facts of an endpoint. Routing, validation and documentation are derived from it. */
export interface Contract<
  F extends z.ZodObject = z.ZodObject,
  B extends z.ZodObject = z.ZodObject,
  P extends z.ZodObject = z.ZodObject,
  H extends z.ZodObject = z.ZodObject,
> {
  summary: string
  description?: string
  /** Operation id for generated clients, if method and path do not make a good one. */
  operationId?: string
  /** Path parameters, if there are others than the id of `resource`. The message of a schema is the text of 404. */
  params?: P
  /** Request headers in addition to the common ones. */
  headers?: H
  /** Query parameters of an endpoint without filters, which the handler reads by `readQuery`. Others are ignored. */
  query?: z.ZodObject
  /** Filters of a list, or options of another endpoint. */
  filters?: F
  /** Set on what is read of a list by its filters, which also accepts HTTP QUERY. */
  list?: true
  body?: B
  /** The list in `body` that clients may send as files instead: one as the whole body, or several as multipart. */
  files?: string & keyof z.output<B>
  /** Media type of a body that is not JSON. With `body`, it is one file, also of a form: its `file` and `name`. */
  bodyType?: string
  /** Maximum size of the body; the default for JSON is `MAX_BODY`. */
  maxBytes?: number
  /** Body of the successful reply; absent if it is not JSON. */
  reply?: z.ZodType
  /** Media type of a reply that is not JSON. */
  replyType?: string
  /** Other media types of the successful reply, which `Accept` chooses, with their descriptions. */
  alternatives?: Record<string, string>
  /** Headers of the successful reply in addition to the common ones, with their descriptions. */
  replyHeaders?: Record<string, string>
  /** The name in `Listing not found`; set if the path contains the id of a record. */
  resource?: string
  /** Set if the endpoint is about a part of the record, such as its photos. */
  part?: true
  /** Other resources that the reply contains. The caller needs their read scope as well. */
  alsoReads?: string[]
  /** Of a call under `/admin/`: the scope that it requires. Null, also under `/api/`: any key may call. */
  scope?: AdminScope | null
  /** Set if the required scopes depend on the request. Then the handler checks them. */
  checksScopes?: true
  /**
   * A repetition does nothing again, so a call does not claim its idempotency key before its work: one that is cut off
   * leaves nothing to wait for.
   */
  isIdempotent?: true
  /**
   * Set on a write that a restore is made of: `token` if it is for the holder of `ADMIN_TOKEN` alone by then. All others are
   * refused until it has ended.
   */
  isOfRestore?: true | 'token'
  /** Set under `/admin/` on what reads and writes records: it has entity tags and idempotency keys, as under `/api/`. */
  isTagged?: true
  /** What the body is, where `body` takes any object because a path parameter decides. */
  bodyShown?: z.ZodType
  /** Set on an admin read of whole stores of data, which the trail has an entry for. */
  readsInBulk?: true
  /** Descriptions of replies that are neither success nor error, by status. */
  otherReplies?: Record<number, string>
  /** Errors in addition to the common ones: an example of the text by status. */
  errors?: Record<number, string>
}

/** The parts of a request, typed by the contract. A handler reads each part when it is ready to report its errors. */
export interface Input<
  F extends z.ZodObject,
  B extends z.ZodObject,
  P extends z.ZodObject = z.ZodObject,
  H extends z.ZodObject = z.ZodObject,
> {
  /** Headers that the contract declares; the common ones are in `c.get('headers')`. */
  headers: z.output<H>
  /** Throws 404. */
  params: () => z.output<P>
  /** The id of the contract's `resource`. Throws 404. */
  id: () => number
  /** The record of that id, as reads and writes expect it. Throws 404. */
  record: () => RecordRef
  /** What a write needs to know about this call. */
  call: WriteContext
  /** Never throws: problems of filters wait in the draft, as those of a body do. */
  filters: () => Draft<z.output<F>>
  /** Throws 400 if the body is not a JSON object. Problems of single fields wait in the draft. */
  body: () => Promise<Draft<z.output<B>>>
}

export type Method = 'get' | 'post' | 'put' | 'delete'

/** Handles a call. Its answer is put into the envelope of the contract. */
export type Handler<
  F extends z.ZodObject,
  B extends z.ZodObject,
  P extends z.ZodObject,
  H extends z.ZodObject,
> = (c: Context<App>, input: Input<F, B, P, H>) => Answer | Promise<Answer>

/** Who may call: `api` needs an API key, also under `/office/`; `admin` the admin token, `public` nothing. */
export type Audience = 'api' | 'admin' | 'public'

/** Who may call a path. */
export function audienceOf(path: string): Audience {
  if (needsKey(path)) return 'api'
  return path.startsWith('/admin/') ? 'admin' : 'public'
}

/** An endpoint without its handler. */
export type EndpointDeclaration = Omit<Endpoint, 'handle'>

export interface Endpoint {
  method: Method
  /** As OpenAPI writes it: `/api/listings/{id}`. */
  path: string
  audience: Audience
  contract: Contract
  handle: (c: Context<App>) => Response | Promise<Response>
}

/** Whether a call is refused while the service is being restored. */
export function waitsForRestore(
  { method, contract }: Pick<Endpoint, 'method' | 'contract'>,
  isToken = false,
): boolean {
  return method !== 'get' && contract.isOfRestore !== true && !(isToken && contract.isOfRestore)
}

/** Maximum size of the request body in bytes; undefined if the endpoint has no body. */
export function maxBodyBytes({ maxBytes, body, filters }: Contract): number | undefined {
  return maxBytes ?? (body ? MAX_BODY : filters ? MAX_FILTERS : undefined)
}
