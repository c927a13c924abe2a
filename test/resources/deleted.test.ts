/**
 * What a DELETE leaves of a record whose row is kept: nothing that is read or written. And what a record refers to,
 * deleted: before it is sent back, and between the reads of a write and its transaction.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { columnFields, RECORD_FIELDS } from '../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES, type Resource, resourceNamed, writePathOf } from '../../src/catalogue/resources.ts'
import type { Endpoint } from '../../src/http/endpoint/contract.ts'
import { endpoints, fill } from '../http/send.ts'
import { call, expectData, expectError, get, importRecords, post, put, remove } from '../support/api.ts'
import { execute, failBefore, selectAll, selectFirst } from '../support/database.ts'
import { dates, OLD } from '../support/factories/dates.ts'
import { place, seedLines } from '../support/factories/lines.ts'
import { bodyFor, SMALLEST } from '../support/factories/samples.ts'
import { foundByQuery } from '../support/reads.ts'

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
  await importRecords([
    ['locations', place(1, 1, null)],
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

const hide = (table: string, id: number) => execute(`update ${table} set is_deleted = 1 where id = ?`, id)

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
  for (const id of [held, other]) await hide(to, id)
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
    const DB = failBefore(written, () => hide(to, id))
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

const DELETABLE = RECORD_RESOURCES.filter(
  ({ writes, deletedIf }) => writes.includes('delete') && deletedIf === 'is_deleted',
)

describe.each(DELETABLE)('DELETE of $resource', (facts) => {
  const { resource, table, one } = facts
  const [path, written] = [`/api/${resource}/700`, `${writePathOf(facts)}/700`]
  /** Whether it writes a record of the resource, or something of one. Files take bytes; what was merged into a deleted contact can still be given back. */
  const isWriteOf = ({ method, path: of }: Endpoint) =>
    method !== 'get' && of.startsWith(`${writePathOf(facts)}/{id}`) && !/files|photos|unmerge/.test(of)

  it('is done once of ten at once, hides the record, and keeps its row', async () => {
    await importRecords([[table, { ...SMALLEST[table], ...dates, id: 700 }]])
    const stored = () => selectFirst(`select * from ${table} where id = 700`)
    const [before, { body }] = [await stored(), await get(path)]
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove(written)))
    const done = replies.filter(({ status }) => status === 200)
    expect(done.map((reply) => reply.body)).toEqual([{ status: 200, deleted_id: 700 }])
    const others = replies.filter((reply) => !done.includes(reply))
    for (const reply of [...others, remove(written), get(path), get(`${path}?fields=all`)])
      await expectError(reply, 404, `${one} not found`)
    // Before the body is looked at: nor has it a course any more, or parts.
    for (const { method, path: of } of endpoints.filter(isWriteOf))
      await expectError(call(method.toUpperCase(), fill(of, 700), { body: '{}' }), 404, `${one} not found`)
    expect(await foundByQuery(`/api/${resource}`, 'per_page=100')).not.toContain(700)
    const after = await stored()
    // The matches of a request go with it.
    const { match_count, matched_version, date_updated, ...kept } = before ?? {}
    expect(after).toMatchObject({ ...kept, is_deleted: 1, version: Number(before?.version) + 1 })
    expect([date_updated, after?.date_updated]).toEqual([OLD, expect.not.stringContaining(OLD)])
    await importRecords([[table, { id: 700, is_deleted: false, date_updated: body.data.date_updated }]])
    await expectData(get(path), body.data)
  })
})
