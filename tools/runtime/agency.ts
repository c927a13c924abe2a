/** The Worker in workerd, as it is deployed, with the demo agency. The tools run against it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { demoLines } from '../../demo/agency.ts'
import type { DemoSize } from '../../demo/lines.ts'
import { importLines } from '../../scripts/service/import-lines.ts'
import { buildBundle } from './bundle.ts'
import { storeKey, TOOLS_KEY } from './key.ts'
import { migrationStatements } from './migrations.ts'
import { startBundle, workerdProcesses } from './workerd.ts'

export const ADMIN_TOKEN = 'tools-admin-token'
export const KEY = TOOLS_KEY

export interface AgencyService {
  url: URL
  miniflare: Miniflare
  /** Where its storage is. */
  folder: string
  /** The process of workerd. */
  pid: () => number
  /** Kills workerd at once and starts another on the stored data. `url` changes. */
  crash: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Builds and starts the service. `outside` answers its outgoing calls, so that nothing leaves this machine. With
 * `network` it may call servers on this machine.
 * @param entry entry of the bundle, by default that of the Worker
 * @param size how many records of the demo agency to load, by default all; 0 starts it empty
 */
export async function startAgency(
  entry: string | null,
  size: DemoSize | 0 | undefined,
  outside: ((request: Request) => Response | Promise<Response>) | 'network' = () =>
    new Response('Not here', { status: 404 }),
): Promise<AgencyService> {
  const bundle = buildBundle(...(entry ? [entry] : []))
  const folder = mkdtempSync(join(tmpdir(), 'estia-agency-'))
  const start = async () => {
    const miniflare = startBundle(bundle, {
      resourcePersistencePath: folder,
      d1Databases: ['DB'],
      r2Buckets: ['PHOTOS', 'BACKUPS'],
      kvNamespaces: ['API_KEYS'],
      bindings: { ADMIN_TOKEN, ALLOW_PRIVATE_PHOTO_URLS: String(outside === 'network'), CORS_ORIGINS: '*' },
      ...(outside === 'network' ? {} : { outboundService: outside }),
    })
    return { miniflare, url: await miniflare.ready }
  }
  const service: AgencyService = {
    ...(await start()),
    folder,
    pid: () => workerdProcesses()[0] ?? 0,
    crash: async () => {
      for (const pid of workerdProcesses()) process.kill(pid, 'SIGKILL')
      await service.miniflare.dispose()
      Object.assign(service, await start())
    },
    stop: async () => {
      await service.miniflare.dispose()
      for (const made of [bundle, folder]) rmSync(made, { recursive: true, force: true })
    },
  }
  await fill(service, size)
  return service
}

/**
 * Calls a service by the admin token under `/admin`, by a key elsewhere. Returns the text of the answer; throws unless its
 * status is 200.
 */
export async function callAgency(
  { url }: Pick<AgencyService, 'url'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  const token = path.startsWith('/admin') ? ADMIN_TOKEN : KEY
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { Authorization: `Bearer ${token}`, ...headers },
    body: isRaw ? (body as BodyInit | undefined) : JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text
}

/** The same, with JSON as the answer. */
// biome-ignore lint/suspicious/noExplicitAny: callers look at any part of it
export async function askAgency(...call: Parameters<typeof callAgency>): Promise<any> {
  return JSON.parse(await callAgency(...call))
}

/** Migrates an empty service, stores a key and imports the demo agency. */
async function fill({ miniflare, url }: AgencyService, size: DemoSize | 0 | undefined): Promise<void> {
  const db = await miniflare.getD1Database('DB')
  await db.batch(migrationStatements().map((text) => db.prepare(text)))
  await storeKey(miniflare, KEY)
  if (size === 0) return
  const lines = Array.from(demoLines(size), (line) => JSON.stringify(line))
  const service = { url: url.origin, adminToken: ADMIN_TOKEN }
  const { rejected, errors } = await importLines(service, lines, () => undefined)
  if (rejected > 0) throw new Error(`The demo agency was refused: ${JSON.stringify(errors.slice(0, 3))}`)
}
