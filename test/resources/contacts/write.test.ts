import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectDone, expectInvalid, expectProblems, importRecords, post, put } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { emptyService } from '../../support/storage.ts'
import { backdate, createContact, readContact, seedContacts, storedContact } from './seed.ts'

beforeAll(seedContacts)

describe('POST /api/contacts', () => {
  it('answers the id, and stores a contact of the first user', async () => {
    const reply = await post('/api/contacts', { last_name: 'Ξένος' })
    const { created_id } = reply.body
    await expectDone(reply, { created_id })
    const { last_name, date_created, date_updated, created_by } = await readContact(created_id)
    expect([last_name, date_updated, created_by]).toEqual(['Ξένος', date_created, 1])
    expect(await storedContact(created_id)).toMatchObject({
      version: 1,
      is_deleted: 0,
      search: 'ξενοσ\nξενοσ\n= xenos',
    })
  })
})

describe('POST /api/contacts: defaults of the account', () => {
  it('takes source and creator from the settings', async () => {
    await importRecords([
      ['settings', { key: 'default_contact_source_id', value: 2 }],
      ['settings', { key: 'default_user_id', value: 3 }],
    ])
    const defaults = { source_id: 2, created_by: 3 }
    const others = { source_id: 1, created_by: 2 }
    for (const [body, stored] of [
      [{}, defaults],
      [{ source_id: null, created_by: null }, defaults],
      [others, others],
    ])
      expect(await readContact(await createContact(body))).toMatchObject(stored ?? {})
    await env.DB.exec("delete from settings where key in ('default_contact_source_id', 'default_user_id')")
  })
})

describe('POST /api/contacts: what is refused', () => {
  it.each<[unknown, string]>([
    [{}, 'Missing first_name'],
    [{ first_name: '', last_name: ' ', company_name: null }, 'Missing first_name'],
    [{ name: 'A' }, 'Missing first_name'],
    [{ first_name: 'a\0' }, 'Invalid first_name: must not contain NUL or broken Unicode'],
  ])('%j → 400 %s', async (body, message) => {
    const count = () => env.DB.prepare('select count(*) as n from contacts').first('n')
    const before = await count()
    await expectInvalid(post('/api/contacts', body), message)
    expect(await count()).toBe(before)
  })
})

const CONSENT = { purpose: 'marketing', given: true, date: '2026-01-01 10:00:00' }

const NO_AREA = { area: null, postal_code: null }
const CHANGED = { 1: 'changed', 8: true }

const FULL = {
  first_name: 'Ελένη',
  last_name: 'Οικονόμου',
  source_id: 1,
  is_lead: true,
  is_company: true,
  company_name: 'Κτίσις',
  phones: [{ type: 'mobile', number: '690', notes: '' }],
  emails: [{ type: 'work', email_address: 'a@example.com', notes: '' }],
  notes: 'Notes',
  address: { area: 'Παγκράτι', street: 'Υμηττού 1', postal_code: '11633' },
  custom_fields: { 1: 'one', 4: 4, 7: [71, 72] },
  contact_details: [{ first_name: 'A', last_name: 'B', mobile: '1', email: null, notes: '' }],
  tags: [3, 1],
  created_by: 2,
  users: [3, 2],
}

const update = (id: number, body: unknown) => expectDone(put(`/api/contacts/${id}`, body), { updated_id: id })

describe('PUT /api/contacts/{id}', () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    ['last_name', '', { last_name: '' }],
    ['company_name', '', { company_name: null }],
    ['address', { area: null, postal_code: '' }, { address: { ...FULL.address, ...NO_AREA } }],
    ['address', {}, {}],
    ['address', null, { address: { ...NO_AREA, street: null } }],
    ['custom_fields', CHANGED, { custom_fields: { ...FULL.custom_fields, ...CHANGED } }],
    ['custom_fields', { 1: null, 4: '', 7: [] }, { custom_fields: {} }],
    ['custom_fields', {}, {}],
    ['custom_fields', null, { custom_fields: {} }],
    ['consents', [CONSENT], { consents: [{ ...CONSENT, source: null }] }],
    ['consents', null, {}],
    ['tags', [2, 4, 2], { tags: [2, 4] }],
    ['created_by', 3, {}],
    ['date_updated', '2000-01-01 00:00:00', {}],
    ['date_converted_to_client', '2000-01-01', {}],
  ])('%s: %j', async (key, value, change) => {
    const id = await createContact(FULL)
    await backdate(id)
    const before = await readContact(id)
    await update(id, { [key]: value })
    const after = await readContact(id)
    expect(after).toEqual({ ...before, ...change, date_updated: after.date_updated })
    // The date moves only when something changed.
    expect(after.date_updated === before.date_updated).toBe(Object.keys(change).length === 0)
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['the only name', { first_name: 'A' }, { first_name: '' }],
    ['the only name for a blank', { first_name: 'A' }, { first_name: ' ' }],
    ['the only name that was left', { last_name: 'A', first_name: '' }, { last_name: null }],
    ['the company alone', { first_name: '', company_name: 'A' }, { company_name: null }],
    ['all names', FULL, { first_name: null, last_name: null, company_name: null }],
  ])('keeps at least one name: not %s', async (_, body, change) => {
    const id = await createContact(body)
    const before = await storedContact(id)
    await expectInvalid(put(`/api/contacts/${id}`, change), 'Missing first_name')
    expect(await storedContact(id)).toEqual(before)
  })

  it('asks for no name of a contact that has none, unless it is to have another', async () => {
    const id = await createContact()
    await execute("update contacts set first_name = '' where id = ?", id)
    await update(id, { notes: 'Called' })
    await expectInvalid(put(`/api/contacts/${id}`, { last_name: '' }), 'Missing first_name')
  })
})

describe('PUT /api/contacts/{id} by several at once', () => {
  it('never takes the last name', async () => {
    const id = await createContact({ first_name: 'A', last_name: 'B' })
    const replies = await Promise.all([
      put(`/api/contacts/${id}`, { first_name: null }),
      put(`/api/contacts/${id}`, { last_name: null }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const { first_name, last_name } = await readContact(id)
    expect(first_name + last_name).not.toBe('')
  })
})

describe('POST /api/contacts where nobody could be the creator', () => {
  beforeAll(emptyService)

  it.each<[unknown, string]>([
    [{ first_name: 'A' }, 'Missing created_by'],
    [{ first_name: 'A', created_by: null }, 'Missing created_by'],
    [{ first_name: 'A', created_by: 'me' }, 'Invalid created_by: must be an integer'],
    [{ first_name: 'A', created_by: 1 }, 'Unknown created_by 1'],
  ])('%j → 400 %s', async (body, message) => {
    await expectProblems('POST', '/api/contacts', body, [message])
  })
})
