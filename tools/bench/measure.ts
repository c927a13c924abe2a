/** Requests per second, everyone taking turns: what slows the machine down for a while slows all of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { showProgress } from '../../scripts/service/terminal.ts'
import { type BenchCall, hostsOf } from './calls.ts'
import { type Host, headersFor } from './service.ts'

/** What calls take of one who answers them. */
export interface Rate {
  /** Calls per second. */
  calls: number
  /** Time that workerd computed for each, in microseconds; it is the same on a machine that is busy otherwise. */
  computed: number
}

/** How long work after an answer may take, in milliseconds. */
const AFTERWARDS = 100

/** How often autocannon checks whether all calls are made, in milliseconds. */
const SAMPLE = 50

/** How long a call is repeated before it is measured, in seconds. V8 compiles only what has run often. */
const WARM_UP = 5

/** By who answers, at the numbers of connections asked for. */
export type Rates = Map<Host, Rate[]>

interface TimedRequest {
  url: URL
  /** Whose time is taken. */
  workerd: number
  calls: BenchCall[]
  /** How often everything takes its turn, how long a turn takes, in seconds, and how many ask at once. */
  rounds: number
  seconds: number
  connections: number[]
}

/** The median of the rounds, by call; an uncounted, longer warm-up round comes first. */
export async function measureRates({
  url,
  workerd,
  calls,
  rounds,
  seconds,
  connections,
}: TimedRequest): Promise<Map<BenchCall, Rates>> {
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
          const length = round === 0 ? Math.max(seconds, WARM_UP) : seconds
          const rate = await takeRate({ url, workerd, call, host, connections: many, seconds: length })
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
  call: BenchCall
  host: Host
  connections: number
  seconds: number
}

async function takeRate(timed: TimedRun): Promise<Rate> {
  const { cold } = timed.call
  if (!cold) return rateOf([await runCalls(timed, { duration: timed.seconds })])
  const portions: Portion[] = []
  while (portions.reduce((sum, { seconds }) => sum + seconds, 0) < timed.seconds) {
    await cold.removeDocuments()
    portions.push(await runCalls(timed, { amount: cold.calls }))
  }
  return rateOf(portions)
}

/** Calls made in one go, and the time that it took: `computed` is in microseconds. */
interface Portion {
  calls: number
  seconds: number
  computed: number
}

function rateOf(portions: Portion[]): Rate {
  const sum = (key: keyof Portion) => portions.reduce((total, portion) => total + portion[key], 0)
  return { calls: sum('calls') / sum('seconds'), computed: sum('computed') / sum('calls') }
}

async function runCalls(
  { url, workerd, call, host, connections }: TimedRun,
  length: { duration: number } | { amount: number },
): Promise<Portion> {
  const { method, path, body, title } = call
  const before = computedBy(workerd)
  const start = performance.now()
  let end = start
  const result = await autocannon({
    url: url.origin,
    connections,
    ...length,
    sampleInt: SAMPLE,
    // autocannon itself counts until it looks again.
    setupClient: (client) =>
      client.on('response', () => {
        end = performance.now()
      }),
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
  // What is stored after the answers belongs to them.
  if (call.cold) await setTimeout(AFTERWARDS)
  return {
    calls: result['2xx'],
    seconds: (end - start) / 1000,
    computed: computedBy(workerd) - before,
  }
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

/** How long all threads of a process have computed, in microseconds, as Linux reports it; elsewhere nothing is known. */
function computedBy(pid: number): number {
  const tasks = join('/proc', String(pid), 'task')
  if (!existsSync(tasks)) return Number.NaN
  // Its first number is the time in nanoseconds.
  const times = readdirSync(tasks).map((task) => Number(read(join(tasks, task, 'schedstat')).split(' ')[0]))
  return times.reduce((sum, time) => sum + time, 0) / 1000
}

/** The text of a file that may be gone at any time. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
