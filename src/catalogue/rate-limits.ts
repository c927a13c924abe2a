/** All rate limits of a deployment, those of every caller first. Scripts and configurations use them, too. */
import { CALLER_LIMITS, NO_LIMIT, type RateLimitDeclaration } from '../http/caller/limits.ts'

/** What is counted: enquiries of a visitor and of the network around; of an address, feeds read and made, pictures made smaller. */
export const RATE_LIMITS = {
  ...CALLER_LIMITS,
  enquiry: { name: 'enquiry', binding: 'ENQUIRY_BUDGET', setting: 'ENQUIRIES_PER_VISITOR', calls: 5 },
  network: { name: 'network', binding: 'NETWORK_BUDGET', setting: 'ENQUIRIES_PER_NETWORK', calls: 50 },
  feed: { name: 'feed', binding: 'FEED_BUDGET', setting: 'CALLS_PER_FEED_READER', calls: 60 },
  feedMaking: {
    name: 'feed-making',
    binding: 'FEED_MAKING_BUDGET',
    setting: 'FEEDS_MADE_PER_ADDRESS',
    calls: 10,
  },
  size: { name: 'size', binding: 'SIZE_BUDGET', setting: 'SIZES_PER_ADDRESS', calls: 30 },
} as const satisfies Record<string, RateLimitDeclaration>

/** The settings of a service without rate limits. */
export const WITHOUT_RATE_LIMITS: Record<string, string> = Object.fromEntries(
  Object.values(RATE_LIMITS).map(({ setting }) => [setting, NO_LIMIT]),
)
