/** Makes one call: encodes headers and body once, and sends them until there is a reply or the retries are used up. */
import createFetchClient from 'openapi-fetch'
import { encodeBody } from './body.ts'
import { BOOKMARK } from './bookmark.ts'
import { EstiaError } from './error.ts'
import { REPEAT_NEEDS_IF_MATCH } from './facts.ts'
import { type CallHeaders, mergeHeaders } from './headers.ts'
import { callWithRetries, type Retries, retryLimits } from './retry.ts'
import type { Answer, Method } from './types.ts'

/** What a caller passes besides method and path. */
export interface CallInputs {
  path?: Record<string, unknown> | undefined
  query?: object | undefined
  body?: unknown
  headers?: CallHeaders | undefined
  signal?: AbortSignal | undefined
  retries?: Retries | false | undefined
}

/** Makes a call. Rejects with the error of `fetch` if there is no reply. */
export type Call = (method: Method, path: string, inputs?: CallInputs) => Promise<Answer<unknown>>

/** What the calls of a client have in common. */
interface CallDefaults {
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  headers: CallHeaders
  retries: Retries | false | undefined
}

interface Parsed {
  data?: unknown
  error?: unknown
  response: Response
}

const KEY = 'Idempotency-Key'

/** Makes the call function of a client. */
export function createCall({ baseUrl, fetch, ...defaults }: CallDefaults): Call {
  const { request } = createFetchClient<Record<never, never>>({ baseUrl })
  const send = request as unknown as (method: string, path: string, init: object) => Promise<Parsed>

  return async (
    method,
    path,
    { path: ids, query, body, headers: own, signal, retries = defaults.retries } = {},
  ) => {
    const encoded = await encodeBody(body)
    const headers = mergeHeaders(encoded.headers, defaults.headers, own)
    const limits = retryLimits(retries)
    // A call that is sent once needs no key, and the service would have to store it.
    if (method === 'post' && limits.tries > 1 && !headers.has(KEY)) headers.set(KEY, makeIdempotencyKey())

    const sendOnce = async () => {
      let isSent = false
      const init = {
        params: { path: ids, query },
        body: encoded.body,
        bodySerializer: (bytes: unknown) => bytes,
        headers,
        signal,
        fetch: (outgoing: Request) => {
          isSent = true
          return fetch(outgoing)
        },
      }
      try {
        return await send(method, path, init)
      } catch (error) {
        // Retrying does not help if no request could be made, or if the reply is not JSON.
        if (!isSent || error instanceof SyntaxError) throw error
        return { lost: error }
      }
    }
    const isRepeatable = isSafeToRepeat(method, path, headers)
    const { answer, inDoubt } = await callWithRetries(sendOnce, { ...limits, isRepeatable, signal })
    const { response } = answer
    if (response.ok) {
      // The service never sends an empty body, so this reply comes from another server.
      if (answer.data === undefined) throw new SyntaxError('The answer is empty')
      return { data: answer.data, response }
    }
    const error = new EstiaError(response, answer.error)
    // An earlier attempt without a reply, or another client, has deleted the record.
    const isGone = inDoubt && method === 'delete' && !needsIfMatch(method, path) && isRecordMissing(response)
    const id = isGone ? ids?.id : undefined
    return id === undefined
      ? { error, response }
      : { data: { status: 200, deleted_id: Number(id) }, response }
  }
}

/**
 * Whether sending a call twice has the same effect as sending it once. A POST has its key. Reading, merging and
 * deleting a record are idempotent, with the exceptions that `REPEAT_NEEDS_IF_MATCH` lists.
 */
function isSafeToRepeat(method: Method, path: string, headers: Headers): boolean {
  return !needsIfMatch(method, path) || (headers.get('If-Match') ?? '*').trim() !== '*'
}

const needsIfMatch = (method: Method, path: string) => REPEAT_NEEDS_IF_MATCH.includes(`${method} ${path}`)

/** Whether the service itself did not find the record. The bookmark proves it, because no proxy sends one. */
const isRecordMissing = ({ status, headers }: Response) => status === 404 && headers.has(BOOKMARK)

/** 128 random bits in hex. `crypto.randomUUID` is not available to pages loaded over plain HTTP. */
function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
