/** The real `wrangler dev` on a new, migrated folder, and commands of package.json against it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../scripts/start/port.ts'
import { LOCAL_VARS } from '../../scripts/start/prepare.ts'

export const DEV_ADMIN_TOKEN = 'script-admin-token'
const WRANGLER = 'node_modules/wrangler/bin/wrangler.js'
const OPTIONS = ['--inspector-port', '0', '--show-interactive-dev-session=false']
const VARS = Object.entries({ ADMIN_TOKEN: DEV_ADMIN_TOKEN, ...LOCAL_VARS })

/** What a command printed, and its exit code. */
export interface Ran {
  code: number
  output: string
  errors: string
}

/** A running `wrangler dev`. */
export interface DevServer {
  url: string
  /** Folder of the local database; tests may store files there. */
  folder: string
  hasEnded: () => boolean
  stop: () => Promise<void>
}

/** Starts an empty service. */
export async function startDevServer(): Promise<DevServer> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-'))
  const applied = await run(WRANGLER, ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', folder])
  if (applied.code !== 0) throw new Error(applied.output)
  const port = await freePort()
  const vars = VARS.flatMap(([name, value]) => ['--var', `${name}:${value}`])
  const parameters = ['dev', '--port', String(port), '--persist-to', folder, ...OPTIONS, ...vars]
  const server = spawn(process.execPath, [WRANGLER, ...parameters], { env: environment(), stdio: 'ignore' })
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null
  const url = `http://127.0.0.1:${port}`
  await untilHealthy(server, url)
  const stop = async () => {
    if (!hasEnded()) {
      server.kill()
      await once(server, 'exit')
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { url, folder, hasEnded, stop }
}

/** Runs a script to its end, with ADMIN_TOKEN in its environment unless `token` is null, and with `more`. */
export function run(
  script: string,
  parameters: string[],
  token: string | null = DEV_ADMIN_TOKEN,
  more: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const { ADMIN_TOKEN: _, ...env } = environment()
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...parameters],
      { env: { ...env, ...(token ? { ADMIN_TOKEN: token } : {}), ...more } },
      (error, output, errors) => resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    )
  })
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CI: 'true',
    NO_COLOR: '1',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  }
}

async function untilHealthy(server: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (server.exitCode !== null) throw new Error('wrangler dev ended')
    const answer = await fetch(`${url}/health`).catch(() => null)
    if (answer?.ok) return
    await wait(250)
  }
  throw new Error('not healthy')
}
