/** `/admin/import` and `/admin/export`: records as one JSON object a line. */

import type { Context } from 'hono'
import { z } from 'zod'
import { type Database, database } from '../../db/client.ts'
import { DryRun } from '../../db/dry-run.ts'
import { named } from '../../fields/values.ts'
import { describeEntered } from '../../http/caller/provenance.ts'
import type { App } from '../../http/context.ts'
import { Router } from '../../http/endpoint/router.ts'
import { recordBody } from '../../http/reply/envelope.ts'
import { readBytes } from '../../http/request/body.ts'
import { booleanFilter } from '../../http/request/filters.ts'
import { readQuery } from '../../http/request/query.ts'
import { basesOf, publicUrlBuilder } from '../../http/urls.ts'
import { isDownloadable } from '../../photos/download.ts'
import { ADMINISTRATION } from '../tag.ts'
import { ENTITIES } from './entities.ts'
import type { Entity, Screen } from './entity.ts'
import { exportAll, exportPart } from './export.ts'
import { type Line, MAX_LINE_PROBLEMS } from './line.ts'
import { MAX_LINES, type Options, type ReadLine, readLine, splitLines, truncated } from './read-lines.ts'
import { importLines } from './store-lines.ts'

/** Maximum lines of a kind in a reply, unless the call asks for all of them. */
const MAX_NAMED = 100
/** Maximum unknown keys reported for a line. */
const MAX_FIELDS = 20

const number = z.int().describe('Number of the line, from 1')

const report = named('ImportReport', 'The result of an import', {
  accepted: z.int().describe('Lines whose record is stored, including those that changed nothing'),
  rejected: z.int().describe('Lines that were refused'),
  errors: z
    .array(
      named('ImportError', 'A line that was refused', {
        line: number,
        entity: z.string().nullable().describe('Its entity, if it names one'),
        id: z.union([z.int(), z.string()]).nullable().describe('Its id or key, if it has one'),
        message: z.string().describe('Why it was refused: the first problem'),
        problems: z
          .array(
            z.object({
              field: z.string().nullable().describe('Dotted name; null: the line as a whole'),
              message: z.string().describe('The whole sentence'),
            }),
          )
          .describe(`Every problem found, at most ${MAX_LINE_PROBLEMS}`),
      }),
    )
    .max(MAX_LINES)
    .describe('The first lines that were refused'),
  warnings: z
    .array(
      named('ImportWarning', 'A line that is stored and may be a mistake', {
        line: number,
        message: z.string().describe('What to look at'),
      }),
    )
    .max(MAX_LINES)
    .describe(
      'The first lines that are stored, but which `strict` would refuse, or whose id belongs to a record that the API created',
    ),
  ignored: z
    .array(
      named('ImportIgnored', 'A line of which something was ignored', {
        line: number,
        fields: z
          .array(z.string())
          .describe('Its unknown keys, dotted, and texts of erased persons, which were dropped'),
      }),
    )
    .max(MAX_NAMED)
    .describe('The first lines of which something was ignored'),
  next: z
    .int()
    .nullable()
    .describe(
      'The line to go on from, if the call took too long for all: neither it nor a line below was looked at. Null: all were',
    ),
})

/** Maximum size of one call. A single line may be as long as the whole call. */
const MAX_BYTES = 8 * 1024 * 1024

const options = z.object({
  mode: z
    .enum(['merge', 'replace'])
    .nullish()
    .describe(
      '`merge`, the default: a line of an existing record changes only the keys that it has, as PUT does. `replace`: a ' +
        'line is the whole record, as for a restore; pictures, files and dates that it does not name stay',
    ),
  dry_run: booleanFilter().describe(
    '`true` answers as the import would, and stores nothing. Lines see those above them, as if they were stored',
  ),
  strict: booleanFilter().describe(
    '`true` refuses new records that `POST` would refuse, such as a feature that does not apply to the category, and texts ' +
      'that were read in a wrong encoding. Otherwise they are stored and named in `warnings`, as exports may have them',
  ),
  photos: z
    .enum(['fetch'])
    .nullish()
    .describe(
      '`fetch`: photos of listings whose `original_image` is an address elsewhere are downloaded within minutes, as ' +
        'by `POST /api/listings/{id}/photos`. Until then, and where that fails three times, they keep the address',
    ),
  errors: z
    .enum(['all'])
    .nullish()
    .describe(`\`all\` returns every refused line and warning, not only the first ${MAX_NAMED}`),
})

