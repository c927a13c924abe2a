import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import {
  expectError,
  expectInvalid,
  get,
  importRecords,
  keyWith,
  type Line,
  post,
  put,
  remove,
} from '../../support/api.ts'
import { counted, execute, failBefore, selectAll, selectFirst } from '../../support/database.ts'
import { createEnquiry, MINIMAL, seedEnquiries } from '../enquiries/seed.ts'

const PATH = '/api/contacts/duplicates'
const HEADER = 'X-Possible-Duplicates'
const REFUSE = '/api/contacts?duplicates=refuse'

const contact = (id: number, fields: object): Line => [
  'contacts',
  { id, created_by: 1, first_name: 'X', ...fields },
]
const phones = (...numbers: string[]) => ({ phones: numbers.map((number) => ({ number })) })
const emails = (...addresses: string[]) => ({ emails: addresses.map((email_address) => ({ email_address })) })

const found = async (query: string) =>
  (await get(`${PATH}?${query}`)).body.data.map(({ contact_id }: { contact_id: number }) => contact_id)
const keysOf = (id: number) =>
  selectAll(
    `select place, is_deleted, key from person_keys where record_id = ? and place like 'contact%' order by place, key`,
    id,
  )
const contacts = () => selectFirst('select count(*) as n, sum(version) as versions from contacts')

beforeAll(async () => {
  await seedEnquiries()
  await importRecords([
    contact(101, {
      first_name: 'Άννα',
      last_name: 'Ρήγα',
      users: [2, 1],
      ...phones('2109990001'),
      ...emails('anna@x.example'),
    }),
    contact(102, { first_name: 'Ρήγα', last_name: 'Άννα', ...phones('+30 210 9990001') }),
    contact(103, { first_name: '', company_name: 'Riga Anna', ...emails('Office <ANNA@x.example>') }),
    contact(104, { first_name: 'Anna Riga' }),
    contact(105, { first_name: 'Gone', is_deleted: true, ...emails('anna@x.example') }),
    contact(106, { contact_details: [{ mobile: '2109990001', email: 'anna@x.example' }] }),
  ])
})

