/**
 * `npm start`: runs an agency. Builds what is generated, applies the migrations and starts the service on this machine.
 * Then it fills an empty service with the demo agency, and shows how to call it. Needs no network and no account.
 */
import type { DemoSize } from '../demo/lines.ts'
import type { Service } from './service/admin.ts'
import { readCommandLine } from './service/terminal.ts'
import { fill } from './start/fill.ts'
import { readPort, requireFreePort } from './start/port.ts'
import {
  build,
  type DemoKeys,
  demoKeys,
  LOCAL_VARS,
  migrate,
  readAdminToken,
  writeLocalConfig,
} from './start/prepare.ts'
import { devServer, type Server } from './start/server.ts'

const USAGE = `Runs Estia on this machine, with the data of an invented agency.

Usage: [PORT=8788] npm start [-- OPTIONS]

  --empty               without data, in a folder of its own
  --listings NUMBER     how many listings the invented agency has (default: 300)
  --persist-to FOLDER   where the data is (default: .wrangler/state; .wrangler/empty with --empty)
  --help                shows this`

/** Aborted by Ctrl-C and other signals. */
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
  await requireFreePort(port, 'npm start')
  const service = {
    url: `http://localhost:${port}`,
    adminToken: readAdminToken(),
    signal: interruption.signal,
  }
  await build(interruption.signal)
  await migrate(folder, interruption.signal)
  const keys = values.empty ? null : await demoKeys(folder)
  interruption.signal.throwIfAborted()
  console.log('Starting the server …')
  // /docs fills in this key.
  const vars = { ...LOCAL_VARS, ...(keys && { DOCS_DEMO_KEY: keys.key }) }
  server = devServer(port, vars, ['--persist-to', folder, '--config', writeLocalConfig()])
  const running = server.run()
  const filling = keys === null ? server.ready : fill(server, service, keys.key, folder, size)
  const hasEnded = await Promise.race([running.then(() => true), filling.then(() => false)])
  if (hasEnded) return
  console.log(keys === null ? describeEmpty(service, port) : describeDemo(service, keys))
  console.log(`\nCtrl-C stops it. The data is in ${folder}; delete that folder to start over.\n`)
  runCron(service)
  await running
}

function describeDemo({ url, adminToken }: Service, { key, publishable, console }: DemoKeys): string {
  return `
Estia runs at ${url}

  Read and try  ${url}/docs
  Console       ${url}/console
    its key     ${console}
  Demo key      ${key}
  Publishable   ${publishable}
  Admin token   export ADMIN_TOKEN='${adminToken}'
  First call    curl -H 'Authorization: Bearer ${key}' '${url}/api/listings?status=active&category=residential'
  Health        ${url}/health

Mails of new enquiries are shown here, and not sent.`
}

function describeEmpty({ url, adminToken }: Service, port: number): string {
  const at = port === 8787 ? '' : ` --url ${url}`
  return `
Estia runs at ${url}, without demo data

  Console       ${url}/console, by the admin token
  Admin token   export ADMIN_TOKEN='${adminToken}'
  Make a key    npm run keys -- create --name first --scope '*:read' --scope '*:write'${at}
  Import        npm run import -- FILE${at}
  Documentation ${url}/docs
  Health        ${url}/health`
}

/** Parses a number of listings. Throws if the demo agency cannot have that many. */
function readListings(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new Error(`--listings has to be a number from 0 to 9999, not "${text}".`)
}

/** Runs the minutely cron, because cron triggers do not fire on a local machine. */
function runCron({ url }: Service): void {
  const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('* * * * *')}`
  // The service logs a failed run, and the next run finishes its work.
  const run = async () => (await fetch(url + path)).arrayBuffer()
  setInterval(() => void run().catch(() => null), 60_000).unref()
}

/** Handles Ctrl-C and other signals. The second one exits immediately. */
function interrupt(): void {
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort()
}

/** Stops when npm exits: npm does not signal its children, so they only notice a new parent process. */
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
if (interruption.signal.aborted) console.log('\nStopped. The same command goes on from here.')
process.exit(code)
