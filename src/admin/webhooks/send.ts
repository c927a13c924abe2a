/**
 * One delivery attempt: a signed call, as https://www.standardwebhooks.com specifies it, and its outcome. Only the status
 * of the response counts.
 */
import { createHmac } from 'node:crypto'
import { sleep } from '../../http/concurrency/waiting.ts'
import { callOut } from '../../http/outgoing.ts'
import { withDeadline } from '../../net/deadline.ts'
import { isInterim, readFinalStatus } from './final-status.ts'
import { decryptSecret, signingKeyOf } from './secrets.ts'
import { isAllowedWebhookUrl } from './url.ts'

/** How long a receiver may take to answer, in milliseconds. */
const REPLY_TIMEOUT_MS = 10_000

/** The timing of deliveries; tests pass their own. */
export interface Pace {
  /** Milliseconds, as `Date.now()`. */
  now: () => number
  wait: (milliseconds: number) => Promise<void>
  /** How long a receiver may take to answer, in milliseconds. */
  replyTimeout: number
}

export const REAL_TIMING: Pace = {
  now: () => Date.now(),
  wait: sleep,
  replyTimeout: REPLY_TIMEOUT_MS,
}

/** Maximum bytes read of a response body. A body read to its end lets its connection be used again. */
const MAX_READ = 1024
/** How long a response body is read, in milliseconds. */
const READ_LIMIT = 1_000

export const ATTEMPT_ERRORS = {
  address: 'The address is not allowed',
  secret: 'The secret cannot be read, as the secrets of the deployment were changed: rotate it',
  redirect: 'Redirects are not followed',
  time: `No answer within ${REPLY_TIMEOUT_MS / 1000} seconds`,
  connection: 'No connection, or it broke off',
} as const

/** The error of an attempt that got only interim responses (1xx). */
export const interimOnlyError = (status: number) =>
  `The receiver answered ${status}, and no final status followed`

/** Where a message goes and how it is signed: columns of a subscription. Secrets are encrypted. */
export interface Receiver {
  url: string
  secret: string
  old_secret: string | null
  old_secret_expires: number | null
}

/** What is sent. `data` is the JSON of a list. */
export interface Message {
  /** The header `webhook-id`. */
  batch_id: string
  type: 'changes' | 'test'
  data: string
}

export interface Attempt {
  batch_id: string
  type: 'changes' | 'test'
  /** When it started, as `Date.now()`. */
  at: number
  /** HTTP status; null when there was no response. */
  status: number | null
  /** Null when the delivery succeeded. */
  error: string | null
  milliseconds: number
}

/** Sends a message. Never throws. Of the response only the status is kept. */
export async function sendWebhook(env: Env, to: Receiver, message: Message, pace: Pace): Promise<Attempt> {
  const { batch_id, type } = message
  const at = pace.now()
  const started = Date.now()
  const outcome = await attemptDelivery(env, to, message, pace, at)
  return { batch_id, type, at, ...outcome, milliseconds: Date.now() - started }
}

/** A unique id for a batch: `msg_` and 32 hexadecimal digits. */
export function newBatchId(): string {
  return `msg_${crypto.randomUUID().replaceAll('-', '')}`
}

async function attemptDelivery(
  env: Env,
  to: Receiver,
  { batch_id, type, data }: Message,
  pace: Pace,
  at: number,
) {
  if (!isAllowedWebhookUrl(to.url, env)) return failedAttempt(ATTEMPT_ERRORS.address)
  const secrets = await openSecrets(env, to, at)
  if (secrets.length === 0) return failedAttempt(ATTEMPT_ERRORS.secret)
  const body = `{"type":"${type}","timestamp":"${new Date(at).toISOString()}","data":${data}}`
  const seconds = String(Math.floor(at / 1000))
  const signed = `${batch_id}.${seconds}.${body}`
  return post(env, to.url, body, pace.replyTimeout, {
    'Content-Type': 'application/json',
    'webhook-id': batch_id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret, signed)}`).join(' '),
  })
}

/** The decrypted secrets that are still valid, the new one first. */
async function openSecrets(env: Env, to: Receiver, at: number): Promise<string[]> {
  const { secret, old_secret, old_secret_expires } = to
  const isOldGood = old_secret !== null && (old_secret_expires ?? 0) > at
  const found = await Promise.all(
    [secret, ...(isOldGood ? [old_secret] : [])].map((one) => decryptSecret(env, one)),
  )
  return found.filter((one) => one !== null)
}

function sign(secret: string, text: string): string {
  return createHmac('sha256', signingKeyOf(secret)).update(text).digest('base64')
}

/** @param limit how long the receiver may take, in milliseconds */
async function post(env: Env, url: string, body: string, limit: number, headers: Record<string, string>) {
  const signal = AbortSignal.timeout(limit)
  try {
    const request = callOut(env, url, { method: 'POST', body, headers, redirect: 'manual', signal })
    const answer = await withDeadline(signal, request)
    if (isInterim(answer.status)) {
      const final = await readFinalStatus(answer, signal)
      return final ? outcomeOf(final) : { status: answer.status, error: interimOnlyError(answer.status) }
    }
    await discardBody(answer)
    return outcomeOf(answer.status)
  } catch {
    return failedAttempt(signal.aborted ? ATTEMPT_ERRORS.time : ATTEMPT_ERRORS.connection)
  }
}

function outcomeOf(status: number): { status: number; error: string | null } {
  if (status >= 200 && status < 300) return { status, error: null }
  return { status, error: status >= 300 && status < 400 ? ATTEMPT_ERRORS.redirect : `Answer ${status}` }
}

/** Reads a short body to its end. Cancels one that is long or stalls. */
async function discardBody({ body }: Response): Promise<void> {
  if (!body) return
  const reader = body.getReader()
  const signal = AbortSignal.timeout(READ_LIMIT)
  try {
    for (let read = 0; read < MAX_READ; ) {
      const { done, value } = await withDeadline(signal, reader.read())
      if (done) return
      read += value.length
    }
  } catch {
    // The status counts even if the body breaks off.
  }
  // Waiting for the cancellation could take as long as the body.
  reader.cancel().catch(() => undefined)
}

function failedAttempt(error: string): { status: null; error: string } {
  return { status: null, error }
}
