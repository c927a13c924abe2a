/** Requests per second, everyone taking turns: what slows the machine down for a while slows all of them. */
import autocannon from 'autocannon'
import { showProgress } from '../../scripts/service/terminal.ts'
import { headersFor } from './ask.ts'
import { type Call, hostsOf } from './calls.ts'
import { computedBy } from './process.ts'
import type { Host } from './service.ts'

/** What calls take of one who answers them. */
export interface Rate {
  /** Calls per second. */
  calls: number
  /** Time that workerd computed for each, in microseconds; it tells the same on a machine that is busy otherwise. */
  computed: number
}

/** By who answers, at the numbers of connections asked for. */
export type Rates = Map<Host, Rate[]>

interface TimedRequest {
  url: URL
  /** Whose time is taken. */
  workerd: number
  calls: Call[]
  /** How often everything takes its turn, how long a turn takes, in seconds, and how many ask at once. */
  rounds: number
  seconds: number
  connections: number[]
}

/** The median of the rounds, by call; a round that nobody counts comes first. */
export async function measureRates({
  url,
  workerd,
  calls,
  rounds,
  seconds,
  connections,
}: TimedRequest): Promise<Map<Call, Rates>> {
  const samples = new Map<string, Rate[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const call of calls) {
      for (const many of connections) {
        // Whoever goes second finds the database's pages in memory.
        const hosts = round % 2 === 0 ? hostsOf(call) : hostsOf(call).toReversed()
        for (const host of hosts) {
          showProgress(
            `${round === 0 ? 'Warm-up' : `Round ${round} of ${rounds}`}: ${call.title}, ${host}, ${many}`,
          )
          const rate = await takeRate({ url, workerd, call, host, connections: many, seconds })
          const key = `${call.name} ${host} ${many}`
          if (round > 0) samples.set(key, [...(samples.get(key) ?? []), rate])
        }
      }
    }
  }
  return new Map(
    calls.map((call) => [
      call,
      new Map(
        hostsOf(call).map((host) => [
          host,
          connections.map((many) => medianOf(samples.get(`${call.name} ${host} ${many}`) ?? [])),
        ]),
      ),
    ]),
  )
}

interface TimedRun {
  url: URL
  workerd: number
  call: Call
  host: Host
  connections: number
  seconds: number
}

async function takeRate({ url, workerd, call, host, connections, seconds }: TimedRun): Promise<Rate> {
  const { method, path, body, title } = call
  const before = computedBy(workerd)
  const result = await autocannon({
    url: url.origin,
    connections,
    duration: seconds,
    requests: [
      {
        method,
        headers: headersFor(host),
        setupRequest: (request) => {
          const number = nextNumber()
          return { ...request, path: path(number), ...(body ? { body: JSON.stringify(body(number)) } : {}) }
        },
      },
    ],
  })
  const failed = result.non2xx + result.errors
  if (failed > 0) throw new Error(`${title}, ${host}: ${failed} of ${result.requests.total} failed`)
  const calls = result['2xx']
  return { calls: calls / result.duration, computed: (computedBy(workerd) - before) / calls }
}

let number = 0

/** Never the same twice, so that no write repeats another. */
export function nextNumber(): number {
  return ++number
}

function medianOf(rates: Rate[]): Rate {
  return {
    calls: median(rates.map(({ calls }) => calls)),
    computed: median(rates.map(({ computed }) => computed)),
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
