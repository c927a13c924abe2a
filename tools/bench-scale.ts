/**
 * What records take in the database, and what calls cost: `npm run bench:scale`. Records of real size are imported into the
 * demo agency, one kind after the other; the database is measured before and after, with indexes and all that follows from a
 * record.
 */
import { type DemoLine, demoLines } from '../demo/generate.ts'
import { importLines } from '../scripts/service/import-lines.ts'
import { readCommandLine, readNumber, showProgress } from '../scripts/service/terminal.ts'
import { reportCallCosts } from './bench-scale/costs.ts'
import { ADMIN_TOKEN, KEY, startAgency } from './runtime/agency.ts'

const USAGE = `Measures what records take in the database, and what calls cost.

Usage: npm run bench:scale [-- OPTIONS]

  --records NUMBER  how many of each kind are imported (default: 2000)
  --help            shows this`

const { values: options } = readCommandLine(USAGE, { records: { type: 'string', default: '2000' } })
const RECORDS = readNumber('records', options.records)

/** What D1 holds, in bytes. */
const LIMIT = 10_000_000_000
/** The first id of what is imported: far above those of the demo agency. */
const FIRST_ID = 100_000
/** Photos of a listing, and letters of its description in each language. */
const [PHOTOS, LETTERS] = [20, 2_200]

type Data = Record<string, unknown>

/** The demo records of an entity, which stand for real ones. */
const demo = new Map<string, Data[]>()
for (const { entity, data } of demoLines()) demo.set(entity, [...(demo.get(entity) ?? []), data as Data])

/** Imports records made of those of the demo agency, in turn. */
function manyOf(entity: string, change: (data: Data, id: number) => Data = (data) => data): DemoLine[] {
  const originals = (demo.get(entity) ?? []).filter((data) => !data.is_deleted && data.status !== 'deleted')
  return Array.from({ length: RECORDS }, (_, index) => {
    const id = FIRST_ID + index
    return { entity, data: { ...change(originals[index % originals.length] ?? {}, id), id } }
  })
}

const text = (letters: number) =>
  'Διαμέρισμα με θέα, κοντά σε σχολεία. '.repeat(letters / 37 + 1).slice(0, letters)
const keyOf = (number: number) => `photos/${String(number).padStart(32, '0')}.jpg`

/** A listing with photos, texts in two languages and a code of its own. */
function realListing(data: Data, id: number, status: string): Data {
  return {
    ...data,
    code: `X-${id}`,
    status,
    photos: Array.from({ length: PHOTOS }, (_, index) => ({
      original_image: keyOf(id * 100 + index),
      watermark_image: keyOf(id * 100 + index + 50),
    })),
    translations: [1, 2].map((language_id) => ({ language_id, title: text(60), description: text(LETTERS) })),
  }
}

/** A place without listings: its requests have no matches. */
const usedPlaces = new Set(
  (demo.get('listings') ?? []).flatMap(({ location }) => Object.values(location as Data)),
)
const emptyPlace = (demo.get('locations') ?? []).find(
  ({ id, level }) => level === 3 && !usedPlaces.has(id),
)?.id

const service = await startAgency('tools/bench-scale/worker.ts', undefined)
const rows: string[] = []
let costs = ''
try {
  await settle()
  await measure('contact', manyOf('contacts'))
  await measure(
    'draft of a listing',
    manyOf('listings', (data, id) => realListing(data, id, 'draft')),
  )
  await measure(
    '… once it is active and read',
    manyOf('listings', (data, id) => realListing(data, id, 'active')),
    true,
  )
  await measure('external listing', manyOf('external_listings'))
  await measure(
    'request without a match',
    manyOf('requests', (data) => ({ ...data, locations: [emptyPlace] })),
  )
  await measure('enquiry', manyOf('enquiries'))
  await measure('offer with its rounds', manyOf('offers', withoutRoundIds))
  await measure('contract', manyOf('contracts'))
  await measure(
    'income',
    manyOf('incomes', (data) => ({ ...data, commissions: [] })),
  )
  await measure(
    'expense',
    manyOf('expenses', (data) => ({ ...data, auto_generated: false })),
  )
  await measure(
    'article',
    manyOf('knowledge_base_articles', (data) => ({ ...data, files: [] })),
  )
  await measure(
    'change of a price, in the trail',
    manyOf('listings', () => ({ price: 123_456 })),
  )
  showProgress('costs of calls')
  await fetch(new URL('/measured', service.url))
  costs = await reportCallCosts(service, FIRST_ID, settle)
} finally {
  await service.stop()
}
showProgress('', true)
console.log(`${RECORDS.toLocaleString('en')} of each kind\n`)
console.log(['| record | bytes | in 10 GB |', '| --- | ---: | ---: |', ...rows].join('\n'))
console.log(`\n${costs}`)

/** Ids of rounds are unique. */
function withoutRoundIds(data: Data, id: number): Data {
  const rounds = (data.rounds as Data[]).map((round, index) => ({
    ...round,
    id: 10_000 + (id - FIRST_ID) * 10 + index,
  }))
  return { ...data, rounds }
}

/** Imports `lines` and lets cron do what they leave; adds the bytes that a record takes on average to the table. */
async function measure(name: string, lines: DemoLine[], isRead = false): Promise<void> {
  showProgress(name)
  const before = await databaseBytes()
  const texts = lines.map((line) => JSON.stringify(line))
  const totals = await importLines(
    { url: service.url.origin, adminToken: ADMIN_TOKEN },
    texts,
    () => undefined,
  )
  if (totals.rejected > 0) throw new Error(`${name}: ${JSON.stringify(totals.errors[0])}`)
  if (isRead) await readListings()
  await settle()
  const bytes = ((await databaseBytes()) - before) / RECORDS
  rows.push(`| ${name} | ${shown(bytes)} | ${shown(Number((LIMIT / bytes).toPrecision(2)))} |`)
}

function shown(figure: number): string {
  return Math.round(figure).toLocaleString('en')
}

/** What reading a listing stores. */
async function readListings(): Promise<void> {
  for (let page = 1; ; page++) {
    const url = new URL(`/api/listings?per_page=100&page=${page}`, service.url)
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${KEY}` } })
    const { total_pages } = (await answer.json()) as { total_pages: number }
    if (page >= total_pages) return
  }
}

interface Stats {
  waiting: Record<string, number>
  database: { bytes: number }
}

async function readStats(): Promise<Stats> {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` }
  const answer = await fetch(new URL('/admin/stats', service.url), { headers })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { data: Stats }).data
}

async function databaseBytes(): Promise<number> {
  return (await readStats()).database.bytes
}

/** Runs cron until nothing but pictures waits: those that are measured take no more room. */
async function settle(): Promise<void> {
  for (;;) {
    const ran = await fetch(new URL(`/scheduled?cron=${encodeURIComponent('* * * * *')}`, service.url))
    await ran.text()
    const { pictures: _, ...waiting } = (await readStats()).waiting
    if (Object.values(waiting).every((left) => !left)) return
  }
}
