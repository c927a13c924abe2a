/** `/admin/definitions` and `/admin/settings`: what the agency defines itself, without a file to import. */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import { LOOKUPS } from '../../catalogue/lookups.ts'
import { selectLookupVersion } from '../../db/changes.ts'
import { batch, type Database, database, runStatement } from '../../db/client.ts'
import { describeEntered } from '../../http/caller/provenance.ts'
import type { App } from '../../http/context.ts'
import { idParam } from '../../http/endpoint/parameters.ts'
import { Router } from '../../http/endpoint/router.ts'
import { notFound } from '../../http/errors.ts'
import { createdBody, deletedBody, lookupBody, recordBody, updatedBody } from '../../http/reply/envelope.ts'
import { streamText } from '../../http/reply/stream.ts'
import type { Draft } from '../../http/request/check.ts'
import { reportUnknownFields } from '../../http/request/read.ts'
import { ADMINISTRATION } from '../tag.ts'
import { agencyEntities, settingsObject } from '../transfer/entities/agency.ts'
import type { Entity } from '../transfer/entity.ts'
import { finishWritten } from '../transfer/write-lines.ts'
import {
  DEFINITION,
  deleteDefinition,
  findSettings,
  lookupOf,
  storeDefinition,
  storeSettings,
} from './write.ts'

/** Entries that are read at once. There may be many places; those that follow are sent as they are read. */
const PAGE = 1000

const ENTITIES = agencyEntities.filter(({ name }) => LOOKUPS.some(({ table }) => table === name))
const names = LOOKUPS.map(({ table }) => table)

const entity = z
  .enum(names, { error: `${DEFINITION} not found` })
  .describe('The lookup: an entity of the import')
const inList = z.object({ entity })
const one = z.object({ entity, id: idParam(DEFINITION) })

/** The schemas of all lookups, each shape once, named by the first that has it. */
function schemasOf(suffix: string, change: (schema: z.ZodObject) => z.ZodObject): z.ZodType {
  const byShape = Map.groupBy(ENTITIES, ({ schema }) => Object.keys(schema.shape).join(' '))
  const [first, ...others] = [...byShape.values()].flatMap(([shown]) => {
    if (!shown) return []
    const { one } = lookupOf(shown)
    const id = one.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase()) + suffix
    return change(shown.schema).meta({
      id,
      description: `Entry of \`${shown.name}\`, or of a lookup with the same fields`,
    })
  })
  const union = first ? z.union([first, ...others]) : z.never()
  return union.meta({ id: `Definition${suffix}`, description: 'Entry of a lookup: which one, the path says' })
}

const body = z.looseObject({})
const shown = schemasOf('Line', (schema) => schema.strict())
const created = schemasOf('Input', (schema) => schema.omit({ id: true }))
const updated = schemasOf('Update', (schema) => schema.omit({ id: true }).partial())

export const definitionRoutes = new Router(...ADMINISTRATION)

const PATH = '/admin/definitions/{entity}'
const scope = 'admin:settings'
const OF_ONE = { scope, resource: DEFINITION, params: one, isTagged: true } as const

definitionRoutes.get(
  PATH,
  {
    summary: 'List the entries of a lookup',
    scope,
    operationId: 'listDefinitions',
    params: inList,
    description:
      'Whole entries, as lines of an import have them, in the order of their ids. `/api/` serves the same lookups to ' +
      'everybody who may read them.',
    reply: lookupBody(shown),
  },
  async (c, input) => {
    const entity = entityOf(input.params())
    const pages = pagesOf(database(c.env), entity)
    const { value: first = [] } = await pages.next()
    if (first.length < PAGE) return first
    return c.body(streamText(c, lookupText(first, pages)), 200, { 'Content-Type': 'application/json' })
  },
)

definitionRoutes.post(
  PATH,
  {
    summary: 'Add an entry to a lookup',
    scope,
    params: inList,
    isTagged: true,
    description:
      'The body has the fields of a line of an import but the id, which the service gives, and never twice. It is checked as ' +
      'such a line is, and has all of its effects.',
    body,
    bodyShown: created,
    reply: createdBody,
  },
  async (c, input) => {
    const draft = await input.body()
    const entity = entityOf(input.params())
    const record = { ...input.call, name: DEFINITION, resource: '', id: 0, ifMatch: undefined }
    const { id, written } = await storeDefinition(database(c.env), {
      entity,
      values: draft.values,
      record,
      onIgnored: (names) => reportIgnored(c, draft, names),
    })
    describeEntered(c.env, { record_id: `${entity.name}/${id}` })
    c.executionCtx.waitUntil(finishWritten(database(c.env), written))
    return id
  },
)

