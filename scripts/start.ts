/**
 * `npm start`: a running agency. Applies the migrations, starts the service on this machine, fills an empty one with
 * the demo agency, and says how to call it. Needs no network and no account.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createKey, findKey } from '../src/http/auth.ts'
import { isEmpty, loadDemo } from './demo.ts'
import type { Service } from './service.ts'

const PORT = process.env.PORT ?? '8787'
/** Where the demo key is kept between starts: beside the local database, out of git. */
const KEY_FILE = '.wrangler/demo-key'

Object.assign(process.env, {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG: 'warn',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // Otherwise wrangler asks a person whether to go on.
  CI: 'true',
})

async function main(): Promise<void> {
  if (!existsSync('.dev.vars')) copyFileSync('.dev.vars.example', '.dev.vars')
  await run('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local'])
  const key = await demoKey()
  const server = start('wrangler', [
    'dev',
    '--port',
    PORT,
    '--show-interactive-dev-session=false',
    // So that /docs can fill it in.
    '--var',
    `DOCS_DEMO_KEY:${key}`,
  ])
  const service = { url: `http://localhost:${PORT}`, adminToken: readAdminToken() }
  await untilHealthy(service, server)
  runClock(service)
  if (await isEmpty(service)) await loadDemo(service)
  console.log(`
Estia runs at ${service.url}

  Read and try  ${service.url}/docs
  Demo key      ${key}
  First call    curl -H 'Authorization: Bearer ${key}' '${service.url}/api/listings?status=active&category=residential'
  Health        ${service.url}/health

Ctrl-C stops it. The data is in .wrangler/state; delete that folder to begin anew.
`)
}

/** The key of the last start while the local database knows it, else a fresh one. */
async function demoKey(): Promise<string> {
  // Not above: on loading, wrangler reads the environment that is set there.
  const { getPlatformProxy } = await import('wrangler')
  const { env, dispose } = await getPlatformProxy<Env>()
  try {
    const known = existsSync(KEY_FILE) ? readFileSync(KEY_FILE, 'utf8').trim() : ''
    if (known && (await findKey(env.API_KEYS, known))) return known
    const wanted = { name: 'demo', scopes: ['*:read', '*:write'], expires: null }
    const { secret } = await createKey(env.API_KEYS, wanted)
    writeFileSync(KEY_FILE, secret)
    return secret
  } finally {
    await dispose()
  }
}

function readAdminToken(): string {
  const token = /^ADMIN_TOKEN *= *"?([^"\n]+)"?/m.exec(readFileSync('.dev.vars', 'utf8'))?.[1]
  if (!token) throw new Error('.dev.vars holds no ADMIN_TOKEN; copy .dev.vars.example')
  return token
}

async function untilHealthy({ url }: Service, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    if (server.exitCode !== null)
      throw new Error(`The server stopped; is port ${PORT} taken? Try PORT=8788 npm start`)
    const answer = await fetch(`${url}/health`).catch(() => null)
    if (answer?.ok) return
    await wait(500)
  }
  throw new Error('The server did not become healthy within a minute')
}

/** Cron triggers do not fire on this machine, so their minutely run is asked for. */
function runClock({ url }: Service): void {
  const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('* * * * *')}`
  // A run that fails is in the log of the service, and the next one finishes its work.
  setInterval(() => void fetch(url + path).catch(() => null), 60_000).unref()
}

function start(command: string, parameters: string[]): ChildProcess {
  const child = spawn(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  process.on('exit', () => child.kill())
  child.on('exit', (code) => process.exit(code ?? 0))
  return child
}

async function run(command: string, parameters: string[]): Promise<void> {
  const child = spawn(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  if (code !== 0) throw new Error(`${command} ${parameters.join(' ')} ended with ${code}`)
}

await main()
