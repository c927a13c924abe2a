/**
 * `npm start`: a running agency. Makes what is generated, applies the migrations, starts the service on this machine,
 * fills an empty one with the demo agency, and says how to call it. Needs no network and no account.
 *
 *     PORT=8788 npm start [-- --persist-to FOLDER] [-- --listings 300]
 */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import type { DemoSize } from '../demo/generate.ts'
import { createKey, findKey } from '../src/http/auth.ts'
import type { Service } from './service/admin.ts'
import { isEmpty, loadDemo, NOTHING_LOADED } from './service/load-demo.ts'
import { isAtWork, Journal } from './start/journal.ts'
import { readPort, requireFreePort } from './start/port.ts'
import { Server, wranglerCommand } from './start/server.ts'

/** How long after a failed call the server may turn out to have broken down. */
const BREAKDOWN_SHOWS_MS = 5_000
const MIGRATION_ATTEMPTS = 4

Object.assign(process.env, {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG: 'error',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // Otherwise wrangler asks a person whether to go on.
  CI: 'true',
})

/** Set by Ctrl-C and the like. */
const interruption = new AbortController()
let server: Server | undefined

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'persist-to': { type: 'string', default: '.wrangler/state' },
      listings: { type: 'string', default: '300' },
    },
  })
  const folder = values['persist-to']
  const port = readPort(process.env.PORT ?? '8787')
  const size: DemoSize = { listings: readListings(values.listings) }
  await requireFreePort(port)
  const service = {
    url: `http://localhost:${port}`,
    adminToken: readAdminToken(),
    signal: interruption.signal,
  }
  const key = await prepare(folder)
  server = new Server(
    service.url,
    [
      ['--port', String(port)],
      ['--persist-to', folder],
      '--show-interactive-dev-session=false',
      // Any that is free: two that start in the same moment would both find the usual one free.
      ['--inspector-port', '0'],
      // So that /docs can fill it in.
      ['--var', `DOCS_DEMO_KEY:${key}`],
      // Nobody on this machine is in the way of others; a .dev.vars of an earlier version does not say so.
      ['--var', 'CALLS_PER_KEY:'],
      ['--var', 'FAILURES_PER_ADDRESS:'],
    ].flat(),
  )
  const running = server.run()
  const filling = fill(server, service, key, folder, size)
  const hasEnded = await Promise.race([running.then(() => true), filling.then(() => false)])
  if (hasEnded) return
  console.log(`
Estia runs at ${service.url}

  Read and try  ${service.url}/docs
  Demo key      ${key}
  First call    curl -H 'Authorization: Bearer ${key}' '${service.url}/api/listings?status=active&category=residential'
  Health        ${service.url}/health

Ctrl-C stops it. The data is in ${folder}; delete that folder to begin anew.
`)
  runClock(service)
  await running
}

/** The number of listings that `text` is. Throws when it is none that the demo agency can have. */
function readListings(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new Error(`--listings has to be a number from 0 to 9999, not "${text}".`)
}

/** Everything that comes before the server; returns the demo key. */
async function prepare(folder: string): Promise<string> {
  console.log('Building the photo codec and the documentation …')
  await run([join(import.meta.dirname, 'build.ts')])
  console.log('Applying the migrations …')
  await migrate(folder)
  console.log('Looking for the demo key …')
  const key = await demoKey(folder)
  interruption.signal.throwIfAborted()
  console.log('Starting the server …')
  return key
}

/** Applies the migrations; again where another start applies the same at this moment, which makes either fail. */
async function migrate(folder: string): Promise<void> {
  const command = wranglerCommand('d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', folder)
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(command)
    } catch (error) {
      if (attempt === MIGRATION_ATTEMPTS || interruption.signal.aborted) throw error
      await wait(1_000)
    }
  }
}

