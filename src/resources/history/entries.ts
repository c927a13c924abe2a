/** Entries of the trail: how they are read, and their JSON. */
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { oneOf, type ResourceName, resourceNamed } from '../../catalogue/resources.ts'
import { batch, database, runStatement } from '../../db/client.ts'
import { boundsOf } from '../../db/page.ts'
import { JsonField, type Statement, select, sqlStatement, textStatement } from '../../db/statements.ts'
import { trail } from '../../db/tables/trail.ts'
import { dateTime, named, shownBy } from '../../fields/values.ts'
import { personIdOf } from '../../http/caller/auth.ts'
import { ACTOR_TYPES, type Actor } from '../../http/caller/provenance.ts'
import { findKeyById } from '../../http/caller/stored-keys.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { notFound } from '../../http/errors.ts'
import { pageBody } from '../../http/reply/envelope.ts'
import { pageFilters } from '../../http/request/filters.ts'

const FIELDS = {
  id: trail.id,
  date: trail.date,
  actor_type: trail.actor_type,
  actor_id: trail.actor_id,
  address: trail.address,
  method: trail.method,
  route: trail.route,
  resource: trail.resource,
  record_id: trail.record_id,
  version: trail.version,
  status: trail.status,
  request_id: trail.request_id,
  changed: new JsonField<Record<string, [unknown, unknown]> | null>(sql`changed`, (text) => JSON.parse(text)),
  others: new JsonField<string[] | null>(sql`others`, (text) => JSON.parse(text)),
  count: trail.count,
}

/** Entries of the trail. */
export function selectEntries(rest: SQL) {
  return select(FIELDS, sql`from ${trail} ${rest}`)
}

export type EntryRow = ReturnType<typeof selectEntries> extends Statement<infer Row> ? Row : never

const actor = named('Actor', 'Who called', {
  type: z.enum(ACTOR_TYPES).describe('A `visitor` calls with a publishable key, a `person` from the console'),
  id: z
    .string()
    .nullable()
    .describe('Of the key, or of the person: that stands for their e-mail address. Null for others'),
  name: z
    .string()
    .nullable()
    .describe(
      'Of a key the name that it has now, of a person the e-mail address, if a user or `console_roles` has it; otherwise ' +
        'null',
    ),
})

const values = z
  .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
  .nullable()
  .describe('The values before and after, by field; null for a new record')

const others = z.array(z.string()).describe('The names of other changed fields, whose values are not kept')

export const historyEntry = named('HistoryEntry', 'A write of a record', {
  version: z.int().nullable().describe('Of the record after the write; null if it has no versions'),
  date: dateTime().describe('When it was written'),
  actor: actor.nullable(),
  changed: values,
  others,
})

export const trailEntry = named('TrailEntry', 'An entry of the trail', {
  id: z.int().describe('Grows with time'),
  date: dateTime().describe('When it happened'),
  actor: actor.nullable().describe('Who called; null if the call had no valid key'),
  address: z.string().nullable().describe('The network of the client, a /24 or /48; null for cron'),
  method: z.string().nullable().describe('Null for cron'),
  route: z.string().nullable().describe('The path as the documentation has it; null for cron'),
  resource: z.string().nullable().describe('What was written or called'),
  record_id: z
    .union([z.int(), z.string()])
    .nullable()
    .describe('Of the record; null if the call is about none'),
  version: z.int().nullable().describe('Of the record after the write; null if it has no versions'),
  status: z
    .int()
    .describe(
      'HTTP status of the call; 0: it administers, and has not ended yet or was cut off, so it may have been done',
    ),
  request_id: z.string().nullable().describe('`X-Request-Id` of the call'),
  changed: values,
  others,
  count: z.int().optional().describe('Refused calls that are counted in one entry; absent otherwise'),
})

export type Actors = Pick<EntryRow, 'actor_type' | 'actor_id'>

/** The JSON of who made entries. Names are those of today. `addresses` are those that `selectAddresses` has found. */
export async function actorsOf(
  env: Env,
  rows: readonly Actors[],
  addresses: readonly string[],
): Promise<z.output<typeof historyEntry>['actor'][]> {
  const persons = addresses.map((address) => [personIdOf(address), address.toLowerCase()] as const)
  const names = new Map([...(await namesOfKeys(env, rows)), ...persons])
  return rows.map(({ actor_type, actor_id }) => actorOf({ type: actor_type, id: actor_id }, names))
}

