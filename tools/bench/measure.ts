/** Requests per second, everyone taking turns: what slows the machine down for a while slows all of them. */
import autocannon from 'autocannon'
import { showProgress } from '../../scripts/service.ts'
import { headersFor } from './ask.ts'
import { type Call, hostsOf } from './calls.ts'
import type { Host } from './service.ts'

/** Requests per second by who answers, at the numbers of connections asked for. */
export type Rates = Map<Host, number[]>

interface Asked {
  url: URL
  calls: Call[]
  /** How often everything takes its turn, how long a turn takes, in seconds, and how many ask at once. */
  rounds: number
  seconds: number
  connections: number[]
}

/** The median of the rounds, by call; a round that nobody counts comes first. */
export async function measureRates({
  url,
  calls,
  rounds,
  seconds,
  connections,
}: Asked): Promise<Map<Call, Rates>> {
  const samples = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const call of calls) {
      for (const many of connections) {
        // Whoever goes second finds the database's pages in memory.
        const hosts = round % 2 === 0 ? hostsOf(call) : hostsOf(call).toReversed()
        for (const host of hosts) {
          showProgress(
            `${round === 0 ? 'Warm-up' : `Round ${round} of ${rounds}`}: ${call.title}, ${host}, ${many}`,
          )
          const rate = await requestRate(url, call, host, many, seconds)
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
          connections.map((many) => median(samples.get(`${call.name} ${host} ${many}`) ?? [])),
        ]),
      ),
    ]),
  )
}

async function requestRate(
  url: URL,
  call: Call,
  host: Host,
  connections: number,
  duration: number,
): Promise<number> {
  const { method, path, body, title } = call
  const result = await autocannon({
    url: url.origin,
    connections,
    duration,
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
  return result['2xx'] / result.duration
}

let number = 0

/** Never the same twice, so that no write repeats another. */
export function nextNumber(): number {
  return ++number
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
