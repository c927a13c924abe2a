/**
 * Whether the largest calls stay below the memory of a Worker: `npm run bench -- memory`. Each is taken twice, by a workerd
 * of its own whose JavaScript heap may have `--heap` megabytes and no more: it fails where it needs more.
 *
 * - **held**: V8 and the codec are asked what they hold, once garbage is collected, behind every step that makes something
 *   large, in the middle of the call. In between it is asked to stop 20 times a second, which does not always happen:
 *   a dash means that it never stopped.
 * - **process**: what the isolate held before and how much the whole process then grew, with all garbage and what the
 *   simulators of D1, R2 and KV take: more than the isolate had. Taken without the stops.
 *
 * Fails when held, or process where held is a dash, is above 128 MB less a margin. Needs Linux.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine, readNumber, showProgress } from '../scripts/service/terminal.ts'
import { freePort } from '../scripts/start/port.ts'
import { copyDatabase } from './bench/database.ts'
import { findWorkerd } from './bench/process.ts'
import { MEMORY_CALLS, type MemoryCall, STORED_PHOTO, storedPhoto } from './bench-memory/cases.ts'
import { connectInspector, type Inspector } from './bench-memory/inspector.ts'
import { addMarks } from './bench-memory/probe.ts'
import { sum, watchIsolate, watchProcess } from './bench-memory/watch.ts'
import { copySearched } from './bench-search/database.ts'
import { buildBundle } from './runtime/bundle.ts'
import { TOOLS_KEY as KEY, storeKey } from './runtime/key.ts'
import { startBundle } from './runtime/workerd.ts'

const USAGE = `Measures whether the largest calls stay below the memory of a Worker. Needs Linux.

Usage: npm run bench -- memory [OPTIONS]

  --calls NAMES      some of ${Object.keys(MEMORY_CALLS).join(', ')} (default: all)
  --heap MB          the JavaScript heap that workerd may have (default: 48), or more where a call is known to need it;
                     less than a call needs ends it with "fetch failed"
  --searched NUMBER  asks an agency of so many listings, which has been searched before
  --help             shows this`

const { values: options } = readCommandLine(USAGE, {
  calls: { type: 'string', default: '' },
  heap: { type: 'string', default: '48' },
  searched: { type: 'string', default: '0' },
})
/** Listings that a search has loaded into memory before each call; 0 for none. */
const SEARCHED = readNumber('searched', options.searched)
/** What a Worker may hold, and how far below it a call has to stay, in MB. */
const [LIMIT, MARGIN] = [128, 16]
/** Searches at once beside a call, so that one is always awaiting D1. */
const SEARCHERS = 8
const ADMIN_TOKEN = 'memory-admin-token'

const HEAP = readNumber('heap', options.heap)

const asked = options.calls.split(',').filter(Boolean)
const bundle = buildBundle()
const script = join(bundle, 'index.js')
writeFileSync(script, addMarks(readFileSync(script, 'utf8')))
console.log('| call | held, MB | of it heap | buffers | codec | process, MB |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: |')
for (const [name, make] of Object.entries(MEMORY_CALLS)) {
  if (asked.length === 0 || asked.includes(name)) await measure(await make())
}
rmSync(bundle, { recursive: true, force: true })

async function measure(call: MemoryCall): Promise<void> {
  try {
    const held = await withService(call, watchIsolate)
    const grown = await withService(call, watchProcess)
    showProgress('', true)
    const isHeld = sum(held) > 0
    const parts = [sum(held), held.heap, held.buffers, held.codec].map((part) =>
      isHeld ? megabytes(part) : '–',
    )
    const figures = [...parts, megabytes(grown)]
    console.log(`| ${call.title} | ${figures.join(' | ')} |`)
    // A call that never stopped is measured by its process.
    if (megabytes(isHeld ? sum(held) : grown) > LIMIT - MARGIN) {
      console.log(`Too much: at most ${LIMIT - MARGIN} MB of ${LIMIT}`)
      process.exitCode = 1
    }
  } catch (error) {
    console.log(`| ${call.title} | failed: ${error instanceof Error ? error.message : String(error)} |`)
    process.exitCode = 1
  }
}

/** Watches a service of its own while it is asked and what it did is checked. */
async function withService<T>(
  call: MemoryCall,
  watch: (pid: number, inspector: Inspector, take: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const listings = SEARCHED > 0 ? { varied: SEARCHED } : call.listings
  const folder = await (typeof listings === 'number' ? copyDatabase(listings) : copySearched(listings.varied))
  // Preparing a database takes more.
  const heap = Math.max(HEAP, call.heap ?? 0)
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${heap} --expose-gc`
  const inspectorPort = await freePort()
  const miniflare = startBundle(bundle, {
    resourcePersistencePath: folder,
    d1Databases: ['DB'],
    r2Buckets: ['PHOTOS'],
    kvNamespaces: ['API_KEYS'],
    bindings: { ADMIN_TOKEN },
    inspectorPort,
    outboundService: () => new Response(new Uint8Array(call.outside ?? [])),
  })
  try {
    const url = await miniflare.ready
    await storeKey(miniflare, KEY)
    const prepared = await call.prepare?.((path, body) =>
      send(url, { path, body: { type: 'application/json', bytes: JSON.stringify(body) } }),
    )
    const asked = { ...call, path: prepared ?? call.path }
    const pictures = Array.from({ length: 1 + (call.others ?? 0) }, (_, index) => storedPhoto(index))
    const bucket = await miniflare.getR2Bucket('PHOTOS')
    for (const key of call.stored ? pictures : []) await bucket.put(key, call.stored ?? '')
    // Loaded as in production: from the portions that cron packs, some in each run.
    const worker = await miniflare.getWorker()
    for (let packed = 0; packed < SEARCHED; packed += 250_000) await worker.scheduled({ cron: '* * * * *' })
    if (SEARCHED > 0 && !call.isCold) await (await send(url, { path: '/api/listings/facets' })).arrayBuffer()
    const inspector = await connectInspector(inspectorPort)
    try {
      // Checked while it is watched, as an answer can be long.
      return await watch(findWorkerd(), inspector, async () => {
        // While a picture is computed, workerd cannot close connections that idle, and then does so under a call.
        const askBeside = async () =>
          call.beside &&
          (await send(url, { path: call.beside }).then(
            (answer) => answer.arrayBuffer(),
            () => undefined,
          ))
        let isOver = call.isCold === true
        const searchers = Array.from({ length: isOver ? 1 : SEARCHERS }, async () => {
          await askBeside()
          while (call.beside && !isOver) await askBeside()
        })
        const calls = Array.from({ length: call.times ?? 1 }, () => pictures)
          .flat()
          .map((key) => send(url, { ...asked, path: asked.path.replace(STORED_PHOTO, key) }))
        const get = (path: string) => send(url, { path })
        try {
          for (const answer of await Promise.all(calls)) await call.check({ answer, get })
        } finally {
          isOver = true
        }
        await Promise.all(searchers)
        await askBeside()
      })
    } finally {
      inspector.close()
    }
  } finally {
    await miniflare.dispose()
    process.env.MINIFLARE_WORKERD_V8_FLAGS = ''
    rmSync(folder, { recursive: true, force: true })
  }
}

function send(url: URL, { path, body }: Pick<MemoryCall, 'path' | 'body'>): Promise<Response> {
  const token = path.startsWith('/admin/') ? ADMIN_TOKEN : KEY
  return fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': body.type } : {}) },
    body: body?.bytes as BodyInit | undefined,
  })
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