const exportQuery = z.object({
  after: z
    .string()
    .optional()
    .describe(
      '`start` for the first part, about 16 MB. The `Link` of each part leads to the next one, at any later time',
    ),
})

/** The routes of import and export. `screenOf`: what judges the lines of an entity beside its own rules. */
export function transferRoutes(screenOf: (entity: Entity) => Screen | undefined): Router {
  const routes = new Router(...ADMINISTRATION)
  const entities = ENTITIES.map((entity): Entity => ({ ...entity, screen: screenOf(entity) }))

  routes.post(
    '/admin/import',
    {
      summary: 'Import records',
      scope: 'admin:import',
      isOfRestore: 'token',
      operationId: 'importRecords',
      description:
        `One JSON object a line: \`{"entity": "stores", "data": {"id": 1, "name": "Athens"}}\`. A line whose record ` +
        'exists (by its id; settings by their `key`) changes the keys that it has, as a PUT does; otherwise it creates a ' +
        'record. Sending a file twice changes nothing. A line with `"mode": "replace"` is the whole record; an export adds ' +
        'such lines for records that changed while it ran, and lines with `"mode": "remove"` for what was ' +
        'removed. Lines are processed in order, so referenced records come first. ' +
        'An invalid line is refused without affecting others; a stored line has all the effects of a write. ' +
        `At most ${MAX_LINES} lines or ${MAX_BYTES / 1024 / 1024} MB a call.\n\nEntities, in the ` +
        `order of an export: ${ENTITIES.map(({ name }) => `\`${name}\``).join(', ')}. ` +
        'Their fields: see [Fields of an import](/docs/import-fields.md).',
      filters: options,
      bodyType: 'application/x-ndjson',
      maxBytes: MAX_BYTES,
      reply: recordBody(report),
    },
    async (c, { filters }) => {
      const bodies = splitLines(await readBytes(c, MAX_BYTES))
      const { mode, errors, dry_run, photos, strict } = filters().complete()
      const downloads = photos === 'fetch' ? downloadsOf(c) : null
      const lines = bodies.map((line) =>
        readLine(line, { mode: mode ?? 'merge', isStrict: strict ?? false, downloads, entities }),
      )
      const done = await importLines(dry_run ? dryDatabase(c.env) : database(c.env), lines)
      return reportOf(lines, done, errors === 'all')
    },
  )

  routes.get(
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
  return routes
}

/** A database that stores nothing. Such a call changes nothing, so its entry in the trail goes. */
function dryDatabase(env: Env): Database {
  describeEntered(env, { isTrial: true })
  return { ...database(env), dryRun: new DryRun() }
}

/** Which addresses of photos are to be downloaded: those elsewhere, if the service may call them. */
function downloadsOf(c: Context<App>): Options['downloads'] {
  const own = basesOf(publicUrlBuilder(c))
  const isElsewhere = (text: string) =>
    /^[a-z][a-z\d+.-]*:/i.test(text) && !own.some((base) => text.startsWith(base))
  return (text): ReturnType<NonNullable<Line['downloads']>> => {
    if (!isElsewhere(text)) return 'no'
    return isDownloadable(text, { env: c.env }) ? 'yes' : 'refused'
  }
}

/** What became of the first `done` of the lines, which are all that were looked at. */
function reportOf(all: ReadLine[], done: number, namesAll: boolean): z.output<typeof report> {
  const lines = all.slice(0, done)
  const errors = lines.flatMap(({ number, name, problems, read }) => {
    const found = read?.line.problems ?? problems
    const [first] = found
    if (!first) return []
    const id = read?.line.id ?? null
    const shownId = typeof id === 'string' ? truncated(id) : id
    return { line: number, entity: name, id: shownId, message: first.message, problems: found }
  })
  const warnings = lines.flatMap(({ number, read }) =>
    read?.line.warning && read.line.problems.length === 0 ? { line: number, message: read.line.warning } : [],
  )
  const ignored = lines.flatMap(({ number, read }) => {
    const fields = read?.line.ignored ?? []
    return fields.length > 0 ? { line: number, fields: fields.slice(0, MAX_FIELDS).map(truncated) } : []
  })
  return {
    accepted: lines.length - errors.length,
    rejected: errors.length,
    errors: namesAll ? errors : errors.slice(0, MAX_NAMED),
    warnings: namesAll ? warnings : warnings.slice(0, MAX_NAMED),
    ignored: ignored.slice(0, MAX_NAMED),
    next: all[done]?.number ?? null,
  }
}
