/**
 * What uses a definition. Only lines that change a definition in a way that would pull it from under records ask, and
 * they ask once for all of a chunk: so some of these statements may read a whole table, as no index knows what stands
 * in JSON.
 */
import { type SQL, sql } from 'drizzle-orm'
import { AREAS } from '../../db/areas.ts'
import { batch, type Database } from '../../db/client.ts'

/** How many records of a kind use a definition. */
interface Use {
  id: number
  /** The option of a custom field; absent where the definition itself was asked for. */
  option?: number
  kind: Kind
  uses: number
}

/** By kind, how one and how several are called. */
const KINDS = {
  locations: ['location', 'locations'],
  listings: ['listing', 'listings'],
  external_listings: ['external listing', 'external listings'],
  requests: ['request', 'requests'],
  offers: ['offer', 'offers'],
  contracts: ['contract', 'contracts'],
  contacts: ['contact', 'contacts'],
} as const

type Kind = keyof typeof KINDS

/** `is used by 3 contacts and 1 request`; null when nothing uses it. */
export function describeUse(uses: Use[], id: number, option?: number): string | null {
  const found = uses.filter((use) => use.id === id && use.option === option)
  if (found.length === 0) return null
  const counts = found.map(({ kind, uses }) => `${uses} ${KINDS[kind][uses === 1 ? 0 : 1]}`)
  return `is used by ${counts.join(' and ')}`
}

/** What lies in `locations`, as places or as records. */
export async function findUsesOfLocations(db: Database, locations: number[]): Promise<Use[]> {
  const columns = AREAS.map((area) => `record.${area}`).join(', ')
  const properties = AREAS.map((area) => `record.external_property ->> '${area}'`).join(', ')
  return askAll(db, locations, (ids) => [
    count('locations', sql`select parent_id as id from locations where parent_id in (${ids})`),
    count('listings', within('listings', columns, ids)),
    count('external_listings', within('external_listings', columns, ids)),
    count('requests', sql`select location_id as id from request_locations where location_id in (${ids})`),
    count('offers', within('offers', properties, ids)),
    count('contracts', within('contracts', properties, ids)),
  ])
}

/** What is of one of `subtypes`, or asks for it. */
export async function findUsesOfSubtypes(db: Database, subtypes: number[]): Promise<Use[]> {
  return askAll(db, subtypes, (ids) => [
    count('listings', sql`select subtype as id from listings where subtype in (${ids})`),
    count(
      'requests',
      sql`select wanted.value as id from requests, json_each(requests.subtypes) wanted where wanted.value in (${ids})`,
    ),
  ])
}

/** What has a value of one of `fields`. */
export async function findUsesOfFields(db: Database, fields: number[]): Promise<Use[]> {
  const valued = (table: 'contacts' | 'requests', ids: SQL) =>
    count(
      table,
      sql`select cast(field.key as integer) as id from ${sql.identifier(table)} record,
        json_each(record.custom_fields) field where cast(field.key as integer) in (${ids})`,
    )
  return askAll(db, fields, (ids) => [valued('contacts', ids), valued('requests', ids)])
}

/** What has chosen one of `options`. */
export async function findUsesOfOptions(
  db: Database,
  options: { field: number; option: number }[],
): Promise<Use[]> {
  if (options.length === 0) return []
  const pairs = JSON.stringify(options.map(({ field, option }) => [field, option]))
  const chosen = (table: 'contacts' | 'requests') =>
    db.all<Use>(sql`select id, option, ${table} as kind, count(*) as uses from (
        select cast(field.key as integer) as id, choice.value as option
        from ${sql.identifier(table)} record, json_each(record.custom_fields) field,
          json_each(case field.type when 'array' then field.value else json_array(field.value) end) choice
      )
      where (id, option) in (select value ->> 0, value ->> 1 from json_each(${pairs})) group by id, option`)
  return (await batch(db, [chosen('contacts'), chosen('requests')])).flat()
}

/** Rows of `table` once for each place that they name; no row names a place twice. */
function within(table: string, places: string, ids: SQL): SQL {
  return sql`select place.value as id from ${sql.identifier(table)} record,
    json_each(json_array(${sql.raw(places)})) place where place.value in (${ids})`
}

function count(kind: Kind, used: SQL): SQL {
  return sql`select id, ${kind} as kind, count(*) as uses from (${used}) group by id`
}

async function askAll(db: Database, asked: number[], questions: (ids: SQL) => SQL[]): Promise<Use[]> {
  if (asked.length === 0) return []
  const ids = sql`select value from json_each(${JSON.stringify(asked)})`
  const answers = await batch(
    db,
    questions(ids).map((question) => db.all<Use>(question)),
  )
  return answers.flat()
}
