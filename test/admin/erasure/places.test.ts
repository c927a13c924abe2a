/** Every column that may hold a text is a place where a person can be, or is named as one that holds nothing of a person. */
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable, SQLiteText, SQLiteTextJson } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { PLACES } from '../../../src/admin/erasure/places.ts'
import { columnFields, RECORD_FIELDS } from '../../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES } from '../../../src/catalogue/resources.ts'
import * as lookups from '../../../src/db/tables/lookups.ts'

const MODULES = import.meta.glob('../../../src/db/tables/*.ts', { eager: true })
const TABLES = Object.values(MODULES)
  .flatMap((module) => Object.values(module as object))
  .filter((value): value is SQLiteTable => is(value, SQLiteTable))

/** Tables of the agency and of the service, with what is in their texts. */
const WITHOUT_PERSONS: Record<string, string> = {
  settings: 'settings of the agency',
  languages: 'names of languages',
  stores: 'the offices',
  users: 'those who work for the agency',
  locations: 'names of places',
  agency_versions: 'counters',
  special_locations: 'names of places',
  custom_fields: 'definitions',
  changes: 'ids',
  agency_changes: 'ids, and keys of settings',
  appointment_slots: 'names of tables, and times',
  appointment_former_users: 'ids, types and times',
  appointment_confirmations: 'ids, and who has confirmed how',
  appointment_notices: 'ids, and what was sent',
  backups: 'days, random names, and ids',
  job_leases: 'random names',
  job_failures: 'ids, and errors of the database',
  restores: 'names of files',
  id_floors: 'names of tables',
  key_changes: 'settings of keys; removed with the key',
  photo_downloads: 'pictures of the property',
  change_feed: 'a random name',
  derivations: 'hashes',
  person_keys: 'removed with what it is derived from, by triggers',
  enquiry_usage: 'ids of keys',
  external_listing_photo_names: 'keys of pictures',
  feeds: 'settings of feeds',
  calendars: 'settings of calendars, and hashes',
  feed_changes: 'counters',
  unreferenced_files: 'keys of files',
  file_sweeps: 'keys of files, and counters',
  record_counts: 'counters',
  job_runs: 'errors, without the values of a query',
  idempotency_usage: 'ids of keys',
  knowledge_base_categories: 'articles of the agency',
  knowledge_base_articles: 'articles of the agency',
  knowledge_base_files: 'articles of the agency',
  listing_counts: 'kinds of listings',
  listing_photos: 'pictures of the property',
  listing_panoramas: 'pictures of the property',
  public_listings: 'what visitors see, which triggers keep',
  request_matches: 'always an empty list',
  index_portions: 'hashes, and ids',
  index_portion_data: 'words of titles; removed with the listing',
  index_forms: 'hashes',
  search_portions: 'hashes; removed with any listing',
  search_portion_data: 'words of titles; removed with any listing',
  listing_documents: 'removed with the listing',
  idempotency_keys: 'hashes, and replies, of which those with texts are cleared',
  appointment_contacts: 'ids and dates',
  trail: 'ids and the values of what is no text; sources of consents are cleared',
  erasures: 'dates and reasons',
  erased_records: 'ids and names of fields',
  contact_holds: 'dates and reasons',
  contact_merges: 'ids and dates',
  contact_merge_references: 'ids and names of fields',
  webhooks: 'settings, and cursors of what is sent: ids',
  webhook_attempts: 'ids and errors of connections',
  ...Object.fromEntries(Object.values(lookups).map((lookup) => [getTableName(lookup), 'names of a lookup'])),
}

/** Columns of records that are no fields of the catalogue and hold nothing of a person. */
const OTHERS: Record<string, string[]> = {
  requests: ['subcategories', 'subtypes'],
  enquiries: ['sought', 'dates'],
  listings: [
    ...['code', 'address_el', 'fake_address_el', 'floor_configuration'],
    ...['features', 'positioning', 'view', 'flooring'],
  ],
  external_listings: ['photos'],
}

/** Values of enumerations, and what the service derives. */
const ENUMERATIONS = [
  'status',
  'type',
  'category',
  'availability',
  'side',
  'display_address',
  'search',
  'person_keys',
]

/** The columns of records of which the catalogue says that they hold nothing of a person, or what the service derives them from. */
function harmlessOf(table: string): string[] {
  const fields = RECORD_FIELDS.get(table) ?? { columns: {} }
  const { objects = {}, names = {} } = fields
  return [
    ...columnFields(fields).flatMap(({ column, field }) => (field.person ? [] : column)),
    ...Object.entries(objects).flatMap(([column, { fields }]) =>
      Object.values(fields ?? {}).some(({ person }) => person) ? [] : column,
    ),
    ...Object.keys(names).filter((column) => names[column] === null),
    ...(OTHERS[table] ?? []),
  ]
}

describe('the places where a person can be', () => {
  it('are every column with texts, but for those that hold nothing of a person', () => {
    const known = new Set(
      PLACES.flatMap(({ fields }) =>
        fields.map(({ column }) => `${getTableName(column.table)}.${column.name}`),
      ),
    )
    const unknown = TABLES.flatMap((table) => {
      const name = getTableName(table)
      if (name in WITHOUT_PERSONS) return []
      return Object.values(getTableColumns(table))
        .filter((column) => is(column, SQLiteText) || is(column, SQLiteTextJson))
        .map((column) => column.name)
        .filter((column) => !/(^|_)date(_|$)/.test(column))
        .filter((column) => ![...ENUMERATIONS, ...harmlessOf(name)].includes(column))
        .map((column) => `${name}.${column}`)
        .filter((column) => !known.has(column))
    })
    expect(unknown).toEqual([])
  })

  it('are named as harmless only where they exist', () => {
    const names = TABLES.map((table) => getTableName(table))
    expect(Object.keys(WITHOUT_PERSONS).filter((name) => !names.includes(name))).toEqual([])
    const columns = TABLES.flatMap((table) =>
      Object.values(getTableColumns(table)).map((column) => `${getTableName(table)}.${column.name}`),
    )
    const others = Object.entries(OTHERS).flatMap(([table, list]) =>
      list.map((column) => `${table}.${column}`),
    )
    expect(others.filter((column) => !columns.includes(column))).toEqual([])
  })

  it('are of every resource of which something is reported', () => {
    const reported = RECORD_RESOURCES.flatMap(({ resource, person }) => (person ? resource : []))
    expect(PLACES.map(({ resource }) => resource).toSorted()).toEqual(reported.toSorted())
  })

  it('have no values in the trail', () => {
    const fields = [...RECORD_FIELDS.values()].flatMap(columnFields)
    const valued = fields.flatMap(({ name, field }) => (field.person && field.history ? name : []))
    expect(valued).toEqual([])
  })
})
