/**
 * Finds the records that use a definition. Only lines that alter a definition need this: once for all lines of a chunk to
 * report the use, and once more within their transaction. It is rare enough that some statements may read a whole table:
 * no index covers values in JSON.
 */
import { type SQL, sql } from 'drizzle-orm'
import { LOOKUPS } from '../../../catalogue/lookups.ts'
import { RECORD_RESOURCES, type RecordTable } from '../../../catalogue/resources.ts'
import { AREAS } from '../../../db/areas.ts'
import { batch, type Database } from '../../../db/client.ts'
import { valuesOf } from '../../../db/conditions.ts'
import { sqlStatement } from '../../../db/statements.ts'
import type { StoredLine } from '../entity.ts'

/** How many records of a kind use a definition. */
export interface UsedBy {
  id: number
  /** The option of a custom field; absent for uses of the definition itself. */
  option?: number
  kind: string
  uses: number
}

type Kind = RecordTable | 'locations'

/** Singular and plural names by kind, for error messages. */
const NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  settings: ['setting', 'settings'],
  feeds: ['feed', 'feeds'],
  calendars: ['calendar', 'calendars'],
  keys: ['key', 'keys'],
  ...Object.fromEntries(LOOKUPS.map(({ table, one, many }) => [table, [one, many]])),
  ...Object.fromEntries(RECORD_RESOURCES.map(({ table, one, many }) => [table, [one.toLowerCase(), many]])),
}

/** `is used by 3 contacts and 1 request`; null when nothing uses it. */
export function describeUse(uses: UsedBy[], id: number, option?: number): string | null {
  const found = uses.filter((use) => use.id === id && use.option === option)
  if (found.length === 0) return null
  const counts = found.map(({ kind, uses }) => `${uses} ${NAMES[kind]?.[uses === 1 ? 0 : 1]}`)
  return `is used by ${counts.join(' and ')}`
}

/** For each kind of record, a select with one row for each use: the id of the definition. */
export type Uses = [kind: Kind, select: SQL][]

/** Ids of definitions, or SQL for them. */
type Ids = number[] | SQL

const inSql = (ids: Ids) => (Array.isArray(ids) ? valuesOf(ids) : ids)

/** Uses of `locations` by records and by places within them, except the places in `left`. */
export function usesOfLocations(locations: Ids, left: number[] = []): Uses {
  const ids = inSql(locations)
  const columns = AREAS.map((area) => `record.${area}`).join(', ')
  const properties = AREAS.map((area) => `record.external_property ->> '${area}'`).join(', ')
  return [
    [
      'locations',
      sql`select parent_id as id from locations where parent_id in (${ids}) and id not in (${valuesOf(left)})`,
    ],
    ['listings', placesIn('listings', columns, ids)],
    ['external_listings', placesIn('external_listings', columns, ids)],
    ['requests', sql`select location_id as id from request_locations where location_id in (${ids})`],
    ['offers', placesIn('offers', properties, ids)],
    ['contracts', placesIn('contracts', properties, ids)],
  ]
}

/** Uses of `subtypes` by listings and requests. */
export function usesOfSubtypes(subtypes: Ids): Uses {
  const ids = inSql(subtypes)
  return [
    ['listings', sql`select subtype as id from listings where subtype in (${ids})`],
    [
      'requests',
      sql`select wanted.value as id from requests, json_each(requests.subtypes) wanted where wanted.value in (${ids})`,
    ],
  ]
}

/** Uses of custom `fields` by records with a value. */
export function usesOfFields(fields: Ids): Uses {
  const ids = inSql(fields)
  return VALUED.map((table) => [
    table,
    sql`select cast(field.key as integer) as id from ${sql.identifier(table)} record,
      json_each(record.custom_fields) field where cast(field.key as integer) in (${ids})`,
  ])
}

/** Uses of `options` of custom fields by records that have chosen them. */
export function usesOfOptions(options: { field: number; option: number }[]): Uses {
  const pairs = JSON.stringify(options.map(({ field, option }) => [field, option]))
  return VALUED.map((table) => [
    table,
    sql`select id, option from (
        select cast(field.key as integer) as id, choice.value as option
        from ${sql.identifier(table)} record, json_each(record.custom_fields) field,
          json_each(case field.type when 'array' then field.value else json_array(field.value) end) choice
      )
      where (id, option) in (select value ->> 0, value ->> 1 from json_each(${pairs}))`,
  ])
}

/** How often each of the `requested` definitions is used; unused ones are left out. `by`: the columns to group by. */
export async function countUses(
  db: Database,
  requested: unknown[],
  uses: Uses,
  by = 'id',
): Promise<UsedBy[]> {
  if (requested.length === 0) return []
  const columns = sql.raw(by)
  const { counts } = await batch(db, {
    counts: uses.map(([kind, select]) =>
      sqlStatement<UsedBy>(
        sql`select ${columns}, ${kind} as kind, count(*) as uses from (${select}) group by ${columns}`,
      ),
    ),
  })
  return counts.flat()
}

/** Tables whose records have values of custom fields. */
const VALUED = ['contacts', 'requests'] as const

/** Rows of `table` once for each place that they name; no row names a place twice. */
function placesIn(table: string, places: string, ids: SQL): SQL {
  return sql`select place.value as id from ${sql.identifier(table)} record,
    json_each(json_array(${sql.raw(places)})) place where place.value in (${ids})`
}

/** What lines of definitions are checked against. */
export interface DefinitionUses {
  uses: UsedBy[]
}

/** What entities of definitions have in common. `isAltered`: whether a line changes the meaning of a stored one. */
export function definitionOf<Row extends { id: number }>(
  isAltered: (line: Partial<Row>, stored: Row) => boolean,
  usesOf: (ids: number[]) => Uses,
) {
  return {
    isSurveyed: true as const,
    load: async (): Promise<DefinitionUses> => ({ uses: [] }),
    loadMore: async (
      db: Database,
      lines: { values: Partial<Row>; stored: Row | null }[],
    ): Promise<DefinitionUses> => {
      const altered = lines.flatMap(({ values, stored }) =>
        stored && isAltered(values, stored) ? stored.id : [],
      )
      return { uses: await countUses(db, altered, usesOf(altered)) }
    },
    changesDefinitions: (entries: StoredLine<Row>[]) => {
      const altered = entries.flatMap(({ row, stored }) => (stored && isAltered(row, stored) ? row.id : []))
      return { altered, uses: altered.length > 0 ? selectsOf(usesOf(altered)) : [] }
    },
  }
}

/** The selects of `uses`, without their kinds. */
export function selectsOf(uses: Uses): SQL[] {
  return uses.map(([, select]) => select)
}
