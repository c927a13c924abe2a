import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  expectData,
  expectError,
  expectInvalid,
  get,
  keyWith,
  query,
  remove,
} from '../../support/api.ts'
import { execute, selectAll, selectFirst } from '../../support/database.ts'
import { numbered } from '../../support/factories/named.ts'
import { found, foundByQuery, idsOf } from '../../support/reads.ts'
import { backdate, createContact, FIELDS, head, readContact, seedContacts } from './seed.ts'

beforeAll(seedContacts)

describe('GET /api/contacts/{id}', () => {
  it('answers the contact, with fields=all and to HEAD too', async () => {
    const id = await createContact({ first_name: 'Full' })
    const { status, body } = await get(`/api/contacts/${id}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['status', 'data'])
    expect(body.data).toMatchObject({ id, first_name: 'Full' })
    expect((await get(`/api/contacts/${id}?fields=all`)).body).toEqual(body)
    expect((await get(`/api/contacts/${id}/`)).body).toEqual(body)
    expect(await head(`/api/contacts/${id}`)).toEqual({ status: 200, body: '' })
  })

  it.each(['0', '-1', '999999', '1.5', 'abc', '1e1', '99999999999999999999', '3'])('%s → 404', (id) =>
    expectError(get(`/api/contacts/${id}`), 404, 'Contact not found'),
  )

  it('needs the scope contacts:read', async () => {
    expect((await get('/api/contacts/1', { key: await keyWith('listings:read') })).status).toBe(403)
    expect((await get('/api/contacts/1', { key: null })).status).toBe(401)
  })
})

describe('DELETE /api/contacts/{id}', () => {
  it('hides the contact and keeps its row', async () => {
    const id = await createContact({ tags: [1] })
    await backdate(id)
    const { status, body } = await remove(`/api/contacts/${id}`)
    expect({ status, body }).toEqual({ status: 200, body: { status: 200, deleted_id: id } })
    await expectError(get(`/api/contacts/${id}`), 404, 'Contact not found')
    expect(await foundByQuery('/api/contacts')).not.toContain(id)
    const row = await selectFirst('select * from contacts where id = ?', id)
    expect(row).toMatchObject({ first_name: 'New', is_deleted: 1, version: 2 })
    expect(row?.date_updated).not.toBe('2020-01-01 00:00:00')
  })

  it('answers 404 for a deleted one and for none', async () => {
    for (const id of ['3', '999999', '0', 'abc']) {
      await expectError(remove(`/api/contacts/${id}`), 404, 'Contact not found')
    }
  })

  it('needs the scope contacts:write', async () => {
    expect((await remove('/api/contacts/1', { key: await keyWith('contacts:read') })).status).toBe(403)
    expect(await readContact(1)).toMatchObject({ id: 1 })
  })
})

describe('GET /api/contacts', () => {
  it('answers the living ones, newest first, in the envelope', async () => {
    const id = await createContact({ first_name: 'Newest', tags: [2, 1], users: [3] })
    const { status, headers, body } = await get('/api/contacts')
    expect(status).toBe(200)
    expect(headers.get('X-Total-Count')).toBe(String(body.total_results))
    expect(body).toMatchObject({ page: 1, total_pages: 1, results_per_page: 50 })
    expect(body.data[0]).toEqual(await readContact(id))
    const ids = idsOf(body)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    expect(ids).not.toContain(3)
    expect((await get('/api/contacts?fields=all')).body).toEqual(body)
  })

  it('pages by 50, and past the end there is nothing', async () => {
    await execute(
      `insert into contacts (first_name, created_by, date_created, date_updated)
      select 'Many', 1, '2001-02-03 00:00:00', '2001-02-03 00:00:00' from json_each(?)`,
      JSON.stringify(Array.from({ length: 101 }, (_, index) => index)),
    )
    const path = '/api/contacts?date_created[min]=2001-02-03&date_created[max]=2001-02-03'
    const pages = [1, 2, 3, 4, Number.MAX_SAFE_INTEGER]
    const replies = await Promise.all(pages.map((page) => get(`${path}&page=${page}`)))
    expect(replies.map(({ body }) => body.data.length)).toEqual([50, 50, 1, 0, 0])
    for (const [index, { body }] of replies.entries()) {
      expect(body).toMatchObject({
        page: pages[index],
        total_pages: 3,
        results_per_page: 50,
        total_results: 101,
      })
    }
    const ids = replies.flatMap(({ body }) => idsOf(body))
    expect(new Set(ids).size).toBe(101)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    await env.DB.exec("delete from contacts where first_name = 'Many'")
  })

  it('looks up a page and its count in indexes', async () => {
    const plan = async (sql: string) => {
      const results = await selectAll(`explain query plan ${sql}`)
      return results.map((row) => String(row.detail)).join('\n')
    }
    expect(await plan('select count(*) from contacts where is_deleted = 0')).toContain('COVERING INDEX')
    const page = await plan('select id from contacts where is_deleted = 0 order by id desc limit 50')
    expect(page).toContain('INDEX')
    expect(page).not.toContain('TEMP B-TREE')
  })

  it('filters by dates, both ends included', async () => {
    const [early, late] = [await createContact(), await createContact()]
    await backdate(early, '2010-05-01 00:00:00')
    await backdate(late, '2010-05-02 23:59:59')
    for (const name of ['date_created', 'date_updated']) {
      expect(await found('/api/contacts', { [name]: { min: '2010-05-01', max: '2010-05-02' } })).toEqual([
        late,
        early,
      ])
      expect(
        await found('/api/contacts', { [name]: { min: '2010-05-01 00:00:01', max: '2010-05-02' } }),
      ).toEqual([late])
      expect(await found('/api/contacts', { [name]: { max: '2010-05-01' } })).toEqual([early])
      expect(await found('/api/contacts', { [name]: { min: null, max: '2010-05-02 23:59:58' } })).toEqual([
        early,
      ])
      expect(await found('/api/contacts', { [name]: { min: '2010-05-03', max: '2010-05-04' } })).toEqual([])
    }
    expect(await found('/api/contacts', { date_created: null, search: '', page: null })).toEqual(
      idsOf((await get('/api/contacts')).body),
    )
  })

  it.each([
    ['page=x', 'Invalid page: must be an integer'],
    ['fields=some', 'Invalid fields: must be one of all'],
    ['date_created[min]=2020-02-30', 'Invalid date_created.min: must be a date-time, YYYY-MM-DD HH:MM:SS'],
    [
      'date_created[min]=2021-01-02&date_created[max]=2021-01-01',
      'Invalid date_created: min must not be above max',
    ],
    ['date_updated=2021-01-02', 'Invalid date_updated: must be an object'],
  ])('%s → 400', (filters, message) => expectInvalid(get(`/api/contacts?${filters}`), message))

  it('refuses page 0', () =>
    expectInvalid(query('/api/contacts', { page: 0 }), 'Invalid page: must be at least 1'))
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
    'παδοπ',
    'ηλιος 100',
    '100%',
    '% _',
    '_αε',
    'ZOE',
    'zoë',
    'info@helios',
    'HELIOS.EXAMPLE',
    '2101234567',
    '210 123 4567',
    '+30 210',
    '0030210',
    '30-210',
    '(210)',
    '+44 20 7946',
    '004420',
  ])('finds %s', async (search) => {
    expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)).toEqual([id])
  })

  it.each(['100_', 'ηλιος%', '__', '%%', 'secret', '999888', 'γιωργοςπαπ', 'x'.repeat(255)])(
    'does not find %s',
    async (search) => {
      expect(await foundByQuery('/api/contacts', `search=${encodeURIComponent(search)}`)).toEqual([])
    },
  )

  it('finds what a change made, no longer what it was, and no deleted ones', async () => {
    expect(await foundByQuery('/api/contacts', 'search=chloe')).toEqual([other])
    await call('PUT', `/api/contacts/${other}`, { body: { first_name: 'Zélie' } })
    expect(await foundByQuery('/api/contacts', 'search=chloe')).toEqual([])
    expect(await foundByQuery('/api/contacts', 'search=zelie%20martin')).toEqual([other])
    await remove(`/api/contacts/${other}`)
    expect(await foundByQuery('/api/contacts', 'search=zelie')).toEqual([])
  })

  it('refuses what is no text', () =>
    expectInvalid(query('/api/contacts', { search: 5 }), 'Invalid search: must be text'))
})

describe('lookups of contacts', () => {
  it('answers sources and tags', async () => {
    await expectData(get('/api/contacts/sources'), numbered('Website', 'Σύσταση'))
    await expectData(get('/api/contacts/tags'), numbered('Tag 1', 'Tag 2', 'Tag 3', 'Tag 4'))
  })

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
