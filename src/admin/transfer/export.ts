/**
 * `/admin/export`: the whole database as one JSON object a line.
 *
 * D1 offers no snapshot, so the file follows the database while it is written. Each page is read with the state of the
 * change feed in one transaction. Changes of records that are already written come before the page (`catch-up.ts`). So all
 * that a line refers to is above it, and after the last page the file equals the database at that moment.
 *
 * An export is a series of steps. It may stop behind each of them and go on from there later, so it can be cut into parts.
 */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { batch, type Database, database } from '../../db/client.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'
import type { App } from '../../http/context.ts'
import { invalid } from '../../http/errors.ts'
import { streamText } from '../../http/reply/stream.ts'
import { catchUp, selectFeedState, startExport } from './catch-up.ts'
import { exportLine } from './entity.ts'
import {
  enterNextEntity,
  entityOf,
  formatProgress,
  type Progress,
  parseProgress,
  type Step,
} from './export-progress.ts'

/** Records read at once: enough for about `PAGE_LENGTH` characters, judging by the page before. */
const FIRST_PAGE = 100
const MAX_PAGE = 1000
const PAGE_LENGTH = 1_000_000

/** Bytes after which an answer ends: a part is made in memory, as the cursor behind it stands in a header. */
export const PART = { bytes: 16 * 1024 * 1024 }
/** The value of `after` for the first part. */
const START = 'start'

/** Streams every entity page by page, as fast as the client reads. */
export function exportAll(c: Context<App>): Response {
  return c.body(streamText(c, textsOf(exportSteps(database(c.env), null))), 200, {
    ...NDJSON,
    'Content-Disposition': 'attachment; filename="estia.ndjson"',
  })
}

/** Answers with one part of an export, and a `Link` to the next one. Throws 400 if `after` is no cursor of an export. */
export async function exportPart(c: Context<App>, after: string): Promise<Response> {
  const from = after === START ? null : after
  if (from !== null && !parseProgress(from)) {
    throw invalid([{ field: 'after', message: 'Invalid after: must be start, or a cursor of an export' }])
  }
  const pieces: Uint8Array[] = []
  const part = partFrom(database(c.env), from, (bytes) => bytes >= PART.bytes)
  let step = await part.next()
  for (; !step.done; step = await part.next()) pieces.push(step.value.bytes)
  const next = step.value
  const url = new URL(c.req.url)
  if (next !== null) {
    url.search = new URLSearchParams({ after: next }).toString()
    c.header('Link', `<${url}>; rel="next"`)
  }
  return c.body(streamOf(pieces), 200, NDJSON)
}

/** Hands bytes over one by one, so that each can be let go once it is sent. */
function streamOf(pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  const left = pieces.values()
  return new ReadableStream({
    pull(controller) {
      const { value, done } = left.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

const NDJSON = { 'Content-Type': 'application/x-ndjson' }

/**
 * Whole lines of one part of an export, as text and in UTF-8, from a cursor on, or from the beginning if it is null. Returns
 * the cursor of the next part; null behind the last one.
 * @param isFull whether a part with so many bytes is to end where it can
 */
export async function* partFrom(
  db: Database,
  from: string | null,
  isFull: (bytes: number) => boolean,
): AsyncGenerator<{ text: string; bytes: Uint8Array }, string | null> {
  const encoder = new TextEncoder()
  let length = 0
  for await (const { text, next } of exportSteps(db, from)) {
    const bytes = encoder.encode(text)
    length += bytes.length
    if (bytes.length > 0) yield { text, bytes }
    if (next === null || (next !== undefined && isFull(length))) return next
  }
  throw new Error('The export has no end')
}

async function* textsOf(steps: AsyncIterable<Step>): AsyncGenerator<string> {
  for await (const { text } of steps) if (text !== '') yield text
}

/** The steps from a cursor to the end of the file; all of them if it is null. */
async function* exportSteps(db: Database, from: string | null): AsyncGenerator<Step> {
  const progress = from === null ? yield* agencySteps(db) : parseProgress(from)
  if (!progress) throw new Error('This is no cursor of an export')
  while (yield* entitySteps(db, progress));
}

async function* agencySteps(db: Database): AsyncGenerator<Step, Progress> {
  const { progress, texts } = await startExport(db)
  for (const text of texts) yield { text, next: undefined }
  yield { text: '', next: formatProgress(progress) }
  return progress
}

/**
 * The records of an entity in the order of their ids. Before each page come the changes of what is above it. Returns whether
 * other entities follow.
 */
async function* entitySteps(db: Database, progress: Progress): AsyncGenerator<Step, boolean> {
  const entity = entityOf(progress)
  let limit = FIRST_PAGE
  for (;;) {
    await yieldToEventLoop()
    const where = sql`${sql.raw(entity.name)}.id > ${progress.after}`
    const page = await batch(db, { states: selectFeedState(progress), rows: entity.read(where, limit) })
    const [state] = page.states
    const rows: { id: number }[] = page.rows
    // Records that changed since this page was read are in the lines before it, in a newer version.
    const newer = new Set<number>()
    if (state) yield* catchUp(db, progress, state, (changed, id) => changed === entity && newer.add(id))
    const text = rows
      .filter(({ id }) => !newer.has(id))
      .map((row) => exportLine(entity, row))
      .join('')
    const last = rows.at(-1)?.id ?? progress.after
    if (rows.length > 0 && last <= progress.after)
      throw new Error(`The export does not get past ${entity.name} ${progress.after}`)
    progress.after = last
    if (rows.length < limit) {
      const hasMore = enterNextEntity(progress)
      yield { text, next: hasMore ? formatProgress(progress) : null }
      return hasMore
    }
    yield { text, next: formatProgress(progress) }
    const length = Math.max(text.length, 1)
    limit = Math.max(1, Math.min(MAX_PAGE, 4 * limit, Math.round((limit * PAGE_LENGTH) / length)))
  }
}
