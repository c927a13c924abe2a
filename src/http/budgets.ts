/**
 * How many calls a minute somebody may make: whoever has a key, by that key; whoever fails to prove who they are, by
 * their address. So strangers who share an address with a customer use up nothing but their own.
 *
 * Cloudflare counts, per location and nearly, not exactly; no call of ours waits for storage.
 */
import type { Context } from 'hono'
import type { App } from './app.ts'
import { ApiError } from './errors.ts'
import { describeFailure, log } from './log.ts'

/** Seconds that a budget is for; `period` of `[[ratelimits]]` in wrangler.toml. */
const PERIOD = 60

/** The text of 429. */
export const TOO_MANY = 'Too many requests'

/** What may be spent in a minute. */
interface Budget {
  name: 'key' | 'address'
  calls: number
  limiter: RateLimit
}

/** What one key may call; null where the deployment sets no limit. */
export function keyBudget({ KEY_BUDGET, CALLS_PER_KEY }: Env): Budget | null {
  return budgetOf('key', KEY_BUDGET, CALLS_PER_KEY)
}

/** How often one address may fail to prove who calls; null where the deployment sets no limit. */
export function addressBudget({ ADDRESS_BUDGET, FAILURES_PER_ADDRESS }: Env): Budget | null {
  return budgetOf('address', ADDRESS_BUDGET, FAILURES_PER_ADDRESS)
}

/** Counts a call of `spender`. Throws 429 when there have been too many within the minute. */
export async function spend(budget: Budget | null, spender: string): Promise<void> {
  if (budget && !(await isLeft(budget, spender))) throw tooMany(budget)
}

/** What answers say of `budget`, as draft-ietf-httpapi-ratelimit-headers has it. */
export function policyOf(budget: Budget | null): Record<string, string> {
  return budget ? { 'RateLimit-Policy': `"${budget.name}";q=${budget.calls};w=${PERIOD}` } : {}
}

/** Who sends this request, as far as its address tells: an IPv4 address, or the /64 that one IPv6 customer has. */
export function networkOf(c: Context<App>): string {
  const address = c.req.header('CF-Connecting-IP')?.trim().toLowerCase() ?? ''
  if (!address.includes(':')) return address
  const [head = [], tail = []] = address.split('::', 2).map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

function tooMany(budget: Budget): ApiError {
  return new ApiError(429, TOO_MANY, [], { 'Retry-After': String(PERIOD), ...policyOf(budget) })
}

/** A limiter that fails lets the call pass. */
async function isLeft({ name, limiter }: Budget, spender: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key: spender })).success
  } catch (error) {
    log('error', { budget: name, ...describeFailure(error) })
    return true
  }
}

function budgetOf(name: Budget['name'], limiter: RateLimit | undefined, calls = ''): Budget | null {
  return limiter && /^[1-9]\d{0,8}$/.test(calls) ? { name, calls: Number(calls), limiter } : null
}
