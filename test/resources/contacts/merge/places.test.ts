/** Everything that can refer to a contact is moved by a merge: by the schema, and by the catalogue. */
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable, SQLiteTextJson } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { columnFields, RECORD_FIELDS } from '../../../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES } from '../../../../src/catalogue/resources.ts'
import { TABLES as KNOWN, REFERRING } from '../../../../src/db/referring.ts'
import { sqlStatement } from '../../../../src/db/statements.ts'
import { idsIn, PLACES } from '../../../../src/resources/contacts/merge/places.ts'

const MODULES = import.meta.glob('../../../../src/db/tables/*.ts', { eager: true })
const TABLES = Object.values(MODULES)
  .flatMap((module) => Object.values(module as object))
  .filter((value): value is SQLiteTable => is(value, SQLiteTable))

/** Columns with ids of contacts that no merge moves, and why. */
const STAYING: Record<string, string> = {
  'contact_tag_links.contact_id': 'a list of the contact itself',
  'contact_users.contact_id': 'a list of the contact itself',
  'contacts.merged_into': 'a chain is undone link by link',
  'contact_merges.contact_id': 'what a merge was',
  'contact_merges.into_id': 'what a merge was',
  'contact_merge_references.contact_id': 'what a merge has moved',
  'contact_merge_references.into_id': 'what a merge has moved',
  'contact_holds.contact_id': 'contacts on hold are not merged',
  'erasures.contact_id': 'erased contacts are not merged',
  'erased_records.contact_id': 'erased contacts are not merged',
}

/** Columns with JSON that are no fields of the catalogue: they hold other ids than those of contacts, or none. */
const OTHER_JSON: string[] = [
  ...['contacts.contact_details', 'enquiries.dates', 'enquiries.sought', 'external_listings.photos'],
  ...['external_listings.photo_sources', 'listings.features', 'listings.positioning', 'listings.view'],
  ...['listings.flooring', 'listings.floor_configuration', 'offers.external_property'],
  ...['contracts.external_property', 'requests.subcategories', 'requests.subtypes'],
]

/** What the statements of places name. */
const statements = PLACES.flatMap((place) => {
  const { rows = [], set } = place.merge(idsIn(88), idsIn(12))
  const texts = [place.select(idsIn(88)), ...rows, ...(set ? [set[1]] : [])].map(
    (one) => sqlStatement(one).sql,
  )
  return [{ table: getTableName(place.table), text: texts.join('\n') }]
})
const isMoved = (table: string, column: string, owner = table) =>
  statements.some(
    (one) =>
      one.table === owner && one.text.includes(column) && new RegExp(String.raw`\b${table}\b`).test(one.text),
  )

describe('the places where records refer to contacts', () => {
  it('are looked for in the tables of every resource, whose modules `src/db/referring.ts` lists', () => {
    const names = KNOWN.map((table) => getTableName(table))
    expect(RECORD_RESOURCES.flatMap(({ table }) => (names.includes(table) ? [] : table))).toEqual([])
  })

  it('are every foreign key, and every column that is named after contacts', () => {
    const keys = REFERRING.filter(({ target }) => target === 'contacts')
    expect(keys.length).toBeGreaterThan(10)
    const unmoved = keys.filter(({ kind, table, column }) => !isMoved(table, column, kind))
    const named = TABLES.flatMap((table) =>
      Object.values(getTableColumns(table)).map((column) => [getTableName(table), column.name] as const),
    ).filter(([, column]) => /contact_id|recipient|into/.test(column))
    const forgotten = named.filter(
      ([table, column]) => !statements.some(({ text }) => text.includes(table) && text.includes(column)),
    )
    const names = [
      ...unmoved.map(({ table, column }) => `${table}.${column}`),
      ...forgotten.map((one) => one.join('.')),
    ]
    expect(names.filter((name) => !(name in STAYING))).toEqual([])
    expect(
      TABLES.filter((table) => /_contacts$/.test(getTableName(table)) && !KNOWN.includes(table)),
    ).toEqual([])
  })

  it('are every field of the catalogue that refers to contacts, also within an object', () => {
    const fields = [...RECORD_FIELDS].flatMap(([table, known]) => [
      ...columnFields(known).map(({ name, field }) => ({ table, name, to: field.to })),
      ...Object.values(known.objects ?? {}).flatMap(({ prefix, fields }) =>
        Object.entries(fields ?? {}).map(([key, { to }]) => ({ table, name: prefix + key, to })),
      ),
    ])
    const lists = RECORD_RESOURCES.flatMap(({ table, hasContacts }) =>
      hasContacts ? [{ table, name: 'contacts' }] : [],
    )
    const expected = [
      ...fields.filter(({ to }) => to === 'contacts'),
      ...lists,
      { table: 'listings', name: 'contacts' },
    ]
    const known = PLACES.map(({ table, field }) => `${getTableName(table)}.${field}`)
    expect(
      expected.map(({ table, name }) => `${table}.${name}`).filter((name) => !known.includes(name)),
    ).toEqual([])
  })

  it('are the custom fields of every resource that has values of them, and no other JSON', () => {
    const json = KNOWN.flatMap((table) => {
      const name = getTableName(table)
      const fields = RECORD_FIELDS.get(name)
      const known = [
        ...(fields ? columnFields(fields).map(({ column }) => column) : []),
        ...Object.keys(fields?.objects ?? {}),
      ]
      const columns = Object.values(getTableColumns(table)).filter((column) => is(column, SQLiteTextJson))
      return fields
        ? columns.flatMap((column) => (known.includes(column.name) ? [] : `${name}.${column.name}`))
        : []
    })
    const moved = PLACES.filter(({ merge }) => merge(idsIn(88), idsIn(12)).set?.[0] === 'custom_fields')
    expect(json.filter((name) => !OTHER_JSON.includes(name))).toEqual(
      moved.map(({ table }) => `${getTableName(table)}.custom_fields`),
    )
  })
})
