import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectDone, expectInvalid, expectProblems, importRecords, post } from '../../support/api.ts'
import { DATE } from '../../support/factories/dates.ts'
import { emptyService } from '../../support/storage.ts'
import { CONTACT_DEFAULTS, createContact, readContact, seedContacts, storedContact } from './seed.ts'

beforeAll(seedContacts)

describe('POST /api/contacts', () => {
  it('answers the id, and stores a contact with every field', async () => {
    const reply = await post('/api/contacts', { last_name: 'Ξένος' })
    const { created_id } = reply.body
    await expectDone(reply, { created_id })
    const contact = await readContact(created_id)
    expect(contact).toEqual({
      ...CONTACT_DEFAULTS,
      id: created_id,
      last_name: 'Ξένος',
      date_created: DATE,
      date_updated: contact.date_created,
      created_by: 1,
    })
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
