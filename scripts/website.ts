/** `npm run website`: runs the example website beside a running `npm start`, with keys of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createApiKey, readUrl, type Service } from './service/admin.ts'
import { readCommandLine, runScript } from './service/terminal.ts'
import { readPort, requireFreePort } from './start/port.ts'
import { readAdminToken } from './start/prepare.ts'
import { devServer, isHealthy } from './start/server.ts'

const USAGE = `Runs the website of examples/website beside a running Estia.

Usage: [PORT=8788] npm run website [-- OPTIONS]

  --url URL   the service (default: http://localhost:8787)
  --help      shows this`

const FOLDER = 'examples/website'
/** Read by wrangler, and by nobody else. */
const SECRETS = `${FOLDER}/.dev.vars`

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
  const url = `http://localhost:${port}`
  const server = devServer(port, {}, ['--cwd', FOLDER], '/robots.txt')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void server.stop())
  const running = server.run()
  await Promise.race([running, server.ready])
  console.log(`\nThe website runs at ${url}\nCtrl-C stops it.\n`)
  await running
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
