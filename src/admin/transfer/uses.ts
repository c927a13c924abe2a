/**
 * Finds what uses an entry of a lookup: the records, other entries, settings, feeds and keys that refer to it. What refers by a
 * column is read off the schema; what refers from within JSON is listed here.
 *
 * Few references have an index by what they refer to: it would be written with every record, and serve nothing but deletions,
 * which are a few a year. So a deletion reads the tables that may refer, once to count, and SQLite itself once more.
 *
 * Lines that alter a definition need its uses, too: once for all lines of a chunk to report the use, and once more within their
 * transaction. It is rare enough that some statements may read a whole table: no index covers values in JSON.
 */
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { LOOKUPS } from '../../catalogue/lookups.ts'
import { RECORD_RESOURCES, type RecordTable } from '../../catalogue/resources.ts'
import { settingsNaming } from '../../catalogue/settings.ts'
import { AREAS } from '../../db/areas.ts'
import { batch, type Database } from '../../db/client.ts'
import { valuesOf } from '../../db/conditions.ts'
import { recordAgencyChanges } from '../../db/definitions.ts'
import { deleteRows } from '../../db/effects.ts'
import { keepIds } from '../../db/id-floors.ts'
import { REFERRING, TABLES } from '../../db/referring.ts'
import { type Statement, sqlStatement, textStatement } from '../../db/statements.ts'
import { enterChangesWhere, MARKED_AS_DELETED } from '../../db/trail.ts'
import { listKeys } from '../../http/caller/stored-keys.ts'
import type { Removal } from '../../resources/enquiries/purge.ts'
import { type Entity, isInChangeFeed, type StoredLine } from './entity.ts'

/** Tables whose records have values of custom fields. */
const VALUED = ['contacts', 'requests'] as const
/** SQL for the custom fields of a `record`, each with what is chosen in it. */
const CHOSEN = `json_each(record.custom_fields) field,
  json_each(case field.type when 'array' then field.value else json_array(field.value) end) chosen`

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
type Uses = [kind: Kind, select: SQL][]

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
        select cast(field.key as integer) as id, chosen.value as option
        from ${sql.identifier(table)} record, ${sql.raw(CHOSEN)}
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

/** The select of the ids of the records of a kind that use an entry. */
type Use = readonly [kind: string, select: SQL]

/** Uses of an entry, whose id is the SQL `id`. */
type FindUses = (id: string) => Use[]

/** The records of `table` whose JSON has the id in one of the lists, or at one of the names, in `paths`. */
const inJson =
  (table: string, json: string, ...paths: string[]): FindUses =>
  (id) =>
    paths.map((path) => [
      table,
      sql.raw(
        `select ${table}.id from ${table}, json_each(${json}, '$.${path}') named where named.value = ${id}`,
      ),
    ])

const raw = (kind: string, select: string): Use => [kind, sql.raw(select)]

/** Uses within JSON, by lookup. What a feed or a visitor seeks is asked for by deletions alone. */
const IN_JSON: Readonly<Record<string, readonly FindUses[]>> = {
  languages: [
    (id) => [
      raw(
        'listing_subtypes',
        `select listing_subtypes.id from listing_subtypes, json_each(translations) named where named.value ->> 'language_id' = ${id}`,
      ),
      ...['listing_photos', 'listing_panoramas'].map((table) =>
        raw(
          'listings',
          `select listing_id from ${table}, json_each(captions) named where named.value ->> 'language_id' = ${id}`,
        ),
      ),
      raw(
        'feeds',
        `select feeds.id from feeds, json_each(languages) named where named.value in (select code from languages where id = ${id})`,
      ),
    ],
  ],
  stores: [inJson('feeds', 'filters', 'store_id')],
  special_locations: [inJson('requests', 'criteria', 'special_locations')],
  listing_tags: [inJson('requests', 'criteria', 'listing_tags'), inJson('feeds', 'filters', 'tags')],
  locations: [
    inJson('enquiries', 'sought', 'locations'),
    inJson('feeds', 'filters', 'area_level1', 'area_level2', 'area_level3', 'areas'),
  ],
  listing_subtypes: [inJson('enquiries', 'sought', 'subtypes'), inJson('feeds', 'filters', 'subtype')],
  users: [
    inJson('feeds', 'filters', 'users'),
    (id) =>
      VALUED.map((table) =>
        raw(
          table,
          `select record.id from ${table} record, ${CHOSEN}
          where chosen.value = ${id} and field.key in (select id from custom_fields where type like 'user%')`,
        ),
      ),
  ],
}

/** Definitions whose uses an import must know, too. */
const OF_DEFINITIONS: Readonly<Record<string, (id: SQL) => Uses>> = {
  locations: usesOfLocations,
  listing_subtypes: usesOfSubtypes,
  custom_fields: usesOfFields,
}

/** The uses that no foreign key keeps. */
function looseUses(table: string, id: string): Use[] {
  const keys = settingsNaming(table).map((key) => `'${key}'`)
  return [
    ...(OF_DEFINITIONS[table]?.(sql.raw(id)) ?? []),
    ...(IN_JSON[table] ?? []).flatMap((find) => find(id)),
    ...(keys.length > 0
      ? [raw('settings', `select key from settings where key in (${keys.join(', ')}) and value = ${id}`)]
      : []),
  ]
}

