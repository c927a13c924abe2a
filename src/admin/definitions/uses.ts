/**
 * Finds what uses an entry of a lookup: the records, other entries and settings that refer to it. What refers by a column is
 * read off the schema; what refers from within JSON is listed here.
 */
import { getTableName, is, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { lookupIn } from '../../catalogue/lookups.ts'
import { isRecordTable } from '../../catalogue/resources.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import * as agency from '../../db/tables/agency.ts'
import * as contacts from '../../db/tables/contacts.ts'
import * as enquiries from '../../db/tables/enquiries.ts'
import * as externalListings from '../../db/tables/external-listings.ts'
import * as finances from '../../db/tables/finances.ts'
import * as knowledgeBase from '../../db/tables/knowledge-base.ts'
import * as listings from '../../db/tables/listings.ts'
import * as lookups from '../../db/tables/lookups.ts'
import * as offers from '../../db/tables/offers.ts'
import * as requests from '../../db/tables/requests.ts'
import { settingsNaming } from '../transfer/entities/agency.ts'
import {
  describeUse,
  type UsedBy,
  type Uses,
  usesOfFields,
  usesOfLocations,
  usesOfSubtypes,
} from '../transfer/entities/usage.ts'

const MODULES = [
  agency,
  contacts,
  enquiries,
  externalListings,
  finances,
  knowledgeBase,
  listings,
  lookups,
  offers,
  requests,
]

const TABLES: SQLiteTable[] = MODULES.flatMap((module): unknown[] => Object.values(module)).filter(
  (one): one is SQLiteTable => is(one, SQLiteTable),
)

/** A column that refers to a lookup. */
interface Referring {
  target: string
  /** The table of the records that the column says something of. */
  kind: string
  /** A row of `table` is of the record `owner`. */
  table: string
  owner: string
  column: string
}

/** Every column that refers to another table. */
const REFERRING: readonly Referring[] = TABLES.flatMap((table) => {
  const name = getTableName(table)
  const references = getTableConfig(table).foreignKeys.map((key) => {
    const { columns, foreignTable } = key.reference()
    return { column: columns[0]?.name ?? '', target: getTableName(foreignTable) }
  })
  const isWhole = isRecordTable(name) || lookupIn(name) !== undefined
  const owning = references.find(({ target }) => isRecordTable(target))
  const [kind, owner] = isWhole ? [name, 'id'] : [owning?.target, owning?.column]
  if (!kind || !owner) return []
  return references.map(({ column, target }) => ({ target, kind, table: name, owner, column }))
})

/** Selects of the ids of records that use an entry, with their kind. */
type Records = [kind: string, select: string][]

/** Those records of `table` whose JSON has the id in the list at `path`. */
const inList =
  (table: string, json: string, path: string) =>
  (id: number): Records => [
    [
      table,
      `select ${table}.id from ${table}, json_each(${json}, '$.${path}') named where named.value = ${id}`,
    ],
  ]

/** Uses within JSON, by lookup. */
const IN_JSON: Readonly<Record<string, (id: number) => Records>> = {
  languages: (id) => [
    [
      'listing_subtypes',
      `select listing_subtypes.id from listing_subtypes, json_each(translations) named where named.value ->> 'language_id' = ${id}`,
    ],
    ...['listing_photos', 'listing_panoramas'].map((table): Records[number] => [
      'listings',
      `select listing_id from ${table}, json_each(captions) named where named.value ->> 'language_id' = ${id}`,
    ]),
  ],
  special_locations: inList('requests', 'criteria', 'special_locations'),
  listing_tags: inList('requests', 'criteria', 'listing_tags'),
  // What visitors seek. An import does not ask for it: a place may move under an enquiry, but must not be gone.
  locations: inList('enquiries', 'sought', 'locations'),
  listing_subtypes: inList('enquiries', 'sought', 'subtypes'),
  users: (id) =>
    ['contacts', 'requests'].map((table) => [
      table,
      `select record.id from ${table} record, json_each(record.custom_fields) field,
        json_each(case field.type when 'array' then field.value else json_array(field.value) end) chosen
      where chosen.value = ${id} and field.key in (select id from custom_fields where type like 'user%')`,
    ]),
}

/** Definitions whose uses an import must know, too. */
const OF_DEFINITIONS: Readonly<Record<string, (ids: number[]) => Uses>> = {
  locations: usesOfLocations,
  listing_subtypes: usesOfSubtypes,
  custom_fields: usesOfFields,
}

/** For each kind, the selects with a row for each use. */
function usesOf(lookup: string, id: number): Map<string, SQL[]> {
  const inJson = IN_JSON[lookup]?.(id) ?? []
  const known = OF_DEFINITIONS[lookup]?.([id])
  if (known) return grouped([...known, ...inJson.map(ofRecords)])
  const keys = settingsNaming(lookup).map((key) => `'${key}'`)
  const records: Records = [
    ...REFERRING.filter(({ target }) => target === lookup).map(
      ({ kind, table, owner, column }): Records[number] => [
        kind,
        `select ${owner} from ${table} where ${column} = ${id}`,
      ],
    ),
    ...inJson,
    ['settings', `select key from settings where key in (${keys.join(', ')}) and value = ${id}`],
  ]
  return grouped(records.map(ofRecords))
}

const ofRecords = ([kind, select]: Records[number]): [kind: string, select: SQL] => [kind, sql.raw(select)]

function grouped(uses: (readonly [kind: string, select: SQL])[]): Map<string, SQL[]> {
  const byKind = Map.groupBy(uses, ([kind]) => kind)
  return new Map([...byKind].map(([kind, all]) => [kind, all.map(([, select]) => select)]))
}

/** The statements that count the uses of an entry, one for each kind. A record that names it twice counts once. */
export function selectUses(lookup: string, id: number): Statement<UsedBy>[] {
  return [...usesOf(lookup, id)].map(([kind, selects]) => {
    const records = selects.length > 1 ? sql.join(selects, sql` union `) : sql`${selects[0]}`
    return sqlStatement(
      sql`select ${id} as id, ${kind} as kind, count(*) as uses from (${records}) having count(*) > 0`,
    )
  })
}

/** `4 is used by 31 contacts and 2 settings`; null if nothing uses it. */
export function sentenceOf(found: UsedBy[][], id: number): string | null {
  const use = describeUse(found.flat(), id)
  return use && `${id} ${use}`
}

/**
 * The statement that rolls its batch back if something uses an entry. It raises the version of all definitions: a record that
 * was checked while the entry was there is checked again.
 */
export function requireUnused(lookup: string, id: number): Statement<never> {
  const unused = [...usesOf(lookup, id).values()].flat().map((select) => sql`not exists (${select})`)
  return sqlStatement(sql`update agency_versions
    set version = case when ${sql.join(unused, sql` and `)} then version + 1 end where name = 'definitions'`)
}
