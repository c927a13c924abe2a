/**
 * The typed client of the API, for Node 20 and newer, browsers and Workers. It supports every call under `/api/` and `/office/`.
 *
 *     const estia = createClient({ baseUrl: 'https://agency.example', key: 'estia_…' })
 *     const { data, error } = await estia.get('/api/listings', { query: { status: 'active' } })
 *     const { created_id } = await orThrow(estia.post('/api/contacts', { body: { first_name: 'Anna' } }))
 *     for await (const listing of estia.pages('/api/listings')) console.log(listing.code)
 */
import { keepBookmark } from './bookmark.ts'
import { type CallInputs, createCall } from './call.ts'
import { type ChangePage, type ChangesOptions, type Resource, readChanges } from './changes.ts'
import { EstiaError } from './error.ts'
import { type CallHeaders, mergeHeaders } from './headers.ts'
import { orThrow } from './or-throw.ts'
import { readPages } from './pages.ts'
import type { Retries } from './retry.ts'
import type { Caller, Init, ListPath, RecordOf } from './types.ts'
import { createVisitorClient } from './visitors.ts'
import { verifyWebhook, WebhookError } from './webhook.ts'

export type { components, paths, visitorPaths } from './api.ts'
export type { FileBody } from './body.ts'
export type { Change, ChangePage, ChangesOptions, Resource } from './changes.ts'
export type { Problem } from './error.ts'
export type { CallHeaders } from './headers.ts'
export type { Retries } from './retry.ts'
export type {
  Answer,
  BodyOf,
  CallOptions,
  InputOf,
  ListPath,
  Method,
  PathOf,
  RecordOf,
  RequestOptions,
} from './types.ts'
export type { VisitorClient, VisitorClientOptions } from './visitors.ts'
export type { WebhookHeaders, WebhookPayload } from './webhook.ts'
export { createVisitorClient, EstiaError, orThrow, verifyWebhook, WebhookError }

export interface ClientOptions {
  /** Base URL of the service: `https://agency.example`. */
  baseUrl: string
  /** An API key, sent as `Authorization: Bearer …`. */
  key: string
  /** Sent with every call: `{ Prefer: 'handling=strict' }` refuses unknown fields instead of ignoring them. */
  headers?: CallHeaders | undefined
  /**
   * By default the client sends the bookmark of its newest reply with the next call. Each read then sees everything
   * that this client has seen or written, from the nearest copy of the database. The first read is strictly current.
   *
   * Set a bookmark that you stored earlier (the header `X-D1-Bookmark` of a reply), or `any`, to begin there. With
   * false, the client sends no bookmarks and every read is strictly current.
   */
  bookmark?: string | false | undefined
  /**
   * The client repeats a call if there is no reply, if only a proxy has replied, or after 409, 429 and 503. It does not
   * if repeating could have an effect twice. False disables retries.
   */
  retries?: Retries | false | undefined
  /** Replaces the global `fetch`: for logging, a timeout, or calls through a service binding. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** The calls, named by method and path as in the OpenAPI document. They return `{ data, error, response }`. */
export interface Estia {
  get: Caller<'get'>
  post: Caller<'post'>
  put: Caller<'put'>
  delete: Caller<'delete'>
  /**
   * Every record of a list from page `query.page` on, in the order of `query.sort`, newest first by default. Pages of
   * `query.per_page` records are requested when they are needed. Throws `EstiaError`.
   *
   * Pages are counted from the first record, so changes during the walk move other records. A new match moves others
   * to the next page, where the client skips those already returned. A record that no longer matches moves others
   * back, and as many may be missed. To miss none, filter by something that never stops matching, such as
   * `date_updated` from a date-time on, and sort by something that never changes.
   */
  pages<Path extends ListPath>(
    path: Path,
    ...init: Init<'get', Path>
  ): AsyncGenerator<RecordOf<Path>, void, undefined>
  /**
   * The changes after a cursor, page by page up to the end of the feed: at least one page, which may be empty. Throws
   * `EstiaError`, with status 410 if the cursor is too old: then read everything again.
   */
  changes<Of extends Resource = Resource>(
    options?: ChangesOptions<Of>,
  ): AsyncGenerator<ChangePage<Of>, void, undefined>
}

/** Creates a client of the service at `baseUrl` with the API key `key`. */
export function createClient(options: ClientOptions): Estia {
  const { baseUrl, key, headers, bookmark, retries, fetch: ownFetch } = options
  const send = ownFetch ?? ((sent: Request) => fetch(sent))
  const call = createCall({
    baseUrl,
    fetch: bookmark === false ? send : keepBookmark(send, bookmark),
    // Errors of the second media type list every problem instead of the first.
    headers: mergeHeaders(
      { Accept: 'application/json, application/problem+json', Authorization: `Bearer ${key}` },
      headers,
    ),
    retries,
  })
  const readFrom = (path: string) => (inputs: CallInputs) => orThrow(call('get', path, inputs))
  const client = {
    get: (path: string, inputs?: CallInputs) => call('get', path, inputs),
    post: (path: string, inputs?: CallInputs) => call('post', path, inputs),
    put: (path: string, inputs?: CallInputs) => call('put', path, inputs),
    delete: (path: string, inputs?: CallInputs) => call('delete', path, inputs),
    pages: (path: string, inputs?: CallInputs) => readPages(readFrom(path), inputs),
    changes: (options?: ChangesOptions) => readChanges(readFrom('/api/changes'), options),
  }
  return client as unknown as Estia
}
