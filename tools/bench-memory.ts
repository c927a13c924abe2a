/**
 * Whether the largest calls stay below the memory of a Worker: `npm run bench:memory`. Each is taken by a workerd of its
 * own whose JavaScript may hold `--heap` megabytes and no more: it fails where it needs more. Beside that, two figures:
 * what was held when it was asked (V8 answers only between two computations), and a bound that counts everything the
 * process grew by. Fails when a bound is above 128 MB less a margin. Needs Linux.
 *
 *     npm run bench:memory -- --calls base64,png --heap 48
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { showProgress } from '../scripts/service/terminal.ts'
import { copyDatabase } from './bench/database.ts'
import { findWorkerd } from './bench/process.ts'
import { type MemoryCall, memoryCalls } from './bench-memory/cases.ts'
import { connectInspector } from './bench-memory/inspector.ts'
import { type Peak, sum, watchMemory } from './bench-memory/watch.ts'
import { freePort } from './runtime/port.ts'
import { buildBundle, startBundle } from './runtime/workerd.ts'

const { values: options } = parseArgs({
  options: { calls: { type: 'string', default: '' }, heap: { type: 'string', default: '48' } },
})
/** What a Worker may hold, and how far below it a call has to stay, in MB. */
const [LIMIT, MARGIN] = [128, 8]
const [KEY, ADMIN_TOKEN] = ['memory-key', 'memory-admin-token']

process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${options.heap}`
const asked = options.calls.split(',').filter(Boolean)
const bundle = buildBundle()
console.log(`| call, with ${options.heap} MB of heap | held, MB: heap | buffers | bound, MB | of ${LIMIT} |`)
console.log('| --- | ---: | ---: | ---: | --- |')
for (const [name, make] of Object.entries(memoryCalls())) {
  if (asked.length === 0 || asked.includes(name)) await tryCall(await make())
}
rmSync(bundle, { recursive: true, force: true })

async function tryCall(call: MemoryCall): Promise<void> {
  const folder = await copyDatabase(call.listings)
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
    const keys = await miniflare.getKVNamespace('API_KEYS')
    const hash = createHash('sha256').update(KEY).digest('hex')
    await keys.put(hash, JSON.stringify({ id: KEY, name: KEY, scopes: ['*:read', '*:write'], expires: null }))
    const inspector = await connectInspector(inspectorPort)
    let outcome = ''
    const peak = await watchMemory(findWorkerd(), inspector, async () => {
      outcome = await ask(url, call)
    })
    inspector.close()
    report(call, outcome, peak)
  } catch (error) {
    report(call, error instanceof Error ? error.message : String(error), null)
  } finally {
    await miniflare.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Why the call did not do what it was to do; empty when it did. */
async function ask(url: URL, { path, body, isDone, mayBeRefused }: MemoryCall): Promise<string> {
  const token = path.startsWith('/admin/') ? ADMIN_TOKEN : KEY
  const answer = await fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': body.type } : {}) },
    body: body?.bytes as BodyInit | undefined,
  })
  // A reader that keeps nothing, as an export is longer than what is to be measured.
  let start = ''
  let isRecognised = false
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    isRecognised ||= isDone(part)
    if (start.length < 300) start += part
  }
  if (mayBeRefused && [400, 415].includes(answer.status)) return 'skipped: the service knows no such body'
  return answer.ok && (isRecognised || isDone(start)) ? '' : `failed: ${answer.status} ${start.slice(0, 200)}`
}

function report({ title }: MemoryCall, outcome: string, peak: Peak | null): void {
  showProgress('', true)
  if (outcome || !peak) {
    console.log(`| ${title} | – | – | – | ${outcome} |`)
    if (!outcome.startsWith('skipped')) process.exitCode = 1
    return
  }
  const bound = megabytes(peak.bound)
  const verdict = bound <= LIMIT - MARGIN ? `${LIMIT - bound} below` : 'TOO MUCH'
  if (bound > LIMIT - MARGIN) process.exitCode = 1
  const { heap } = peak.held
  console.log(
    `| ${title} | ${megabytes(heap)} | ${megabytes(sum(peak.held) - heap)} | ${bound} | ${verdict} |`,
  )
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
