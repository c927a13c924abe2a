/**
 * Idempotency keys (draft-ietf-httpapi-idempotency-key-header) make it safe to repeat a call whose outcome is
 * unknown. A call claims its key, does its work, and records its reply in the transaction of its write. If the call
 * is interrupted, a repetition finds either nothing done or the recorded reply.
 *
 * Some calls claim their key only by recording the reply: those of visitors, so that refused ones write nothing, and those
 * that a repetition does not do again, so that one that is cut off leaves no claim. Equal calls at the same time all do the
 * work, and the transaction of one of them is committed.
 *
 * The Router does this for every POST under `/api/` and `/office/`. The write path (`db/merge.ts`) records the reply.
 */
import { createHash, type Hash } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import type { ApiKey, App, IdempotentCall, KeyHolder, StoredIdempotencyKey } from '../context.ts'
import { ApiError, keyReused, requestInProgress } from '../errors.ts'
import { describeFailure, log } from '../log.ts'
import { clientNetwork } from '../networks.ts'
import { type Representation, representationOf, type Tagged, tagOf } from './entity-tags.ts'

export const IDEMPOTENCY_KEY = 'Idempotency-Key'
export const REPLAYED = 'Idempotent-Replayed'

/** Maximum length of a key in characters. */
const MAX_LENGTH = 255
/**
 * How often a call extends its claim, in ms, and the maximum number of extensions. A photo may wait in the queue for
 * longer than a claim lasts.
 */
const EXTEND_CLAIM_MS = 10_000
const MAX_CLAIM_EXTENSIONS = 30
/** How many keys of one visitor are stored; later calls are done and not stored. Those of a server are bounded as others. */
const MAX_KEYS_OF_VISITOR = 1000
/** Stored in place of a reply that had to be dropped. */
export const LOST_REPLY = ''
const VISIBLE = /^[!-~]+$/
/** A string of RFC 9651, without spaces. */
const QUOTED = /^"(?:[!#-[\]-~]|\\["\\])*"$/

/** Schema of the request header; it parses to the key. */
export const idempotencyKey = z
  .string()
  .transform((value, issues): string => {
    const key = readKey(value)
    if (key !== null) return key
    // No message: `Invalid Idempotency-Key` says enough.
    issues.addIssue({ code: 'custom' })
    return z.NEVER
  })
  .describe(
    `Up to ${MAX_LENGTH} visible ASCII characters, such as a UUID; use a new key for each intent. For 24 hours, the same ` +
      'call with the same key is processed once and gets the same response. See [Retries](/docs/retries.md)',
  )

/** Whether an endpoint accepts keys: only POST creates something new when it is repeated. */
export function acceptsIdempotencyKey({ method, audience, contract }: Tagged): boolean {
  return method === 'post' && (audience === 'api' || contract.isTagged === true)
}

/** Sets a response header that describes the result, or removes it. A replay repeats it. */
export function setReplayedHeader(c: Context<App>, name: string, value: string | undefined): void {
  c.header(name, value)
  c.set('result', { ...c.get('result'), [name]: value })
}

/**
 * Replays the recorded reply for `key`, or runs `reply`. Throws 422 if the key belongs to a different request.
 * Throws 409 while another call with the key is running, and 429 if too many are stored.
 * @param reply records its success with the write, using the `IdempotentCall`
 */
export async function replyOnce(
  c: Context<App>,
  key: string,
  body: Readable,
  reply: (call: IdempotentCall) => Promise<Response>,
): Promise<Response> {
  const holder = await identifyCall(c, key, body)
  const answer = replyAfterClaim(c, holder, reply)
  // If the client leaves, the call ends all the same: its key would stay claimed for as long as a claim lasts.
  c.executionCtx.waitUntil(answer.catch(() => undefined))
  return answer
}

async function replyAfterClaim(
  c: Context<App>,
  holder: KeyHolder,
  reply: (call: IdempotentCall) => Promise<Response>,
): Promise<Response> {
  const store = c.get('idempotencyStore')
  const stored = await store.claim(c.env, holder)
  if (!isClaimedBy(stored, holder)) return replay(c, stored, holder)
  const stopExtending = keepClaimAlive(() => store.extend(c.env, holder))
  try {
    return await reply({ ...holder, progress: stored.progress, replyMetadata: () => replyMetadata(c) })
  } catch (error) {
    // The write may be committed although the call failed, or another call may have taken over the claim.
    const found = await store.release(c.env, holder)
    if (!found || isClaimedBy(found, holder)) throw error
    log('error', { request_id: c.get('requestId'), ...describeFailure(error) })
    return replay(c, found, holder)
  } finally {
    stopExtending()
  }
}

