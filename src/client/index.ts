/**
 * The typed client of the API, for Node 20 and newer, browsers and Workers. It knows every call under `/api/`.
 *
 *     const estia = createClient({ baseUrl: 'https://agency.example', key: 'estia_…' })
 *     const { data, error } = await estia.get('/api/listings', { query: { status: 'active' } })
 *     const { created_id } = await orThrow(estia.post('/api/contacts', { body: { first_name: 'Anna' } }))
 *     for await (const listing of estia.pages('/api/listings')) console.log(listing.code)
 */
import createFetchClient from 'openapi-fetch'
import { withFiles } from './body.ts'
import { keepBookmark } from './bookmark.ts'
import { EstiaError } from './error.ts'
import type { Answer, BodyOf, Init, ListPath, PathOf, RecordOf } from './types.ts'

export type { components, paths } from './api.ts'
export type { FileBody } from './body.ts'
export type { Problem } from './error.ts'
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
export { EstiaError }

export interface ClientOptions {
  /** Where the service is: `https://agency.example`. */
  baseUrl: string
  /** An API key, sent as `Authorization: Bearer …`. */
  key: string
  /** Sent with every call: `{ Prefer: 'handling=strict' }` refuses unknown fields instead of ignoring them. */
  headers?: Record<string, string>
  /**
   * The client keeps the bookmark of the newest answer and brings it to the next call, which then sees all that this
   * client has seen or written, from the nearest copy of the database. Its first read is strictly current. A text is
   * where to begin instead: a bookmark kept from before (the header `X-D1-Bookmark` of an answer), or `any`. False
   * keeps none, and every read is strictly current.
   */
  bookmark?: string | false
  /** Takes the place of the global `fetch`: to try again, to log, or to call through a service binding. */
  fetch?: (request: Request) => Promise<Response>
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
}

/** A client of the service at `baseUrl` that calls with `key`. */
export function createClient({ baseUrl, key, headers, bookmark, fetch: given }: ClientOptions): Estia {
  const plain = given ?? ((sent: Request) => fetch(sent))
  const { request } = createFetchClient<Record<never, never>>({
    baseUrl,
    fetch: bookmark === false ? plain : keepBookmark(plain, bookmark),
    headers: {
      // The errors of this media type tell every problem instead of the first.
      Accept: 'application/json, application/problem+json',
      Authorization: `Bearer ${key}`,
      ...headers,
    },
  })
  const send = request as unknown as Send
  const call = async (method: string, path: string, { path: ids, query, ...rest }: Sent = {}) => {
    const { data, error, response } = await send(method, path, {
      params: { path: ids, query },
      ...withFiles(rest),
    })
    return response.ok ? { data, response } : { error: new EstiaError(response, error), response }
  }
  const client = {
    get: (path: string, init?: Sent) => call('get', path, init),
    post: (path: string, init?: Sent) => call('post', path, init),
    put: (path: string, init?: Sent) => call('put', path, init),
    delete: (path: string, init?: Sent) => call('delete', path, init),
    pages: (path: string, init?: Sent) => readPages((sent) => call('get', path, sent), init),
  }
  return client as unknown as Estia
}

/** The body of a successful answer; throws the `EstiaError` of any other. */
export async function orThrow<Body>(answer: Promise<Answer<Body>>): Promise<Body> {
  const { data, error } = await answer
  if (error) throw error
  return data
}

interface Sent {
  path?: Record<string, unknown>
  query?: Record<string, unknown> & { page?: number | null }
  body?: unknown
  headers?: Record<string, string>
}

interface Page {
  total_pages: number
  data: { id?: number }[]
}

type Send = (
  method: string,
  path: string,
  init: unknown,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>

async function* readPages(get: (init: Sent) => Promise<unknown>, init: Sent = {}) {
  const given = new Set<number>()
  for (let page = init.query?.page ?? 1, last = page; page <= last; page++) {
    const answer = get({ ...init, query: { ...init.query, page } }) as Promise<Answer<Page>>
    const { data, total_pages } = await orThrow(answer)
    last = total_pages
    for (const record of data) {
      if (record.id !== undefined && given.has(record.id)) continue
      if (record.id !== undefined) given.add(record.id)
      yield record
    }
  }
}
