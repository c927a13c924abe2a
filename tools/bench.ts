/**
 * What the API costs beside hand-written SQL: `npm run bench`. Both answer the same calls from the same database, by
 * turns, and only the ratios mean anything on another machine.
 *
 *     npm run bench -- --calls single,list --sizes 100000 --seconds 2 --rounds 3
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Miniflare } from 'miniflare'
import { buildBundle } from '../scripts/photos/workerd.ts'
import { showProgress } from '../scripts/service.ts'
import { agencyCalls, BASELINES, type Call, type Ids, listingCalls } from './bench/calls.ts'
import { recordCosts } from './bench/costs.ts'
import { copyDatabase } from './bench/database.ts'
import { measureRates } from './bench/measure.ts'
import { reportCalls } from './bench/report.ts'
import { proveSame } from './bench/sameness.ts'
import { startWorkers } from './bench/service.ts'

const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '' },
    sizes: { type: 'string', default: '1000,100000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '1,16' },
  },
})
const SIZES = options.sizes.split(',').map(Number)
const CONNECTIONS = options.connections.split(',').map(Number)
/** Everything but listings is measured once, beside this many or the most below. */
const AGENCY_SIZE = Math.max(...SIZES.filter((size) => size <= 100_000), Math.min(...SIZES))

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
    const ids = await findIds(miniflare)
    const all = [...BASELINES, ...listingCalls(size, ids), ...(size === AGENCY_SIZE ? agencyCalls(size) : [])]
    const calls = all.filter(isAskedFor)
    showProgress('Comparing the answers …')
    await proveSame(url, calls)
    const costs = await recordCosts(url, calls)
    const asked = {
      rounds: Number(options.rounds),
      seconds: Number(options.seconds),
      connections: CONNECTIONS,
    }
    const rates = await measureRates({ url, calls, ...asked })
    showProgress('', true)
    console.log(`${reportCalls(`${size.toLocaleString('en')} listings`, CONNECTIONS, rates, costs)}\n`)
  } finally {
    await miniflare.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `--calls list` means `list` and whatever begins with `list-`. */
function isAskedFor({ name }: Call): boolean {
  const names = options.calls.split(',').filter(Boolean)
  return names.length === 0 || names.some((asked) => name === asked || name.startsWith(`${asked}-`))
}

/** Active flats for sale in places that requests look in and, of the others, flats for rent, which none looks for. */
async function findIds(miniflare: Miniflare): Promise<Ids> {
  const db = await miniflare.getD1Database('DB')
  const find = async (availability: string) => {
    const { results } = await db
      .prepare(
        `select id from listings where status = 'active' and category = 'residential' and subcategory = 'apartment'
        and availability = ? order by id limit 1000`,
      )
      .bind(availability)
      .all<{ id: number }>()
    return results.map(({ id }) => id)
  }
  return { unwanted: await find('rent'), wanted: await find('sale') }
}