/** The key of the last start while the local database knows it, else a fresh one. */
async function demoKey(folder: string): Promise<string> {
  // Not above: on loading, wrangler reads the environment that is set there.
  const { getPlatformProxy } = await import('wrangler')
  const { env, dispose } = await getPlatformProxy<Env>({ persist: { path: join(folder, 'v3') } })
  const file = join(folder, 'demo-key')
  try {
    const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
    if (known && (await findKey(env.API_KEYS, known))) return known
    const wanted = { name: 'demo', scopes: ['*:read', '*:write'], expires: null }
    const { secret } = await createKey(env.API_KEYS, wanted)
    writeFileSync(file, secret, { mode: 0o600 })
    return secret
  } finally {
    await dispose()
  }
}

function readAdminToken(): string {
  if (!existsSync('.dev.vars')) copyFileSync('.dev.vars.example', '.dev.vars')
  const token = /^ADMIN_TOKEN *= *"?([^"\n]+)"?/m.exec(readFileSync('.dev.vars', 'utf8'))?.[1]
  if (!token) throw new Error('.dev.vars holds no ADMIN_TOKEN; copy .dev.vars.example')
  return token
}

/** Waits for the server, and loads what is missing of the demo agency into one that is empty or was half loaded. */
async function fill(
  server: Server,
  service: Service,
  key: string,
  folder: string,
  size: DemoSize,
): Promise<void> {
  await server.ready
  const journal = new Journal(folder)
  const nothingYet = await isEmpty(service, key)
  // Last, as another start may have begun meanwhile.
  const begun = journal.read()
  const load = nothingYet ? { size, progress: NOTHING_LOADED } : begun
  if (!load) return
  if (begun && isAtWork(begun)) {
    console.log(`Demo data: another process, ${begun.pid}, is loading it.`)
    return
  }
  if (load === begun) console.log('Demo data: going on where the last start stopped.')
  let { progress } = load
  const remember = () => journal.write({ pid: process.pid, size: load.size, progress })
  remember()
  await throughBreakdowns(server, () =>
    loadDemo(service, key, {
      size: load.size,
      from: progress,
      onProgress: (reached) => {
        progress = reached
        remember()
      },
    }),
  )
  journal.remove()
}

/** Cron triggers do not fire on this machine, so their minutely run is asked for. */
function runClock({ url }: Service): void {
  const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('* * * * *')}`
  // A run that fails is in the log of the service, and the next one finishes its work.
  const run = async () => (await fetch(url + path)).arrayBuffer()
  setInterval(() => void run().catch(() => null), 60_000).unref()
}

/** Does `work`, and does it once more whenever the server broke down meanwhile. */
async function throughBreakdowns(server: Server, work: () => Promise<void>): Promise<void> {
  for (;;) {
    const { breakdowns } = server
    try {
      return await work()
    } catch (error) {
      const deadline = Date.now() + BREAKDOWN_SHOWS_MS
      while (server.breakdowns === breakdowns && Date.now() < deadline) {
        interruption.signal.throwIfAborted()
        await wait(100)
      }
      if (server.breakdowns === breakdowns)
        throw new Error(`The demo agency is not loaded: ${error}. The next start goes on with it.`)
      await server.ready
    }
  }
}

/** Runs a program of node to its end. Throws what it complains of when it fails. */
async function run(parameters: string[]): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, parameters, { signal: interruption.signal })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${stdout}${stderr}`.trim() || String(error), { cause: error })
  }
}

/** Ctrl-C, or whoever ends this process: a second time, they do not want to wait. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort()
}

/** Npm ends itself and its shell without a word to what they run; who was orphaned so has a new parent. */
function watchNpm(): void {
  const { ppid } = process
  setInterval(() => process.ppid === ppid || interruption.signal.aborted || interrupt(), 1_000).unref()
}

if (process.env.npm_lifecycle_event) watchNpm()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
let code = 0
try {
  const stopped = new Promise<void>((resolve) =>
    interruption.signal.addEventListener('abort', () => resolve()),
  )
  await Promise.race([main(), stopped])
} catch (error) {
  if (!interruption.signal.aborted) {
    console.error(error instanceof Error ? error.message : error)
    code = 1
  }
}
await server?.stop()
if (interruption.signal.aborted) console.log('\nStopped. `npm start` goes on from here.')
process.exit(code)
