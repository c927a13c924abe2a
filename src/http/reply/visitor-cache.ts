/**
 * Keeps answers to visitors for a short time: inside by the Cache API, outside by browsers and proxies. The Cache API
 * heeds nothing but the URL, so the URL holds everything that an answer depends on. Whether a key may call at all is
 * checked before, for each call.
 */
import { hash } from 'node:crypto'
import type { Context } from 'hono'
import { keyInQuery } from '../caller/website-keys.ts'
import { includesTag, representationOf } from '../concurrency/entity-tags.ts'
import { MakingTakesTooLong, makeOnce } from '../concurrency/single-maker.ts'
import type { App, WebsiteAccess } from '../context.ts'
import { tooManyVisits } from '../errors.ts'
import { keepAnswer, readKept } from './cache.ts'

/** What a key lets its visitors see. Two keys with the same rights get the same answers. */
export type Rights = Pick<WebsiteAccess, 'stores'>

/** What an answer depends on, beside the URL and the headers of its call. */
export interface VisitorCall {
  rights: Rights
  /** The filters that the endpoint knows, all of them valid, in canonical order. */
  filters: Record<string, unknown>
}

/** A successful answer, apart from the headers that each call has of its own. */
interface Answer {
  body: ArrayBuffer
  headers: Headers
}

/**
 * How long an answer is kept inside, and then once more outside, in seconds. With the ten seconds by which a search may lag
 * (`search/shared-index.ts`), visitors see a change after a minute.
 */
const KEEP_SECONDS = { inside: 20, outside: 30 }
/** Longer bodies are not kept, in bytes. */
const MAX_BODY_BYTES = 2 * 1024 * 1024
/** Maximum wait for an equal call that makes the answer, in ms. */
const MAX_MAKING_MS = 10_000
/** Longer parts of a URL are replaced by their hash, in characters. */
const MAX_PART = 300
/** The headers that are part of an answer. All others belong to the call. */
const ANSWER_HEADERS = ['Content-Type', 'ETag', 'Link', 'Vary', 'X-Total-Count']

/**
 * Replies with the answer that is kept for this call, or else with what `reply` makes: one call of an isolate does it for
 * all that are equal at the same moment. Errors go to these, and are not kept. Throws 503 if it takes too long.
 */
export async function replyFromCache(
  c: Context<App>,
  call: VisitorCall,
  reply: () => Response | Promise<Response>,
): Promise<Response> {
  const url = cacheUrl(c, call)
  try {
    const answer = await makeOnce(url, {
      make: async () => (await readKept(url, readAnswer, reportOf(c))) ?? makeAnswer(c, url, reply),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
      until: Date.now() + MAX_MAKING_MS,
    })
    return replyWithAnswer(c, answer)
  } catch (error) {
    throw error instanceof MakingTakesTooLong ? tooManyVisits() : error
  }
}

/** Makes the answer, and keeps it behind the reply. */
async function makeAnswer(
  c: Context<App>,
  url: string,
  reply: () => Response | Promise<Response>,
): Promise<Answer> {
  const made = await reply()
  if (made.status !== 200) throw new Error(`Errors for visitors are thrown, not ${made.status} replied`)
  const answer = await readAnswer(made)
  answer.headers.set('ETag', `"${hash('sha256', new Uint8Array(answer.body)).slice(0, 32)}"`)
  if (answer.body.byteLength <= MAX_BODY_BYTES) {
    const kept = () => new Response(answer.body, { headers: answer.headers })
    c.executionCtx.waitUntil(keepAnswer(url, KEEP_SECONDS.inside, kept, reportOf(c)))
  }
  return answer
}

/**
 * The URL under which an answer is kept. Its host is that of the call, as the platform wants it. The parts are in the
 * path, because a zone may be set to ignore queries. HEAD shares the answers of GET. What the endpoint does not know is
 * left out: it changes no more than `X-Ignored-Fields`, which each call has of its own.
 */
function cacheUrl(c: Context<App>, { rights, filters }: VisitorCall): string {
  const { origin, pathname } = new URL(c.req.url)
  const { code, base } = representationOf(c)
  const accept = c.req.header('Accept') ?? ''
  const parts = {
    code,
    base,
    method: c.req.method === 'QUERY' ? 'QUERY' : 'GET',
    rights: JSON.stringify({ ...rights, stores: rights.stores?.toSorted((a, b) => a - b) ?? null }),
    // Only such types ask for another form of the data than plain JSON.
    format: /\+json/i.test(accept) ? accept : '',
    filters: JSON.stringify(filters),
  }
  const path = Object.entries(parts).map(([name, part]) => `${name}=${encodeURIComponent(shorten(part))}`)
  return `${origin}${pathname}/${path.join('/')}`
}

function shorten(part: string): string {
  return part.length > MAX_PART ? `sha256-${hash('sha256', part)}` : part
}

async function readAnswer(response: Response): Promise<Answer> {
  const headers = new Headers()
  for (const name of ANSWER_HEADERS) {
    const value = response.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return { body: await response.arrayBuffer(), headers }
}

function reportOf(c: Context<App>) {
  return { request_id: c.get('requestId'), cache: 'visitors' }
}

/** Replies with `answer`, or with 304 if the client already has it. */
function replyWithAnswer(c: Context<App>, answer: Answer): Response {
  const headers = new Headers(answer.headers)
  letCachesKeep(c, headers)
  const tag = headers.get('ETag')?.replace(/^W\/|"/g, '') ?? ''
  if (!includesTag(c.get('headers')?.['If-None-Match'], tag)) {
    return c.body(answer.body, 200, Object.fromEntries(headers))
  }
  headers.delete('Content-Type')
  return c.body(null, 304, Object.fromEntries(headers))
}

/**
 * Says in `headers` who may keep the answer outside. Caches there know no body, so calls with a body keep the `no-store` of
 * all other replies.
 */
function letCachesKeep(c: Context<App>, headers: Headers): void {
  if (c.req.method === 'QUERY' || c.req.raw.body) return
  const isInQuery = keyInQuery(c) !== undefined
  headers.set('Cache-Control', `${isInQuery ? 'public' : 'private'}, max-age=${KEEP_SECONDS.outside}`)
  if (!isInQuery) headers.append('Vary', 'Authorization, X-API-Key')
  // Strict handling would refuse these fields.
  if (c.get('result')?.['X-Ignored-Fields']) headers.append('Vary', 'Prefer')
}
