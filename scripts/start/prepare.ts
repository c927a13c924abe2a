/** The steps of `npm start` before the server: generated files, migrations, local settings and the demo keys. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import { WITHOUT_RATE_LIMITS } from '../../src/catalogue/rate-limits.ts'
import { ADMIN_SCOPES, PUBLIC_LISTINGS } from '../../src/catalogue/scopes.ts'
import { PUBLIC_TOKEN } from '../../src/http/caller/admin-scope.ts'
import { createKey, findKey, type NewKey } from '../../src/http/caller/stored-keys.ts'
import { wranglerCommand } from './server.ts'

// For wrangler as a program and as a library, which reads them when it is loaded. Without CI it asks for confirmation.
Object.assign(process.env, {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG: 'error',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: 'true',
})

const MIGRATION_ATTEMPTS = 12

/**
 * Settings of a local service. They are not in `.dev.vars.example`, as the deploy button makes a secret of the deployment
 * from each of its entries.
 */
export const LOCAL_VARS = { ALLOW_PRIVATE_PHOTO_URLS: 'true', ...WITHOUT_RATE_LIMITS }

const TOKEN_LINES = /^[ \t]*(?:export[ \t]+)?ADMIN_TOKEN[ \t]*=.*$/gm

/** The admin token of the local service, from `.dev.vars`, which gets a random one if it has none, or the public one. */
export function readAdminToken(file = '.dev.vars'): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null
  const known = parseEnv(text ?? '').ADMIN_TOKEN
  if (known && known !== PUBLIC_TOKEN) return known
  const line = `ADMIN_TOKEN="${randomBytes(24).toString('hex')}"`
  const draft = `${file}.${process.pid}`
  writeFileSync(
    draft,
    known === undefined ? `${line}\n${text ?? ''}` : (text ?? '').replace(TOKEN_LINES, line),
    {
      mode: 0o600,
    },
  )
  if (text !== null) renameSync(draft, file)
  else {
    // Of two starts at once, one writes it, whole.
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    }
    rmSync(draft)
  }
  return readAdminToken(file)
}

/**
 * Writes the configuration of a local service, and returns its name: that of the deployment, with mails and a bucket for
 * backups. Mails are not sent: wrangler writes them to files.
 */
export function writeLocalConfig(): string {
  const file = 'wrangler.local.toml'
  const text = localConfig(readFileSync('wrangler.toml', 'utf8'))
  // Another service may be reading it.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  return file
}

/** The configuration of a local service, made from that of the deployment. */
export function localConfig(text: string): string {
  const sending = text.replace(/^MAIL_FROM = ""$/m, 'MAIL_FROM = "estia@localhost"')
  const mails = /^\[\[send_email\]\]/m.test(text) ? '' : '\n[[send_email]]\nname = "MAIL"\n'
  const backups = /^binding = "BACKUPS"$/m.test(text)
    ? ''
    : '\n[[r2_buckets]]\nbinding = "BACKUPS"\nbucket_name = "estia-backups"\n'
  return sending + mails + backups
}

/** Builds the generated files. */
export async function build(signal: AbortSignal): Promise<void> {
  console.log('Building the photo codec and the documentation …')
  await run([join(import.meta.dirname, '../build.ts')], signal)
}

/**
 * Applies the migrations to the data in `folder`. Tries again, because two starts that migrate at the same time make each other
 * fail.
 */
export async function migrate(folder: string, signal: AbortSignal): Promise<void> {
  console.log('Applying the migrations …')
  const command = wranglerCommand('d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', folder)
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(command, signal)
    } catch (error) {
      if (attempt === MIGRATION_ATTEMPTS || signal.aborted) throw error
      // Of different lengths, so that two starts do not meet again and again.
      await wait(500 + 1_500 * Math.random())
    }
  }
}

/** The keys of the demo agency. */
export interface DemoKeys {
  /** May do everything. */
  key: string
  /** May stand in a page: its calls see what the public may see. */
  publishable: string
  /** May see and do everything at the console. */
  console: string
}

/** The keys of the last start if the local database has them, otherwise new ones. */
export async function demoKeys(folder: string): Promise<DemoKeys> {
  console.log('Looking for the demo keys …')
  // Not a static import: wrangler reads the environment when it is loaded.
  const { getPlatformProxy } = await import('wrangler')
  const { env, dispose } = await getPlatformProxy<Env>({ persist: { path: join(folder, 'v3') } })
  const keyIn = async (file: string, options: NewKey) => {
    const path = join(folder, file)
    const known = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
    if (known && (await findKey(env.API_KEYS, known))) return known
    const { secret } = await createKey(env.API_KEYS, options)
    writeFileSync(path, secret, { mode: 0o600 })
    return secret
  }
  try {
    return {
      key: await keyIn('demo-key', { name: 'demo', scopes: ['*:read', '*:write'], expires: null }),
      publishable: await keyIn('demo-publishable-key', {
        name: 'demo website',
        scopes: [PUBLIC_LISTINGS],
        expires: null,
        website: { publishable: true, origins: null, stores: null },
      }),
      console: await keyIn('demo-console-key', {
        name: 'demo console',
        scopes: ['*:read', '*:write', ...ADMIN_SCOPES],
        expires: null,
      }),
    }
  } finally {
    await dispose()
  }
}

/** Runs a Node program to its end. If it fails, throws its output. */
async function run(parameters: string[], signal: AbortSignal): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, parameters, { signal })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${stdout}${stderr}`.trim() || String(error), { cause: error })
  }
}
