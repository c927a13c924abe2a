/**
 * `/admin/export`: the whole database as one JSON object a line.
 *
 * D1 reads no snapshot, so what others write meanwhile follows at the end: every page is read again, and written again
 * where it differs, until a pass finds nothing new. These passes go from what refers to what is referred to: by the time
 * a record is read all that it names is there, so whatever a line refers to is in the file, if need be below it, even
 * when the passes run out.
 */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { type Database, database } from '../db/client.ts'
import type { App } from '../http/app.ts'
import { letOthersIn } from '../http/turns.ts'
import { ENTITIES } from './entities.ts'
import { type Entity, keyOf, type Mode } from './entity.ts'

/** Records read at once: as many as make about `PAGE_LENGTH` characters, going by those before. */
const FIRST_PAGE = 100
const MAX_PAGE = 1000
const PAGE_LENGTH = 1_000_000
/** How often what was written meanwhile is looked for; each pass is shorter on news than the one before. */
const MAX_PASSES = 10

/** Streams every entity page by page; the reader sets the pace. */
export function exportAll(c: Context<App>): Response {
  const lines = exportLines(database(c.env))
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  return c.body(body, 200, {
    'Content-Type': 'application/x-ndjson',
    'Content-Disposition': 'attachment; filename="estia.ndjson"',
  })
}

type Key = number | string

/** Below every key: a number is less than any text. */
const FIRST: Key = 0

/** The records of an entity above one key up to another, as they were written last. */
interface Page {
  after: Key
  last: Key
  digest: string
}

async function* exportLines(db: Database): AsyncGenerator<string> {
  const pages = new Map<Entity, Page[]>(ENTITIES.map((entity) => [entity, []]))
  for (let pass = 0; pass <= MAX_PASSES; pass++) {
    let news = false
    for (const [entity, written] of pass === 0 ? pages : [...pages].reverse()) {
      for await (const text of changedPages(db, entity, written, pass === 0 ? 'merge' : 'replace')) {
        news = true
        yield text
      }
    }
    if (!news) return
  }
}

/** The pages of an entity that are not as they were `written`, and those that are new; notes them there. */
async function* changedPages(
  db: Database,
  entity: Entity,
  written: Page[],
  mode: Mode,
): AsyncGenerator<string> {
  for (const page of written) {
    const lines = await readAll(db, entity, page)
    const digest = await digestOf(lines)
    if (digest === page.digest) continue
    page.digest = digest
    yield textOf(lines, mode)
  }
  let limit = FIRST_PAGE
  let after = written.at(-1)?.last ?? FIRST
  for (;;) {
    const { lines, last } = await readPage(db, entity, after, null, limit)
    if (last === null) return
    written.push({ after, last, digest: await digestOf(lines) })
    const text = textOf(lines, mode)
    yield text
    after = last
    limit = Math.max(1, Math.min(MAX_PAGE, 4 * limit, Math.round((limit * PAGE_LENGTH) / text.length)))
  }
}

/** A page as it is now, whatever was written into it. */
async function readAll(db: Database, entity: Entity, page: Page): Promise<string[]> {
  const whole: string[] = []
  let after: Key | null = page.after
  while (after !== null) {
    const { lines, last } = await readPage(db, entity, after, page.last, MAX_PAGE)
    for (const line of lines) whole.push(line)
    after = last
  }
  return whole
}

/** The next records above `after` as JSON, and the key of the last; null when there are none. */
async function readPage(
  db: Database,
  entity: Entity,
  after: Key,
  upTo: Key | null,
  limit: number,
): Promise<{ lines: string[]; last: Key | null }> {
  await letOthersIn()
  const key = sql.raw(`${entity.name}.${entity.key ?? 'id'}`)
  const where = upTo === null ? sql`${key} > ${after}` : sql`${key} > ${after} and ${key} <= ${upTo}`
  const rows = after === upTo ? [] : await entity.read(db, where, limit)
  if (rows.length === 0) return { lines: [], last: null }
  const last = keyOf(entity, rows.at(-1))
  if (last === null || last <= after) {
    throw new Error(`The export does not get past ${entity.name} ${after}`)
  }
  const lines = rows.map((row) => JSON.stringify({ entity: entity.name, data: entity.present(row) }))
  return { lines, last }
}

/**
 * The lines of a file. One that a later pass adds says that it is the whole record: merged over the one further up it
 * would leave what was cleared meanwhile.
 */
function textOf(lines: string[], mode: Mode): string {
  const end = mode === 'merge' ? '\n' : `,"mode":"${mode}"}\n`
  return lines.map((line) => (mode === 'merge' ? line : line.slice(0, -1)) + end).join('')
}

async function digestOf(lines: string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines.join('\n')))
  return String.fromCharCode(...new Uint8Array(digest))
}
