/** What a record is to refer to, deleted between the reads of a write and its transaction. */
import { beforeAll, it } from 'vitest'
import { columnFields, RECORD_FIELDS } from '../../src/catalogue/record-fields.ts'
import { RECORD_RESOURCES, type Resource, writePathOf } from '../../src/catalogue/resources.ts'
import { bearer, send } from '../http/send.ts'
import { expectError, importRecords, keyWith, post } from '../support/api.ts'
import { execute, failBefore } from '../support/database.ts'
import { seedLines } from '../support/factories/lines.ts'
import { CREATED, CREATED_FOR, naming, SMALLEST } from '../support/factories/samples.ts'

const HIDING = RECORD_RESOURCES.flatMap(({ table, deletedIf }) => (deletedIf === 'is_deleted' ? table : []))

/** The fields of a resource that refer to records which a deletion hides, with their tables. */
function referring({ table, hasContacts }: Resource): [field: string, to: string][] {
  const columns = columnFields(RECORD_FIELDS.get(table) ?? { columns: {} })
  const single = columns.flatMap(({ name, field: { to } }): [string, string][] =>
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

it.each(LINKS)('$name with $field: 400', async ({ resource, field, to }) => {
  const { table, door } = resource
  const path = writePathOf(resource)
  const headers = bearer(await keyWith('*:write'))
  const body = async () => naming((door ? CREATED : SMALLEST)[table] ?? {}, await CREATED_FOR[table]?.())
  const { created_id, data } = (await post(path, await body())).body
  for (const [method, url, more] of [
    ['POST', path, await body()],
    ['PUT', `${path}/${created_id ?? data.id}`, {}],
  ] as const) {
    const id = next++
    await importRecords([[to, { ...SMALLEST[to], id }]])
    const sent = { ...more, [field]: field === 'contacts' ? [id] : id }
    const DB = failBefore(new RegExp(`^(insert into|update) ${table} `), () =>
      execute(`update ${to} set is_deleted = 1 where id = ?`, id),
    )
    const reply = send(method, url, { headers, body: JSON.stringify(sent) }, { DB })
    await expectError(reply, 400, `Unknown ${field} ${id}`)
  }
})

it.each([
  ['contacts', 'custom_fields'],
  ['requests', 'extra_fields'],
] as const)('%s with a custom field of contacts: 400', async (table, group) => {
  const field = next++
  await importRecords([['custom_fields', { id: field, resource: table, name: 'Friend', type: 'contact' }]])
  const path = `/api/${table}`
  const headers = bearer(await keyWith('*:write'))
  const { created_id, data } = (await post(path, SMALLEST[table])).body
  for (const [method, url, more] of [
    ['POST', path, SMALLEST[table]],
    ['PUT', `${path}/${created_id ?? data.id}`, {}],
  ] as const) {
    const id = next++
    await importRecords([['contacts', { ...SMALLEST.contacts, id }]])
    const sent = { ...more, [group]: { [field]: id } }
    const DB = failBefore(new RegExp(`^(insert into|update) ${table} `), () =>
      execute('update contacts set is_deleted = 1 where id = ?', id),
    )
    const reply = send(method, url, { headers, body: JSON.stringify(sent) }, { DB })
    await expectError(reply, 400, `Unknown ${group}.${field} ${id}`)
  }
})
