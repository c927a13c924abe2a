/** What calls know of a contact that was merged into another. How a merge is stored here: as an import stores it. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  expectData,
  expectError,
  expectInvalid,
  get,
  importRecords,
  keyWith,
  type Reply,
} from '../../support/api.ts'
import { foundByQuery } from '../../support/reads.ts'
import { FIELDS, seedContacts } from './seed.ts'

/** Of 88, which was merged into 12; of 87, which was merged into 88 before; of 86, into the deleted 11; of 85, into an erased one. */
const LINES = [
  { id: 11, first_name: 'Gone', is_deleted: true },
  { id: 12, first_name: 'Zoi', last_name: 'Ktena', emails: [{ email_address: 'zoi@example.com' }] },
  { id: 10, first_name: '', is_erased: true },
  { id: 85, first_name: 'Zoi', last_name: 'Of 85', merged_into: 10 },
  { id: 86, first_name: 'Zoi', last_name: 'Of 86', merged_into: 11 },
  { id: 87, first_name: 'Zoi', last_name: 'Of 87', merged_into: 88 },
  { id: 88, first_name: 'Zoi', last_name: 'Kténa', phones: [{ number: '6901112223' }], merged_into: 12 },
]

let first = ''

beforeAll(async () => {
  await seedContacts()
  first = (await get('/api/changes?limit=1000')).body.next
  await importRecords(LINES.map((line) => ['contacts', line]))
})

async function expectMerged(reply: Promise<Reply>, into: string | null): Promise<void> {
  const { headers } = await reply
  await expectError(reply, 404, 'Contact not found')
  expect(headers.get('X-Merged-Into')).toBe(into)
}

describe.each([
  [88, '12'],
  [87, '12'],
  [86, null],
  [85, null],
  [11, null],
  [999, null],
])('contact %d', (id, into) => {
  it.each([
    ['GET', ''],
    ['GET', '?fields=all'],
    ['GET', '/timeline'],
    ['PUT', ''],
    ['DELETE', ''],
  ])(`%s …/${id}%s: 404 with X-Merged-Into: ${into}`, (method, rest) =>
    expectMerged(
      call(method, `/api/contacts/${id}${rest}`, method === 'PUT' ? { body: { notes: 'x' } } : {}),
      into,
    ),
  )
})

it('says nothing of a merge to keys that may not read contacts', async () => {
  const key = await keyWith('contacts:write')
  for (const [method, rest, body] of [
    ['PUT', '', { notes: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/merge', { contacts: [12] }],
    ['POST', '/unmerge', { contact_id: 87 }],
  ] as const)
    await expectMerged(call(method, `/api/contacts/88${rest}`, { key, body }), null)
})

it('shows browsers where a contact was merged, and sends nothing of it with others', async () => {
  const { headers } = await call('GET', '/api/contacts/88', { headers: { Origin: 'https://a.example' } })
  expect(headers.get('Access-Control-Expose-Headers')?.split(',')).toContain('X-Merged-Into')
  const living = await get('/api/contacts/12?fields=all')
  expect([living.headers.get('X-Merged-Into'), living.body.data.merged_into]).toEqual([null, undefined])
})

it('leaves merged contacts out of lists and searches', async () => {
  for (const query of ['search=zoi', 'search=Of', 'search=6901112223', 'per_page=100'])
    expect((await foundByQuery('/api/contacts', query)).filter((id) => id > 80)).toEqual([])
  expect(await foundByQuery('/api/contacts', 'search=zoi')).toEqual([12])
  const duplicates = (query: string) => get(`/api/contacts/duplicates?${query}`)
  await expectData(duplicates('phone=6901112223'), [])
  expect((await duplicates('name=zoi ktena')).body.data).toMatchObject([{ contact_id: 12 }])
  await expectData(duplicates('contact_id=12'), [])
})

it('enters a merged contact in the change feed as deleted', async () => {
  const { data } = (await get(`/api/changes?after=${first}&limit=1000`)).body
  expect(data.map(({ id, change }: { id: number; change: string }) => [id, change])).toEqual(
    LINES.map(({ id }) => [id, id === 12 ? 'changed' : 'deleted']),
  )
})

it('shows in the history of a merged contact what it was merged into', async () => {
  await importRecords([['contacts', { id: 90, first_name: 'A' }]])
  await importRecords([['contacts', { id: 90, merged_into: 12 }]])
  const { data } = (await get('/api/contacts/90/history')).body
  expect(data[0].changed).toEqual({ is_deleted: [false, true], merged_into: [null, 12] })
})

it('refuses custom fields that name a merged contact, like deleted ones', async () => {
  const custom_fields = { [FIELDS.contact]: 88 }
  const message = `Unknown custom_fields.${FIELDS.contact} 88`
  await expectInvalid(call('PUT', '/api/contacts/12', { body: { custom_fields } }), message)
  await expectData(get('/api/contacts/12'), expect.objectContaining({ custom_fields: {} }))
})
