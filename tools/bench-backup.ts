/**
 * How long a backup and a restore take on this machine, and what they need: `npm run bench:backup`. A backup is made of the
 * listings of the demo agency, with longer texts and photos, repeated under other ids. It is restored, which compares what
 * is then exported, backed up by runs of cron, and exported to a folder. Needs Linux.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoLine, demoLines } from '../demo/generate.ts'
import { seeded } from '../fixtures/random.ts'
import { linesOf, openBackup, writeBackup } from '../scripts/backup/folder.ts'
import { importLines } from '../scripts/service/import-lines.ts'
import { readCommandLine, readNumber, showProgress } from '../scripts/service/terminal.ts'
import { API_VERSION } from '../src/http/version.ts'
import { ADMIN_TOKEN, type AgencyService, startAgency } from './runtime/agency.ts'

const USAGE = `Measures backups and restores on this machine. Needs Linux.

Usage: npm run bench:backup [-- OPTIONS]

  --listings NUMBER  how many listings the agency has (default: 20000)
  --help             shows this`

const { values: options } = readCommandLine(USAGE, { listings: { type: 'string', default: '20000' } })
const LISTINGS = readNumber('listings', options.listings)

const WORKER = 'tools/bench-backup/worker.ts'
/** Listings that are repeated, and photos and letters of each. */
const [TEMPLATES, PHOTOS, LETTERS] = [1000, 12, 1600]
/** Bytes of a part, as an export has them. */
const PART_BYTES = 16 * 1024 * 1024
/** How often memory is looked at, in milliseconds. */
const LOOK_MS = 100
const MB = 1024 * 1024

/** Entities whose records refer to listings, or are found by them. */
const REFERRING = ['offers', 'contracts', 'incomes', 'expenses', 'enquiries', 'requests']
/** Bytes of the large backup before they are compressed. */
let made = 0

