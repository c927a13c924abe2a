/**
 * A real browser before a real service: the demo agency on a free port, and a Chromium that tells what a page logs
 * and asks for.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { getPlatformProxy } from 'wrangler'
import type { DemoSize } from '../../demo/lines.ts'
import type { Service } from '../../scripts/service/admin.ts'
import { loadDemo, withTemporaryKey } from '../../scripts/service/load-demo.ts'
import { freePort } from '../../scripts/start/port.ts'
import { LOCAL_VARS, writeLocalConfig } from '../../scripts/start/prepare.ts'
import { pauseAfter } from '../../scripts/start/server.ts'
import { createKey } from '../../src/http/caller/stored-keys.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const WRANGLER = 'node_modules/wrangler/bin/wrangler.js'
const SCREENSHOTS = 'build/screenshots'
/** Those that the README shows, and their names in `docs/`; `PICTURES=1` renews them. */
const README_PICTURES: Record<string, string> = {
  'website-listing-en-1280': 'website',
  'console-enquiries-1280-light-en': 'console',
}
const ENVIRONMENT = {
  ...process.env,
  CI: 'true',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/** Whether there is a browser to test with; `CHROMIUM` names one that is elsewhere. */
export const hasBrowser = existsSync(CHROMIUM)

/** A running service, ended by `close`. */
export interface RunningService extends Service {
  close: () => Promise<void>
}

/** What a page did that it should not do. */
export interface Watch {
  /** What it logged, and the errors that nobody caught. */
  logged: string[]
  /** Addresses elsewhere that it asked for. */
  foreign: string[]
  /** Answers of 400 and above. */
  refused: string[]
}

/** What `startDemo` starts. */
interface DemoOptions {
  /** Whether the documentation knows a key, as `npm start` makes it. */
  hasDemoKey?: boolean
}

/** How much of the demo agency is loaded: enough for both kinds of tours. */
export const DEMO_SIZE: DemoSize = { listings: 60 }

/** The demo agency, in a folder of its own. */
export async function startDemo({ hasDemoKey = false }: DemoOptions = {}): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-browser-'))
  const service = { url: `http://localhost:${await freePort()}`, adminToken: 'browser-admin-token' }
  await promisify(execFile)(
    process.execPath,
    [WRANGLER, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', folder],
    { env: ENVIRONMENT },
  )
  const secrets: Record<string, string> = hasDemoKey ? { DOCS_DEMO_KEY: await createDemoKey(folder) } : {}
  let isClosing = false
  let server: ReturnType<typeof startServer>
  const ends: number[] = []
  // `wrangler dev` ends when a page aborts a request. It is started again, as by `npm start`, and the test is retried.
  const start = () => {
    server = startServer(service, folder, secrets)
    server.once('exit', () => {
      ends.push(Date.now())
      if (!isClosing && pauseAfter(ends) === 0) start()
    })
  }
  start()
  const close = async () => {
    isClosing = true
    if (server.exitCode === null) {
      server.kill()
      await once(server, 'exit')
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await untilHealthy(service)
    await withTemporaryKey(service, (key) => loadDemo(service, key, DEMO_SIZE))
  } catch (error) {
    await close()
    throw error
  }
  return { ...service, close }
}

/** Chromium without a window, with WebGL in software. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  })
}

/** Notes what `page` does from now on; `origin` is the only one it may ask. */
export function watch(page: Page, origin: string): Watch {
  const seen: Watch = { logged: [], foreign: [], refused: [] }
  page.on('console', (message) => seen.logged.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => seen.logged.push(String(error)))
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (/^(https?|wss?):$/.test(protocol) && asked !== origin) seen.foreign.push(request.url())
  })
  page.on('response', (response) => {
    if (response.status() >= 400) seen.refused.push(`${response.status()} ${response.url()}`)
  })
  return seen
}

/** Keeps a picture of what the page shows, for people to look at. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` })
  const picture = process.env.PICTURES && README_PICTURES[name]
  if (picture) await page.screenshot({ path: `docs/${picture}.jpg`, type: 'jpeg', quality: 70 })
}

/** A key for everything, in the namespace that the service will use. */
async function createDemoKey(folder: string): Promise<string> {
  const { env, dispose } = await getPlatformProxy<Env>({ persist: { path: join(folder, 'v3') } })
  try {
    const wanted = { name: 'demo', scopes: ['*:read', '*:write'], expires: null }
    return (await createKey(env.API_KEYS, wanted)).secret
  } finally {
    await dispose()
  }
}

function startServer(
  { url, adminToken }: Service,
  folder: string,
  vars: Record<string, string>,
): ChildProcess {
  const variables = Object.entries({ ADMIN_TOKEN: adminToken, ...LOCAL_VARS, ...vars })
  const options = [
    ['--config', writeLocalConfig()],
    ['--port', new URL(url).port],
    ['--inspector-port', '0'],
    ['--persist-to', folder],
    ...variables.map(([name, value]) => ['--var', `${name}:${value}`]),
  ].flat()
  return spawn(process.execPath, [WRANGLER, 'dev', ...options, '--show-interactive-dev-session=false'], {
    env: ENVIRONMENT,
    stdio: 'ignore',
  })
}

async function untilHealthy({ url }: Service): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch(`${url}/health`).catch(() => null)
    if (answer?.ok) return
    await wait(500)
  }
  throw new Error('The service did not become healthy within a minute')
}
