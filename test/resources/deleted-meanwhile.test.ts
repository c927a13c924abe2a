/** What a record refers to, deleted: before it is sent back, and between the reads of a write and its transaction. */
import { beforeAll, expect, it } from 'vitest'
import { columnFields, RECORD_FIELDS } from '../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES, type Resource, resourceNamed, writePathOf } from '../../src/catalogue/resources.ts'
import { call, expectError, importRecords, post, put } from '../support/api.ts'
import { execute, failBefore, selectAll } from '../support/database.ts'
import { seedLines } from '../support/factories/lines.ts'
import { bodyFor, SMALLEST } from '../support/factories/samples.ts'

const HIDING = RECORD_RESOURCES.flatMap(({ table, deletedIf }) => (deletedIf === 'is_deleted' ? table : []))

/** The fields of a resource that refer to records which a deletion hides, with their tables. */
function referring({ table, hasContacts }: Resource): [field: string, to: string][] {
  const { columns, objects = {} } = RECORD_FIELDS.get(table) ?? { columns: {} }
  const within = Object.values(objects).map(({ prefix, fields }) => [prefix, fields ?? {}] as const)
  const all = columnFields({ columns: { ...columns, ...Object.fromEntries(within) } })
  const single = all.flatMap(({ name, field: { to } }): [string, string][] =>
    to && HIDING.includes(to) ? [[name, to]] : [],
  )
  return hasContacts ? [['contacts', 'contacts'], ...single] : single
}

const LINKS = RECORD_RESOURCES.filter(({ hasContacts, door }) => hasContacts || door).flatMap((resource) =>
  referring(resource).map(([field, to]) => ({ resource, name: resource.resource, field, to })),
)

beforeAll(async () => {
  await seedLines()
  const names = { name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A' }
  await importRecords([
    ['locations', { id: 1, level: 1, parent_id: null, ...names }],
    ['request_statuses', { id: 1, name: 'New' }],
  ])
})

let next = 900

/** Creates a record of a resource, and returns its path. */
async function createOf(resource: Resource): Promise<string> {
  const path = writePathOf(resource)
  const { created_id, data } = (await post(path, await bodyFor(resource))).body
  return `${path}/${created_id ?? data.id}`
}

/** `value` under a name that may be dotted. */
const under = (field: string, value: unknown): object =>
  field.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object

const remove = (table: string, id: number) => execute(`update ${table} set is_deleted = 1 where id = ?`, id)

type ValueOf = (id: number) => unknown

const valueFor = (field: string): ValueOf => (field === 'contacts' ? (id) => [id] : (id) => id)

/** Expects that a reference to what is deleted by now can be sent back, and that there can be no new one. */
async function expectSentBack(resource: Resource, to: string, field: string, value: ValueOf): Promise<void> {
  const [held, other] = [next++, next++]
  const path = await createOf(resource)
  const update = (id: number) => put(path, under(field, value(id)))
  // Its version says whether anything was written.
  const stored = () => selectAll(`select * from ${resource.table} where id = ?`, path.split('/').at(-1))
  await importRecords([held, other].map((id) => [to, { ...SMALLEST[to], id }]))
  expect((await update(held)).body).toMatchObject({ status: 200 })
  for (const id of [held, other]) await remove(to, id)
  const before = await stored()
  expect((await update(held)).body).toMatchObject({ status: 200 })
  expect(await stored()).toEqual(before)
  await expectError(update(other), 400, `Unknown ${field} ${other}`)
}

/** Expects that a record deleted between the reads of a write and its transaction is refused. */
async function expectRefused(resource: Resource, to: string, field: string, value: ValueOf): Promise<void> {
  for (const [method, url, more] of [
    ['POST', writePathOf(resource), await bodyFor(resource)],
    ['PUT', await createOf(resource), {}],
  ] as const) {
    const id = next++
    await importRecords([[to, { ...SMALLEST[to], id }]])
    const body = { ...more, ...under(field, value(id)) }
    const written = new RegExp(`^(insert into|update) ${resource.table} `)
    const DB = failBefore(written, () => remove(to, id))
    await expectError(call(method, url, { body, bindings: { DB } }), 400, `Unknown ${field} ${id}`)
  }
}

it.each(LINKS)('$name with $field sent back: 200', ({ resource, field, to }) =>
  expectSentBack(resource, to, field, valueFor(field)),
)

it.each(LINKS)('$name with $field: 400', ({ resource, field, to }) =>
  expectRefused(resource, to, field, valueFor(field)),
)

it.each(LINKS.filter(({ to }) => to === 'contacts'))(
  '$name with $field that was merged: 400',
  async ({ resource, field }) => {
    const [target, merged] = [next++, next++]
    const line = { ...SMALLEST.contacts, id: target }
    await importRecords([
      ['contacts', line],
      ['contacts', { ...line, id: merged, merged_into: target }],
    ])
    const body = under(field, valueFor(field)(merged))
    const message = `Unknown ${field} ${merged}`
    await expectError(
      post(writePathOf(resource), { ...(await bodyFor(resource)), ...body }),
      ...[400, message],
    )
    await expectError(put(await createOf(resource), body), 400, message)
  },
)

const CUSTOM = [
  [resourceNamed('contacts'), 'custom_fields'],
  [resourceNamed('requests'), 'extra_fields'],
] as const

/** A new custom field of contacts, as `custom_fields.7`. */
async function customField({ table }: Resource, group: string): Promise<string> {
  const id = next++
  await importRecords([['custom_fields', { id, resource: table, name: 'Friend', type: 'contact' }]])
  return `${group}.${id}`
}

it.each(CUSTOM)('$resource with $1 of contacts sent back: 200', async (resource, group) => {
  const field = await customField(resource, group)
  await expectSentBack(resource, 'contacts', field, (id) => id)
})

it.each(CUSTOM)('$resource with $1 of contacts: 400', async (resource, group) => {
  await expectRefused(resource, 'contacts', await customField(resource, group), (id) => id)
})