const folder = mkdtempSync(join(tmpdir(), 'estia-bench-backup-'))
const [small, large, exported] = ['small', 'large', 'exported'].map((name) => join(folder, name))
try {
  await withService(null, async (service) => {
    await fill(service)
    await script(service, 'export', `${small}/`)
  })
  const lines = await writeBackup(
    `${large}`,
    { name: '2026-01-01', version: API_VERSION },
    largeParts(),
    (done) => showProgress(`${done} lines made`),
  )
  writeFileSync(join(`${large}`, 'erased.json'), '[]')
  console.log(`${lines} lines: ${(made / MB).toFixed(0)} MB, as parts ${sizeOf(`${large}`)}`)
  await withService(WORKER, async (service) => {
    await measured('npm run restore', service, () => script(service, 'restore', '--from', `${large}`))
    await measured('backup by cron', service, () => backUp(service))
    await measured('npm run export', service, () => script(service, 'export', `${exported}/`))
    console.log(`exported ${sizeOf(`${exported}`)}`)
    console.log('Most calls to D1:', await (await fetch(new URL('/counts', service.url))).json())
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function sizeOf(path: string): string {
  const sizes = readdirSync(path).map((file) => statSync(join(path, file)).size)
  return `${sizes.length - 2} files of ${(sizes.reduce((sum, size) => sum + size, 0) / MB).toFixed(1)} MB`
}

async function withService(
  worker: string | null,
  use: (service: AgencyService) => Promise<void>,
): Promise<void> {
  const service = await startAgency(worker, 0)
  try {
    await use(service)
    const errors = service.errors.filter(({ message }) => message.includes('"level":"error"'))
    if (errors.length > 0) console.log(`${errors.length} errors logged`, ...errors.slice(0, 3))
  } finally {
    await service.stop()
  }
}

/** Runs `work` and prints its time and how far the memory of the service grows; `work` may return what else is known. */
async function measured(name: string, service: AgencyService, work: () => Promise<string>): Promise<void> {
  const pid = service.pid()
  const before = residentBytes(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, LOOK_MS)
  const start = performance.now()
  const told = await work().finally(() => clearInterval(timer))
  const seconds = (performance.now() - start) / 1000
  showProgress('', true)
  const memory = `workerd with its database ${Math.round(before / MB)} → at most ${Math.round(most / MB)} MB`
  console.log(`${name}: ${seconds.toFixed(1)} s, ${memory}${told && `, ${told}`}`)
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}

async function fill({ url }: AgencyService): Promise<void> {
  const service = { url: url.origin, adminToken: ADMIN_TOKEN }
  const lines = Array.from(templateLines(), (line) => JSON.stringify(line))
  const { rejected, errors } = await importLines(service, lines, () => undefined)
  if (rejected > 0) throw new Error(JSON.stringify(errors.slice(0, 3)))
}

/** The demo agency without what refers to listings. */
function* templateLines(): Generator<DemoLine> {
  for (const line of demoLines({ contacts: 1000, listings: Math.min(TEMPLATES, LISTINGS) }))
    if (!REFERRING.includes(line.entity)) yield line
}

/** The lines of the small agency, with its listings repeated, in parts. */
async function* largeParts(): AsyncGenerator<Buffer> {
  let lines: string[] = []
  let length = 0
  for await (const line of largeLines()) {
    lines.push(`${line}\n`)
    length += Buffer.byteLength(line) + 1
    if (length < PART_BYTES) continue
    made += length
    yield Buffer.from(lines.join(''))
    lines = []
    length = 0
  }
  made += length
  yield Buffer.from(lines.join(''))
}

async function* largeLines(): AsyncGenerator<string> {
  const templates: (Record<string, unknown> & { translations?: object[] })[] = []
  const behind: string[] = []
  for await (const line of linesOf(await openBackup(`${small}`))) {
    const { entity, data } = JSON.parse(line.toString())
    if (entity === 'listings') templates.push(data)
    else if (templates.length > 0) behind.push(line.toString())
    else yield line.toString()
  }
  const words = [...new Set(JSON.stringify(templates).match(/\p{L}+/gu))]
  const random = seeded(5)
  for (let id = 1; id <= LISTINGS; id++) {
    // Words without an order compress less than texts do.
    const description = Array.from({ length: LETTERS / 8 }, () => random.pick(words)).join(' ')
    const photos = Array.from({ length: PHOTOS }, (_, index) => ({
      original_image: `https://photos.example/listings/${id}/${index}-7f3c9a2b5d8e4f60.jpg`,
      watermark_image: null,
    }))
    const template = templates[id % templates.length]
    const translations = template?.translations?.map((one) => ({ ...one, description }))
    const data = { ...template, id, code: `B-${id}`, translations, photos }
    yield JSON.stringify({ entity: 'listings', data })
  }
  yield* behind
}

/** Runs cron until the backup is whole. */
async function backUp({ miniflare }: AgencyService): Promise<string> {
  const worker = await miniflare.getWorker()
  const bucket = await miniflare.getR2Bucket('BACKUPS')
  await worker.scheduled({ cron: '17 3 * * *' })
  const times: number[] = []
  for (let isWhole = false; !isWhole; ) {
    const start = performance.now()
    await worker.scheduled({ cron: '* * * * *' })
    times.push((performance.now() - start) / 1000)
    const { objects } = await bucket.list()
    isWhole = objects.some(({ key }) => key.endsWith('/manifest.json'))
    showProgress(`${objects.length} parts`)
  }
  return `${times.length} runs of at most ${Math.max(...times).toFixed(1)} s`
}

/** Runs a script and says how much memory it took. */
async function script({ url }: AgencyService, name: string, ...parameters: string[]): Promise<string> {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, ...parameters, '--url', url.origin], {
    env: { ...process.env, ADMIN_TOKEN },
    stdio: 'inherit',
  })
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(child.pid ?? 0))
  }, LOOK_MS)
  const [code] = await once(child, 'exit').finally(() => clearInterval(timer))
  if (code !== 0) throw new Error(`npm run ${name} ended with ${code}`)
  return `the script at most ${Math.round(most / MB)} MB`
}
