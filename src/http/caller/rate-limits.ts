/**
 * Rate limits: calls per minute of a key; calls and enquiries per minute of a visitor with a publishable key; and per
 * minute of an address, reads of feeds, pictures that are made smaller, and failed authentications. A key has its own
 * limit, so it is not affected by other clients at the same address.
 *
 * Cloudflare counts approximately and per location, and no call waits for storage.
 */
import type { Context } from 'hono'
import { expandIPv6 } from 'hono/utils/ipaddr'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { describeFailure, log } from '../log.ts'

/** Period of the limits in seconds, equal to `period` of `[[ratelimits]]` in wrangler.toml. */
const PERIOD_SECONDS = 60

/** The message of 429. */
export const TOO_MANY_REQUESTS = 'Too many requests'

/** The number of calls per period, and the binding that counts them. */
interface Limit {
  name: 'key' | 'visitor' | 'address' | 'enquiry' | 'feed' | 'size'
  calls: number
  limiter: RateLimit
}

/** The rate limit per key; null if the deployment has none. */
export function keyLimit({ KEY_BUDGET, CALLS_PER_KEY }: Env): Limit | null {
  return limitOf('key', KEY_BUDGET, CALLS_PER_KEY)
}

/** The rate limit per publishable key and address; null if the deployment has none. */
export function visitorLimit({ VISITOR_BUDGET, CALLS_PER_VISITOR }: Env): Limit | null {
  return limitOf('visitor', VISITOR_BUDGET, CALLS_PER_VISITOR)
}

/** The limit of enquiries per key for visitors and address; null if the deployment has none. */
export function enquiryLimit({ ENQUIRY_BUDGET, ENQUIRIES_PER_VISITOR }: Env): Limit | null {
  return limitOf('enquiry', ENQUIRY_BUDGET, ENQUIRIES_PER_VISITOR)
}

/** The rate limit of feeds per address; null if the deployment has none. */
export function feedLimit({ FEED_BUDGET, CALLS_PER_FEED_READER }: Env): Limit | null {
  return limitOf('feed', FEED_BUDGET, CALLS_PER_FEED_READER)
}

/** The limit of failed authentications per address; null if the deployment has none. */
export function addressLimit({ ADDRESS_BUDGET, FAILURES_PER_ADDRESS }: Env): Limit | null {
  return limitOf('address', ADDRESS_BUDGET, FAILURES_PER_ADDRESS)
}

/** The limit of pictures that are made smaller for an address; null if the deployment has none. */
export function sizeLimit({ SIZE_BUDGET, SIZES_PER_ADDRESS }: Env): Limit | null {
  return limitOf('size', SIZE_BUDGET, SIZES_PER_ADDRESS)
}

/** Counts one more for `client`, and returns whether it is within the limit. */
export async function isWithinLimit(limit: Limit | null, client: string): Promise<boolean> {
  return !limit || isAllowed(limit, client)
}

/** Counts a call of `client`: a key, an address, or both. Throws 429 once the limit is exceeded. */
export async function countCall(limit: Limit | null, client: string): Promise<void> {
  if (limit && !(await isAllowed(limit, client))) throw tooManyRequests(limit)
}

/** The header that describes `limit` (draft-ietf-httpapi-ratelimit-headers). */
export function policyHeader(limit: Limit | null): Record<string, string> {
  return limit ? { 'RateLimit-Policy': `"${limit.name}";q=${limit.calls};w=${PERIOD_SECONDS}` } : {}
}

/** The network of the client: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer. */
export function clientNetwork(c: Context<App>): string {
  const address = c.req.header('CF-Connecting-IP')?.trim().toLowerCase() ?? ''
  // Without Cloudflare in front, the header may contain anything.
  if (!address.includes(':') || !URL.canParse(`http://[${address}]`)) return address
  const groups = expandIPv6(address).split(':').slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
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
    return (await limiter.limit({ key: client })).success
  } catch (error) {
    log('error', { budget: name, ...describeFailure(error) })
    return true
  }
}

function limitOf(name: Limit['name'], limiter: RateLimit | undefined, calls = ''): Limit | null {
  return limiter && /^[1-9]\d{0,8}$/.test(calls) ? { name, calls: Number(calls), limiter } : null
}