describe('GET /api/contacts/duplicates', () => {
  it('answers those with most reasons first, whole', async () => {
    const { body } = await get(`${PATH}?email=anna@x.example&phone=2109990001&name=riga%20anna`)
    expect(body).toEqual({
      status: 200,
      data: [
        { contact_id: 101, name: 'Άννα Ρήγα', users: [2, 1], reasons: ['email', 'phone', 'name'] },
        { contact_id: 103, name: 'Riga Anna', users: [], reasons: ['email', 'name'] },
        { contact_id: 102, name: 'Ρήγα Άννα', users: [], reasons: ['phone', 'name'] },
        { contact_id: 104, name: 'Anna Riga', users: [], reasons: ['name'] },
      ],
    })
  })

  it('compares a contact with all others, also together with what else is known', async () => {
    expect(await found('contact_id=102')).toEqual([101, 103, 104])
    expect(await found('contact_id=102&email=anna@x.example')).toEqual([101, 103, 104])
    for (const id of [105, 106, 999_999]) expect(await found(`contact_id=${id}`)).toEqual([])
  })

  it('requires something that is known, within bounds', async () => {
    const missing = 'Missing email: one of email, phone, name and contact_id is required'
    await expectInvalid(get(PATH), missing)
    await expectInvalid(get(`${PATH}?name=%20&email=`), missing)
    for (const name of ['email', 'phone', 'name'])
      await expectInvalid(
        get(`${PATH}?${name}=${'1'.repeat(256)}`),
        `Invalid ${name}: must be at most 255 characters`,
      )
    await expectInvalid(get(`${PATH}?contact_id=x`), 'Invalid contact_id: must be an integer')
    for (const query of ['email=anna', 'phone=123', 'name=Anna', `phone=${'2109990009,'.repeat(23)}`])
      expect(await found(query)).toEqual([])
  })

  it('follows what is changed, deleted, restored and erased', async () => {
    const { created_id: id } = (await post('/api/contacts', { first_name: 'A', ...emails('old@y.example') }))
      .body
    await put(`/api/contacts/${id}`, { ...emails('new@y.example'), ...phones('6940000001') })
    expect(await found('email=old@y.example')).toEqual([])
    expect(await found('email=new@y.example&phone=6940000001')).toEqual([id])
    await put(`/api/contacts/${id}`, { last_name: 'Β' })
    const keys = {
      contacts: ['email:new@y.example', 'name:a v', 'phone:1000000496'],
      'contacts.search': ['6940000001', 'a v', 'a β', 'new@y.example', 'v a', 'y.example', 'β a'],
    }
    expect(await keysOf(id)).toEqual(
      Object.entries(keys).flatMap(([place, own]) => own.map((key) => ({ place, is_deleted: 0, key }))),
    )
    await remove(`/api/contacts/${id}`)
    expect(await found('email=new@y.example')).toEqual([])
    await importRecords([['contacts', { id, is_deleted: false }]])
    expect(await found('email=new@y.example')).toEqual([id])
    await post(`/admin/contacts/${id}/erase`, { reason: 'R' })
    expect(await keysOf(id)).toEqual([])
  })

  it('finds what other code has written once cron has seen it', async () => {
    const { created_id: id } = (await post('/api/contacts', { first_name: 'A', ...emails('a@z.example') }))
      .body
    await execute(
      `update contacts set emails = '[{"email_address":"b@z.example"}]', version = version + 1 where id = ?`,
      id,
    )
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect([await found('email=a@z.example'), await found('email=b@z.example')]).toEqual([[], [id]])
  })

  it('keeps a bounded number of keys of a contact, and looks at a bounded number of contacts', async () => {
    const many = Array.from({ length: 20 }, (_, field) =>
      Array.from({ length: 15 }, (_, index) => `69${String(10_000_000 + field * 100 + index)}`).join(','),
    )
    await importRecords([
      contact(2000, phones(...many)),
      ...Array.from({ length: 50 }, (_, index) =>
        contact(3000 + index, {
          ...phones('2105550000'),
          last_name: `Y${index}`,
          company_name: 'Common Name',
        }),
      ),
      contact(3050, { ...phones('2105550000'), ...emails('one@w.example') }),
    ])
    // 100 telephones as keys, 200 as beginnings, and one name.
    expect(await keysOf(2000)).toHaveLength(301)
    const ids = await found('phone=2105550000&email=one@w.example')
    expect(ids).toEqual([3050, ...Array.from({ length: 8 }, (_, index) => 3000 + index)])
    expect(await found('phone=2105550000')).toHaveLength(20)
    expect(await found('contact_id=2000')).toEqual([])
    const { DB, counts } = counted()
    const query = 'phone=2105550000&email=one@w.example&name=common%20name'
    await get(`${PATH}?${query}`, { bindings: { DB } })
    expect(counts).toEqual({ trips: 1, rowsRead: expect.any(Number), rowsWritten: 0 })
    expect(counts.rowsRead).toBeLessThanOrEqual(100)
  })
})

