/** What a contact is given by those that are merged into it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { AGENCY } from '../../../admin/erasure/persona.ts'
import { expectError, expectInvalid, get, importRecords, put } from '../../../support/api.ts'
import { emptyService } from '../../../support/storage.ts'
import { merge, unmerge } from './merging.ts'

beforeEach(async () => {
  await emptyService()
  await importRecords([
    ...AGENCY,
    ['users', { id: 2, name: 'Other', store_id: 1 }],
    ['custom_fields', { id: 5, resource: 'contacts', name: 'Family', type: 'contact_multi' }],
    ['contacts', { ...ONE, id: 12 }],
    ['contacts', { ...OTHER, id: 88 }],
    ['contacts', { ...THIRD, id: 77 }],
  ] as never)
})

const consent = (given: boolean, day: number, purpose = 'marketing') => ({
  purpose,
  given,
  date: `2026-01-0${day} 10:00:00`,
  source: null,
})

const phone = (number: string, notes = '', type = '') => ({ type, number, notes })
const mobile = (number: string, notes = '') => phone(number, notes, 'mobile')

const ONE = {
  last_name: 'Papadopoulou',
  created_by: 1,
  is_lead: true,
  notes: 'Calls at noon',
  phones: [mobile('6901234567')],
  consents: [consent(true, 1)],
  address: { area: 'Kifisia' },
  custom_fields: { 1: 'Doctor', 5: [88] },
  users: [1],
}

const OTHER = {
  first_name: 'Maria',
  last_name: 'Papadopulu',
  created_by: 1,
  is_company: true,
  notes: 'Wants a garden',
  phones: [phone('6901234567'), phone('2101234567', 'evenings', 'home')],
  emails: [{ type: '', email_address: 'maria@example.com', notes: '' }],
  consents: [consent(false, 3)],
  address: { area: 'Kifisia', street: 'Main 1', postal_code: '14561' },
  custom_fields: { 1: 'Nurse', 2: 77, 5: [12, 77] },
  contact_details: [{ first_name: 'Nikos', last_name: '', mobile: null, email: null, notes: '' }],
  users: [2, 1],
  date_converted_to_client: '2026-01-05 10:00:00',
}

const THIRD = { first_name: 'Third', company_name: 'Third Ltd', created_by: 1, notes: 'Third note' }

const read = async (id: number) => (await get(`/api/contacts/${id}?fields=all`)).body.data

describe('the values of a merged contact', () => {
  it('fill what is empty, in the order of the contacts, and unite lists', async () => {
    const { id, created_by, date_created, date_updated, ...before } = await read(12)
    expect((await merge(12, [88, 77])).status).toBe(200)
    expect(await read(12)).toEqual({
      ...before,
      ...{ id, created_by, date_created, date_updated: expect.any(String) },
      first_name: 'Maria',
      last_name: 'Papadopoulou',
      is_lead: true,
      is_company: false,
      company_name: 'Third Ltd',
      notes: 'Calls at noon\nWants a garden\nThird note',
      phones: [ONE.phones[0], OTHER.phones[1]],
      emails: OTHER.emails,
      consents: [consent(false, 3)],
      address: OTHER.address,
      contact_details: OTHER.contact_details,
      custom_fields: { 1: 'Doctor', 2: 12, 5: [12] },
      users: [1, 2],
      date_converted_to_client: '2026-01-05 10:00:00',
    })
    const found = await get('/api/contacts?search=maria@example.com')
    expect(found.body.data.map((one: { id: number }) => one.id)).toEqual([12])
  })

  it('stay with the contact, while the others are as they were', async () => {
    const before = await read(88)
    await merge(12, [88])
    await unmerge(12, 88)
    expect(await read(88)).toEqual({ ...before, date_updated: expect.any(String) })
    expect(await read(12)).toMatchObject({ first_name: 'Maria', notes: 'Calls at noon\nWants a garden' })
  })

  it.each([
    ['+30 690 123 4567', '', '', [mobile('6901234567')]],
    ['0030-6901234567 ext. 12', 'work', 'evenings', [mobile('6901234567', 'evenings')]],
    ['6901234567, 2101234567', '', '', [mobile('6901234567'), phone('6901234567, 2101234567')]],
    ['16901234568', '', '', [mobile('6901234567'), phone('16901234568')]],
    ['1234567', '', '', [mobile('6901234567')]],
  ])('unite telephones by their digits: %s', async (number, type, notes, phones) => {
    await put('/api/contacts/77', { phones: [{ number, type, notes }] })
    await merge(12, [77])
    expect((await read(12)).phones).toEqual(phones)
  })

  it('unite e-mails in whatever case, and people with one telephone, and lose no digit and no text', async () => {
    const mail = (email_address: string, notes = '') => ({ type: '', email_address, notes })
    const person = (first_name: string, mobile: string | null, notes = '') => ({
      ...{ first_name, last_name: '', mobile, email: null, notes },
    })
    await put('/api/contacts/12', {
      phones: [phone('1234567'), phone('100')],
      emails: [mail('Maria@Example.com'), mail('b@example.com', 'Office')],
      contact_details: [person('Nikos', '6900000001')],
    })
    await put('/api/contacts/88', {
      phones: [phone('2101234567'), phone('100'), phone('101')],
      emails: [mail('Maria <maria@example.com>', 'Home'), mail('B@example.com', 'Secretary')],
      contact_details: [
        person('', '+30 6900000001', 'Brother'),
        person('Anna', '6900000001'),
        person('Nikos', null),
      ],
    })
    await merge(12, [88])
    expect(await read(12)).toMatchObject({
      phones: [phone('1234567'), phone('100'), phone('2101234567'), phone('101')],
      emails: [
        mail('Maria@Example.com', 'Home'),
        mail('b@example.com', 'Office'),
        mail('B@example.com', 'Secretary'),
      ],
      contact_details: [person('Nikos', '6900000001', 'Brother'), person('Anna', '6900000001')],
    })
  })

  it('append the lines of notes that are not there yet, so that a second merge adds nothing', async () => {
    await put('/api/contacts/88', { notes: 'Calls at noon \r\n\nWants a garden' })
    const notes = 'Calls at noon\n\nWants a garden'
    for (let round = 0; round < 2; round++) {
      await merge(12, [88])
      expect((await read(12)).notes).toBe(notes)
      await unmerge(12, 88)
    }
    await put('/api/contacts/88', { notes: 'Wants a garden\nand a pool' })
    await merge(12, [88, 77])
    expect((await read(12)).notes).toBe(`${notes}\nand a pool\nThird note`)
  })

  it('are those of whom `fields` names', async () => {
    const of88 = ['last_name', 'is_lead', 'notes', 'phones', 'custom_fields', 'users'].map((name) => [
      name,
      88,
    ])
    const fields = { ...Object.fromEntries(of88), address: 12, emails: 12 }
    expect((await merge(12, [88, 77], { fields })).status).toBe(200)
    expect(await read(12)).toMatchObject({
      ...{ last_name: 'Papadopulu', is_lead: false, notes: 'Wants a garden' },
      ...{ phones: OTHER.phones, users: [2, 1] },
      address: { area: 'Kifisia', street: null, postal_code: null },
      emails: [],
      company_name: 'Third Ltd',
      custom_fields: { 1: 'Nurse', 2: 12, 5: [12] },
    })
  })

  it('never make an address of two, and stay within the bounds of a contact', async () => {
    await put('/api/contacts/12', { address: { area: 'Patra' }, notes: 'x'.repeat(65_530) })
    await expectInvalid(merge(12, [88]), 'Invalid notes: must be at most 65535 characters')
    const nameless = { fields: { last_name: 77, first_name: 12, company_name: 12 } }
    await expectInvalid(merge(12, [77], nameless), 'Missing first_name')
    expect((await merge(12, [88], { fields: { notes: 12 } })).status).toBe(200)
    expect((await read(12)).address).toEqual({ area: 'Patra', street: null, postal_code: null })
    await expectError(merge(88, [12]), 404, 'Contact not found')
    const phones = (first: number) => Array.from({ length: 60 }, (_, index) => phone(String(first + index)))
    await put('/api/contacts/12', { notes: '', phones: phones(6_900_000_000) })
    await put('/api/contacts/77', { phones: phones(6_900_000_030) })
    expect((await merge(12, [77])).status).toBe(200)
    await unmerge(12, 77)
    await put('/api/contacts/77', { phones: phones(6_911_000_000) })
    await expectInvalid(merge(12, [77]), 'Invalid phones: must have at most 100 entries')
  })
})
