import { beforeAll, describe, expect, it } from 'vitest'
import { call, get, remove } from '../../support/api.ts'
import { foundByQuery, idsOf } from '../../support/reads.ts'
import { createContact, FIELDS, head, readContact, seedContacts } from './seed.ts'

beforeAll(seedContacts)

describe('GET /api/contacts/{id}', () => {
  it('answers the contact, with fields=all and to HEAD too', async () => {
    const id = await createContact({ first_name: 'Full' })
    const { status, body } = await get(`/api/contacts/${id}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['status', 'data'])
    expect(body.data).toMatchObject({ id, first_name: 'Full' })
    expect(body.data).not.toHaveProperty('consents')
    expect(await readContact(id)).toEqual({ ...body.data, consents: [] })
    expect((await get(`/api/contacts/${id}/`)).body).toEqual(body)
    expect(await head(`/api/contacts/${id}`)).toEqual({ status: 200, body: '' })
  })
})

describe('GET /api/contacts', () => {
  it('answers the living ones, newest first, in the envelope', async () => {
    const id = await createContact({ first_name: 'Newest', tags: [2, 1], users: [3] })
    const { status, headers, body } = await get('/api/contacts')
    expect(status).toBe(200)
    expect(headers.get('X-Total-Count')).toBe(String(body.total_results))
    expect(body).toMatchObject({ page: 1, total_pages: 1, results_per_page: 50 })
    expect({ ...body.data[0], consents: [] }).toEqual(await readContact(id))
    expect(body.data[0]).not.toHaveProperty('consents')
    const ids = idsOf(body)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    expect(ids).not.toContain(3)
    const withConsents = body.data.map((contact: object) => ({ ...contact, consents: [] }))
    expect((await get('/api/contacts?fields=all')).body).toEqual({ ...body, data: withConsents })
  })
})

describe('GET /api/contacts?search=', () => {
  let id: number
  let other: number

  beforeAll(async () => {
    id = await createContact({
      first_name: 'Γιώργος',
      last_name: 'Παπαδόπουλος',
      company_name: 'Ήλιος 100% _ΑΕ Zoë',
      phones: [{ number: '+30 (210) 123-4567' }, { number: '00 44 20 7946 0000' }],
      emails: [{ email_address: 'Info@Helios.example' }],
      notes: 'secret notes',
    })
    other = await createContact({ first_name: 'Chloé', last_name: 'Martin' })
  })

  it.each([
    'γιωργος',
    'ΓΙΏΡΓΟΣ',
    'ΓΙΩΡΓΟΣ',
    'Γιώργος Παπαδόπουλος',
    ' παπαδοπουλος   γιωργος ',
    'παπαδοπ',
    'γιωργος παπαδ',
    'γιωργ παπαδοπουλος',
    'papadopoulos gior',
    'ηλιος 100',
    'παπαδοπουλος ηλιος αε',
    '100%',
    '_αε',
    'ZOE',
    'zoë',
    'info@helios',
    'HELIOS.EXAMPLE',
    '2101234567',
    '210 123 4567',
    '210 123',
    '4567',
    '20 7946 0',
    'helios.ex',
    '+30 210',
    '0030210',
    '30-210',
    '(210)',
    '+44 20 7946',
    '004420',
  ])('finds %s', async (search) => {
    expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)).toEqual([id])
  })

  it.each([
    'παδοπ',
    'γιωργ παπαδ',
    'elios',
    '23456',
    '100_',
    'ηλιος%',
    '__',
    '%%',
    '% _',
    'secret',
    '999888',
    'γιωργοςπαπ',
    'x'.repeat(255),
  ])('does not find %s', async (search) => {
    expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)).toEqual([])
  })

  const PHONES: [phone: string, found: string[], missed: string[]][] = [
    [
      '2310 111111 ext. 12',
      ['2310111111', '+30 2310111111', '2310 111111 εσωτ. 9', '2310 111111 #3'],
      ['231011111112'],
    ],
    ['2310222222, 6970222222', ['2310222222', '6970 222222 x5'], []],
    ['2310333333 6970333333', ['2310333333', '6970333333', '2310 333333 / 6970 333333'], []],
    ['+30 2310 444444 +44 20 7946 4444', ['2310444444', '+442079464444', '00302310444444'], []],
    ['2310 555555-6', ['2310555555', '+30 2310 555555'], []],
    ['2310/666666', ['2310666666', '2310-666666'], []],
    ['777', ['777'], ['7777']],
  ]

  it.each(PHONES)('finds the contact with the phone %s by %j, not by %j', async (phone, found, missed) => {
    const own = await createContact({ first_name: 'Phoned', phones: [{ number: phone }] })
    for (const search of [phone, ...found])
      expect([search, await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)]).toEqual([
        search,
        [own],
      ])
    for (const search of missed)
      expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)).toEqual([])
  })

  it.each(['Anna <first@mail.example>', 'x@mail.example; First@mail.example', 'first@mail.example (Anna)'])(
    'finds the contact with the e-mail %s however it is written',
    async (email_address) => {
      const own = await createContact({ first_name: 'Mailed', emails: [{ email_address }] })
      for (const search of ['first@mail.example', 'Other <FIRST@mail.example>', 'mailto:first@mail.example'])
        expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)).toEqual([own])
      await remove(`/api/contacts/${own}`)
    },
  )

  it('takes a search with many numbers and addresses', async () => {
    for (const search of ['2310999999,'.repeat(23), 'a@,'.repeat(85), '1234567 '.repeat(31)])
      expect((await get(`/api/contacts?search=${encodeURIComponent(search)}`)).status).toBe(200)
  })

  it('finds what a change made, no longer what it was, and no deleted ones', async () => {
    expect(await foundByQuery('/api/contacts', 'search=chloe')).toEqual([other])
    await call('PUT', `/api/contacts/${other}`, { body: { first_name: 'Zélie' } })
    expect(await foundByQuery('/api/contacts', 'search=chloe')).toEqual([])
    expect(await foundByQuery('/api/contacts', 'search=zelie%20martin')).toEqual([other])
    await remove(`/api/contacts/${other}`)
    expect(await foundByQuery('/api/contacts', 'search=zelie')).toEqual([])
  })
})

describe('lookups of contacts', () => {
  it('answers the custom fields of contacts, options only of select types', async () => {
    const { body } = await get('/api/contacts/custom-fields')
    expect(Object.keys(body)).toEqual(['status', 'data'])
    expect(body.data.map(({ id, type }: { id: number; type: string }) => [type, id])).toEqual(
      Object.entries(FIELDS),
    )
    expect(body.data.filter((field: object) => 'options' in field)).toEqual(
      [6, 7].map((id) => ({
        id,
        name: id === 6 ? 'A select' : 'A select_multi',
        type: id === 6 ? 'select' : 'select_multi',
        options: [1, 2, 3].map((option) => ({ id: id * 10 + option, name: `Option ${option}` })),
      })),
    )
  })
})
