/** Calls with idempotency keys: each is made once, however often it is sent, and answered the same each time. */
import { type AnswerBody, credentials, type Write } from '../faults/writes.ts'
import type { AgencyService } from '../runtime/agency.ts'

/** A write with its body as bytes: a form would have other boundaries each time. */
export interface Repeatable extends Omit<Write, 'body'> {
  body: Uint8Array<ArrayBuffer> | null
  headers: Record<string, string>
}

/** What an answer says of the result, the very text and the headers that go with it. */
interface Result {
  call: Repeatable
  told: string
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
/** Answers that are asked for again in each round. */
const MAX_REPEATED = 100

/** Gives a write the headers it is always sent with, a POST to the API also a key. */
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

/** Sends a write; rejects when there is no answer. */
export function sendTo(
  { url }: AgencyService,
  { method, path, body, headers }: Repeatable,
): Promise<Response> {
  return fetch(new URL(path, url), { method, body, headers })
}

/** What the keys of a run have made. */
export class KeyedAnswers {
  private readonly results = new Map<string, Result>()
  /** Rows that each table has to have. */
  private readonly rows = new Map<string, number>()

  /** Takes what the tables hold before the first call. */
  async begin(service: AgencyService): Promise<void> {
    for (const table of Object.values(TABLES)) this.rows.set(table, await countRows(service, table))
  }

  get size(): number {
    return this.results.size
  }

  /** Notes a successful answer, of which `text` is the body. */
  note(call: Repeatable, answer: Response, text: string): void {
    const key = call.headers['Idempotency-Key']
    if (!key) return
    this.results.set(key, { call, told: describeResult(answer, text) })
    const table = TABLES[call.path.split('/').at(-1) ?? '']
    if (table) this.rows.set(table, (this.rows.get(table) ?? 0) + countMade(JSON.parse(text) as AnswerBody))
  }

  /** Sends the latest calls again: a line for each that is answered otherwise than the first time. */
  async findOtherAnswers(service: AgencyService): Promise<string[]> {
    const broken: string[] = []
    for (const [key, { call, told: headers }] of [...this.results].slice(-MAX_REPEATED)) {
      const answer = await sendTo(service, call)
      const again = describeResult(answer, await answer.text())
      if (again !== headers || answer.headers.get('Idempotent-Replayed') !== 'true')
        broken.push(`${call.path} with ${key}: ${again.slice(0, 200)} instead of ${headers.slice(0, 200)}`)
    }
    return broken
  }

  /** A line for each table that has other rows than the answers tell of; once no call is left without one. */
  async findOtherRows(service: AgencyService): Promise<string[]> {
    const broken: string[] = []
    for (const [table, expected] of this.rows) {
      const rows = await countRows(service, table)
      if (rows !== expected) broken.push(`${table} has ${rows} rows, answers told of ${expected}`)
    }
    return broken
  }
}

function describeResult({ status, headers }: Response, text: string): string {
  return JSON.stringify([status, text, ...REPLAYED_HEADERS.map((name) => headers.get(name))])
}

/** A list in an answer tells of each picture, whether it is stored. */
function countMade({ data }: AnswerBody): number {
  return Array.isArray(data) ? data.filter(({ success }: { success?: boolean }) => success).length : 1
}

async function countRows({ miniflare }: AgencyService, table: string): Promise<number> {
  const db = await miniflare.getD1Database('DB')
  return (await db.prepare(`select count(*) as rows from ${table}`).first<number>('rows')) ?? 0
}
