/**
 * Calls that may be sent again when nobody knows what became of them (draft-ietf-httpapi-idempotency-key-header). A call
 * takes its key, works, and records its answer under the key in the transaction of its write. So whatever is cut short or
 * lost, the same call finds either that nothing was done or what was answered.
 *
 * The Router does it for every POST under `/api/`; the write path (`db/merge.ts`) records what `Once` asks for.
 */
import { createHash, type Hash } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import type { App, IdempotentCall, KeyHolder, StoredIdempotencyKey } from '../context.ts'
import { keyReused, requestInProgress } from '../errors.ts'
import { describeFailure, log } from '../log.ts'
import { type Representation, representationOf, tagOf } from './entity-tags.ts'

export const IDEMPOTENCY_KEY = 'Idempotency-Key'
export const REPLAYED = 'Idempotent-Replayed'

/** Most characters of a key. */
const MAX_LENGTH = 255
/**
 * How often a call says that it is at work, in milliseconds, and how many times at most: photos may wait for those of
 * others longer than a key is held.
 */
const EXTEND_CLAIM_MS = 10_000
const MAX_CLAIM_EXTENSIONS = 30
const VISIBLE = /^[!-~]+$/
/** A string of RFC 9651, without spaces. */
const QUOTED = /^"(?:[!#-[\]-~]|\\["\\])*"$/

/** The header of a request: its key. */
export const idempotencyKey = z
  .string()
  .transform((value, issues): string => {
    const key = readKey(value)
    if (key !== null) return key
    // Without a message: there is nothing to add to `Invalid Idempotency-Key`.
    issues.addIssue({ code: 'custom' })
    return z.NEVER
  })
  .describe(
    `Up to ${MAX_LENGTH} visible ASCII characters of the caller's choice, as a UUID, another for each intent: the same ` +
      'call with the same key is done once, and answered the same for 24 hours. See [Retries](/docs/retries.md)',
  )

/** Whether an endpoint takes keys: those that a second time would do something a second time. */
export function acceptsIdempotencyKey({ method, area }: { method: string; area: string }): boolean {
  return method === 'post' && area === 'api'
}

/** Sets a header that tells of the result: whoever repeats the call is answered with it, too. */
export function setReplayedHeader(c: Context<App>, name: string, value: string): void {
  c.header(name, value)
  c.set('result', { ...c.get('result'), [name]: value })
}

/**
 * Answers a call that came with `key` as it was answered before, else by `answer`. Throws 422 where the key stands for
 * another call, 409 while another call with it is at work, and 429 where too many keys are kept.
 * @param answer must record its success by `once`
 */
export async function replyOnce(
  c: Context<App>,
  key: string,
  body: Readable,
  answer: (once: IdempotentCall) => Promise<Response>,
): Promise<Response> {
  const holder = await identifyCall(c, key, body)
  const store = c.get('keeper')
  const stored = await store.claim(c.env, holder)
  if (!isClaimedBy(stored, holder)) return replay(c, stored, holder)
  const stopExtending = keepClaimAlive(() => store.extend(c.env, holder))
  try {
    return await answer({ ...holder, progress: stored.progress, replyMetadata: () => replyMetadata(c) })
  } catch (error) {
    // Stored is stored, whatever became of the answer; and where somebody took over, they answer.
    const found = await store.release(c.env, holder)
    if (!found || isClaimedBy(found, holder)) throw error
    log('error', { request_id: c.get('requestId'), ...describeFailure(error) })
    return replay(c, found, holder)
  } finally {
    stopExtending()
  }
}

/** Gives signs of life until the function that it returns is called. */
function keepClaimAlive(extendClaim: () => Promise<void>): () => void {
  let extensions = 0
  const timer = setInterval(() => {
    if (++extensions === MAX_CLAIM_EXTENSIONS) clearInterval(timer)
    void extendClaim()
  }, EXTEND_CLAIM_MS)
  return () => clearInterval(timer)
}

/** The body of a call; the hash takes what makes it the same as another. */
interface Readable {
  read: (hash: Hash) => Promise<void>
}

async function identifyCall(c: Context<App>, key: string, body: Readable): Promise<KeyHolder> {
  const { pathname, search } = new URL(c.req.url)
  const request = createHash('sha256').update(`${c.req.method} ${pathname}${search}\n`)
  await body.read(request)
  const apiKey = c.get('key').id
  return {
    digest: createHash('sha256').update(`${apiKey} ${key}`).digest('hex'),
    fingerprint: request.digest('hex'),
    token: crypto.randomUUID(),
    apiKey,
  }
}

function isClaimedBy({ token, answer }: StoredIdempotencyKey, holder: KeyHolder): boolean {
  return token === holder.token && answer === null
}

/** What an answer is made of beside its body and stamp. */
interface ReplyMetadata {
  headers: Record<string, string>
  form: Representation
}

function replyMetadata(c: Context<App>): string {
  return JSON.stringify({ headers: c.get('result') ?? {}, form: representationOf(c) } satisfies ReplyMetadata)
}

/** The answer that is kept. Every success has the status 200. */
function replay(c: Context<App>, stored: StoredIdempotencyKey, holder: KeyHolder): Response {
  if (stored.fingerprint !== holder.fingerprint) throw keyReused()
  const { answer, told: metadata, cursor, names } = stored
  if (answer === null || metadata === null) throw requestInProgress()
  const { headers, form } = JSON.parse(metadata) as ReplyMetadata
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if (cursor !== null) c.header('ETag', `"${tagOf({ cursor, names: names ?? 0 }, form)}"`)
  if (stored.token !== holder.token) c.header(REPLAYED, 'true')
  return c.body(answer, 200, { 'Content-Type': 'application/json' })
}

/** The key that a header stands for, with quotation marks or without; null when it is none. */
function readKey(value: string): string | null {
  // Twice the length: within quotation marks a character may have a backslash before it.
  if (value.length > 2 * MAX_LENGTH + 2 || !VISIBLE.test(value)) return null
  if (value.startsWith('"') && !QUOTED.test(value)) return null
  const key = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
  return key.length > 0 && key.length <= MAX_LENGTH ? key : null
}
