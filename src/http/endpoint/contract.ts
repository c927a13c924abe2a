/** What endpoints declare, and what their handlers are given; the Router makes the one of the other. */
import type { Context } from 'hono'
import type { z } from 'zod'
import type { RecordRef, WriteContext } from '../concurrency/entity-tags.ts'
import type { App } from '../context.ts'
import type { Draft } from '../request/check.ts'
import { MAX_BODY, MAX_FILTERS } from '../request/read.ts'
import type { Deprecation } from './deprecation.ts'

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
  /** Set where the call is about a part of that record, such as its photos, and not about all of it. */
  part?: true
  /** Further resources that the answer tells of: their read scope is asked for as well. */
  alsoReads?: string[]
  /** Set where what is asked for decides on the scopes: the handler checks them, and the path is none. */
  checksScopes?: true
  /** Answers that are neither success nor error: what they mean by status. */
  otherReplies?: Record<number, string>
  /** Set on a call that should no longer be made: its answers and the documentation say so. */
  deprecated?: Deprecation
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
  record: () => RecordRef
  /** What storing a new record owes to this call. */
  call: WriteContext
  /** Throws nothing: what is wrong with single filters waits in the draft, as with the body. */
  filters: () => Draft<z.output<F>>
  /** Throws 400 for what is no JSON object; what is wrong with single fields waits in the draft. */
  body: () => Promise<Draft<z.output<B>>>
}

export type Method = 'get' | 'post' | 'put' | 'delete'

/** Answers a call. */
export type Handler<
  F extends z.ZodObject,
  B extends z.ZodObject,
  P extends z.ZodObject,
  H extends z.ZodObject,
> = (c: Context<App>, input: Input<F, B, P, H>) => Response | Promise<Response>

/** Who may call: whoever has an API key, whoever runs the deployment, or anybody. */
export type Area = 'api' | 'admin' | 'public'

/** The area of a path, which is its first segment. */
export function areaOf(path: string): Area {
  const [, area] = path.split('/')
  return area === 'api' || area === 'admin' ? area : 'public'
}

/** An endpoint without what answers it. */
export type Declared = Omit<Endpoint, 'handle'>

export interface Endpoint {
  method: Method
  /** As OpenAPI writes it: `/api/listings/{id}`. */
  path: string
  area: Area
  contract: Contract
  handle: (c: Context<App>) => Response | Promise<Response>
}

/** Most bytes that a call takes in its body; undefined where it takes none. */
export function maxBodyBytes({ maxBytes, body, filters }: Contract): number | undefined {
  return maxBytes ?? (body ? MAX_BODY : filters ? MAX_FILTERS : undefined)
}