/** The JSON of entries as the trail of the deployment shows them. */
export async function presentEntries(env: Env, rows: EntryRow[]): Promise<z.output<typeof trailEntry>[]> {
  const hasPerson = rows.some(({ actor_type }) => actor_type === 'person')
  const known = hasPerson ? await runStatement(database(env), selectAddresses()) : []
  const actors = await actorsOf(
    env,
    rows,
    known.map(({ address }) => address),
  )
  return rows.map((row, index) =>
    shownBy(trailEntry, {
      ...row,
      actor: actors[index] ?? null,
      address: row.address || null,
      record_id: recordIdOf(row),
      others: row.others ?? [],
      count: row.count ?? undefined,
    }),
  )
}

/** A number, but for keys of the API and of settings. */
function recordIdOf({
  resource,
  record_id,
}: Pick<EntryRow, 'resource' | 'record_id'>): number | string | null {
  return record_id !== null && resource !== 'keys' && /^\d+$/.test(record_id) ? Number(record_id) : record_id
}

function actorOf(
  { type, id }: { type: Actor['type'] | null; id: string | null },
  names: Map<string, string>,
): z.output<typeof actor> | null {
  switch (type) {
    case null:
      return null
    case 'token':
      return { type, id: null, name: 'ADMIN_TOKEN' }
    case 'cron':
      return { type, id: null, name: null }
    default:
      return { type, id, name: names.get(id ?? '') ?? null }
  }
}

/** The statement for the addresses that persons may have: those of users and `console_roles`, some hundreds in all. */
export function selectAddresses(): Statement<{ address: string }> {
  return textStatement(
    `select email as address from users where email is not null union select role.key
      from settings, json_each(settings.value) role where settings.key = 'console_roles'`,
  )
}

/** The names of the keys that made entries, by their ids. */
async function namesOfKeys(env: Env, rows: readonly Actors[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ actor_type, actor_id }) =>
    actor_id !== null && (actor_type === 'key' || actor_type === 'visitor') ? actor_id : [],
  )
  const found = await Promise.all([...new Set(ids)].map((id) => findKeyById(env.API_KEYS, id)))
  return new Map(found.flatMap((stored) => (stored ? [[stored.key.id, stored.key.name]] : [])))
}

const historyFilters = named('HistoryFilters', 'The page of the history of a record', pageFilters)

/** Adds the history of the records of a resource to `router`. */
export function serveHistory(router: Router, name: ResourceName): void {
  const facts = resourceNamed(name)
  const { one: resource, table } = facts
  router.get(
    `/api/${name}/{id}/history`,
    {
      summary: `Read the history of ${oneOf(facts)}`,
      description:
        'Who wrote it, when, and what changed, newest first; also of a record that is deleted. Prices, statuses and the ' +
        'like are shown with their values before and after, other fields by name alone. Names of keys and users are those ' +
        'of today.',
      resource,
      part: true,
      filters: historyFilters,
      list: true,
      reply: pageBody(historyEntry),
    },
    async (c, input) => {
      const id = input.id()
      const filters = input.filters().complete()
      const { limit, offset } = boundsOf(filters)
      // Calls about the record that did not write it have no list.
      const ofRecord = sql`where ${trail.resource} = ${name} and ${trail.record_id} = ${String(id)}
        and ${trail.others} is not null`
      const { rows, totals, known } = await batch(database(c.env), {
        rows: selectEntries(sql`${ofRecord} order by ${trail.id} desc limit ${limit} offset ${offset}`),
        totals: sqlStatement<{ total: number }>(sql`select count(*) as total from ${trail} ${ofRecord}`),
        known: sqlStatement(sql`select 1 from ${sql.identifier(table)} where id = ${id}`),
      })
      const total = totals[0]?.total ?? 0
      // An enquiry that was removed for good still has its history for a while.
      if (known.length === 0 && total === 0) throw notFound(resource)
      const entries = await presentEntries(c.env, rows)
      return { ...filters, total, rows: entries.map((entry) => shownBy(historyEntry, entry)) }
    },
  )
}
