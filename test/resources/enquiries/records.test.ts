/** Lists, changes, removes, imports and exports enquiries. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { purgeEnquiries } from '../../../src/resources/enquiries/purge.ts'
import { get, importRecords, post, put, remove } from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { place } from '../../support/factories/lines.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { expectSameAfterReimport, importLine } from '../../support/transfer.ts'
import { createEnquiry, FULL, MINIMAL, READ, readEnquiry, seedEnquiries, storedEnquiries } from './seed.ts'

const PATH = '/api/enquiries'

beforeAll(seedEnquiries)

beforeEach(async () => {
  for (const table of ['enquiry_users', 'enquiries']) await execute(`delete from ${table}`)
})

const idsOf = async (query: string) =>
  (await get(`${PATH}?${query}`)).body.data.map(({ id }: { id: number }) => id)

describe('GET /api/enquiries', () => {
  it('finds them by names in any order, telephones and words', async () => {
    const plain = await createEnquiry()
    const full = await createEnquiry(FULL)
    const offer = await createEnquiry({ type: 'offer', last_name: 'Öz', email: null, phone: '0030 210-1234' })
    const cases: [string, number[]][] = [
      ['search=ΡΗΓΑ', [full, plain]],
      ['search=άννα ρήγα', [full]],
      ['search=ρηγα αννα', [full]],
      ['search=oz', [offer]],
      ['search=%2B30 210', [offer]],
      ['search=6900000001', [full]],
      ['search=anna@example', [full, plain]],
      ['search=still avail', [offer, plain]],
      ['search=αυριο', [full]],
      ['search=%25', []],
    ]
    for (const [query, ids] of cases) expect([query, await idsOf(query)]).toEqual([query, ids])
  })
})

describe('PUT /api/enquiries/{id}', () => {
  const OLD = '2020-01-01 00:00:00'

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ status: 'new' }, {}],
    [{ users: [2, 1, 2] }, { users: [2, 1] }],
    [
      { status: 'closed', notes: 'x', users: [1] },
      { status: 'closed', notes: 'x', users: [1] },
    ],
    [{ message: 'changed', last_name: 'X', contact_id: 1, type: 'offer' }, {}],
  ])('%j → %j', async (body, change) => {
    const id = await createEnquiry(FULL)
    await execute('update enquiries set date_updated = ?, status_date = ? where id = ?', OLD, OLD, id)
    const before = await readEnquiry(id)
    const reply = await put(`${PATH}/${id}`, body)
    expect(reply.body).toEqual({ status: 200, updated_id: id })
    const after = await readEnquiry(id)
    const { date_updated, status_date } = after
    expect(after).toEqual({ ...before, ...change, date_updated, status_date })
    expect([date_updated === OLD, status_date === OLD]).toEqual([
      Object.keys(change).length === 0,
      !('status' in change),
    ])
  })
})

describe('old enquiries', () => {
  const NOW = new Date('2026-11-23T12:00:00Z')

  async function at(status: string, status_date: string): Promise<number> {
    const id = await createEnquiry()
    await put(`${PATH}/${id}`, { status, users: [1] })
    await execute('update enquiries set status_date = ? where id = ?', status_date, id)
    return id
  }

  const left = async () => (await storedEnquiries()).map(({ id }) => id)

  it('are removed: spam after 90 days, closed ones after 2 years, with their tombstones', async () => {
    const kept = [
      await at('spam', '2026-08-25 12:00:00'),
      await at('closed', '2024-11-23 12:00:00'),
      await at('new', '2010-01-01 00:00:00'),
      await at('open', '2010-01-01 00:00:00'),
    ]
    const gone = [await at('spam', '2026-08-25 11:59:59'), await at('closed', '2024-11-23 11:59:59')]
    await purgeEnquiries(env, NOW)
    expect(await left()).toEqual(kept)
    expect(await selectAll('select distinct enquiry_id from enquiry_users order by 1')).toEqual(
      kept.map((enquiry_id) => ({ enquiry_id })),
    )
    const { data } = (await get('/api/changes?resources=enquiries&limit=1000')).body
    for (const id of gone) expect(data).toContainEqual(expect.objectContaining({ id, change: 'deleted' }))
    // Their ids do not come again.
    expect(await createEnquiry()).toBe(Math.max(...gone) + 1)
  })

  it('are removed although records name them, deleted ones too, which stay without and are in the feed', async () => {
    const ids = [await at('closed', '2020-01-01 00:00:00'), await at('spam', '2020-01-01 00:00:00')]
    const tables = ['activities', 'appointments', 'tasks']
    await importRecords(
      tables.flatMap((table) =>
        ids.map((enquiry_id, index): [string, Record<string, unknown>] => [
          table,
          { ...SMALLEST[table], id: 70 + index, enquiry_id, is_deleted: index === 1 },
        ]),
      ),
    )
    const stored = () =>
      Promise.all(tables.map((table) => selectAll(`select * from ${table} where id in (70, 71) order by id`)))
    const before = await stored()
    const cursor = (await selectAll('select max(cursor) as last from changes'))[0]?.last
    await purgeEnquiries(env, NOW)
    expect(await left()).toEqual([])
    const without = { enquiry_id: null, date_updated: expect.any(String) }
    expect(await stored()).toEqual(
      before.map((rows) => rows.map((row) => ({ ...row, ...without, version: Number(row.version) + 1 }))),
    )
    const since = `select resource, id, change from changes where cursor > ? and resource <> 'enquiries' order by 1, 2`
    expect(await selectAll(since, cursor)).toEqual(
      tables.flatMap((resource) => [
        { resource, id: 70, change: 'changed' },
        { resource, id: 71, change: 'deleted' },
      ]),
    )
  })

  it('are kept while their contact is on hold', async () => {
    const id = await at('closed', '2020-01-01 00:00:00')
    await execute('update enquiries set contact_id = 1 where id = ?', id)
    await post('/admin/contacts/1/hold', { reason: 'A lawsuit' })
    await purgeEnquiries(env, NOW)
    expect(await left()).toContain(id)
    await remove('/admin/contacts/1/hold')
    await purgeEnquiries(env, NOW)
    expect(await left()).not.toContain(id)
  })

  it.each<[number, boolean]>([
    [10, true],
    [100, false],
  ])('are removed after the days of the settings: %s', async (value, isGone) => {
    await importRecords([['settings', { key: 'enquiry_spam_days', value }]])
    const id = await at('spam', '2026-11-01 12:00:00')
    await purgeEnquiries(env, NOW)
    await execute(`delete from settings where key = 'enquiry_spam_days'`)
    expect(await left()).toEqual(isGone ? [] : [id])
  })

  it('are removed in portions', async () => {
    for (let count = 0; count < 5; count++) await at('spam', '2020-01-01 00:00:00')
    await purgeEnquiries(env, NOW, 2)
    expect(await left()).toEqual([])
  })
})

describe('import and export', () => {
  const LINE = {
    id: 700,
    reference: 'Ab3dEf9hij',
    ...FULL,
    status: 'open',
    notes: 'Called',
    users: [2, 1],
    contact_id: 1,
    request_id: null,
    date_created: '2020-01-01 10:00:00',
    date_updated: '2021-01-01 10:00:00',
    status_date: '2020-06-01 10:00:00',
    notified: '2020-01-01 10:00:05',
  }
  const importOne = (data: Record<string, unknown>) => importLine('enquiries', data)

  it('stores the whole object, and exports it the same', async () => {
    expect(await importOne({ ...LINE, listing_id: 2 })).toBeNull()
    expect(await readEnquiry(700)).toEqual({ ...LINE, amount: null, listing_id: 2 })
    expect(await idsOf('search=αννα')).toEqual([700])
    await importRecords([['enquiries', { id: 701, ...MINIMAL }]])
    const { date_created, date_updated, status_date, ...rest } = await readEnquiry(701)
    expect(rest).toEqual({ id: 701, ...READ })
    await expectSameAfterReimport(['enquiries'], async () => {
      for (const table of ['enquiry_users', 'enquiries']) await execute(`delete from ${table}`)
    })
    expect(await createEnquiry()).toBe(702)
  })

  it.each<[Record<string, unknown>, string]>([
    [{ email: null, phone: null }, 'Missing email: an enquiry needs an e-mail address or a phone number'],
    [{ listing_id: 99 }, 'Unknown listing_id 99'],
    [{ consent: { privacy: false, marketing: true } }, 'Invalid consent.privacy: must be true'],
  ])('refuses %j', async (change, message) => {
    expect(await importOne({ ...LINE, ...change })).toBe(message)
    expect(await storedEnquiries()).toEqual([])
  })
})

describe('the criteria of enquiries', () => {
  const translations = [
    { language_id: 1, name: 'Παραθαλάσσια' },
    { language_id: 2, name: 'Seaside' },
  ]
  beforeAll(() => importRecords([['listing_subtypes', { id: 6, subcategory: 'villa', translations }]]))

  /** The criteria of an enquiry that seeks this, in a list: name, Greek, English. */
  async function wordsOf(search: Record<string, unknown> | null): Promise<string[][]> {
    const id = await createEnquiry({ search })
    const { data } = (await get('/api/enquiries?fields=all')).body
    const { criteria, ...listed } = data[0]
    expect(listed).toEqual(await readEnquiry(id))
    return criteria.map(
      ({ name, name_el, value_el, name_en, value_en }: Record<'name', string> & Record<string, string>) => [
        name,
        `${name_el}: ${value_el}`,
        `${name_en}: ${value_en}`,
      ],
    )
  }

  it('lists what is sought in words of both languages, with the names of places and subtypes', async () => {
    expect(
      await wordsOf({
        availability: 'shortterm',
        category: 'residential',
        locations: [11, 1],
        subcategories: ['villa', 'apartment'],
        subtypes: [6, 5],
        price_min: 1000,
        price_max: 12_500,
        size_min: 60,
        year_built_min: 1990,
        floor_max: 0.5,
        rooms_min: 2,
        rooms_max: 2,
        has_elevator: true,
        extra_fields: {
          features: ['has_elevator', 'has_private_pool'],
          view: ['sea'],
          property_condition: ['new'],
          is_furnished: 'no',
          shortterm_unit: 'per_week',
          shortterm_max_guests_min: 4,
        },
      }),
    ).toEqual([
      ['availability', 'Διάθεση: Βραχυχρόνια μίσθωση', 'Offered: Short-term rental'],
      ['category', 'Κατηγορία: Κατοικία', 'Category: Residential'],
      ['subcategories', 'Είδος ακινήτου: Βίλα, Διαμέρισμα', 'Kind of property: Villa, Apartment'],
      ['subtypes', 'Τύπος ακινήτου: Παραθαλάσσια, #5', 'Type of property: Seaside, #5'],
      ['locations', 'Περιοχή: Αθήνα, Αττική', 'Area: Athens, Attica'],
      ['price', 'Τιμή: 1000 – 12.500', 'Price: 1000 – 12,500'],
      ['size', 'Εμβαδόν (m²): από 60', 'Size (m²): from 60'],
      ['rooms', 'Υπνοδωμάτια: 2', 'Bedrooms: 2'],
      ['floor', 'Όροφος: έως 0,5', 'Floor: up to 0.5'],
      ['has_elevator', 'Ανελκυστήρας: ναι', 'Elevator: yes'],
      ['year_built', 'Έτος κατασκευής: από 1990', 'Year built: from 1990'],
      ['property_condition', 'Κατάσταση ακινήτου: Νεόδμητο', 'Condition: New'],
      ['is_furnished', 'Επιπλωμένο: όχι', 'Furnished: no'],
      ['features', 'Χαρακτηριστικά: Ανελκυστήρας, Ιδιωτική πισίνα', 'Features: Elevator, Private pool'],
      ['view', 'Θέα: Θέα θάλασσα', 'View: Sea view'],
      ['shortterm_unit', 'Χρέωση: Ανά εβδομάδα', 'Charged: Per week'],
      ['shortterm_max_guests', 'Επισκέπτες: από 4', 'Guests: from 4'],
    ])
  })

  it('counts what is too much to say', async () => {
    const named = Array.from({ length: 25 }, (_, index) => 1000 + index)
    await importRecords(named.map((id) => ['locations', place(id, 1, null)]))
    const list = Array(20).fill('A').join(', ')
    expect((await wordsOf({ locations: named }))[0]?.[2]).toBe(`Area: ${list} +5`)
  })

  it('says nothing where nothing is sought, and without fields=all', async () => {
    expect(await wordsOf(null)).toEqual([])
    const { data } = (await get('/api/enquiries')).body
    expect(data[0]).not.toHaveProperty('criteria')
  })
})
