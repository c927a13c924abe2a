/**
 * Checks the tokens of Cloudflare Turnstile, which tells people from programs. The protocol is that of
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/.
 */
import { ApiError, invalid } from '../../http/errors.ts'
import { describeFailure, log } from '../../http/log.ts'
import { callOut } from '../../http/outgoing.ts'

export const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

/** How long the check may take, in milliseconds. */
const TIMEOUT_MS = 5000
/** Longest answer that is read, in bytes. Real ones have some hundred. */
const MAX_ANSWER = 10_000

/** The codes that say something about the token. Any other is about the secret or the service. */
const TOKEN_CODES = new Set(['missing-input-response', 'invalid-input-response', 'timeout-or-duplicate'])

const FIELD = 'turnstile_token'

/** A token, and who sent it. */
export interface Challenge {
  token: string | null | undefined
  /** Address of the visitor; '' if it is unknown. */
  address: string
  /** A UUID that is the same for repetitions of one call: the token of a call may be checked again for it. */
  attempt?: string | undefined
}

/** Throws 400 unless the token is valid, and 503 if the checker gives no answer. */
export async function requireHuman(env: Env, secret: string, { token, address, attempt }: Challenge) {
  if (!token) throw invalid([{ field: FIELD, message: `Missing ${FIELD}` }])
  const form = new URLSearchParams({ secret, response: token })
  if (address) form.set('remoteip', address)
  if (attempt) form.set('idempotency_key', attempt)
  const verdict = await askChecker(env, form)
  if (verdict.success === true) return
  const codes: unknown[] = Array.isArray(verdict['error-codes']) ? verdict['error-codes'] : []
  if (verdict.success === false && codes.length > 0 && codes.every((code) => TOKEN_CODES.has(String(code)))) {
    throw invalid([
      { field: FIELD, message: `Invalid ${FIELD}: it has expired, was used before, or is wrong` },
    ])
  }
  log('error', { work: 'checking a token of Turnstile', codes: codes.slice(0, 5).map(String) })
  throw noAnswer()
}

async function askChecker(env: Env, form: URLSearchParams): Promise<Record<string, unknown>> {
  try {
    const response = await callOut(env, SITEVERIFY, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (text.length > MAX_ANSWER) throw new Error('The answer is too long')
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null) throw new Error('The answer is no object')
    return answer as Record<string, unknown>
  } catch (error) {
    log('error', { work: 'checking a token of Turnstile', ...describeFailure(error) })
    throw noAnswer()
  }
}

function noAnswer(): ApiError {
  return new ApiError(503, 'The check of turnstile_token gave no answer; try again', [], {
    'Retry-After': '5',
  })
}
