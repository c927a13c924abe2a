/** `/admin/import`: records as one JSON object a line. */
import { z } from 'zod'
import { type Database, database } from '../../db/client.ts'
import { Router } from '../../http/endpoint/router.ts'
import { ApiError } from '../../http/errors.ts'
import { recordBody, replyWithRecord } from '../../http/reply/envelope.ts'
import { readBytes } from '../../http/request/body.ts'
import { parseJson } from '../../http/request/json.ts'
import { isObject, pickKnownKeys } from '../../http/request/object-keys.ts'
import { ADMINISTRATION } from '../tag.ts'
import { ENTITIES } from './entities.ts'
import { type Entity, type Mode, recordKeyOf } from './entity.ts'
import { exportAll } from './export.ts'
import { storeLines } from './store-lines.ts'
import type { Line } from './write-lines.ts'

/** What one request may carry; a line is no longer than a request. */
const MAX_LINES = 1000
const MAX_BYTES = 8 * 1024 * 1024
/**
 * Most values of a line, more than those of a body: a listing may hold a floor configuration of 250,000 of them and
 * 20,000 pictures, which came call by call.
 */
const MAX_LINE_VALUES = 400_000
/** Refused lines, and lines with unknown keys, named in an answer. */
const MAX_NAMED = 100
/** Unknown keys named of a line, and the characters repeated of anything sent. */
const MAX_FIELDS = 20
const MAX_REPEATED = 100

const options = z.object({
  mode: z
    .enum(['merge', 'replace'])
    .nullish()
    .describe(
      '`merge`, the default: a line whose record exists changes the keys it has, as PUT does. `replace`: a line is ' +
        'the whole record, as for a restore; pictures, files and dates that it does not name stay',
    ),
  errors: z.enum(['all']).nullish().describe(`\`all\` names every refused line, not the first ${MAX_NAMED}`),
})

/** What became of the lines of an import. */
const report = z
  .object({
    accepted: z.int().describe('Lines that are stored now, changed by this request or not'),
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
      .max(MAX_LINES)
      .describe('The first lines that were refused'),
    ignored: z
      .array(
        z
          .object({
            line: z.int().describe('Which line, from 1'),
            fields: z.array(z.string()).describe('Its unknown keys, dotted'),
          })
          .meta({ id: 'ImportIgnored', description: 'A line with keys that nobody knows' }),
      )
      .max(MAX_NAMED)
      .describe('The first lines with unknown keys, which were ignored'),
  })
  .meta({ id: 'ImportReport', description: 'What became of the lines of an import' })

export const transferRoutes = new Router(...ADMINISTRATION)

