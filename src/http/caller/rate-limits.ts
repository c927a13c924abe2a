/**
 * Rate limits: how many calls a minute a key may make, and how often an address may fail to authenticate. So strangers
 * who share an address with a customer use up only their own limit.
 *
 * Cloudflare counts, per location and approximately; no call waits for storage.
 */
import type { Context } from 'hono'
import { expandIPv6 } from 'hono/utils/ipaddr'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { describeFailure, log } from '../log.ts'

/** Seconds that a limit is for; `period` of `[[ratelimits]]` in wrangler.toml. */
const PERIOD_SECONDS = 60

/** The text of 429. */
export const TOO_MANY_REQUESTS = 'Too many requests'

/** How many calls are allowed in a period, and what counts them. */
interface Limit {
  name: 'key' | 'address'
  calls: number
  limiter: RateLimit
}

/** The rate limit of one key; null where the deployment sets none. */
export function keyLimit({ KEY_BUDGET, CALLS_PER_KEY }: Env): Limit | null {
  return limitOf('key', KEY_BUDGET, CALLS_PER_KEY)
}

/** How often one address may fail to authenticate; null where the deployment sets no limit. */
export function addressLimit({ ADDRESS_BUDGET, FAILURES_PER_ADDRESS }: Env): Limit | null {
  return limitOf('address', ADDRESS_BUDGET, FAILURES_PER_ADDRESS)
}

/** Counts a call of `client`, a key or an address. Throws 429 once the limit is exceeded. */
export async function countCall(limit: Limit | null, client: string): Promise<void> {
  if (limit && !(await isAllowed(limit, client))) throw tooManyRequests(limit)
}

/** The header that describes `limit`, as draft-ietf-httpapi-ratelimit-headers has it. */
export function policyHeader(limit: Limit | null): Record<string, string> {
  return limit ? { 'RateLimit-Policy': `"${limit.name}";q=${limit.calls};w=${PERIOD_SECONDS}` } : {}
}

/** The network that a request comes from: an IPv4 address, or the /64 that one IPv6 customer has. */
export function clientNetwork(c: Context<App>): string {
  const address = c.req.header('CF-Connecting-IP')?.trim().toLowerCase() ?? ''
  // Where Cloudflare does not set the header, callers can write anything into it.
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

/** A limiter that fails lets the call pass. */
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
