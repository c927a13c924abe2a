/**
 * What is measured, in one workerd over one database: the bundle as it is deployed, the Worker by hand, one that does next
 * to nothing, and the first two once more with their storage counted.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { http } from '../runtime/http.ts'
import { storeKey, TOOLS_KEY } from '../runtime/key.ts'

/** The `Host` by which a Worker is called. */
const HOSTS = {
  ours: 'ours.test',
  'by-hand': 'by-hand.test',
  baseline: 'baseline.test',
  'ours-counted': 'ours-counted.test',
  'by-hand-counted': 'by-hand-counted.test',
}

export type Host = keyof typeof HOSTS

/** Stored photos are read at this origin, whichever Worker is called. */
const PUBLIC_BASE_URL = 'https://agency.example'

const BASELINE = `export default { async fetch(request, env) {
  if (new URL(request.url).pathname === '/static') return Response.json({ status: 200 })
  return Response.json(await env.DB.prepare('select id, name from users where id = ?').bind(1).first())
} }`

/** Lines of the log are made and not written: Miniflare would read each in the process that asks. */
const SILENT = 'console.log = () => undefined;\n'

/** Starts all on the database in `folder`; `bundle` is the folder with ours. */
export async function startWorkers(bundle: string, folder: string): Promise<Miniflare> {
  const common = {
    compatibilityDate: '2026-08-15',
    d1Databases: ['DB'],
    kvNamespaces: ['API_KEYS'],
    r2Buckets: ['PHOTOS'],
    bindings: { PUBLIC_BASE_URL, RECORD_TRAIL: process.env.RECORD_TRAIL ?? 'on' },
    // A kept answer would ask the database nothing.
    cacheAPI: false,
  }
  const ours = readdirSync(bundle)
    .filter((file) => file.endsWith('.js') || file.endsWith('.wasm'))
    .toSorted((a, b) => Number(b === 'index.js') - Number(a === 'index.js'))
    .map((file) =>
      file.endsWith('.wasm')
        ? { type: 'CompiledWasm' as const, path: file, contents: readFileSync(join(bundle, file)) }
        : {
            type: 'ESModule' as const,
            path: file,
            contents: SILENT + readFileSync(join(bundle, file), 'utf8'),
          },
    )
  const byHand = [{ type: 'ESModule' as const, path: 'index.js', contents: build('by-hand.ts') }]
  const counting = {
    type: 'ESModule' as const,
    path: 'counting-worker.js',
    contents: build('counting-worker.ts', './index.js'),
  }
  const worker = (name: Host, modules: object[]) => ({
    name,
    routes: [`${HOSTS[name]}/*`],
    modules,
    ...common,
  })
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: folder,
      workers: [
        worker('ours', ours),
        worker('by-hand', byHand),
        worker('baseline', [{ type: 'ESModule', path: 'index.js', contents: BASELINE }]),
        worker('ours-counted', [counting, ...ours]),
        worker('by-hand-counted', [counting, ...byHand]),
      ],
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  )
  await storeKey(miniflare, TOOLS_KEY)
  return miniflare
}

/** The headers of every call; `fetch` would not send the host. */
export function headersFor(host: Host): Record<string, string> {
  return { host: HOSTS[host], authorization: `Bearer ${TOOLS_KEY}`, 'content-type': 'application/json' }
}

/** The text of the answer; throws when it is no success. */
export async function ask(
  url: URL,
  host: Host,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const sent = { headers: headersFor(host), body: JSON.stringify(body) }
  const { status, text } = await http(new URL(path, url), method, sent)
  if (status === 200) return text
  throw new Error(`${host}: ${method} ${path}: ${status} ${text.slice(0, 300)}`)
}

/** The text of a module of this folder; what it imports as `external` stays an import. */
function build(entry: string, ...external: string[]): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    external,
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
