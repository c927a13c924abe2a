/**
 * Rate limits per minute, as `limits.ts` and `catalogue/rate-limits.ts` declare them. A key has its own limit, so it is not
 * affected by other clients at the same address. Cloudflare counts approximately and per location, and no call waits for
 * storage.
 *
 *     await countCall(rateLimit(c, CALLER_LIMITS.key), key.id)   // throws 429
 */
import type { Context } from 'hono'
import { expandIPv6 } from 'hono/utils/ipaddr'
import { z } from 'zod'
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

/**
 * The network of the client, or of the visitor whom a website's server calls for: an IPv4 address, or the /64 of an IPv6
 * address, which belongs to one customer.
 */
export function clientNetwork(c: Context<App>): string {
  const address = clientAddress(c)
  return isIPv6(address) ? prefixOf(address, 4) : address
}

/** The network around that one: the /24 of an IPv4 address, or the /48 of an IPv6 address, which sites have. */
export function clientSite(c: Context<App>): string {
  return siteOf(clientAddress(c))
}

/** The same of the connection itself, not of the visitor whom a website's server calls for. */
export function connectionSite(c: Context<App>): string {
  return siteOf(plainAddress(connectionAddress(c)))
}

function siteOf(address: string): string {
  return isIPv6(address) ? prefixOf(address, 3) : address.replace(/\.\d+$/, '.0/24')
}

const connectionAddress = (c: Context<App>) => c.req.header('CF-Connecting-IP')

function clientAddress(c: Context<App>): string {
  return plainAddress(c.get('visitorAddress') ?? connectionAddress(c))
}

function plainAddress(sent: string | undefined): string {
  const address = sent?.trim().toLowerCase() ?? ''
  return isIPv6(address) ? (mappedIPv4(address) ?? address) : address
}

/** The IPv4 address within an IPv6 address, however that is written; null if it is none. All of them would be one network. */
function mappedIPv4(address: string): string | null {
  const { hostname } = new URL(`http://[${address}]`)
  const [, ...groups] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (groups.length === 0) return null
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** Whether `text` is one IP address and nothing else. */
export function isAddress(text: string): boolean {
  return z.regexes.ipv4.test(text) || (/^[\da-f:.]+$/i.test(text) && isIPv6(text))
}

/** Without Cloudflare in front, the header may contain anything. */
function isIPv6(address: string): boolean {
  return address.includes(':') && URL.canParse(`http://[${address}]`)
}

/** The network of the first `count` groups of an IPv6 address. */
function prefixOf(address: string, count: number): string {
  const groups = expandIPv6(address).split(':').slice(0, count)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/${16 * count}`
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
