/**
 * What the API costs as the agency grows: `npm run bench`. Loads 1,000, 10,000 and 100,000 listings and measures,
 * in turn within one run, requests per second on the deployed bundle under Miniflare, and the rows D1 reads; then
 * every other resource, and requests matched against 100,000 active listings. Every
 * figure stands beside that of a bare one-row SELECT; only the ratios mean anything on another machine.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { AGENCY, loadAgency } from './bench/agency.ts'
import { loadListings } from './bench/listings.ts'
import { recordRows } from './bench/rows.ts'
import { showProgress } from './service/terminal.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    agency: { type: 'string', default: '100000' },
  },
})
const SIZES = options.sizes.split(',').map(Number)
const SECONDS = Number(options.seconds)
const ROUNDS = Number(options.rounds)
const CONNECTIONS = 16
const KEY = 'bench'

interface Case {
  name: string
  method: 'GET' | 'POST' | 'PUT'
  path: string | ((call: number) => string)
  host?: string
  /** Set where one call takes long: then it is the time of a call that is measured, not how many run at once. */
  alone?: true
  /** A body of its own for every request, so that each write is an effective one. */
  body?: (call: number) => unknown
}

const LISTING = { category: 'residential', availability: 'sale', store_id: 1, created_by: 1, users: [1, 2] }

const BASELINE: Case = { name: 'one-row SELECT', method: 'GET', path: '/select', host: 'baseline.test' }

function listingCases(size: number): Case[] {
  const filtered = '/api/listings?availability=sale&category=residential&status=active'
  return [
    { name: 'static JSON', method: 'GET', path: '/static', host: 'baseline.test' },
    BASELINE,
    { name: 'single listing', method: 'GET', path: `/api/listings/${size >> 1}` },
    { name: 'list, page 1', method: 'GET', path: `${filtered}&page=1` },
    { name: 'list, page 200', method: 'GET', path: `${filtered}&page=200` },
    {
      name: 'create',
      method: 'POST',
      path: '/api/listings',
      body: (call) => ({ ...LISTING, price: 100_000 + call, size: 80, title: 'Διαμέρισμα', tags: [1] }),
    },
    {
      name: 'update',
      method: 'PUT',
      path: (call) => `/api/listings/${1 + (call % size)}`,
      body: (call) => ({ price: 100_000 + call }),
    },
  ]
}

function agencyCases(): Case[] {
  const read = (resource: string): Case[] => [
    { name: `${resource}: list`, method: 'GET', path: `/api/${resource}` },
    { name: `${resource}: read`, method: 'GET', path: `/api/${resource}/1000` },
  ]
  const wanted = {
    availability: 'sale',
    category: 'residential',
    contacts: [1],
    users: [1],
    created_by: 1,
    store_id: 1,
  }
  const criteria = {
    rooms_min: 2,
    size_min: 60,
    year_built_min: 1980,
    extra_fields: { features: ['has_elevator'] },
  }
  return [
    BASELINE,
    ...read('contacts'),
    ...read('external-listings'),
    ...read('requests'),
    ...read('offers'),
    ...read('contracts'),
    ...read('knowledge-base/articles'),
    ...read('incomes'),
    ...read('expenses'),
    { name: 'articles: search', method: 'GET', path: '/api/knowledge-base/articles?search=συμβ' },
    { name: 'contacts: search', method: 'GET', path: '/api/contacts?search=9999' },
    {
      name: 'incomes: by amount',
      method: 'GET',
      path: '/api/incomes?total_amount[min]=5000.00&total_amount[max]=5049.99',
    },
    {
      name: 'request: create, one neighbourhood',
      alone: true,
      method: 'POST',
      path: '/api/requests',
      body: (call) => ({
        ...wanted,
        ...criteria,
        locations: [101 + (call % 100)],
        price_max: 200_000 + call,
      }),
    },
    {
      name: 'request: create, a whole region',
      alone: true,
      method: 'POST',
      path: '/api/requests',
      body: (call) => ({ ...wanted, ...criteria, locations: [1], price_max: 200_000 + call }),
    },
    {
      name: 'request: update',
      alone: true,
      method: 'PUT',
      path: (call) => `/api/requests/${1 + (call % AGENCY.requests)}`,
      body: (call) => ({ price_max: 100_000 + call }),
    },
    {
      name: 'listing: update, matched anew',
      alone: true,
      method: 'PUT',
      path: (call) => `/api/listings/${1 + (call % 10_000)}`,
      body: (call) => ({ price: 100_000 + call }),
    },
  ]
}

async function main(): Promise<void> {
  const bundle = mkdtempSync(join(tmpdir(), 'estia-bench-'))
  console.log('Building the bundle …')
  execFileSync('wrangler', ['deploy', '--dry-run', '--outdir', bundle], { stdio: 'ignore' })
  for (const size of SIZES) {
    await withService(bundle, async (url, db) => {
      await loadListings(db, size, (done) => showProgress(`Loading ${done} of ${size} listings`))
      const rows = await recordRows(db, size)
      report(`${size.toLocaleString('en')} listings`, await measureRates(url, listingCases(size)), rows)
    })
  }
  if (options.agency !== '0')
    await withService(bundle, (url, db) => measureAgency(url, db, Number(options.agency)))
  rmSync(bundle, { recursive: true })
}

