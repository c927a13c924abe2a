/**
 * Rate limits per minute, as `limits.ts` and `catalogue/rate-limits.ts` declare them. A key has its own limit, so it is not
 * affected by other clients at the same address. Cloudflare counts approximately and per location, and no call waits for
 * storage.
 *
 *     await countCall(rateLimit(c, CALLER_LIMITS.key), key.id)   // throws 429
 */
import type { Context } from 'hono'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { describeFailure, log } from '../log.ts'
import { isLocal } from '../urls.ts'
import { NO_LIMIT, type RateLimitDeclaration } from './limits.ts'

/** Period of the limits in seconds, equal to `period` of `[[ratelimits]]` in wrangler.toml. */
const PERIOD_SECONDS = 60

/** The message of 429. */
export const TOO_MANY_REQUESTS = 'Too many requests'

/** Maximum number of clients of which an isolate remembers that a limit refused them. */
const MAX_REFUSED = 1000

/** When a limiter last refused a client, as `Date.now()`; the latest comes last. */
const refusals = new WeakMap<RateLimit, Map<string, number>>()

/** The number of calls per period, and the binding that counts them. */
interface Limit extends Pick<RateLimitDeclaration, 'name' | 'calls'> {
  limiter: RateLimit
}

/** Settings that were reported as having no number, once per isolate. */
const reported = new Set<string>()

/**
 * A rate limit; null if the deployment has none. A setting without a number turns the limit off on this machine
 * alone: the deploy button makes empty secrets of the settings of a local service.
 */
export function rateLimit(
  c: Context<App>,
  { name, binding, setting, calls }: RateLimitDeclaration,
): Limit | null {
  const { [binding]: limiter, [setting]: value = '' } = c.env
  if (!limiter || value === NO_LIMIT) return null
  if (/^[1-9]\d{0,8}$/.test(value)) return { name, calls: Number(value), limiter }
  if (value === '' && isLocal(c)) return null
  if (!reported.has(setting)) {
    log('error', {
      error: `${setting} has no number, so its default holds: ${calls}. "${NO_LIMIT}" is no limit`,
    })
    reported.add(setting)
  }
  return { name, calls, limiter }
}

/** Counts one more for `client`, and returns whether it is within the limit. */
export async function isWithinLimit(limit: Limit | null, client: string): Promise<boolean> {
  return !limit || isAllowed(limit, client)
}

/** Counts a call of `client`: a key, an address, or both. Throws 429 once the limit is exceeded. */
export async function countCall(limit: Limit | null, client: string): Promise<void> {
  if (limit && !(await isAllowed(limit, client))) throw tooManyRequests(limit)
}

/**
 * Throws 429 if the client is still past the limit, which is asked only if it has refused the client within the last
 * period. So a client within the limit is not counted.
 */
export async function requireWithinLimit(limit: Limit | null, client: string): Promise<void> {
  const refusedAt = limit ? refusals.get(limit.limiter)?.get(client) : undefined
  if (refusedAt === undefined || Date.now() - refusedAt >= PERIOD_SECONDS * 1000) return
  await countCall(limit, client)
}

/** The header that describes `limit` (draft-ietf-httpapi-ratelimit-headers). */
export function policyHeader(limit: Limit | null): Record<string, string> {
  return limit ? { 'RateLimit-Policy': `"${limit.name}";q=${limit.calls};w=${PERIOD_SECONDS}` } : {}
}

function tooManyRequests(limit: Limit): ApiError {
  return new ApiError(429, TOO_MANY_REQUESTS, [], {
    'Retry-After': String(PERIOD_SECONDS),
    ...policyHeader(limit),
  })
}

/** Whether the call is within the limit. If the limiter fails, the call is allowed. */
async function isAllowed({ name, limiter }: Limit, client: string): Promise<boolean> {
  try {
    const { success } = await limiter.limit({ key: client })
    noteOutcome(limiter, client, success)
    return success
  } catch (error) {
    log('error', { budget: name, ...describeFailure(error) })
    return true
  }
}

function noteOutcome(limiter: RateLimit, client: string, success: boolean): void {
  const refused = refusals.get(limiter) ?? new Map<string, number>()
  refused.delete(client)
  if (success) return
  refused.set(client, Date.now())
  refusals.set(limiter, refused)
  const [oldest] = refused.keys()
  if (refused.size > MAX_REFUSED && oldest !== undefined) refused.delete(oldest)
}
