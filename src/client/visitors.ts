/**
 * The client for websites: it makes the calls that visitors may make, with a website key.
 *
 *     const estia = createVisitorClient({ baseUrl: 'https://agency.example', key: 'estia_pub_…' })
 *     const { data } = await estia.get('/api/listings', { query: { availability: 'rent', sort: 'price' } })
 */
import type { visitorPaths } from './api.ts'
import { type CallInputs, createCall } from './call.ts'
import { orThrow } from './or-throw.ts'
import { readPages } from './pages.ts'
import type { Retries } from './retry.ts'
import type { Caller, CallOptions, Init, ListPath, RecordOf } from './types.ts'

export interface VisitorClientOptions {
  /** Base URL of the service: `https://agency.example`. */
  baseUrl: string
  /** A website key. A publishable one is sent in the query, a secret one, of a server, in a header. */
  key: string
  /** The client repeats a call if there is no reply, or after 429 and 503. False disables retries. */
  retries?: Retries | false | undefined
  /** Replaces the global `fetch`: for logging, or a timeout. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** The calls of visitors, by path. Those that read have no headers of their own, which would cost a preflight. */
export interface VisitorClient {
  /** Sends an idempotency key, the same for its retries, unless `retries` is false. */
  post: Caller<'post', visitorPaths, CallOptions>
  get: Caller<'get', visitorPaths, CallOptions>
  /** Every record of a list, as the method of the same name of other clients. Throws `EstiaError`. */
  pages<Path extends ListPath<visitorPaths>>(
    path: Path,
    ...init: Init<'get', Path, visitorPaths, CallOptions>
  ): AsyncGenerator<RecordOf<Path, visitorPaths>, void, undefined>
}

/** What publishable keys begin with. */
const PUBLISHABLE = 'estia_pub_'

/** Creates a client of the service at `baseUrl` that sees what visitors see, with the website key `key`. */
export function createVisitorClient(options: VisitorClientOptions): VisitorClient {
  const { baseUrl, key, retries, fetch: ownFetch } = options
  const isPublishable = key.startsWith(PUBLISHABLE)
  const call = createCall({
    baseUrl,
    fetch: ownFetch ?? ((sent) => fetch(sent)),
    // Browsers send `Accept` to another origin without a preflight. Its second media type lists every problem.
    headers: {
      Accept: 'application/json, application/problem+json',
      ...(isPublishable ? {} : { Authorization: `Bearer ${key}` }),
    },
    retries,
  })
  const withKey = (inputs: CallInputs) =>
    isPublishable ? { ...inputs, query: { ...inputs.query, key } } : inputs
  const get = (path: string, inputs: CallInputs = {}) => call('get', path, withKey(inputs))
  const client = {
    get,
    post: (path: string, inputs: CallInputs = {}) => call('post', path, withKey(inputs)),
    pages: (path: string, inputs?: CallInputs) => readPages((page) => orThrow(get(path, page)), inputs),
  }
  return client as unknown as VisitorClient
}
