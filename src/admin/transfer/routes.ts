/** `/admin/import` and `/admin/export`: records as one JSON object a line. */
import { z } from 'zod'
import { type Database, database } from '../../db/client.ts'
import { Router } from '../../http/endpoint/router.ts'
import { ApiError } from '../../http/errors.ts'
import { recordBody, replyWithRecord } from '../../http/reply/envelope.ts'
import { readBytes } from '../../http/request/body.ts'
import { parseJson } from '../../http/request/json.ts'
import { isObject, pickKnownKeys } from '../../http/request/object-keys.ts'
import { readQuery } from '../../http/request/query.ts'
import { ADMINISTRATION } from '../tag.ts'
import { ENTITIES } from './entities.ts'
import { type Entity, type Line, type Mode, recordKeyOf } from './entity.ts'
import { exportAll, exportPart } from './export.ts'
import { storeLines } from './store-lines.ts'

/** Limits of one call. A single line may be as long as the whole call. */
const MAX_LINES = 1000
const MAX_BYTES = 8 * 1024 * 1024
/**
 * Maximum values of a line, more than in other bodies. A listing may have a floor configuration of 250,000 values and
 * 20,000 pictures that were added call by call.
 */
const MAX_LINE_VALUES = 400_000
/** Maximum refused lines, and lines with unknown keys, in a reply. */
const MAX_NAMED = 100
/** Maximum unknown keys reported for a line. */
const MAX_FIELDS = 20
/** Maximum characters of a sent text that the reply repeats. */
const MAX_REPEATED = 100

const options = z.object({
  mode: z
    .enum(['merge', 'replace'])
    .nullish()
    .describe(
      '`merge`, the default: a line of an existing record changes only the keys that it has, as PUT does. `replace`: a ' +
        'line is the whole record, as for a restore; pictures, files and dates that it does not name stay',
    ),
  errors: z
    .enum(['all'])
    .nullish()
    .describe(`\`all\` returns every refused line, not only the first ${MAX_NAMED}`),
})

const exportQuery = z.object({
  after: z
    .string()
    .optional()
    .describe(
      '`start` for the first part, about 16 MB. The `Link` of each part leads to the next one, at any later time',
    ),
})

/** The result of an import. */
const report = z
  .object({
    accepted: z.int().describe('Lines whose record is stored, including those that changed nothing'),
    rejected: z.int().describe('Lines that were refused'),
    errors: z
      .array(
        z
          .object({
            line: z.int().describe('Number of the line, from 1'),
            entity: z.string().nullable().describe('Its entity, if it names one'),
            id: z.union([z.int(), z.string()]).nullable().describe('Its id or key, if it has one'),
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
            line: z.int().describe('Number of the line, from 1'),
            fields: z.array(z.string()).describe('Its unknown keys, dotted'),
          })
          .meta({ id: 'ImportIgnored', description: 'A line with unknown keys' }),
      )
      .max(MAX_NAMED)
      .describe('The first lines with unknown keys, which were ignored'),
  })
  .meta({ id: 'ImportReport', description: 'The result of an import' })

export const transferRoutes = new Router(...ADMINISTRATION)

transferRoutes.post(
  '/admin/import',
  {
    summary: 'Import records',
    scope: 'admin:import',
    operationId: 'importRecords',
    description:
      `One JSON object a line: \`{"entity": "stores", "data": {"id": 1, "name": "Athens"}}\`. A line whose record ` +
      'exists (by its id; settings by their `key`) changes the keys that it has, as a PUT does; otherwise it creates a ' +
      'record. Sending a file twice changes nothing. A line with `"mode": "replace"` is the whole record; an export adds ' +
      'such lines for records that changed while it ran. Lines are processed in order, so referenced records come first. ' +
      'An invalid line is refused without affecting others; a stored line has all the effects of a write. ' +
      `At most ${MAX_LINES} lines or ${MAX_BYTES / 1024 / 1024} MB a call.\n\nEntities, in the ` +
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
    scope: 'admin:export',
    operationId: 'exportRecords',
    description:
      'Streams the whole database as lines that import accepts. Pictures and files are included as their URLs. Records ' +
      'that change meanwhile are added, so that the file equals the database at the moment when it ends. With `after`, the ' +
      'answer is a part of the file: all parts together are the file.',
    query: exportQuery,
    errors: { 400: 'Invalid after: must be start, or a cursor of an export' },
    replyHeaders: { Link: 'With `after`: the next part, `rel="next"`. The last part has none' },
    replyType: 'application/x-ndjson',
    readsInBulk: true,
  },
  (c) => {
    const { after } = readQuery(c, exportQuery)
    return after === undefined ? exportAll(c) : exportPart(c, after)
  },
)

/** The result of a line. `read` is null when the line could not be parsed. */
interface ImportResult {
  number: number
  name: string | null
  message: string | null
  read: { entity: Entity; line: Line } | null
}

/** Stores the lines in their order; consecutive lines of one entity are stored together. */
async function importLines(
  db: Database,
  lines: { number: number; bytes: Uint8Array }[],
  mode: Mode,
): Promise<ImportResult[]> {
  const results = lines.map(({ number, bytes }) => parseLine(number, bytes, mode))
  for (const { entity, run } of groupByEntity(results)) await storeLines(db, entity, run)
  return results
}

/** The lines of a body that are not blank. Throws 413 when there are too many. */
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
  const { entity: name, data, mode: lineMode } = json
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
    mode: lineMode === 'replace' ? lineMode : mode,
    length: bytes.length,
    forcedKeys: new Set<string>(),
    ignored: unknown,
    message: null,
  }
  return { number, name, message: null, read: { entity, line } }
}

/** The JSON of a line. Undefined if it is invalid or nested too deeply, the error if it has too many values. */
function readLine(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, { maxValues: MAX_LINE_VALUES, sharesBuffer: true })
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Groups consecutive lines of one entity; a group contains each record once. */
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

/** The part of a sent text that the reply repeats. */
function truncated(text: string): string {
  return text.slice(0, MAX_REPEATED).toWellFormed()
}
