import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, expectProblems, importRecords, post } from '../../support/api.ts'
import { emptyService } from '../../support/storage.ts'
import { CONTACT_DEFAULTS, createContact, readContact, seedContacts, storedContact } from './seed.ts'

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

beforeAll(seedContacts)

describe('POST /api/contacts', () => {
  it('answers the id, and stores a contact with every field', async () => {
    const reply = await post('/api/contacts', { last_name: 'Ξένος' })
    const { created_id } = reply.body
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 200,
      body: { status: 200, created_id },
    })
    const contact = await readContact(created_id)
    expect(contact).toEqual({
      ...CONTACT_DEFAULTS,
      id: created_id,
      last_name: 'Ξένος',
      date_created: expect.stringMatching(DATE_TIME),
      date_updated: contact.date_created,
      created_by: 1,
    })
    expect(await storedContact(created_id)).toMatchObject({
      version: 1,
      is_deleted: 0,
      search: 'ξενοσ\nξενοσ\n= xenos',
    })
  })

  it('fills what the entries of lists leave out', async () => {
    const id = await createContact({
      phones: [{ number: '1' }, { type: null, number: '2', notes: null }],
      emails: [{ email_address: 'a@example.com' }],
      contact_details: [{}, { mobile: '', email: null }],
    })
    const person = { first_name: '', last_name: '', mobile: null, email: null, notes: '' }
    expect(await readContact(id)).toMatchObject({
      phones: [
        { type: '', number: '1', notes: '' },
        { type: '', number: '2', notes: '' },
      ],
      emails: [{ type: '', email_address: 'a@example.com', notes: '' }],
      contact_details: [person, person],
    })
  })

  it('takes null for every optional key as not sent', async () => {
    const empty = await readContact(await createContact())
    const keys = Object.keys(empty).filter((key) => !['id', 'first_name'].includes(key))
    const id = await createContact(Object.fromEntries(keys.map((key) => [key, null])))
    const contact = await readContact(id)
    // A second may have begun between the two.
    const { date_created, date_updated } = contact
    expect(contact).toEqual({ ...empty, id, date_created, date_updated })
  })

  it('reads back what was posted', async () => {
    await fc.assert(
      fc.asyncProperty(contactBody, async (body) => {
        const contact = await readContact(await createContact(body))
        expect(contact).toMatchObject({ ...body, company_name: body.company_name || null })
      }),
      { numRuns: 40 },
    )
  })
})

describe('POST /api/contacts: defaults of the account', () => {
  it('takes source and creator from the settings', async () => {
    await importRecords([
      ['settings', { key: 'default_contact_source_id', value: 2 }],
      ['settings', { key: 'default_user_id', value: 3 }],
    ])
    expect(await readContact(await createContact())).toMatchObject({ source_id: 2, created_by: 3 })
    expect(await readContact(await createContact({ source_id: null, created_by: null }))).toMatchObject({
      source_id: 2,
      created_by: 3,
    })
    expect(await readContact(await createContact({ source_id: 1, created_by: 2 }))).toMatchObject({
      source_id: 1,
      created_by: 2,
    })
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

const shortText = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .filter((text) => text.length <= 255 && !text.includes('\0') && text.isWellFormed())
const filled = shortText.filter((text) => text.trim() !== '')
const maybe = fc.option(filled, { nil: null })

const contactBody = fc.record({
  first_name: filled,
  last_name: shortText,
  source_id: fc.constantFrom(1, 2),
  is_lead: fc.boolean(),
  is_company: fc.boolean(),
  company_name: fc.option(shortText, { nil: null }),
  phones: fc.array(fc.record({ type: shortText, number: filled, notes: shortText }), { maxLength: 3 }),
  emails: fc.array(fc.record({ type: shortText, email_address: filled, notes: shortText }), { maxLength: 3 }),
  notes: shortText,
  address: fc.record({ area: maybe, street: maybe, postal_code: maybe }),
  custom_fields: fc.record(
    {
      1: filled,
      4: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
      8: fc.boolean(),
    },
    { noNullPrototype: true, requiredKeys: [] },
  ),
  contact_details: fc.array(
    fc.record({ first_name: shortText, last_name: shortText, mobile: maybe, email: maybe, notes: shortText }),
    { maxLength: 2 },
  ),
  tags: fc.uniqueArray(fc.constantFrom(1, 2, 3, 4)),
  created_by: fc.constantFrom(1, 2, 3),
  users: fc.uniqueArray(fc.constantFrom(1, 2, 3)),
})
