/** What the console makes of ids is what the catalogue says of the fields that hold them. */
import { expect, it } from 'vitest'
import { LOOKUPS } from '../../src/catalogue/lookups.ts'
import { columnFields, RECORD_FIELDS } from '../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES } from '../../src/catalogue/resources.ts'
import { meaningOf } from '../../src/console/app/meanings.ts'
import { fieldName, nameOf, valueName } from '../../src/console/app/words.ts'
import { entry, KIND_NAMES } from '../../src/resources/timelines/read.ts'
import { RECORDS } from '../support/factories/samples.ts'

/** Every field of a record, with its resource. */
const ALL = RECORD_RESOURCES.flatMap(({ resource, table }) => {
  const fields = RECORD_FIELDS.get(table) ?? { columns: {} }
  const inside = [
    ...Object.values(fields.objects ?? {}).map((group) => group.fields ?? {}),
    ...Object.values(fields.rows ?? {}),
  ]
  const named = inside.flatMap((group) => Object.entries(group))
  const own = columnFields(fields).map(({ name, field }) => [name, field] as const)
  return [...own, ...named].map(([name, field]) => ({ resource, name, field }))
})

const REFERENCES = ALL.flatMap(({ resource, name, field }) => (field.to ? [[resource, name, field.to]] : []))

it.each(REFERENCES)('%s: the ids of %s are those of %s', (resource, field, table) => {
  const lookup = LOOKUPS.find((one) => one.table === table)
  const records = RECORD_RESOURCES.find((one) => one.table === table)
  const meant = lookup
    ? [{ list: lookup.resource }]
    : records
      ? [{ records: table }, { list: records.resource }]
      : [null]
  expect(meant).toContainEqual(meaningOf(resource, field))
})

it.each([
  ['listings', 'users', { list: 'users' }],
  ['requests', 'locations', { list: 'locations' }],
  ['requests', 'extra_fields.special_locations', { list: 'special-locations' }],
  ['requests', 'extra_fields.listing_tags', { list: 'listings/tags' }],
  ['requests', 'subtypes', { list: 'listings/subtypes' }],
  ['offers', 'contacts', { records: 'contacts' }],
  ['contacts', 'tags', { list: 'contacts/tags' }],
  ['external-listings', 'tags', { list: 'external-listings/tags' }],
  ['listings', 'price', null],
  ['trail', 'status', null],
  ['listings', 'the service.project_unit_name', null],
])('%s: the list %s', (resource, field, expected) => {
  expect(meaningOf(resource, field)).toEqual(expected)
})

/** The keys of a line of an export, also those within; not the ids of custom fields. */
function keysIn(line: unknown): string[] {
  if (typeof line !== 'object' || line === null) return []
  const inside = Object.values(line).flatMap(keysIn)
  return [...Object.keys(line).filter((key) => !/^\d+$/.test(key)), ...inside]
}

it('every field of a record has Greek', () => {
  const others = [...RECORD_FIELDS.values()].flatMap(({ names = {}, valued = [] }) => [
    ...valued,
    ...Object.values(names).filter((name) => name !== null),
  ])
  const records = RECORDS.filter(([entity]) => RECORD_FIELDS.has(entity))
  const exported = records.flatMap(([, line]) => keysIn(line))
  const unnamed = [...new Set([...ALL.map(({ name }) => name), ...others, ...exported])].filter(
    (name) => !/[α-ω]|^(E-mail|WC)$/.test(fieldName(name, 'el')),
  )
  expect(unnamed).toEqual([])
})

it('what happens on a timeline, and what a contact is in it, has Greek', () => {
  const names = [
    ...KIND_NAMES.map((kind) => nameOf('timeline', kind, 'el')),
    ...entry.shape.role.unwrap().options.map((role) => nameOf('roles', role, 'el')),
  ]
  expect(
    names.filter((name) => !/[α-ω]/.test(name)),
    'each needs a line in src/console/app/words.ts',
  ).toEqual([])
})

it.each([
  ['features', 'has_elevator', 'Elevator'],
  ['features', 'elevator', 'Elevator'],
  ['view', 'sea', 'Sea view'],
  ['flooring', 'nonsense', 'nonsense'],
])('%s: %s is called %s', (field, value, expected) => {
  expect(valueName('listings', field, value, 'en')).toBe(expected)
})
