/**
 * The typed client of the API, for Node 20 and newer, browsers and Workers. It knows every call under `/api/`.
 *
 *     const estia = createClient({ baseUrl: 'https://agency.example', key: 'estia_…' })
 *     const { data, error } = await estia.get('/api/listings', { query: { status: 'active' } })
 *     const { created_id } = await orThrow(estia.post('/api/contacts', { body: { first_name: 'Anna' } }))
 *     for await (const listing of estia.pages('/api/listings')) console.log(listing.code)
 */
import { keepBookmark } from './bookmark.ts'
import { createCall, type Sent } from './call.ts'
import { type ChangePage, type ChangesOptions, type Resource, readChanges } from './changes.ts'
import { EstiaError } from './error.ts'
import { type CallHeaders, mergeHeaders } from './headers.ts'
import { readPages } from './pages.ts'
import type { Retries } from './retry.ts'
import type { Answer, BodyOf, Init, ListPath, PathOf, RecordOf } from './types.ts'
import { verifyWebhook, WebhookError } from './webhook.ts'

export type { components, paths } from './api.ts'
export type { FileBody } from './body.ts'
export type { Change, ChangePage, ChangesOptions, Resource } from './changes.ts'
export type { Problem } from './error.ts'
export type { CallHeaders } from './headers.ts'
export type { Retries } from './retry.ts'
export type {
  Answer,
  BodyOf,
  InputOf,
  ListPath,
  Method,
  PathOf,
  RecordOf,
  RequestOptions,
} from './types.ts'
export type { WebhookHeaders, WebhookPayload } from './webhook.ts'
export { EstiaError, verifyWebhook, WebhookError }

export interface ClientOptions {
  /** Where the service is: `https://agency.example`. */
  baseUrl: string
  /** An API key, sent as `Authorization: Bearer …`. */
  key: string
  /** Sent with every call: `{ Prefer: 'handling=strict' }` refuses unknown fields instead of ignoring them. */
  headers?: CallHeaders | undefined
  /**
   * The client keeps the bookmark of the newest answer and brings it to the next call, which then sees all that this
   * client has seen or written, from the nearest copy of the database. Its first read is strictly current. A text is
   * where to begin instead: a bookmark kept from before (the header `X-D1-Bookmark` of an answer), or `any`. False
   * keeps none, and every read is strictly current.
   */
  bookmark?: string | false | undefined
  /**
   * A call that gets no answer, or only that of a proxy on the way, is sent again, and so is one that is answered 409, 429
   * or 503, unless that could do twice what was asked for once. False: none is.
   */
  retries?: Retries | false | undefined
  /** Takes the place of the global `fetch`: to log, to set a time limit, or to call through a service binding. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** The calls, named by method and path as in the OpenAPI document. They answer `{ data, error, response }`. */
export interface Estia {
  get<Path extends PathOf<'get'>>(
    path: Path,
    ...init: Init<'get', Path>
  ): Promise<Answer<BodyOf<'get', Path>>>
  post<Path extends PathOf<'post'>>(
    path: Path,
    ...init: Init<'post', Path>
  ): Promise<Answer<BodyOf<'post', Path>>>
  put<Path extends PathOf<'put'>>(
    path: Path,
    ...init: Init<'put', Path>
  ): Promise<Answer<BodyOf<'put', Path>>>
  delete<Path extends PathOf<'delete'>>(
    path: Path,
    ...init: Init<'delete', Path>
  ): Promise<Answer<BodyOf<'delete', Path>>>
  /**
   * Every record of a list, page by page, from page `query.page` on; a page is asked for when it is needed. Throws
   * `EstiaError`.
   *
   * Pages are counted from the newest record, so what changes meanwhile moves the rest: a record that comes to match
   * pushes others to the next page, where they are skipped as already given; one that ceases to match (or is deleted)
   * draws them forward, and as many may be missed. Filters that no record ceases to meet, such as `date_updated` from
   * a moment on, miss nothing that matched from the start.
   */
  pages<Path extends ListPath>(
    path: Path,
    ...init: Init<'get', Path>
  ): AsyncGenerator<RecordOf<Path>, void, undefined>
  /**
   * What changed after a cursor, page by page, until there is no more by now: at least one page, which may be empty.
   * Throws `EstiaError`, of status 410 when the cursor is too old: then read everything anew.
   */
  changes<Of extends Resource = Resource>(
    options?: ChangesOptions<Of>,
  ): AsyncGenerator<ChangePage<Of>, void, undefined>
}

/** A client of the service at `baseUrl` that calls with `key`. */
export function createClient(options: ClientOptions): Estia {
  const { baseUrl, key, headers, bookmark, retries, fetch: given } = options
  const plain = given ?? ((sent: Request) => fetch(sent))
  const call = createCall({
    baseUrl,
    fetch: bookmark === false ? plain : keepBookmark(plain, bookmark),
    // The errors of the second media type tell every problem instead of the first.
    headers: mergeHeaders(
      { Accept: 'application/json, application/problem+json', Authorization: `Bearer ${key}` },
      headers,
    ),
    retries,
  })
  const readFrom = (path: string) => (sent: Sent) => orThrow(call('get', path, sent))
  const client = {
    get: (path: string, sent?: Sent) => call('get', path, sent),
    post: (path: string, sent?: Sent) => call('post', path, sent),
    put: (path: string, sent?: Sent) => call('put', path, sent),
    delete: (path: string, sent?: Sent) => call('delete', path, sent),
    pages: (path: string, sent?: Sent) => readPages(readFrom(path), sent),
    changes: (wanted?: ChangesOptions) => readChanges(readFrom('/api/changes'), wanted),
  }
  return client as unknown as Estia
}

/** The body of a successful answer; throws the `EstiaError` of any other. */
export async function orThrow<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const { data, error } = await answer
  if (error) throw error
  return data
}
