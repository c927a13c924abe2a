/** Calls with idempotency keys: each takes effect once, however often it is sent, with the same reply each time. */
import { type AnswerBody, credentials, type Write } from '../faults/writes.ts'
import type { AgencyService } from '../runtime/agency.ts'

/** A write with its body as bytes, because a form would get new boundaries each time. */
export interface Repeatable extends Omit<Write, 'body'> {
  body: Uint8Array<ArrayBuffer> | null
  headers: Record<string, string>
}

/** The reply to a write: the exact text and its headers. */
interface Result {
  call: Repeatable
  reply: string
}

/** The tables that a POST adds rows to, by the end of its path. */
const TABLES: Record<string, string> = {
  listings: 'listings',
  contacts: 'contacts',
  requests: 'requests',
  'external-listings': 'external_listings',
  photos: 'listing_photos',
  'panorama-photos': 'listing_panoramas',
}
const REPLAYED_HEADERS = ['ETag', 'X-Ignored-Fields', 'X-Photo-Errors']
/** Maximum calls that are repeated in each round. */
const MAX_REPEATED = 100

/** Fixes the headers and bytes of a write; a POST to the API also gets an idempotency key. */
export async function makeRepeatable({ body, ...write }: Write): Promise<Repeatable> {
  const encoded = body === null ? null : new Response(body)
  const type = encoded?.headers.get('Content-Type')
  const takesKey = write.method === 'POST' && write.path.startsWith('/api/')
  return {
    ...write,
    body: encoded && new Uint8Array(await encoded.arrayBuffer()),
    headers: {
      ...credentials(write.path),
      ...(type ? { 'Content-Type': type } : {}),
      ...(takesKey ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
    },
  }
}

/** Sends a write; rejects when there is no reply. */
export function sendTo(
  { url }: AgencyService,
  { method, path, body, headers }: Repeatable,
): Promise<Response> {
  return fetch(new URL(path, url), { method, body, headers })
}

/** The replies to the keys of a run, and the rows that they created. */
export class KeyedAnswers {
  private readonly results = new Map<string, Result>()
  /** The expected number of rows of each table. */
  private readonly rows = new Map<string, number>()

  /** Counts the rows of the tables before the first call. */
  async begin(service: AgencyService): Promise<void> {
    for (const table of Object.values(TABLES)) this.rows.set(table, await countRows(service, table))
  }

  get size(): number {
    return this.results.size
  }

  /** Records a successful reply with the body `text`. */
  note(call: Repeatable, answer: Response, text: string): void {
    const key = call.headers['Idempotency-Key']
    if (!key) return
    this.results.set(key, { call, reply: describeResult(answer, text) })
    const table = TABLES[call.path.split('/').at(-1) ?? '']
    if (table) this.rows.set(table, (this.rows.get(table) ?? 0) + countMade(JSON.parse(text) as AnswerBody))
  }

  /** Repeats the latest calls. Returns a line for each whose reply differs from the first one. */
  async findOtherAnswers(service: AgencyService): Promise<string[]> {
    const broken: string[] = []
    for (const [key, { call, reply }] of [...this.results].slice(-MAX_REPEATED)) {
      const answer = await sendTo(service, call)
      const again = describeResult(answer, await answer.text())
      if (again !== reply || answer.headers.get('Idempotent-Replayed') !== 'true')
        broken.push(`${call.path} with ${key}: ${again.slice(0, 200)} instead of ${reply.slice(0, 200)}`)
    }
    return broken
  }

  /** Returns a line for each table whose row count differs from the replies. Valid once every call has a reply. */
  async findOtherRows(service: AgencyService): Promise<string[]> {
    const broken: string[] = []
    for (const [table, expected] of this.rows) {
      const rows = await countRows(service, table)
      if (rows !== expected) broken.push(`${table} has ${rows} rows, replies report ${expected}`)
    }
    return broken
  }
}

function describeResult({ status, headers }: Response, text: string): string {
  return JSON.stringify([status, text, ...REPLAYED_HEADERS.map((name) => headers.get(name))])
}

/** The number of created rows: a list in the reply says of each picture whether it is stored. */
function countMade({ data }: AnswerBody): number {
  return Array.isArray(data) ? data.filter(({ success }: { success?: boolean }) => success).length : 1
}

async function countRows({ miniflare }: AgencyService, table: string): Promise<number> {
  const db = await miniflare.getD1Database('DB')
  return (await db.prepare(`select count(*) as rows from ${table}`).first<number>('rows')) ?? 0
}
