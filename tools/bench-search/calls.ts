/** Calls that are measured alone, without filters. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Cost } from './compare.ts'
import type { SearchService, View } from './service.ts'

const PATHS = ['/api/listings', '/api/listings/facets', '/api/listings/map']

/** How long work after an answer may take, in milliseconds. */
const AFTERWARDS = 300
/** How long a call is repeated, in milliseconds. */
const ENOUGH = 500

export interface CallCost extends Cost {
  path: string
  /** Calls to D1. */
  trips: number
}

/** What D1 takes for each of the calls, and for nothing at all. A call that the service does not have takes NaN. */
export async function measureUnfiltered(service: SearchService, view: View): Promise<CallCost[]> {
  const nothing = await service.run([[{ sql: 'select 1', params: [] }]], ENOUGH)
  const costs: CallCost[] = [{ path: 'a trip for nothing', trips: 1, ...nothing }]
  for (const path of PATHS) {
    await service.call(view, path)
    // What is stored after the first read makes the next ones faster.
    await wait(AFTERWARDS)
    const { status, trips } = await service.call(view, path)
    const cost = status === 200 ? await service.run(trips, ENOUGH) : { milliseconds: Number.NaN, rowsRead: 0 }
    costs.push({ path, trips: trips.length, ...cost })
  }
  return costs
}