describe('POST /api/contacts', () => {
  let next = 0
  let number = ''
  beforeEach(() => {
    number = `69411100${String(10 + next++)}`
  })

  const create = (path: string, body: object, options = {}) =>
    post(path, { first_name: 'N', ...body }, options)
  const idOf = async (body: object) => (await create('/api/contacts', body)).body.created_id as number

  it('names contacts with the same telephone or e-mail, not those with the same name', async () => {
    const one = await idOf({ last_name: 'Same', ...phones(number) })
    const two = await create('/api/contacts', { last_name: 'Same', ...phones(`0030 ${number}`) })
    expect(two.headers.get(HEADER)).toBe(String(one))
    const three = await create('/api/contacts', { ...emails('many@v.example'), ...phones(number) })
    expect(three.headers.get(HEADER)).toBe(`${one}, ${two.body.created_id}`)
    for (const body of [{ last_name: 'Same' }, phones('123'), {}])
      expect((await create('/api/contacts', body)).headers.get(HEADER)).toBeNull()
    const changed = await put(`/api/contacts/${one}`, emails('many@v.example'))
    expect(changed.headers.get(HEADER)).toBeNull()
  })

  it('repeats the header to an equal call', async () => {
    const one = await idOf(phones(number))
    const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } }
    const first = await create('/api/contacts', phones(number), options)
    const again = await create('/api/contacts', phones(number), options)
    expect([first.headers.get(HEADER), again.headers.get(HEADER)]).toEqual([String(one), String(one)])
    expect(again.body).toEqual(first.body)
    await expectError(
      create(REFUSE, phones(number), options),
      422,
      'Idempotency-Key was used for another request',
    )
  })

  it('refuses them if asked to, and stores nothing', async () => {
    const one = await idOf(phones(number))
    const before = [await contacts(), await selectFirst('select count(*) as n from changes')]
    await expectError(create(REFUSE, phones(`+30${number}`)), 409, `Possible duplicate of contact ${one}`)
    expect([await contacts(), await selectFirst('select count(*) as n from changes')]).toEqual(before)
    await expectInvalid(create('/api/contacts?duplicates=no', {}), 'Invalid duplicates')
    await expectInvalid(create(REFUSE, { first_name: '', ...phones(number) }), 'Missing first_name')
    await remove(`/api/contacts/${one}`)
    const { status, headers } = await create(REFUSE, { last_name: 'Same', ...phones(number) })
    expect([status, headers.get(HEADER)]).toEqual([200, null])
  })

  it('refuses one that another call stores meanwhile', async () => {
    let other = 0
    const DB = failBefore(/^insert into contacts/, async () => {
      other = await idOf(phones(number))
    })
    const refused = await create(REFUSE, phones(number), { bindings: { DB } })
    await expectError(refused, 409, `Possible duplicate of contact ${other}`)
  })

  it('says nothing of others to keys that may not read contacts', async () => {
    await idOf(phones(number))
    const key = await keyWith('contacts:write')
    expect((await create('/api/contacts', phones(number), { key })).headers.get(HEADER)).toBeNull()
    await expectError(
      create(REFUSE, phones(number), { key }),
      403,
      'This API key lacks the scope contacts:read',
    )
  })
})

describe('POST /api/enquiries/{id}/convert', () => {
  const sender = { ...MINIMAL, email: null, phone: '694 222 0001' }

  it('names contacts of the sender, and refuses them if asked to', async () => {
    const one = (await post('/api/contacts', { first_name: 'N', ...phones('6942220001') })).body.created_id
    const id = await createEnquiry(sender)
    const before = [await contacts(), await selectFirst('select * from enquiries where id = ?', id)]
    const path = `/api/enquiries/${id}/convert`
    await expectError(post(`${path}?duplicates=refuse`, {}), 409, `Possible duplicate of contact ${one}`)
    expect([await contacts(), await selectFirst('select * from enquiries where id = ?', id)]).toEqual(before)
    const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } }
    for (let times = 0; times < 2; times++)
      expect((await post(path, {}, options)).headers.get(HEADER)).toBe(String(one))
    // It is converted already.
    expect((await post(`${path}?duplicates=refuse`, {})).status).toBe(200)
  })

  it('does not refuse a contact that is named', async () => {
    const id = await createEnquiry(sender)
    const { status, headers } = await post(`/api/enquiries/${id}/convert?duplicates=refuse`, {
      contact_id: 101,
    })
    expect([status, headers.get(HEADER)]).toEqual([200, null])
  })
})
