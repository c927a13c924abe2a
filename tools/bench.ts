/**
 * What the API costs beside hand-written SQL: `npm run bench`. Both answer the same calls from the same database, by
 * turns, and only the ratios mean anything on another machine.
 */
import { rmSync } from 'node:fs'
import { readCommandLine, readNumber, readNumbers, showProgress } from '../scripts/service/terminal.ts'
import { BASELINES, type BenchCall, listingCalls } from './bench/calls.ts'
import { recordCosts } from './bench/costs.ts'
import { copyDatabase, findFlats, removeDocuments } from './bench/database.ts'
import { measureRates } from './bench/measure.ts'
import { reportCosts, reportRates } from './bench/report.ts'
import { startWorkers } from './bench/service.ts'
import { buildBundle } from './runtime/bundle.ts'
import { workerdProcesses } from './runtime/workerd.ts'

const USAGE = `Measures what the API costs beside hand-written SQL.

Usage: npm run bench [-- OPTIONS]

  --calls NAMES          such as single,list; list stands for list-… as well (default: all)
  --sizes NUMBERS        how many listings there are (default: 1000,100000)
  --seconds NUMBER       how long a call is repeated for each of the two (default: 5)
  --connections NUMBERS  how many calls there are at once (default: 1,16)
  --help                 shows this`

const { values: options } = readCommandLine(USAGE, {
  calls: { type: 'string', default: '' },
  sizes: { type: 'string', default: '1000,100000' },
  seconds: { type: 'string', default: '5' },
  connections: { type: 'string', default: '1,16' },
})
const SIZES = readNumbers('sizes', options.sizes)
const CONNECTIONS = readNumbers('connections', options.connections)
const NAMES = options.calls.split(',').filter(Boolean)
const SECONDS = readNumber('seconds', options.seconds)

const bundle = buildBundle()
try {
  for (const size of SIZES) await measureSize(size)
} finally {
  rmSync(bundle, { recursive: true, force: true })
}

async function measureSize(size: number): Promise<void> {
  const folder = await copyDatabase(size)
  const miniflare = await startWorkers(bundle, folder)
  try {
    const url = await miniflare.ready
    // Of flats for rent there are no requests.
    const ids = { unwanted: await findFlats(miniflare, 'rent'), wanted: await findFlats(miniflare, 'sale') }
    const all = [...BASELINES, ...listingCalls(size, ids, () => removeDocuments(miniflare))]
    const calls = all.filter(isAskedFor)
    const costs = await recordCosts(url, calls)
    const rates = await measureRates({
      url,
      workerd: workerdProcesses()[0] ?? 0,
      calls,
      connections: CONNECTIONS,
      seconds: SECONDS,
    })
    showProgress('', true)
    console.log(`### ${size.toLocaleString('en')} listings\n`)
    console.log(`${reportRates(CONNECTIONS, rates)}\n\n${reportCosts(rates, costs)}\n`)
  } finally {
    await miniflare.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `--calls list` means `list` and whatever begins with `list-`. */
function isAskedFor({ name }: BenchCall): boolean {
  return NAMES.length === 0 || NAMES.some((asked) => name === asked || name.startsWith(`${asked}-`))
}
