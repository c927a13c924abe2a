/** The rate limits of every caller. Imports nothing, so that scripts and configurations can use it. */

/** A rate limit: the binding that counts, and the setting with the number that the binding allows. */
export interface RateLimitDeclaration {
  /** As `RateLimit-Policy` names it. */
  name: string
  binding: `${string}_BUDGET` & keyof Env
  setting: `${string}_PER_${string}` & keyof Env
  /** Calls per minute, as `[[ratelimits]]` of wrangler.toml has them. Holds where the setting has no number. */
  calls: number
}

/** What is counted: the calls of a key, of a website's server, of a visitor with a website key, and failures of an address. */
export const CALLER_LIMITS = {
  key: { name: 'key', binding: 'KEY_BUDGET', setting: 'CALLS_PER_KEY', calls: 1200 },
  site: { name: 'site', binding: 'SITE_BUDGET', setting: 'CALLS_PER_SITE', calls: 6000 },
  address: { name: 'address', binding: 'ADDRESS_BUDGET', setting: 'FAILURES_PER_ADDRESS', calls: 30 },
  visitor: { name: 'visitor', binding: 'VISITOR_BUDGET', setting: 'CALLS_PER_VISITOR', calls: 300 },
} as const satisfies Record<string, RateLimitDeclaration>

/** The value of a setting that turns its limit off. */
export const NO_LIMIT = 'off'