transferRoutes.post(
  '/admin/import',
  {
    summary: 'Import records',
    operationId: 'importRecords',
    description:
      `One JSON object a line: \`{"entity": "stores", "data": {"id": 1, "name": "Athens"}}\`. A line whose record ` +
      'exists (by its id; settings by their `key`) changes the keys it has, as a PUT does; else it is a new record. ' +
      'Sending a file twice changes nothing. A line with `"mode": "replace"` is the whole record, as those are that an ' +
      'export adds for what has changed meanwhile. Lines count in their order, so what is referred to comes first. A bad line ' +
      'is refused alone; what a good one stores has all the effects of a write. ' +
      `At most ${MAX_LINES} lines or ${MAX_BYTES / 1024 / 1024} MB a request.\n\nEntities, in the ` +
      `order of an export: ${ENTITIES.map(({ name }) => `\`${name}\``).join(', ')}.`,
    filters: options,
    bodyType: 'application/x-ndjson',
    maxBytes: MAX_BYTES,
    reply: recordBody(report),
  },
  async (c, { filters }) => {
    const lines = readLines(await readBytes(c, MAX_BYTES))
    const { mode, errors } = filters().complete()
    const results = await importLines(database(c.env), lines, mode ?? 'merge')
    return replyWithRecord(c, reportOf(results, errors === 'all'))
  },
)

transferRoutes.get(
  '/admin/export',
  {
    summary: 'Export every record',
    operationId: 'exportRecords',
    description:
      'Streams the whole database as lines that import takes back. Pictures and files travel as their addresses. What ' +
      'others write meanwhile follows, so that the file is the database at the moment of its end.',
    replyType: 'application/x-ndjson',
  },
  (c) => exportAll(c),
)

/** What became of a line; `entity` and `line` are there once it could be read. */
interface ImportResult {
  number: number
  name: string | null
  message: string | null
  read: { entity: Entity; line: Line } | null
}

/** Stores the lines in their order, neighbours of the same entity together. */
async function importLines(
  db: Database,
  lines: { number: number; bytes: Uint8Array }[],
  mode: Mode,
): Promise<ImportResult[]> {
  const results = lines.map(({ number, bytes }) => parseLine(number, bytes, mode))
  for (const { entity, run } of groupByEntity(results)) await storeLines(db, entity, run)
  return results
}

/** The lines of a body that hold more than blanks. */
function readLines(body: Uint8Array): { number: number; bytes: Uint8Array }[] {
  const lines: { number: number; bytes: Uint8Array }[] = []
  for (let start = 0, number = 1; start < body.length; number++) {
    const newline = body.indexOf(0x0a, start)
    const end = newline < 0 ? body.length : newline
    const bytes = body.subarray(start, end)
    if (bytes.some((byte) => byte !== 0x20 && byte !== 0x0d && byte !== 0x09)) lines.push({ number, bytes })
    if (lines.length > MAX_LINES) {
      throw new ApiError(413, `Body too large: at most ${MAX_LINES} lines are accepted`)
    }
    start = end + 1
  }
  return lines
}

function parseLine(number: number, bytes: Uint8Array, mode: Mode): ImportResult {
  const refuse = (message: string, name: string | null = null): ImportResult => ({
    number,
    name,
    message,
    read: null,
  })
  const json = readLine(bytes)
  if (json instanceof ApiError) return refuse(`Too large: a line has at most ${MAX_LINE_VALUES} values`)
  if (json === undefined) return refuse('Invalid JSON')
  if (!isObject(json)) return refuse('Invalid line: must be an object with entity and data')
  const { entity: name, data, mode: own } = json
  if (typeof name !== 'string') return refuse('Missing entity')
  const shown = name.slice(0, MAX_REPEATED)
  const entity = ENTITIES.find((known) => known.name === name)
  if (!entity) return refuse(`Unknown entity ${shown}`, shown)
  if (!isObject(data)) return refuse('Missing data', shown)
  const { known, unknown } = pickKnownKeys(entity.schema, data)
  const id = recordKeyOf(entity, known)
  const line: Line = {
    number,
    id,
    data: known,
    unknown,
    mode: own === 'replace' ? own : mode,
    length: bytes.length,
    forcedKeys: new Set<string>(),
    ignored: unknown,
    message: null,
  }
  return { number, name, message: null, read: { entity, line } }
}

/** What a line holds; undefined for no JSON or too deep a one, the error for one of too many values. */
function readLine(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, { maxValues: MAX_LINE_VALUES, sharesBuffer: true })
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Runs of lines of the same entity, each record in it once. */
function groupByEntity(results: ImportResult[]): { entity: Entity; run: Line[] }[] {
  const runs: { entity: Entity; run: Line[]; ids: Set<Line['id']> }[] = []
  for (const { read } of results) {
    if (!read) continue
    const { entity, line } = read
    const last = runs.at(-1)
    const repeats = line.id !== null && last?.ids.has(line.id)
    if (last?.entity === entity && !repeats) {
      last.run.push(line)
      last.ids.add(line.id)
    } else {
      runs.push({ entity, run: [line], ids: new Set([line.id]) })
    }
  }
  return runs
}

function reportOf(results: ImportResult[], allErrors: boolean): z.output<typeof report> {
  const errors = results.flatMap(({ number, name, message, read }) => {
    const refused = read?.line.message ?? message
    if (refused === null) return []
    const id = read?.line.id ?? null
    return { line: number, entity: name, id: typeof id === 'string' ? truncated(id) : id, message: refused }
  })
  const ignored = results.flatMap(({ number, read }) => {
    const fields = read?.line.ignored ?? []
    return fields.length > 0 ? { line: number, fields: fields.slice(0, MAX_FIELDS).map(truncated) } : []
  })
  return {
    accepted: results.length - errors.length,
    rejected: errors.length,
    errors: allErrors ? errors : errors.slice(0, MAX_NAMED),
    ignored: ignored.slice(0, MAX_NAMED),
  }
}

/** As much of a text that was sent as an answer repeats. */
function truncated(text: string): string {
  return text.slice(0, MAX_REPEATED).toWellFormed()
}
