/** One call: its headers and body, made once, and its answer, for which it may be sent several times. */
import createFetchClient from 'openapi-fetch'
import { encodeBody } from './body.ts'
import { BOOKMARK } from './bookmark.ts'
import { EstiaError } from './error.ts'
import { REPEAT_NEEDS_IF_MATCH } from './facts.ts'
import { type CallHeaders, mergeHeaders } from './headers.ts'
import { callWithRetries, type Retries, retriesOf } from './retry.ts'
import type { Answer, Method } from './types.ts'

/** What goes along with a call. */
export interface Sent {
  path?: Record<string, unknown> | undefined
  query?: object | undefined
  body?: unknown
  headers?: CallHeaders | undefined
  signal?: AbortSignal | undefined
  retries?: Retries | false | undefined
}

/** Calls of one method and path; rejects with the error of `fetch` when there is no answer. */
export type Call = (method: Method, path: string, sent?: Sent) => Promise<Answer<unknown>>

interface Caller {
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  /** Headers of every call. */
  headers: CallHeaders
  retries: Retries | false | undefined
}

interface Parsed {
  data?: unknown
  error?: unknown
  response: Response
}

const KEY = 'Idempotency-Key'

/** Makes the calls of a client. */
export function createCall({ baseUrl, fetch, headers: ofAll, retries: usual }: Caller): Call {
  const { request } = createFetchClient<Record<never, never>>({ baseUrl })
  const send = request as unknown as (method: string, path: string, init: object) => Promise<Parsed>

  return async (method, path, { path: ids, query, body, headers: own, signal, retries = usual } = {}) => {
    const encoded = await encodeBody(body)
    const headers = mergeHeaders(encoded.headers, ofAll, own)
    const limits = retriesOf(retries)
    // Who sends once has no use for it, and the service would have to remember it.
    if (method === 'post' && limits.tries > 1 && !headers.has(KEY)) headers.set(KEY, makeIdempotencyKey())

    const once = async () => {
      let isSent = false
      const init = {
        params: { path: ids, query },
        body: encoded.body,
        bodySerializer: (bytes: unknown) => bytes,
        headers,
        signal,
        fetch: (made: Request) => {
          isSent = true
          return fetch(made)
        },
      }
      try {
        return await send(method, path, init)
      } catch (error) {
        // What could not be made a request, or was answered by no JSON, will not fare better a second time.
        if (!isSent || error instanceof SyntaxError) throw error
        return { lost: error }
      }
    }
    const isRepeatable = isSafeToRepeat(method, path, headers)
    const { answer, inDoubt } = await callWithRetries(once, { ...limits, isRepeatable, signal })
    const { response } = answer
    if (response.ok) {
      // The service never answers nothing: it is one of somebody else, as one that is no JSON.
      if (answer.data === undefined) throw new SyntaxError('The answer is empty')
      return { data: answer.data, response }
    }
    const error = new EstiaError(response, answer.error)
    // The try that got no answer has deleted it, or another client has.
    const isGone = inDoubt && method === 'delete' && !needsIfMatch(method, path) && isNoRecord(response)
    return isGone ? { data: { status: 200, deleted_id: Number(ids?.id) }, response } : { error, response }
  }
}

/**
 * Whether a call does no more when it is sent twice than when it is sent once. A POST has its key; reading, merging and
 * deleting a record do the same the second time.
 */
function isSafeToRepeat(method: Method, path: string, headers: Headers): boolean {
  return !needsIfMatch(method, path) || (headers.get('If-Match') ?? '*').trim() !== '*'
}

const needsIfMatch = (method: Method, path: string) => REPEAT_NEEDS_IF_MATCH.includes(`${method} ${path}`)

/** Whether the service has looked for the record in its database and found none: no proxy sends a bookmark. */
const isNoRecord = ({ status, headers }: Response) => status === 404 && headers.has(BOOKMARK)

/** 128 random bits. `crypto.randomUUID` would be missing in a page that came over plain http. */
function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