definitionRoutes.get(
  `${PATH}/{id}`,
  {
    ...OF_ONE,
    summary: 'Read an entry of a lookup',
    operationId: 'readDefinition',
    description: 'The whole entry, as a line of an import has it.',
    reply: recordBody(shown),
  },
  async (c, input) => {
    const entity = entityOf(input.params())
    const id = input.id()
    const { rows, versions } = await batch(database(c.env), {
      rows: entity.read(sql`${sql.raw(entity.name)}.id = ${id}`, 1),
      versions: selectLookupVersion(lookupOf(entity), id),
    })
    const [row] = rows
    if (!row) throw notFound(DEFINITION)
    if (versions[0]) input.call.reportVersion(versions[0])
    return entity.present(row)
  },
)

definitionRoutes.put(
  `${PATH}/{id}`,
  {
    ...OF_ONE,
    summary: 'Change an entry of a lookup',
    description:
      'Only the keys sent change; null clears. The result is checked as a line of an import is, and has all of its effects. ' +
      'What gives a record in use its meaning cannot change.',
    errors: { 409: '4 is used by 31 contracts' },
    body,
    bodyShown: updated,
    reply: updatedBody,
  },
  async (c, input) => {
    const draft = await input.body()
    const entity = entityOf(input.params())
    const { id, written } = await storeDefinition(database(c.env), {
      entity,
      values: draft.values,
      record: input.record(),
      onIgnored: (names) => reportIgnored(c, draft, names),
    })
    c.executionCtx.waitUntil(finishWritten(database(c.env), written))
    return id
  },
)

definitionRoutes.delete(
  `${PATH}/{id}`,
  {
    ...OF_ONE,
    summary: 'Delete an entry of a lookup',
    description: 'Only if nothing uses it. Deleted records count, too, as they can come back.',
    errors: { 409: '4 is used by 31 contacts' },
    reply: deletedBody,
  },
  async (c, input) => {
    const entity = entityOf(input.params())
    const record = input.record()
    await deleteDefinition(database(c.env), c.env.API_KEYS, entity, record)
    return record.id
  },
)

definitionRoutes.get(
  '/admin/settings',
  {
    summary: 'Read the settings',
    scope,
    operationId: 'readSettings',
    description: 'Those that are set.',
    reply: recordBody(settingsObject),
  },
  (c) => findSettings(database(c.env)),
)

definitionRoutes.put(
  '/admin/settings',
  {
    summary: 'Change settings',
    scope,
    operationId: 'updateSettings',
    description:
      'Only the settings sent change, all of them or none; null unsets one. They are checked as lines of an import are. ' +
      '`console_roles` and `trail_days` are for `ADMIN_TOKEN` alone. Answers all settings.',
    body,
    bodyShown: settingsObject,
    errors: { 403: 'Only ADMIN_TOKEN may change trail_days' },
    reply: recordBody(settingsObject),
  },
  async (c, input) => {
    const draft = await input.body()
    const isSetting = (key: string) => Object.hasOwn(settingsObject.shape, key)
    reportIgnored(
      c,
      draft,
      Object.keys(draft.values).filter((key) => !isSetting(key)),
    )
    const db = database(c.env)
    const sent = Object.entries(draft.values).filter(([key]) => isSetting(key))
    return sent.length > 0 ? await storeSettings(db, sent) : await findSettings(db)
  },
)

/** The entries of a lookup in the order of their ids, page by page. */
async function* pagesOf(db: Database, entity: Entity): AsyncGenerator<Entry[], void> {
  const table = sql.identifier(entity.name)
  for (let after = 0; ; ) {
    const ids = sql`select id from ${table} where id > ${after} order by id limit ${sql.raw(String(PAGE))}`
    const rows: Entry[] = await runStatement(db, entity.read(sql`${table}.id in (${ids})`, PAGE))
    yield rows.toSorted((a, b) => a.id - b.id).map((row) => entity.present(row) as Entry)
    if (rows.length < PAGE) return
    after = Math.max(...rows.map(({ id }) => id))
  }
}

type Entry = { id: number }

async function* lookupText(first: Entry[], more: AsyncIterable<Entry[]>): AsyncGenerator<string> {
  const text = (page: Entry[]) => page.map((entry) => JSON.stringify(entry)).join(',')
  yield `{"status":200,"data":[${text(first)}`
  for await (const page of more) if (page.length > 0) yield `,${text(page)}`
  yield ']}'
}

function entityOf({ entity }: { entity: string }): Entity {
  const found = ENTITIES.find(({ name }) => name === entity)
  if (!found) throw notFound(DEFINITION)
  return found
}

/** Names the keys of a body that are ignored. Throws 400 if the caller prefers that. */
function reportIgnored(c: Context<App>, draft: Draft<unknown>, names: readonly string[]): void {
  for (const name of names) draft.ignore('', name)
  reportUnknownFields(c, draft)
  draft.complete()
}
