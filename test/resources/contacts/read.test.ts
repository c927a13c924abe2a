import { beforeAll, describe, expect, it } from 'vitest'
import { call, get, remove } from '../../support/api.ts'
import { foundByQuery } from '../../support/reads.ts'
import { createContact, seedContacts } from './seed.ts'

beforeAll(seedContacts)

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
    ' παπαδοπουλος   γιωργος ',
    'παπαδοπ',
    'γιωργ παπαδοπουλος',
    'papadopoulos gior',
    'ηλιος 100',
    '100%',
    '_αε',
    'ZOE',
    'info@helios',
    '2101234567',
    '4567',
    '20 7946 0',
    '+30 210',
    '0030210',
    '+44 20 7946',
  ])('finds %s', async (search) => {
    expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)).toEqual([id])
  })

  it.each(['παδοπ', 'γιωργ παπαδ', 'elios', '100_', 'ηλιος%', '%%', 'secret', 'γιωργοςπαπ', 'x'.repeat(255)])(
    'does not find %s',
    async (search) => {
      expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)).toEqual([])
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
