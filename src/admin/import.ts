/** `/admin/import` and `/admin/export`: the whole database as one JSON object a line. */
import type { Context } from 'hono'
import { z } from 'zod'
import { type Database, database } from '../db/client.ts'
import { isObject } from '../http/check.ts'
import { itemBody } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { readBytes } from '../http/request.ts'
import { type App, Router } from '../http/router.ts'
import { ENTITIES } from './entities.ts'
import { checkLine, type Entity, type Line, storeLines } from './entity.ts'
import { ADMINISTRATION } from './tag.ts'

/** What one request may carry. */
const MAX_LINES = 1000
const MAX_BYTES = 8 * 1024 * 1024
/** Lines stored in one transaction; D1 takes a parameter of 2 MB at most. */
const CHUNK_LINES = 100
const CHUNK_LENGTH = 500_000
const MAX_LINE_LENGTH = 600_000
/** Refused lines named in an answer. */
const MAX_ERRORS = 100
/** Records an export reads at once. */
const EXPORT_PAGE = 200

/** What became of the lines of an import. */
const report = z
  .object({
    accepted: z.int().describe('Lines that were stored'),
    rejected: z.int().describe('Lines that were refused'),
    errors: z
      .array(
        z
          .object({
            line: z.int().describe('Which line, from 1'),
            entity: z.string().nullable().describe('Its entity, where it names one'),
            id: z.union([z.int(), z.string()]).nullable().describe('Its id or key, where it has one'),
            message: z.string().describe('Why it was refused'),
          })
          .meta({ id: 'ImportError', description: 'A line that was refused' }),
      )
      .max(MAX_ERRORS)
      .describe('The first lines that were refused'),
  })
  .meta({ id: 'ImportReport', description: 'What became of the lines of an import' })

export const transferRoutes = new Router(...ADMINISTRATION)

transferRoutes.post(
  '/admin/import',
  {
    summary: 'Import records',
    operationId: 'importRecords',
    description:
      `One JSON object a line: \`{"entity": "stores", "data": {"id": 1, "name": "Athens"}}\`. A line is stored under its ` +
      'id (settings under their `key`), over what is there: sending a file twice changes nothing. Lines count in their ' +
      'order, so what is referred to comes first. A bad line is refused alone; what a good one stores has all the ' +
      `effects of a write. At most ${MAX_LINES} lines or ${MAX_BYTES / 1024 / 1024} MB a request.\n\nEntities, in the ` +
      `order of an export: ${ENTITIES.map(({ name }) => `\`${name}\``).join(', ')}.`,
    bodyType: 'application/x-ndjson',
    maxBytes: MAX_BYTES,
    reply: itemBody(report),
  },
  async (c) => {
    const text = new TextDecoder().decode(await readBytes(c, MAX_BYTES))
    const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line.trim() }))
    const filled = lines.filter((line) => line.text !== '')
    if (filled.length > MAX_LINES)
      throw new ApiError(413, `Body too large: at most ${MAX_LINES} lines are accepted`)
    const results = await importLines(database(c.env), filled)
    const rejected = results.filter((result) => result.message !== null)
    return c.json({
      status: 200,
      data: {
        accepted: results.length - rejected.length,
        rejected: rejected.length,
        errors: rejected.slice(0, MAX_ERRORS).map(({ number, entity, id, message }) => ({
          line: number,
          entity,
          id,
          message,
        })),
      },
    })
  },
)

transferRoutes.get(
  '/admin/export',
  {
    summary: 'Export every record',
    operationId: 'exportRecords',
    description:
      'Streams the whole database as lines that import takes back. Pictures and files travel as their addresses.',
    replyType: 'application/x-ndjson',
  },
  (c) => exportAll(c),
)

interface Result {
  number: number
  entity: string | null
  id: number | string | null
  message: string | null
}

type ParsedLine = { text: string; result: Result } & ({ entity: Entity; line: Line } | { entity: null })

/** Stores the lines in their order, neighbours of the same entity together. */
async function importLines(db: Database, lines: { number: number; text: string }[]): Promise<Result[]> {
  const parsed = lines.map(parseLine)
  for (const { entity, chunk } of chunksOf(parsed)) {
    await storeLines(db, entity, chunk)
  }
  return parsed.map((entry) =>
    entry.entity ? { ...entry.result, message: entry.line.message } : entry.result,
  )
}

function parseLine({ number, text }: { number: number; text: string }): ParsedLine {
  const refuse = (message: string, entity: string | null = null): ParsedLine => ({
    text,
    entity: null,
    result: { number, entity, id: null, message },
  })
  if (text.length > MAX_LINE_LENGTH) {
    return refuse(`Line too long: at most ${MAX_LINE_LENGTH} characters are accepted`)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refuse('Invalid JSON')
  }
  if (!isObject(json)) return refuse('Invalid line: must be an object with entity and data')
  if (typeof json.entity !== 'string') return refuse('Missing entity')
  const entity = ENTITIES.find(({ name }) => name === json.entity)
  if (!entity) return refuse(`Unknown entity ${json.entity}`, json.entity)
  if (!isObject(json.data)) return refuse('Missing data', json.entity)
  const line = checkLine(entity, number, json.data)
  return { text, entity, line, result: { number, entity: entity.name, id: line.id, message: null } }
}

/** Runs of lines of the same entity, no longer than one transaction takes, each record in it once. */
function chunksOf(lines: ParsedLine[]): { entity: Entity; chunk: Line[] }[] {
  const chunks: { entity: Entity; chunk: Line[]; length: number; ids: Set<Line['id']> }[] = []
  for (const entry of lines) {
    if (!entry.entity) continue
    const { line, text } = entry
    const last = chunks.at(-1)
    const fits = last && last.chunk.length < CHUNK_LINES && last.length + text.length <= CHUNK_LENGTH
    const repeats = line.id !== null && last?.ids.has(line.id)
    if (last && fits && last.entity === entry.entity && !repeats) {
      last.chunk.push(line)
      last.length += text.length
      last.ids.add(line.id)
    } else {
      chunks.push({ entity: entry.entity, chunk: [line], length: text.length, ids: new Set([line.id]) })
    }
  }
  return chunks
}

/** Streams every entity page by page; the reader sets the pace. */
function exportAll(c: Context<App>): Response {
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

async function* exportLines(db: Database): AsyncGenerator<string> {
  for (const { name, page } of ENTITIES) {
    let after: unknown = 0
    while (typeof after === 'number') {
      const records = await page(db, after, EXPORT_PAGE)
      if (records.length === 0) break
      yield records.map((data) => `${JSON.stringify({ entity: name, data })}\n`).join('')
      after = records.at(-1)?.id
    }
  }
}
