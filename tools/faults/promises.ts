/** The checks that must pass after any failure, once storage works again. */
import { PAGE_SIZE } from '../../src/http/request/page-size.ts'
import type { AgencyService } from '../runtime/agency.ts'
import type { Acknowledged } from './record.ts'
import { credentials } from './writes.ts'

/** Columns that refer to objects of the bucket, with the statements that list their keys. */
const REFERENCES: Record<string, string> = {
  'listing_photos.original_image': 'select original_image as key from listing_photos',
  'listing_photos.watermark_image': 'select watermark_image as key from listing_photos',
  'listing_panoramas.image': 'select image as key from listing_panoramas',
  'listing_panoramas.thumb': 'select thumb as key from listing_panoramas',
  'stores.watermark': 'select watermark as key from stores',
  'external_listings.photos': 'select value as key from external_listings, json_each(photos)',
  'knowledge_base_files.url': 'select url as key from knowledge_base_files',
}
/** The format of a key in these columns; other values are URLs of other sites. */
const KEY = /^[a-z-]+\/[0-9a-f]{32}\.[a-z]{3,4}$/
/** How long runs of cron may take to finish all pending work, in milliseconds, and the pause between them. */
const WITHIN_MS = 60_000
const PAUSE_MS = 500

/** All broken promises, one line each. */
export async function findBroken(service: AgencyService, ...known: Acknowledged[]): Promise<string[]> {
  const ofWriters: string[] = []
  for (const one of known)
    ofWriters.push(...(await missingWrites(service, one)), ...(await missingPictures(service, one)))
  return [
    ...ofWriters,
    ...(await missingObjects(service)),
    ...(await wrongMatches(service)),
    ...(await wrongCounts(service)),
  ]
}

async function missingWrites({ url }: AgencyService, known: Acknowledged): Promise<string[]> {
  const broken: string[] = []
  for (const [path, fields] of known.byPath()) {
    if (!path.startsWith('/api/')) continue
    const answer = await fetch(new URL(path, url), { headers: credentials(path) })
    const { data } = (await answer.json()) as { data?: Record<string, unknown> }
    for (const { name, values } of fields) {
      if (!values.includes(data?.[name]))
        broken.push(`${path}: ${name} is ${String(data?.[name])}, acknowledged ${values.join(' or ')}`)
    }
  }
  return broken
}

async function missingPictures({ url }: AgencyService, { pictures }: Acknowledged): Promise<string[]> {
  const broken: string[] = []
  for (const picture of pictures) {
    const answer = await fetch(new URL(new URL(picture).pathname, url), { method: 'HEAD' })
    if (!answer.ok) broken.push(`${picture} was acknowledged and answers ${answer.status}`)
  }
  return broken
}

async function missingObjects(service: AgencyService): Promise<string[]> {
  const bucket = await service.miniflare.getR2Bucket('PHOTOS')
  const broken: string[] = []
  for (const [key, where] of await findReferences(service))
    if (!(await bucket.head(key))) broken.push(`${where} refers to ${key}, which is gone`)
  return broken
}

/** Keys in the bucket that no row refers to. Two sweeps on working storage should leave none. */
export async function findLeftOver(service: AgencyService): Promise<string[]> {
  const bucket = await service.miniflare.getR2Bucket('PHOTOS')
  const references = await findReferences(service)
  const left: string[] = []
  for (let cursor: string | undefined, isDone = false; !isDone; ) {
    const page = await bucket.list({ cursor })
    left.push(...page.objects.map(({ key }) => key).filter((key) => !references.has(key)))
    isDone = !page.truncated
    if (page.truncated) cursor = page.cursor
  }
  return left
}

/** The keys that rows refer to, each with its column. */
async function findReferences({ miniflare }: AgencyService): Promise<Map<string, string>> {
  const db = await miniflare.getD1Database('DB')
  const found = new Map<string, string>()
  for (const [where, statement] of Object.entries(REFERENCES)) {
    const { results } = await db.prepare(statement).all<{ key: string | null }>()
    for (const { key } of results) if (key && KEY.test(key)) found.set(key, where)
  }
  return found
}

/** Differences between stored or presented matches and a new computation. */
async function wrongMatches(service: AgencyService): Promise<string[]> {
  const fresh = await findFresh(service)
  const expected = new Set(fresh.map(([request, listing, score]) => `${request} ${listing} ${score}`))
  let stored = await readStored(service)
  for (const end = Date.now() + WITHIN_MS; !equal(stored, expected) && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    await fetch(new URL(`/faults/scheduled?cron=${encodeURIComponent('* * * * *')}`, service.url))
    stored = await readStored(service)
  }
  const missing = [...expected].filter((row) => !stored.has(row))
  const stale = [...stored].filter((row) => !expected.has(row))
  if (missing.length + stale.length === 0) return wrongPages(service, fresh)
  return [
    `${missing.length} matches missing, ${stale.length} stale: ${[...missing, ...stale].slice(0, 2).join(', ')}`,
  ]
}

/** Request, listing, score, deviations. */
type FreshMatch = [number, number, number, unknown]

async function findFresh({ url }: AgencyService): Promise<FreshMatch[]> {
  return (await (await fetch(new URL('/faults/matches', url))).json()) as FreshMatch[]
}

/** The stored matches as `<request> <listing> <score>`. */
async function readStored({ miniflare }: AgencyService): Promise<Set<string>> {
  const db = await miniflare.getD1Database('DB')
  const { results } = await db
    .prepare('select request_id, listing_id, score from request_matches')
    .all<{ request_id: number; listing_id: number; score: number }>()
  return new Set(results.map(({ request_id, listing_id, score }) => `${request_id} ${listing_id} ${score}`))
}

function equal(a: Set<string>, b: Set<string>): boolean {
  return a.size === b.size && [...a].every((entry) => b.has(entry))
}

interface ShownMatch {
  listing_id: number
  score: number
  deviations: unknown
}

/** Requests whose first page of matches differs from `fresh`, including deviations. */
async function wrongPages({ url }: AgencyService, fresh: FreshMatch[]): Promise<string[]> {
  const broken: string[] = []
  for (const [id, matches = []] of Map.groupBy(fresh, ([request]) => request)) {
    const path = `/api/requests/${id}/matches`
    const answer = await fetch(new URL(path, url), { headers: credentials(path) })
    const { data } = (await answer.json()) as { data?: ShownMatch[] }
    const shown = data?.map(({ listing_id, score, deviations }) => [id, listing_id, score, deviations])
    const expected = matches.slice(0, PAGE_SIZE)
    if (JSON.stringify(shown) !== JSON.stringify(expected)) broken.push(`${path} shows other matches`)
  }
  return broken
}

async function wrongCounts({ miniflare }: AgencyService): Promise<string[]> {
  const db = await miniflare.getD1Database('DB')
  const kind = 'category, status, availability, subcategory, subtype'
  const { results } = await db
    .prepare(
      `select ${kind}, sum(listings) as difference from (
        select ${kind}, listings from listing_counts
        union all select category, status, availability, ifnull(subcategory, ''), ifnull(subtype, 0), -1 from listings)
      group by ${kind} having difference <> 0`,
    )
    .all()
  return results.map((row) => `listing_counts is off: ${JSON.stringify(row)}`)
}
