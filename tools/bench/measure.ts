/** Requests per second, in short turns: what slows the machine down for a while slows all of them. */
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

/** How many calls each connection makes in a turn: few, so that both find the machine in the same state. */
const CALLS_IN_A_TURN = 20

/** By who answers, at the numbers of connections asked for. */
export type Rates = Map<Host, Rate[]>

interface Bench {
  url: URL
  /** Whose time is taken. */
  workerd: number
  calls: BenchCall[]
  /** How long each call is repeated for each who answers it. */
  seconds: number
  /** How many ask at once. */
  connections: number[]
}

/** The medians of all turns, by call. */
export async function measureRates({ calls, connections, ...bench }: Bench): Promise<Map<BenchCall, Rates>> {
  const measured = new Map<BenchCall, Rates>()
  for (const call of calls) {
    const rates: Rates = new Map(hostsOf(call).map((host) => [host, []]))
    for (const many of connections) {
      const timed = { ...bench, call, connections: many }
      await takeTurns({ ...timed, seconds: WARM_UP })
      for (const [host, turns] of await takeTurns(timed)) rates.get(host)?.push(medianOf(turns))
    }
    measured.set(call, rates)
  }
  return measured
}

interface Timed extends Omit<Bench, 'calls' | 'connections'> {
  call: BenchCall
  connections: number
}

/** What each turn took, by who answers. */
async function takeTurns(timed: Timed): Promise<Map<Host, Rate[]>> {
  const { call, connections, seconds } = timed
  const hosts = hostsOf(call)
  const turns = new Map<Host, Rate[]>(hosts.map((host) => [host, []]))
  for (let passed = 0; passed < seconds * hosts.length; hosts.reverse()) {
    showProgress(`${call.title}, ${connections} at once: ${passed.toFixed(1)} s`)
    // Whoever goes second finds the pages of the database in memory, so they change places.
    for (const host of hosts) {
      await call.cold?.removeDocuments()
      const portion = await runCalls(timed, host, call.cold?.calls ?? connections * CALLS_IN_A_TURN)
      passed += portion.seconds
      turns.get(host)?.push({
        calls: portion.calls / portion.seconds,
        computed: portion.computed / portion.calls,
      })
    }
  }
  return turns
}

/** Calls made in one go, and the time that it took: `computed` is in microseconds. */
interface Portion {
  calls: number
  seconds: number
  computed: number
}

async function runCalls(
  { url, workerd, call, connections }: Timed,
  host: Host,
  amount: number,
): Promise<Portion> {
  const { method, path, body, title } = call
  const before = computedBy(workerd)
  const start = performance.now()
  let end = start
  const result = await autocannon({
    url: url.origin,
    connections,
    amount,
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
