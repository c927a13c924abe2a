/** How much one visitor may ask for, so that a single one cannot use up what the key of the website may call. */
import { expandIPv6 } from 'hono/utils/ipaddr'
import type { Settings } from './settings.ts'

/** The period of every limit. */
export const PERIOD_SECONDS = 60
/** The limits where the settings name none. */
const PAGES = 60
const ENQUIRIES = 5
/** Networks that are counted in memory at the same time. */
const MAX_NETWORKS = 10_000

export type Limited = 'page' | 'preview' | 'enquiry'

/** The network of a visitor: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer. */
export function networkOf(address: string): string {
  const text = address.trim().toLowerCase()
  if (!text.includes(':') || !URL.canParse(`http://[${text}]`)) return text
  const groups = expandIPv6(text).split(':').slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

/** Counts one more of `kind` for the visitor at `address`, and returns whether it is within the limit. */
export async function isWithinLimit(env: Settings, kind: Limited, address: string): Promise<boolean> {
  const isEnquiry = kind === 'enquiry'
  const pages = env.PAGES_PER_VISITOR ?? String(PAGES)
  if (!isEnquiry && !/^[1-9]\d{0,5}$/.test(pages)) return true
  const binding = isEnquiry ? env.ENQUIRY_BUDGET : env.PAGE_BUDGET
  const key = `${kind} ${networkOf(address)}`
  if (!binding) return isWithin(counterOf(env), key, isEnquiry ? ENQUIRIES : Number(pages))
  try {
    return (await binding.limit({ key })).success
  } catch (error) {
    console.error(error)
    return true
  }
}

/** Counts of the current period, for a deployment without the bindings: each isolate has its own. */
interface Counter {
  period: number
  counts: Map<string, number>
}

const counters = new WeakMap<Settings, Counter>()

function counterOf(env: Settings): Counter {
  const period = Math.floor(Date.now() / (PERIOD_SECONDS * 1000))
  const known = counters.get(env)
  if (known?.period === period) return known
  const counter = { period, counts: new Map() }
  counters.set(env, counter)
  return counter
}

function isWithin({ counts }: Counter, key: string, limit: number): boolean {
  const count = (counts.get(key) ?? 0) + 1
  const [oldest] = counts.keys()
  if (oldest !== undefined && counts.size >= MAX_NETWORKS && !counts.has(key)) counts.delete(oldest)
  counts.set(key, count)
  return count <= limit
}
