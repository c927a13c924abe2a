/** The rate limits of a deployment. Imports nothing, so that scripts and configurations can use it. */

/** A rate limit: the binding that counts, and the setting with the number that the binding allows. */
export interface RateLimitDeclaration {
  binding: `${string}_BUDGET` & keyof Env
  setting: `${string}_PER_${string}` & keyof Env
  /** Calls per minute, as `[[ratelimits]]` of wrangler.toml has them. Holds where the setting has no number. */
  calls: number
}

/** What is counted: the calls of a key, of a visitor with a publishable key, and so on. */
export const RATE_LIMITS = {
  key: { binding: 'KEY_BUDGET', setting: 'CALLS_PER_KEY', calls: 1200 },
  address: { binding: 'ADDRESS_BUDGET', setting: 'FAILURES_PER_ADDRESS', calls: 30 },
  visitor: { binding: 'VISITOR_BUDGET', setting: 'CALLS_PER_VISITOR', calls: 300 },
  enquiry: { binding: 'ENQUIRY_BUDGET', setting: 'ENQUIRIES_PER_VISITOR', calls: 5 },
  network: { binding: 'NETWORK_BUDGET', setting: 'ENQUIRIES_PER_NETWORK', calls: 50 },
  feed: { binding: 'FEED_BUDGET', setting: 'CALLS_PER_FEED_READER', calls: 60 },
  'feed-making': { binding: 'FEED_MAKING_BUDGET', setting: 'FEEDS_MADE_PER_ADDRESS', calls: 10 },
  size: { binding: 'SIZE_BUDGET', setting: 'SIZES_PER_ADDRESS', calls: 30 },
} as const satisfies Record<string, RateLimitDeclaration>

/** The value of a setting that turns its limit off. */
export const NO_LIMIT = 'off'

/** The settings of a service without rate limits. */
export const WITHOUT_RATE_LIMITS: Record<string, string> = Object.fromEntries(
  Object.values(RATE_LIMITS).map(({ setting }) => [setting, NO_LIMIT]),
)
