/** `npm run website`: runs the example website beside a running `npm start`, with keys of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createApiKey, readUrl, type Service } from './service/admin.ts'
import { readCommandLine, runScript } from './service/terminal.ts'
import { readPort, requireFreePort } from './start/port.ts'
import { readAdminToken } from './start/prepare.ts'
import { isHealthy, MAX_FAILED_STARTS, pauseAfter, wranglerCommand } from './start/server.ts'

const USAGE = `Runs the website of examples/website beside a running Estia.

Usage: [PORT=8788] npm run website [-- OPTIONS]

  --url URL   the service (default: http://localhost:8787)
  --help      shows this`

const FOLDER = 'examples/website'
/** Read by wrangler, and by nobody else. */
const SECRETS = `${FOLDER}/.dev.vars`

/** A run that ends sooner never started, in ms. */
const START_MS = 5_000

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, { url: { type: 'string' } })
  const port = readPort(process.env.PORT ?? '8788')
  const service: Service = {
    url: readUrl(values.url),
    adminToken: process.env.ADMIN_TOKEN ?? readAdminToken(),
  }
  if (!(await isHealthy(service.url)))
    throw new Error(`No Estia runs at ${service.url}. Start one in another terminal: npm start`)
  await requireFreePort(port, 'npm run website')
  await keepKeys(service)
  console.log(`\nThe website runs at http://localhost:${port}\nCtrl-C stops it.\n`)
  await run(port)
}

/**
 * Runs `wrangler dev`, again if it breaks down, as it does when a browser breaks off a request. Throws if it keeps ending
 * at once.
 */
async function run(port: number): Promise<void> {
  const options = ['--port', String(port), '--inspector-port', '0', '--show-interactive-dev-session=false']
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'error', CI: 'true' }
  const ends: number[] = []
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      stopping.abort()
      child?.kill()
    })
  for (let failedStarts = 0; failedStarts < MAX_FAILED_STARTS; ) {
    const started = Date.now()
    child = spawn(process.execPath, wranglerCommand('dev', ...options), {
      cwd: FOLDER,
      stdio: 'inherit',
      env,
    })
    await once(child, 'exit')
    if (stopping.signal.aborted) return
    ends.push(Date.now())
    failedStarts = Date.now() - started < START_MS ? failedStarts + 1 : 0
    console.error('The website broke down. Starting it again …')
    await wait(pauseAfter(ends), undefined, { signal: stopping.signal }).catch(() => undefined)
    if (stopping.signal.aborted) return
  }
  throw new Error('The website did not start; the lines above may say why.')
}

/** Takes the keys of the last start if the service knows them, otherwise makes new ones. */
async function keepKeys(service: Service): Promise<void> {
  const kept = existsSync(SECRETS) ? readFileSync(SECRETS, 'utf8') : ''
  const known = (name: string) => new RegExp(`^${name}="([^"]+)"$`, 'm').exec(kept)?.[1]
  const [site, publishable] = [known('SITE_KEY'), known('PUBLISHABLE_KEY')]
  if (
    known('ESTIA_URL') === service.url &&
    (await mayRead(service, site)) &&
    (await mayRead(service, publishable))
  )
    return
  const made = {
    ESTIA_URL: service.url,
    SITE_KEY: await makeSiteKey(service),
    PUBLISHABLE_KEY: (await createApiKey(service, 'website, maps', ['listings:public'])).key,
  }
  const lines = Object.entries(made).map(([name, value]) => `${name}="${value}"\n`)
  writeFileSync(SECRETS, lines.join(''), { mode: 0o600 })
}

/** The secret key of the website's server: it reads what visitors see, and hands over their enquiries. */
async function makeSiteKey(service: Service): Promise<string> {
  const scopes = ['listings:public', 'enquiries:write']
  return (await createApiKey(service, 'website, server', scopes, { publishable: false })).key
}

async function mayRead({ url }: Service, key: string | undefined): Promise<boolean> {
  if (!key) return false
  const answer = await fetch(`${url}/api/stores`, { headers: { Authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
  return answer.ok
}

await runScript(main)