/** Every other resource, and requests matched against `size` active listings. */
async function measureAgency(url: URL, db: D1Database, size: number): Promise<void> {
  await loadListings(db, size, (done) => showProgress(`Loading ${done} of ${size} active listings`), true)
  showProgress('Loading the rest of the agency …')
  await loadAgency(db)
  report(
    `The whole agency, ${size.toLocaleString('en')} active listings`,
    await measureRates(url, agencyCases()),
  )
}

/** Runs `work` on a service with an empty, migrated database and a key that may do everything. */
async function withService(bundle: string, work: (url: URL, db: D1Database) => Promise<void>): Promise<void> {
  const miniflare = startService(bundle)
  try {
    const url = await miniflare.ready
    const db = await miniflare.getD1Database('DB')
    await applyMigrations(db)
    const keys = await miniflare.getKVNamespace('API_KEYS')
    const hash = createHash('sha256').update(KEY).digest('hex')
    await keys.put(hash, JSON.stringify({ id: KEY, name: KEY, scopes: ['*:read', '*:write'], expires: null }))
    await work(url, db)
  } finally {
    await miniflare.dispose()
  }
}

/** Requests per second of each case: the median of the rounds, the cases taking turns within each. */
async function measureRates(url: URL, cases: Case[]): Promise<Map<string, number>> {
  const samples = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const bench of cases) {
      showProgress(`${round < 0 ? 'Warm-up' : `Round ${round + 1} of ${ROUNDS}`}: ${bench.name}`)
      const rate = await requestRate(url, bench)
      if (round >= 0) samples.get(bench.name)?.push(rate)
    }
  }
  return new Map([...samples].map(([name, rates]) => [name, median(rates)]))
}

async function requestRate(url: URL, { method, path, host, body, name, alone }: Case): Promise<number> {
  let call = Date.now() % 1_000_000
  const result = await autocannon({
    url: url.origin,
    connections: alone ? 1 : CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method,
        headers: {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          ...(host ? { host } : {}),
        },
        ...(typeof path === 'string' ? { path } : {}),
        setupRequest: (request) => ({
          ...request,
          path: typeof path === 'string' ? path : path(++call),
          ...(body ? { body: JSON.stringify(body(call++)) } : {}),
        }),
      },
    ],
  })
  const failed = result.non2xx + result.errors
  // Sixteen clients merging into one record may meet; the service says 409 then, and that is no failure.
  if (failed > 0 && name !== 'update')
    throw new Error(`${name}: ${failed} of ${result.requests.total} failed`)
  return result['2xx'] / result.duration
}

/** The bundle as it is deployed, and beside it a Worker that does next to nothing on the same database. */
function startService(bundle: string): Miniflare {
  const modules = readdirSync(bundle)
    .filter((file) => file.endsWith('.js') || file.endsWith('.wasm'))
    .toSorted((a, b) => Number(b === 'index.js') - Number(a === 'index.js'))
    .map((file) => ({
      type: file.endsWith('.wasm') ? ('CompiledWasm' as const) : ('ESModule' as const),
      path: join(bundle, file),
    }))
  const common = { compatibilityDate: '2026-08-15', d1Databases: ['DB'], kvNamespaces: ['API_KEYS'] }
  const options = convertV4MiniflareOptions({
    // A line per request would be measured too.
    handleStructuredLogs: () => undefined,
    workers: [
      { name: 'estia', modules, modulesRoot: bundle, r2Buckets: ['PHOTOS'], ...common },
      {
        name: 'baseline',
        routes: ['baseline.test/*'],
        modules: true,
        script: `export default { async fetch(request, env) {
          if (new URL(request.url).pathname === '/static') return Response.json({ status: 200 })
          return Response.json(await env.DB.prepare('select id, name from users where id = ?').bind(1).first())
        } }`,
        ...common,
      },
    ],
  })
  return new Miniflare(options)
}

async function applyMigrations(db: { prepare(sql: string): { run(): Promise<unknown> } }): Promise<void> {
  for (const file of readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .toSorted()) {
    for (const statement of readFileSync(join('migrations', file), 'utf8').split(
      '--> statement-breakpoint',
    )) {
      await db.prepare(statement).run()
    }
  }
}

function report(title: string, rates: Map<string, number>, rows?: Map<string, number>): void {
  const base = rates.get('one-row SELECT') ?? 1
  showProgress('', true)
  console.log(`\n### ${title}\n`)
  const [head, rule] = rows ? [' rows read |', '---:|'] : ['', '']
  console.log(`| call | requests/s | ÷ one-row SELECT |${head}\n|---|---:|---:|${rule}`)
  for (const [name, rate] of rates) {
    const read = rows ? ` ${rows.get(name) ?? '–'} |` : ''
    console.log(`| ${name} | ${Math.round(rate)} | ${(rate / base).toFixed(2)} |${read}`)
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

await main()
