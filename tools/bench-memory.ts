/**
 * Whether the largest calls stay below the memory of a Worker: `npm run bench -- memory`. Each is made to a workerd of its
 * own, whose JavaScript heap may have `--heap` megabytes and no more: it fails where it needs more.
 *
 * V8 and the codec are asked what they hold, once garbage is collected, behind every step that makes something large, in
 * the middle of the call, and 20 times a second in between. Fails when that is above 128 MB less a margin.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine, readNumber, showProgress } from '../scripts/service/terminal.ts'
import { freePort } from '../scripts/start/port.ts'
import { copyDatabase } from './bench/database.ts'
import { copyVaried } from './bench/varied.ts'
import { MEMORY_CALLS, type MemoryCall, STORED_PHOTO } from './bench-memory/cases.ts'
import { connectInspector, type Usage } from './bench-memory/inspector.ts'
import { addMarks } from './bench-memory/probe.ts'

import { buildBundle } from './runtime/bundle.ts'
import { TOOLS_KEY as KEY, storeKey } from './runtime/key.ts'
import { startBundle } from './runtime/workerd.ts'

const USAGE = `Measures whether the largest calls stay below the memory of a Worker.

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
/** Milliseconds between two stops beside the marks. */
const PAUSE = 50
const ADMIN_TOKEN = 'memory-admin-token'

const HEAP = readNumber('heap', options.heap)

const asked = options.calls.split(',').filter(Boolean)
const bundle = buildBundle()
const script = join(bundle, 'index.js')
writeFileSync(script, addMarks(readFileSync(script, 'utf8')))
console.log('| call | held, MB | of it heap | buffers | codec |')
console.log('| --- | ---: | ---: | ---: | ---: |')
for (const [name, make] of Object.entries(MEMORY_CALLS)) {
  if (asked.length === 0 || asked.includes(name)) await measure(await make())
}
rmSync(bundle, { recursive: true, force: true })

async function measure(call: MemoryCall): Promise<void> {
  try {
    const held = await mostHeldDuring(call)
    showProgress('', true)
    const figures = [sum(held), held.heap, held.buffers, held.codec].map(megabytes)
    console.log(`| ${call.title} | ${figures.join(' | ')} |`)
    if (megabytes(sum(held)) > LIMIT - MARGIN) {
      console.log(`Too much: at most ${LIMIT - MARGIN} MB of ${LIMIT}`)
      process.exitCode = 1
    }
  } catch (error) {
    console.log(`| ${call.title} | failed: ${error instanceof Error ? error.message : String(error)} |`)
    process.exitCode = 1
  }
}

/** The most that a service of its own holds while it is asked and what it did is checked. Throws if it never stopped. */
async function mostHeldDuring(call: MemoryCall): Promise<Usage> {
  const listings = SEARCHED > 0 ? { varied: SEARCHED } : call.listings
  const folder = await (typeof listings === 'number' ? copyDatabase(listings) : copyVaried(listings.varied))
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
  })
  try {
    const url = await miniflare.ready
    await storeKey(miniflare, KEY)
    const prepared = await call.prepare?.((path, body) =>
      send(url, { path, body: { type: 'application/json', bytes: JSON.stringify(body) } }),
    )
    const asked = { ...call, path: prepared ?? call.path }
    if (call.stored) await (await miniflare.getR2Bucket('PHOTOS')).put(STORED_PHOTO, call.stored)
    // Loaded as in production: from the portions that cron packs, some in each run.
    const worker = await miniflare.getWorker()
    for (let packed = 0; packed < SEARCHED; packed += 250_000) await worker.scheduled({ cron: '* * * * *' })
    if (SEARCHED > 0 && !call.beside) await (await send(url, { path: '/api/listings/facets' })).arrayBuffer()
    const inspector = await connectInspector(inspectorPort)
    let most: Usage = { heap: 0, buffers: 0, codec: 0 }
    await inspector.stopAtMarks((usage) => {
      if (sum(usage) > sum(most)) most = usage
    })
    const timer = setInterval(() => inspector.stop(), PAUSE)
    try {
      // Checked while it is watched, as an answer can be long.
      await askAndCheck(url, asked)
    } finally {
      clearInterval(timer)
      inspector.close()
    }
    if (sum(most) === 0) throw new Error('the isolate never stopped')
    return most
  } finally {
    await miniflare.dispose()
    process.env.MINIFLARE_WORKERD_V8_FLAGS = ''
    rmSync(folder, { recursive: true, force: true })
  }
}

async function askAndCheck(url: URL, call: MemoryCall): Promise<void> {
  // While a picture is computed, workerd cannot close connections that idle, and then does so under a call.
  const askBeside = async () =>
    call.beside &&
    (await send(url, { path: call.beside }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    ))
  const beside = askBeside()
  const calls = Array.from({ length: call.times ?? 1 }, () => send(url, call))
  const get = (path: string) => send(url, { path })
  for (const answer of await Promise.all(calls)) await call.check({ answer, get })
  await beside
  await askBeside()
}

function send(url: URL, { path, body }: Pick<MemoryCall, 'path' | 'body'>): Promise<Response> {
  const token = path.startsWith('/admin/') ? ADMIN_TOKEN : KEY
  return fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': body.type } : {}) },
    body: body?.bytes as BodyInit | undefined,
  })
}

function sum({ heap, buffers, codec }: Usage): number {
  return heap + buffers + codec
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
