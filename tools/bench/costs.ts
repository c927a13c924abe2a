/** What single calls ask of storage: D1's own counts. */
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchCall, hostsOf } from './calls.ts'
import type { Counts } from './counting-worker.ts'
import { nextNumber } from './measure.ts'
import { ask } from './service.ts'

export interface Costs {
  ours: Counts
  byHand: Counts | null
}

/** Calls before the one that is counted, so that what is kept in memory is there. */
const BEFORE = 3
/** How long work after an answer may take, in milliseconds. */
const AFTERWARDS = 300

/** The costs of one of each of `calls`, all that follows the answer included. */
export async function recordCosts(url: URL, calls: BenchCall[]): Promise<Map<BenchCall, Costs>> {
  const costs = new Map<BenchCall, Costs>()
  for (const call of calls) {
    if (call.only === 'baseline') continue
    const ours = await countOne(url, call, 'ours-counted')
    const byHand = hostsOf(call).includes('by-hand') ? await countOne(url, call, 'by-hand-counted') : null
    costs.set(call, { ours, byHand })
  }
  return costs
}

/** The costs of one call. */
async function countOne(
  url: URL,
  call: BenchCall,
  host: 'ours-counted' | 'by-hand-counted',
): Promise<Counts> {
  const again = nextNumber()
  const one = async () => {
    await call.cold?.removeDocuments()
    // A read is counted as it is once the same was read before, unless it is cold; a write must not repeat another.
    const number = call.method === 'GET' && !call.cold ? again : nextNumber()
    return ask(url, host, call.method, call.path(number), call.body?.(number))
  }
  const counts = async () => {
    await wait(AFTERWARDS)
    return JSON.parse(await ask(url, host, 'GET', '/counts')) as Counts
  }
  for (let times = 0; times < BEFORE; times++) await one()
  await counts()
  await one()
  return counts()
}
