/**
 * What matching a changed listing costs beside few and beside many requests, as many for each place: it has to follow
 * those for the places of the listing, not all of its kind.
 */
import { rmSync } from 'node:fs'
import type { Miniflare } from 'miniflare'
import { showProgress } from '../../scripts/service/terminal.ts'
import { type Demand, USUAL_DEMAND } from './agency.ts'
import { type BenchCall, updateCall } from './calls.ts'
import { averageCosts } from './costs.ts'
import { copyDatabase, findFlats } from './database.ts'
import { measureRates, median } from './measure.ts'
import { findWorkerd } from './process.ts'
import { table } from './report.ts'
import { startWorkers } from './service.ts'

const LISTINGS = 20_000
const DEMANDS: Demand[] = [
  USUAL_DEMAND,
  { requests: 5_000, places: 1_000 },
  { requests: 20_000, places: 4_000 },
]
/** Calls whose rows are counted: how many requests a place has differs. */
const COUNTED = 100

interface Pace {
  rounds: number
  seconds: number
}

/** A service of its own, beside that many requests. */
interface Service {
  demand: Demand
  folder: string
  miniflare: Miniflare
  url: URL
  workerd: number
  call: BenchCall
}

/** The report as Markdown. The ratios are those to the first line. */
export async function measureDemand(bundle: string, pace: Pace): Promise<string> {
  const services: Service[] = []
  try {
    for (const demand of DEMANDS) {
      const known = services.map(({ workerd }) => workerd)
      services.push(await startBeside(demand, bundle, known))
    }
    const figures = await measureAll(services, pace)
    showProgress('', true)
    return report(figures)
  } finally {
    for (const { miniflare, folder } of services) {
      await miniflare.dispose()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function startBeside(demand: Demand, bundle: string, known: number[]): Promise<Service> {
  const folder = await copyDatabase(LISTINGS, demand)
  const miniflare = await startWorkers(bundle, folder)
  const url = await miniflare.ready
  const flats = await findFlats(miniflare, 'sale')
  const title = `update beside ${demand.requests} requests`
  const call: BenchCall = { ...updateCall('demand', title, flats), only: 'ours' }
  return { demand, folder, miniflare, url, workerd: findWorkerd(known), call }
}

/** Rows read and written by one call, and the processor time of it in microseconds, for each service. */
async function measureAll(services: Service[], { rounds, seconds }: Pace): Promise<number[][]> {
  const counts = []
  for (const { url, call } of services) counts.push(await averageCosts(url, call, COUNTED))
  const times = services.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { url, workerd, call }] of services.entries()) {
      const rates = await measureRates({ url, workerd, calls: [call], connections: [1], rounds: 1, seconds })
      times[index]?.push(rates.get(call)?.get('ours')?.[0]?.computed ?? Number.NaN)
    }
  }
  return counts.map(({ rowsRead, rowsWritten }, index) => [rowsRead, rowsWritten, median(times[index] ?? [])])
}

function report(figures: number[][]): string {
  const rows = DEMANDS.map(({ requests, places }, line) => [
    requests.toLocaleString('en'),
    places.toLocaleString('en'),
    ...(figures[line] ?? []).flatMap((figure, index) => [
      Math.round(figure).toLocaleString('en'),
      `**${(figure / (figures[0]?.[index] ?? Number.NaN)).toFixed(2)}**`,
    ]),
  ])
  const head = ['places', 'rows read', '**ratio**', 'rows written', '**ratio**', 'µs computed', '**ratio**']
  const title = `### A listing that changes, of ${LISTINGS.toLocaleString('en')}, beside requests`
  return `${title}\n\n${table(['requests', ...head], rows)}\n`
}
