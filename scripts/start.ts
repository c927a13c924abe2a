/**
 * `npm start`: a running agency. Makes what is generated, applies the migrations, starts the service on this machine,
 * fills an empty one with the demo agency, and says how to call it. Needs no network and no account.
 */
import type { DemoSize } from '../demo/generate.ts'
import type { Service } from './service/admin.ts'
import { readCommandLine } from './service/terminal.ts'
import { fill } from './start/fill.ts'
import { readPort, requireFreePort } from './start/port.ts'
import { demoKey, prepare, readAdminToken } from './start/prepare.ts'
import { Server } from './start/server.ts'

const USAGE = `Runs Estia on this machine, with the data of an invented agency.

Usage: [PORT=8788] npm start [-- OPTIONS]

  --empty               without data, in a folder of its own
  --listings NUMBER     how many listings the invented agency has; 300 unless given
  --persist-to FOLDER   where the data is; .wrangler/state unless given, .wrangler/empty with --empty
  --help                shows this`

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
  const { values } = readCommandLine(USAGE, {
    empty: { type: 'boolean', default: false },
    'persist-to': { type: 'string' },
    listings: { type: 'string', default: '300' },
  })
  const folder = values['persist-to'] ?? (values.empty ? '.wrangler/empty' : '.wrangler/state')
  const port = readPort(process.env.PORT ?? '8787')
  const size: DemoSize = { listings: readListings(values.listings) }
  await requireFreePort(port)
  const service = {
    url: `http://localhost:${port}`,
    adminToken: readAdminToken(),
    signal: interruption.signal,
  }
  await prepare(folder, interruption.signal)
  const key = values.empty ? null : await demoKey(folder)
  interruption.signal.throwIfAborted()
  console.log('Starting the server …')
  server = new Server(service.url, parametersOf(port, folder, key))
  const running = server.run()
  const filling = key === null ? server.ready : fill(server, service, key, folder, size)
  const hasEnded = await Promise.race([running.then(() => true), filling.then(() => false)])
  if (hasEnded) return
  console.log(key === null ? describeEmpty(service, port) : describeDemo(service, key))
  console.log(`\nCtrl-C stops it. The data is in ${folder}; delete that folder to begin anew.\n`)
  runCron(service)
  await running
}

/** What `wrangler dev` is started with. */
function parametersOf(port: number, folder: string, key: string | null): string[] {
  return [
    ['--port', String(port)],
    ['--persist-to', folder],
    '--show-interactive-dev-session=false',
    // Any that is free: two that start in the same moment would both find the usual one free.
    ['--inspector-port', '0'],
    // So that /docs can fill it in.
    key === null ? [] : ['--var', `DOCS_DEMO_KEY:${key}`],
    // Nobody on this machine is in the way of others; a .dev.vars of an earlier version does not say so.
    ['--var', 'CALLS_PER_KEY:'],
    ['--var', 'FAILURES_PER_ADDRESS:'],
  ].flat()
}

function describeDemo({ url }: Service, key: string): string {
  return `
Estia runs at ${url}

  Read and try  ${url}/docs
  Demo key      ${key}
  First call    curl -H 'Authorization: Bearer ${key}' '${url}/api/listings?status=active&category=residential'
  Health        ${url}/health`
}

function describeEmpty({ url, adminToken }: Service, port: number): string {
  const at = port === 8787 ? '' : ` --url ${url}`
  return `
Estia runs at ${url}, without data

  Admin token   export ADMIN_TOKEN='${adminToken}'
  Make a key    npm run keys -- create --name first --scope '*:read' --scope '*:write'${at}
  Import        npm run import -- FILE${at}
  Documentation ${url}/docs
  Health        ${url}/health`
}

/** The number of listings that `text` is. Throws when it is none that the demo agency can have. */
function readListings(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new Error(`--listings has to be a number from 0 to 9999, not "${text}".`)
}

/** Cron triggers do not fire on this machine, so their minutely run is asked for. */
function runCron({ url }: Service): void {
  const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('* * * * *')}`
  // A run that fails is in the log of the service, and the next one finishes its work.
  const run = async () => (await fetch(url + path)).arrayBuffer()
  setInterval(() => void run().catch(() => null), 60_000).unref()
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