/**
 * The same without a claim: the call writes nothing unless it succeeds. Equal calls at the same time do not get 409: one
 * of them succeeds, and the others replay its reply.
 */
export async function replyOnceUnclaimed(
  c: Context<App>,
  key: string,
  body: Readable,
  reply: (call: IdempotentCall) => Promise<Response>,
): Promise<Response> {
  const holder = await identifyCall(c, key, body)
  const store = c.get('idempotencyStore')
  const stored = await store.find(c.env, holder.digest)
  if (stored) return replay(c, stored, holder)
  const unclaimed = c.get('key').website?.publishable ? { maxKeys: MAX_KEYS_OF_VISITOR } : {}
  try {
    return await reply({ ...holder, unclaimed, progress: null, replyMetadata: () => replyMetadata(c) })
  } catch (error) {
    if (error instanceof ApiError) throw error
    // The write may be committed although the call failed, or an equal call may have been faster.
    const found = await store.find(c.env, holder.digest).catch(() => null)
    if (!found) throw error
    log('error', { request_id: c.get('requestId'), ...describeFailure(error) })
    return replay(c, found, holder)
  }
}

/** Extends the claim regularly until the returned function is called. */
function keepClaimAlive(extendClaim: () => Promise<void>): () => void {
  let extensions = 0
  const timer = setInterval(() => {
    if (++extensions === MAX_CLAIM_EXTENSIONS) clearInterval(timer)
    void extendClaim()
  }, EXTEND_CLAIM_MS)
  return () => clearInterval(timer)
}

/** The body of a call; `read` updates the hash with what identifies the body. */
interface Readable {
  read: (hash: Hash) => Promise<void>
}

async function identifyCall(c: Context<App>, key: string, body: Readable): Promise<KeyHolder> {
  const { pathname, search } = new URL(c.req.url)
  const request = createHash('sha256').update(`${c.req.method} ${pathname}${search}\n`)
  await body.read(request)
  const { id, website }: Partial<ApiKey> = c.get('key') ?? {}
  // Visitors share a publishable key, so each address has keys of its own. The address itself is not stored.
  const caller = id ?? 'ADMIN_TOKEN'
  const apiKey = website?.publishable
    ? `${caller} ${sha256(`${caller} ${clientNetwork(c)}`).slice(0, 32)}`
    : caller
  return {
    digest: sha256(`${apiKey} ${key}`),
    fingerprint: request.digest('hex'),
    token: crypto.randomUUID(),
    apiKey,
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function isClaimedBy({ token, answer }: StoredIdempotencyKey, holder: KeyHolder): boolean {
  return token === holder.token && answer === null
}

/** The reply apart from its body and the record version. */
interface ReplyMetadata {
  headers: Record<string, string | undefined>
  form: Representation
}

function replyMetadata(c: Context<App>): string {
  return JSON.stringify({ headers: c.get('result') ?? {}, form: representationOf(c) } satisfies ReplyMetadata)
}

/** The recorded reply. Every success has status 200. */
function replay(c: Context<App>, stored: StoredIdempotencyKey, holder: KeyHolder): Response {
  if (stored.fingerprint !== holder.fingerprint) throw keyReused()
  const { answer, metadata, cursor, names } = stored
  if (answer === null || metadata === null) throw requestInProgress()
  if (answer === LOST_REPLY) throw new ApiError(409, 'The reply for this Idempotency-Key is no longer kept')
  const { headers, form } = JSON.parse(metadata) as ReplyMetadata
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  // Visitors do not get the tags of records.
  if (cursor !== null && !c.get('key')?.website)
    c.header('ETag', `"${tagOf({ cursor, names: names ?? 0 }, form)}"`)
  if (stored.token !== holder.token) c.header(REPLAYED, 'true')
  return c.body(answer, 200, { 'Content-Type': 'application/json' })
}

/** The key of a header, with or without quotation marks; null if it is invalid. */
function readKey(value: string): string | null {
  // Twice the length, because quoted characters may be escaped.
  if (value.length > 2 * MAX_LENGTH + 2 || !VISIBLE.test(value)) return null
  if (value.startsWith('"') && !QUOTED.test(value)) return null
  const key = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
  return key.length > 0 && key.length <= MAX_LENGTH ? key : null
}