/** The uses that a foreign key keeps, by table: D1 unites five selects at most. Parts of a record are none. */
function keptUses(target: string, id: string): Use[] {
  const kept = REFERRING.filter(
    (one) => one.target === target && (one.kind !== target || one.table === target),
  )
  return [...Map.groupBy(kept, ({ table }) => table)].flatMap(([table, columns]) => {
    const [first] = columns
    const isUsed = columns.map(({ column }) => `${column} = ${id}`).join(' or ')
    return first ? [raw(first.kind, `select ${first.owner} from ${table} where ${isUsed}`)] : []
  })
}

/** The statements that count the uses of an entry, one for each kind. A record that names it twice counts once. */
export function selectUses(lookup: string, id: number): Statement<UsedBy>[] {
  // What an import knows has all columns.
  const kept = OF_DEFINITIONS[lookup] ? [] : keptUses(lookup, String(id))
  const byKind = Map.groupBy([...kept, ...looseUses(lookup, String(id))], ([kind]) => kind)
  return [...byKind].map(([kind, uses]) => {
    const [first, ...others] = uses.map(([, select]) => select)
    const records = others.length > 0 ? sql.join([first, ...others], sql` union `) : sql`${first}`
    return sqlStatement(
      sql`select ${id} as id, ${kind} as kind, count(*) as uses from (${records}) having count(*) > 0`,
    )
  })
}

/** How many keys name a store or a user. They are in KV, so that no transaction can judge them. */
export async function usesByKeys(keys: KVNamespace, lookup: string, id: number): Promise<UsedBy[]> {
  if (lookup !== 'stores' && lookup !== 'users') return []
  const found = (await listKeys(keys)).filter(({ user_id, website }) =>
    lookup === 'users' ? user_id === id : website?.stores?.includes(id),
  )
  return found.length > 0 ? [{ id, kind: 'keys', uses: found.length }] : []
}

/** `4 is used by 31 contacts and 2 settings`; null if nothing uses it. */
export function sentenceOf(found: UsedBy[][], id: number): string | null {
  const use = describeUse(found.flat(), id)
  return use && `${id} ${use}`
}

/**
 * The statement that rolls its batch back if something uses an entry that no foreign key keeps, or one does with `keptToo`.
 * It raises the version of all definitions: a record that was checked while the entry was there is checked again.
 */
export function requireUnused(lookup: string, id: number, { keptToo = false } = {}): Statement<never> {
  const uses = [...looseUses(lookup, String(id)), ...(keptToo ? keptUses(lookup, String(id)) : [])]
  const unused = uses.map(([, select]) => sql`not exists (${select})`)
  return sqlStatement(sql`update agency_versions
    set version = case when ${sql.join([sql`true`, ...unused], sql` and `)} then version + 1 end where name = 'definitions'`)
}

/**
 * How an import removes records of an entity: in their order, with their parts, and but for those that something uses. Their ids
 * are not given again.
 */
export function removalFrom(entity: Entity): NonNullable<Entity['remove']> {
  const { name } = entity
  const tableOf = (wanted: string) => TABLES.filter((one) => getTableName(one) === wanted)
  const parts = REFERRING.filter((one) => one.target === name && one.kind === name && one.table !== name)
  const isDated = tableOf(name).some((table) => 'date_created' in getTableColumns(table))
  // What was created after the date of a removal is another record.
  const since = (date: SQL) => (isDated ? [sql`(${date} is null or date_created <= ${date})`] : [])
  const remove = ({ id, date }: Removal, table: SQLiteTable) => {
    const uses = [...keptUses(name, String(id)), ...looseUses(name, String(id))]
    const conditions = [
      sql`id = ${id}`,
      ...since(sql`${date}`),
      ...uses.map(([, select]) => sql`not exists (${select})`),
    ]
    const where = sql.join(conditions, sql` and `)
    // Each goes by what the one before has found, so that uses are looked for only once.
    const isFound = sql`id = ${id} and changes() > 0`
    return [
      ...parts.flatMap(({ table: part, column }) =>
        tableOf(part).flatMap((one) => {
          const isPart = sql`${sql.raw(column)} in (select id from ${table} where ${where})`
          return [keepIds(part, isPart), deleteRows(one, isPart)]
        }),
      ),
      keepIds(name, where),
      enterChangesWhere(table, isFound, MARKED_AS_DELETED),
      deleteRows(table, where, isFound),
    ]
  }
  return (removals) => {
    const changed = removals.map(({ id }) => ({ key: id, isNew: false }))
    const rows = JSON.stringify(removals.map(({ id, date }) => [id, date]))
    const named = sql.join(
      [sql`value ->> 0 = ${sql.identifier(name)}.id`, ...since(sql`value ->> 1`)],
      sql` and `,
    )
    return {
      removed: [
        ...removals.flatMap((removal) => tableOf(name).flatMap((table) => remove(removal, table))),
        ...(isInChangeFeed(entity) ? [] : recordAgencyChanges(name, changed)),
        textStatement("update agency_versions set version = version + 1 where name = 'definitions'"),
      ],
      left: sqlStatement(
        sql`select ${sql.identifier(name)}.id, 'Is in use' as reason
          from json_each(${rows}) cross join ${sql.identifier(name)} on ${named}`,
      ),
    }
  }
}
