/** What is held about a person, their erasure, and holds. */
import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { clearPerson, continueErasures } from '../../../src/admin/erasure/clear.ts'
import { PLACES } from '../../../src/admin/erasure/places.ts'
import { selectErased } from '../../../src/admin/erasure/stored-list.ts'
import { columnFields, RECORD_FIELDS } from '../../../src/catalogue/record-fields.ts'
import { database, runStatement } from '../../../src/db/client.ts'
import { packPortions } from '../../../src/resources/listings/search/packing.ts'
import {
  call,
  expectError,
  expectInvalid,
  get,
  importRecords,
  keyWith,
  post,
  put,
  remove,
} from '../../support/api.ts'
import {
  databaseAround,
  everyTable,
  execute,
  failBefore,
  selectAll,
  selectFirst,
} from '../../support/database.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyAndSeed, emptyService } from '../../support/storage.ts'
import { exported, importFile, importReply, importText } from '../../support/transfer.ts'
import * as persona from './persona.ts'
import { AGENCY, EMAIL, OTHER, PERSON, TEXTS, text } from './persona.ts'

/** Of each other resource, the smallest record with the person among its contacts and in all of its texts. */
const OTHERS = PLACES.map(({ table, fields }) => ({
  entity: getTableName(table),
  texts: fields.map(({ name }) => name),
})).filter(({ entity }) => !persona.RECORDS.some(([name]) => name === entity))

/** A text about the person, as a URL where the field takes nothing else. */
function textIn(entity: string, name: string): string {
  const made = text(`${entity}${name}`)
  const known = columnFields(RECORD_FIELDS.get(entity) ?? { columns: {} }).find((one) => one.name === name)
  return known?.field.input.safeParse(made).success === false ? `https://example.com/${made}` : made
}

const RECORDS = [
  ...persona.RECORDS,
  ...OTHERS.map(({ entity, texts }): (typeof persona.RECORDS)[number] => [
    entity,
    {
      ...{ ...SMALLEST[entity], id: 1, contacts: [PERSON] },
      ...Object.fromEntries(texts.map((name) => [name, textIn(entity, name)])),
    },
  ]),
]
const CLEARED: typeof persona.CLEARED = {
  ...persona.CLEARED,
  ...Object.fromEntries(OTHERS.map(({ entity, texts }) => [`${entity} 1`, texts])),
}

const seed = async () => {
  await importRecords([...AGENCY, ...RECORDS])
}
beforeEach(() => emptyAndSeed(seed))

const PATH = `/admin/contacts/${PERSON}`
const erase = (body: object = { reason: 'Asked for it' }, id = PERSON) =>
  post(`/admin/contacts/${id}/erase`, body)
const readPerson = async (id = PERSON) => (await get(`/admin/contacts/${id}/person`)).body.data
const namesOf = (entries: { resource: string; id: number }[]) =>
  entries.map(({ resource, id }) => `${resource} ${id}`)
const ALSO = [
  { resource: 'enquiries', id: 2 },
  { resource: 'external-listings', id: 1 },
]

const offerOf = (id: number) => ({ ...dataOf('offers'), id, rounds: [], request_id: null })
const enquiryOf = (id: number) => ({ ...dataOf('enquiries'), id, contact_id: null })
const dataOf = (entity: string) => RECORDS.find(([name]) => name === entity)?.[1] ?? {}

/** Expenses for the person. */
const expensesOf = (length: number, rest = {}) =>
  Array.from({ length }, (_, index) => ({
    ...{ id: 100 + index, category_id: 1, amount: '1.00', date: '2026-01-01' },
    ...{ status: 'pending', created_by: 1, contacts: [PERSON], ...rest },
  }))

/** Every value of every table as JSON, with what base64 stands for, and every file and key. */
async function everything(): Promise<string> {
  const stored = JSON.stringify(await everyTable())
  const packed = [...stored.matchAll(/[\w+/-]{24,}={0,2}/g)].map(([text]) =>
    Buffer.from(text, 'base64').toString(),
  )
  const { objects } = await env.PHOTOS.list()
  const files = await Promise.all(objects.map(async ({ key }) => (await env.PHOTOS.get(key))?.text()))
  const { keys } = await env.API_KEYS.list()
  const values = await Promise.all(keys.map(({ name }) => env.API_KEYS.get(name)))
  return [stored, ...packed, ...files, ...values].join('\n')
}

const found = async () => {
  const all = await everything()
  return TEXTS.filter((text) => all.includes(text))
}

describe('GET /admin/contacts/{id}/person', () => {
  it('has everything that links to the contact, and what may be the same person', async () => {
    for (let times = 0; times < 2; times++) await get('/api/listings/1')
    const { contact, hold, erasure, possible, trail, named, ...lists } = await readPerson()
    const { contacts: _, ...linked } = Object.groupBy(
      Object.keys(CLEARED),
      (name) => name.split(' ')[0] ?? '',
    )
    expect({ hold, erasure }).toEqual({ hold: null, erasure: null })
    expect(contact).toMatchObject({
      resource: 'contacts',
      id: PERSON,
      fields: { first_name: 'zqfirst', consents: [{ source: 'zqconsent' }] },
    })
    expect(
      Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, namesOf(list as never)])),
    ).toEqual({
      ...linked,
      matches: ['matches 1'],
      merged: [],
      external_listings: [],
    })
    expect(lists.matches[0].fields).toEqual({ listing_id: 1, score: expect.any(Number) })
    expect(named).toEqual([
      { resource: 'contacts', id: OTHER, fields: { custom_fields: { 2: PERSON } } },
      { resource: 'requests', id: 2, fields: { custom_fields: { 4: [OTHER, PERSON] } } },
    ])
    expect(namesOf(possible)).toEqual(['enquiries 2', 'external-listings 1'])
    // Behind them is this call itself.
    expect(trail.slice(0, 3).map(({ fields }: { fields: object }) => fields)).toEqual([
      expect.objectContaining({ resource: 'contacts', record_id: PERSON }),
      expect.objectContaining({ resource: 'requests', record_id: 1 }),
      expect.objectContaining({ resource: 'enquiries', record_id: 1 }),
    ])
    const text = JSON.stringify(await readPerson())
    expect(TEXTS.filter((one) => !text.includes(one))).toEqual([])
  })

  it('finds others by an address or number of theirs, however it is written', async () => {
    await importRecords([
      [
        'contacts',
        { id: 60, first_name: 'A', created_by: 1, emails: [{ email_address: EMAIL.toUpperCase() }] },
      ],
      ['contacts', { id: 61, first_name: 'B', created_by: 1, phones: [{ number: '0030 690-765.4321' }] }],
      [
        'contacts',
        { id: 62, first_name: 'C', created_by: 1, contact_details: [{ mobile: '+30 6907654321' }] },
      ],
      [
        'contacts',
        { id: 63, first_name: 'D', created_by: 1, phones: [{ number: '16907654320' }], is_deleted: true },
      ],
      [
        'contacts',
        {
          ...{ id: 68, first_name: 'E', created_by: 1 },
          contact_details: [{ mobile: '2101234567; 6907654321', email: `A <${EMAIL}>` }],
        },
      ],
    ])
    expect(namesOf((await readPerson()).possible)).toEqual([
      ...[60, 61, 62, 68].map((id) => `contacts ${id}`),
      'enquiries 2',
      'external-listings 1',
    ])
    expect((await readPerson(OTHER)).possible).toEqual([])
  })

  it('is read page by page', async () => {
    const lines = expensesOf(450)
    await importRecords(lines.map((line) => ['expenses', line]))
    const { expenses } = await readPerson()
    expect(namesOf(expenses)).toEqual(['expenses 1', ...lines.map(({ id }) => `expenses ${id}`)])
  })

  it('is entered in the trail, and is only for contacts', async () => {
    await readPerson()
    expect(
      await selectFirst('select method, route, resource, record_id from trail order by id desc limit 1'),
    ).toEqual({
      method: 'GET',
      route: '/admin/contacts/{id}/person',
      resource: 'contacts',
      record_id: String(PERSON),
    })
    await expectError(get('/admin/contacts/999/person'), 404, 'Contact not found')
    await expectError(get('/admin/contacts/0/person'), 404, 'Contact not found')
  })
})

describe('POST /admin/contacts/{id}/erase', () => {
  it('leaves of a viewing who confirmed it, and what its owner may hear without the words', async () => {
    await erase()
    const { feedback, confirmations, location } = (await get('/api/appointments/1')).body.data
    expect([confirmations.length, location, feedback]).toMatchObject([
      1,
      null,
      { interest: 'interested', text: null },
    ])
    const [{ interest, text }] = (await get('/api/listings/1/feedback')).body.data
    expect([interest, text]).toEqual(['interested', null])
    const line = {
      id: 1,
      title: 'T',
      feedback: { interest: 'undecided', text: 'T', date: '2026-01-03 10:00:00' },
    }
    await importReply('appointments', [line])
    const { title, feedback: again } = (await get('/api/appointments/1')).body.data
    expect([title, again]).toMatchObject([null, { interest: 'undecided', text: null }])
  })

  it('clears what identifies the person, everywhere', async () => {
    expect((await found()).length).toBe(TEXTS.length)
    for (let times = 0; times < 2; times++) await get('/api/listings/1')
    const { contact, possible, matches, trail, named, ...lists } = await readPerson()
    const held: { resource: string; id: number; clears: string[]; fields: object }[] = [
      contact,
      ...possible,
      ...Object.values(lists).flatMap((list) => (Array.isArray(list) ? list : [])),
    ]
    const { status, body } = await erase({ reason: 'Asked for it', also: ALSO })
    expect(status).toBe(200)
    const { erased, kept, gone_by, complete } = body.data
    expect(complete).toBe(true)
    expect(
      Object.fromEntries(
        erased.map((one: { resource: string; id: number; fields: string[] }) => [
          `${one.resource} ${one.id}`,
          one.fields,
        ]),
      ),
    ).toEqual({
      ...CLEARED,
      'enquiries 2': ['last_name', 'phone', 'message'],
      'external-listings 1': [
        'contact_full_name',
        'contact_email',
        'contact_phones',
        'description',
        'external_url',
      ],
    })
    // What is held names beforehand what is cleared.
    expect(
      held.flatMap(({ fields: _, clears, ...one }) =>
        clears.length > 0 ? [{ ...one, fields: clears }] : [],
      ),
    ).toEqual(expect.arrayContaining(erased))
    expect(namesOf(kept)).toEqual(
      expect.arrayContaining([
        ...Object.keys(CLEARED),
        'matches 1',
        `contacts ${OTHER}`,
        'requests 2',
        `trail ${PERSON}`,
      ]),
    )
    const days = (Date.parse(gone_by) - Date.now()) / 86_400_000
    expect(Math.ceil(days)).toBe(31)
    expect(await found()).toEqual([])
    expect((await exported()).filter((line) => TEXTS.some((text) => line.includes(text)))).toEqual([])
  })

  it('clears the words of titles from portions, also from one that was being packed', async () => {
    await packPortions(database(env))
    expect(await found()).toContain('zqlistingtitle')
    let calls = 0
    const DB = databaseAround(async (send) => {
      const results = await send()
      if (calls++ === 3) expect((await erase()).body.data.complete).toBe(true)
      return results
    })
    await execute('delete from index_portions')
    await execute('delete from index_portion_data')
    await packPortions(database({ ...env, DB }))
    expect(await found()).toContain('zqlistingtitle')
    await continueErasures(env, database(env), new Date(Date.now() + 11 * 60_000))
    expect(await found()).not.toContain('zqlistingtitle')
  })

  it('clears the network of the sender of an enquiry from the trail, and that of nobody else', async () => {
    const networks = () =>
      selectAll(
        `select record_id, address from trail where resource = 'enquiries' and address is not null order by id`,
      )
    const sent = { headers: { 'CF-Connecting-IP': '2001:db8:7:1::77' } }
    const { last_name, message, consent } = {
      last_name: 'X',
      message: 'Y',
      consent: { privacy: true, marketing: false },
    }
    const body = { type: 'information', email: 'x@example.com', last_name, message, consent }
    const [theirs, others] = await Promise.all(
      [1, 2].map(async () => String((await post('/api/enquiries', body, sent)).body.created_id)),
    )
    const of = (record_id = '') => ({ record_id, address: '2001:db8:7::/48' })
    expect(await networks()).toEqual(expect.arrayContaining([of(theirs), of(others)]))
    await erase({ reason: 'Asked for it', also: [{ resource: 'enquiries', id: Number(theirs) }] })
    expect(await networks()).not.toContainEqual(of(theirs))
    expect(await networks()).toContainEqual(of(others))
  })

  it('leaves ids, dates, amounts and statuses, and what is not theirs', async () => {
    const before = (await get('/api/offers/1')).body.data
    await erase()
    const { date_updated, ...after } = (await get('/api/offers/1')).body.data
    const { date_updated: _, ...was } = before
    expect(after).toEqual({
      ...was,
      notes: null,
      listing: {
        ...was.listing,
        address: null,
        owner_name: null,
        listing_code: null,
        listing_link: null,
        notes: null,
      },
      rounds: [{ ...was.rounds[0], notes: null }],
    })
    expect((await get('/api/listings/1')).body.data).toMatchObject({
      contacts: [OTHER],
      code: 'R-1',
      price: 250_000,
      notes: null,
      tenant_contact_id: null,
    })
    expect(await selectAll('select * from listing_translations')).toEqual([])
    expect((await get('/api/requests/1?fields=all')).body.data).toMatchObject({
      title: 'Residential for sale: Athens',
      notes: null,
      contacts: [PERSON],
      price_max: 300_000,
      extra_fields: { features: ['has_elevator'] },
    })
    expect((await get('/api/requests/2?fields=all')).body.data).toMatchObject({
      title: 'Sea',
      notes: 'View',
      extra_fields: { 4: [OTHER, PERSON] },
    })
    expect((await get('/api/enquiries/1')).body.data).toMatchObject({
      last_name: '',
      email: null,
      message: '',
      contact_id: PERSON,
      consent: { marketing: true },
    })
    expect((await get('/api/enquiries/2')).body.data).toMatchObject({ last_name: 'zqunlinked' })
    expect(await selectAll('select request_id from request_matches order by 1')).toEqual([
      { request_id: 1 },
      { request_id: 2 },
    ])
    expect(await selectAll('select id from requests where matched_version <> version')).toEqual([])
  })

  it('makes the contact one that is deleted', async () => {
    const tag = (await get('/api/offers/1')).headers.get('ETag')
    const { next } = (await get('/api/changes?limit=1000')).body
    await erase()
    await expectError(get(`/api/contacts/${PERSON}`), 404, 'Contact not found')
    await expectError(put(`/api/contacts/${PERSON}`, { notes: 'x' }), 404, 'Contact not found')
    await expectError(remove(`/api/contacts/${PERSON}`), 404, 'Contact not found')
    await expectInvalid(put('/api/listings/1', { contacts: [PERSON] }), `Unknown contacts ${PERSON}`)
    expect((await get('/api/contacts?search=zqlast')).body.total_results).toBe(0)
    const { data } = (await get(`/api/changes?after=${next}`)).body
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ resource: 'contacts', id: PERSON, change: 'deleted' }),
      ]),
    )
    expect(new Set(namesOf(data))).toEqual(new Set(Object.keys(CLEARED)))
    expect((await get('/api/offers/1')).headers.get('ETag')).not.toBe(tag)
  })

  it('enters what it clears in the trail, without values', async () => {
    await erase()
    const rows = await selectAll<{ resource: string; record_id: string; changed: string; others: string }>(
      `select resource, record_id, changed, others from trail where route = '/admin/contacts/{id}/erase' and others is not null order by id`,
    )
    expect(
      Object.fromEntries(rows.map((row) => [`${row.resource} ${row.record_id}`, JSON.parse(row.others)])),
    ).toEqual(CLEARED)
    expect(JSON.parse(rows[0]?.changed ?? '')).toEqual({
      is_deleted: [false, true],
      consents: [[{ purpose: 'marketing', given: true, date: '2026-01-01 10:00:00', source: null }], []],
    })
    expect(
      await selectAll(
        `select count(*) as n from trail where route = '/admin/contacts/{id}/erase' and others is null`,
      ),
    ).toEqual([{ n: 1 }])
  })

  it('answers 200 a second time, and changes nothing more', async () => {
    const first = (await erase()).body.data
    const versions = await selectAll(
      'select id, version from contacts union all select id, version from listings',
    )
    const { status, body } = await erase({ reason: 'Again' })
    expect({ status, data: body.data }).toEqual({ status: 200, data: first })
    expect(
      await selectAll('select id, version from contacts union all select id, version from listings'),
    ).toEqual(versions)
    expect(await selectAll('select contact_id, reason from erasures')).toEqual([
      { contact_id: PERSON, reason: 'Asked for it' },
    ])
    const person = await readPerson()
    expect(person.contact.fields).toMatchObject({ first_name: '', emails: [], is_erased: true })
    expect(person.erasure).toMatchObject({ reason: 'Asked for it', complete: true })
    expect(namesOf(person.offers)).toEqual(['offers 1', 'offers 2'])
  })

  it('takes a second contact of the same person, whose records go, too', async () => {
    await importRecords([
      [
        'incomes',
        {
          id: 2,
          category: 'other',
          other_category_id: 1,
          total_amount: '1.00',
          date: '2026-01-01',
          status: 'pending',
          created_by: 1,
          title: 'zqsecond',
          contacts: [OTHER],
        },
      ],
    ])
    const { body } = await erase({ reason: 'x', also: [{ resource: 'contacts', id: OTHER }] })
    expect(namesOf(body.data.erased)).toEqual(
      expect.arrayContaining([`contacts ${OTHER}`, 'incomes 2', 'requests 2']),
    )
    await expectError(get(`/api/contacts/${OTHER}`), 404, 'Contact not found')
    expect((await erase({ reason: 'x' }, OTHER)).body.data).toEqual(body.data)
    expect((await readPerson(OTHER)).erasure).not.toBeNull()
  })

  it('erases a deleted contact', async () => {
    await remove(`/api/contacts/${PERSON}`)
    expect((await erase()).body.data.complete).toBe(true)
    expect(
      await selectFirst(
        `select changed from trail where resource = 'contacts' and others like '%first_name%'`,
      ),
    ).toEqual({
      changed: expect.not.stringContaining('is_deleted'),
    })
  })

  it('refuses what is not there, or is invalid', async () => {
    await expectError(erase({ reason: 'x' }, 999), 404, 'Contact not found')
    await expectInvalid(erase({}), 'Missing reason')
    await expectInvalid(erase({ reason: ' ' }), 'Missing reason')
    await expectInvalid(
      erase({ reason: 'x', also: [{ resource: 'enquiries', id: 99 }] }),
      'Unknown also.0.id 99',
    )
    const { status } = await erase({ reason: 'x', also: [{ resource: 'offers', id: 1 }] })
    expect(status).toBe(400)
    expect((await get(`/api/contacts/${PERSON}`)).status).toBe(200)
    expect((await call('POST', `${PATH}/erase`, { body: { reason: 'x' }, key: null })).status).toBe(401)
  })

  it('clears kept replies that repeat custom fields', async () => {
    const key = await keyWith('*:write', '*:read')
    const body = {
      availability: 'sale',
      category: 'residential',
      contacts: [PERSON],
      locations: [11],
      users: [1],
      created_by: 1,
      store_id: 1,
      extra_fields: { 3: 'zqkept' },
    }
    const send = () => post('/api/requests', body, { key, headers: { 'Idempotency-Key': 'a' } })
    const first = await send()
    await erase()
    expect(await everything()).not.toContain('zqkept')
    const again = await send()
    expect(again.body.data).toEqual({ ...first.body.data, extra_fields: {} })
  })
})

describe('an erasure that is cut off', () => {
  const erasing = (bindings: Partial<Env>) => post(`${PATH}/erase`, { reason: 'x' }, { bindings })

  it('keeps the person on the list, reads 404, and is ended by cron', async () => {
    let calls = 0
    const DB = databaseAround(async (send) => {
      // The first enters the call in the trail.
      if (++calls >= 4) throw new Error('D1_ERROR: broken')
      return send()
    })
    expect((await erasing({ DB })).body.data.complete).toBe(false)
    await expectError(get(`/api/contacts/${PERSON}`), 404, 'Contact not found')
    expect((await get('/api/offers/1')).body.data.notes).toBe('zqoffernotes')
    expect((await readPerson()).erasure.complete).toBe(false)
    expect(await continueErasures(env, database(env))).toEqual({ erasures: 1 })
    expect(await selectFirst('select progress from erasures')).toEqual({ progress: 'complete' })
    expect((await get('/api/offers/1')).body.data.notes).toBeNull()
    expect((await erase()).body.data.complete).toBe(true)
  })

  it('goes on portion by portion', async () => {
    const lines = expensesOf(25, { notes: 'zqmany' })
    await importRecords(lines.map((line) => ['expenses', line]))
    await execute("insert into erased_records (resource, id, contact_id) values ('contacts', ?1, ?1)", PERSON)
    await execute(
      "insert into erasures values (?, '2026-01-01 00:00:00', 'x', 'open', '2026-01-01 00:00:00')",
      PERSON,
    )
    const notes = () => selectAll('select id from expenses where notes is not null')
    expect(await clearPerson(env, database(env), PERSON, { portions: 1, size: 10 })).toBe(false)
    expect((await notes()).length).toBe(16)
    expect(await clearPerson(env, database(env), PERSON, { portions: 9, size: 10 })).toBe(true)
    expect(await notes()).toEqual([])
  })

  it('is looked at again for what was written at the same moment', async () => {
    await erase()
    // A write that had read the contact before.
    await execute('insert into request_contacts (request_id, contact_id, position) values (2, ?, 9)', PERSON)
    const later = (minutes: number) =>
      continueErasures(env, database(env), new Date(Date.now() + minutes * 60_000))
    expect(await later(5)).toEqual({ erasures: 0 })
    expect(await later(11)).toEqual({ erasures: 1 })
    expect((await get('/api/requests/2?fields=all')).body.data).toMatchObject({
      title: 'Residential for sale: Athens',
      notes: null,
    })
    expect(await selectFirst('select progress from erasures')).toEqual({ progress: 'closed' })
    expect(await later(60)).toEqual({ erasures: 0 })
  })

  it('leaves new texts alone, but for those that a second call finds in linked records', async () => {
    await erase()
    await put('/api/requests/1', { notes: 'New' })
    await put('/api/listings/1', { notes: 'New' })
    await execute("update offers set notes = 'zqoffernotes' where id = 1")
    await continueErasures(env, database(env), new Date(Date.now() + 11 * 60_000))
    const notes = () =>
      selectFirst(`select (select notes from requests where id = 1) as request,
        (select notes from listings where id = 1) as listing, (select notes from offers where id = 1) as offer`)
    expect(await notes()).toEqual({ request: 'New', listing: 'New', offer: 'zqoffernotes' })
    await erase()
    expect(await notes()).toEqual({ request: null, listing: 'New', offer: null })
  })

  it('ends although the bucket fails, whatever its errors are called', async () => {
    const list = () => Promise.reject(new Error('list: We encountered an internal error'))
    const PHOTOS = { list } as unknown as R2Bucket
    expect((await erasing({ PHOTOS })).body).toMatchObject({ status: 200, data: { complete: true } })
    await execute("update erasures set progress = 'open'")
    await execute("update listings set notes = 'zqlate' where id = 1")
    await execute("delete from erased_records where resource = 'listings'")
    expect(await continueErasures({ PHOTOS }, database(env))).toEqual({ erasures: 1 })
    expect(await selectAll('select * from job_failures')).toEqual([])
    expect(await selectFirst('select progress from erasures')).toEqual({ progress: 'complete' })
  })

  it('wins over a write of the contact at the same moment', async () => {
    const DB = failBefore(/^update contacts set/, () => erase())
    const written = await put(`/api/contacts/${PERSON}`, { notes: 'zqlate' }, { bindings: { DB } })
    expect(written.status).toBe(404)
    expect(await everything()).not.toContain('zqlate')
  })

  it('wins over an import at the same moment', async () => {
    const line = JSON.stringify({ entity: 'contacts', data: { id: PERSON, notes: 'zqlate' } })
    const DB = failBefore(/insert into "contacts"/, () => erase())
    const { data } = (await post('/admin/import', line, { bindings: { DB } })).body
    expect(data.errors.map(({ message }: { message: string }) => message)).toEqual(['erased'])
    expect(await everything()).not.toContain('zqlate')
  })

  it('loses against a hold at the same moment', async () => {
    const DB = failBefore(/insert or replace into erased_records/, () =>
      post(`${PATH}/hold`, { reason: 'A lawsuit' }),
    )
    await expectError(erasing({ DB }), 409, 'On hold: A lawsuit')
    expect((await get(`/api/contacts/${PERSON}`)).body.data.first_name).toBe('zqfirst')
    expect(await selectAll('select * from erasures')).toEqual([])
  })
})

describe('holds', () => {
  it('keep a person from being erased until they end', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-01T10:00:00Z') })
    const held = (await post(`${PATH}/hold`, { reason: 'A lawsuit' })).body
    vi.useRealTimers()
    const hold = { contact_id: PERSON, reason: 'A lawsuit', date: '2026-05-01 10:00:00' }
    expect(held).toEqual({ status: 200, data: hold })
    await expectError(erase(), 409, 'On hold: A lawsuit')
    await expectError(
      erase({ reason: 'x', also: [{ resource: 'contacts', id: PERSON }] }, OTHER),
      409,
      'On hold: A lawsuit',
    )
    expect((await readPerson()).hold).toEqual(hold)
    expect((await post(`${PATH}/hold`, { reason: 'Another' })).body.data.reason).toBe('Another')
    expect((await importReply('contacts', [{ id: PERSON, is_erased: true }])).errors).toMatchObject([
      { message: 'On hold: Another' },
    ])
    expect((await remove(`${PATH}/hold`)).body).toEqual({ status: 200, deleted_id: PERSON })
    await expectError(remove(`${PATH}/hold`), 404, 'Hold not found')
    expect((await erase()).status).toBe(200)
    await expectError(post(`${PATH}/hold`, { reason: 'Late' }), 404, 'Contact not found')
    await expectError(post('/admin/contacts/999/hold', { reason: 'x' }), 404, 'Contact not found')
    await expectInvalid(post(`${PATH}/hold`, {}), 'Missing reason')
  })

  it('keep what concerns others, too, until they end', async () => {
    await importRecords([['offers', { ...offerOf(70), contacts: [PERSON, OTHER], notes: 'Of both' }]])
    await post(`/admin/contacts/${OTHER}/hold`, { reason: 'A lawsuit' })
    const { kept, complete } = (await erase()).body.data
    expect(complete).toBe(true)
    expect(kept).toContainEqual({
      resource: 'offers',
      id: 70,
      fields: expect.arrayContaining(['notes']),
      reason: 'Concerns somebody who is on hold, too',
    })
    await continueErasures(env, database(env), new Date(Date.now() + 3_600_000))
    // What came as erased has nothing to clear, and keeps what was written since.
    await importRecords([
      ['contacts', { id: 80, is_erased: true }],
      ['offers', { ...offerOf(81), contacts: [80], notes: 'Since' }],
    ])
    // The export of all this changes nothing, nor does another reason end the hold.
    const lines = await exported()
    await importFile(lines)
    expect(await exported()).toEqual(lines)
    await execute("update contact_holds set date = '2020-01-01 00:00:00'")
    await post(`/admin/contacts/${OTHER}/hold`, { reason: 'Another lawsuit' })
    expect((await get('/api/offers/70')).body.data.notes).toBe('Of both')
    await remove(`/admin/contacts/${OTHER}/hold`)
    await continueErasures(env, database(env))
    expect((await get('/api/offers/70')).body.data.notes).toBeNull()
    expect((await get('/api/offers/81')).body.data.notes).toBe('Since')
  })
})

describe('an erased enquiry', () => {
  it('is neither converted nor noted, and goes with a request that it has become', async () => {
    await importRecords([['enquiries', { ...enquiryOf(70), request_id: 1 }]])
    await erase({ reason: 'x', also: ALSO })
    expect(await selectAll('select first_name, email, message from enquiries where id = 70')).toEqual([
      { first_name: null, email: null, message: '' },
    ])
    await expectError(post('/api/enquiries/2/convert', {}), 409, 'The sender of this enquiry was erased')
    await expectInvalid(put('/api/enquiries/2', { notes: 'x' }), 'The sender of this enquiry was erased')
    expect((await put('/api/enquiries/2', { status: 'closed' })).status).toBe(200)
  })
})

it('a second erasure clears again the records that it names, and what was written to them since', async () => {
  const also = [
    { resource: 'external-listings', id: 1 },
    { resource: 'requests', id: 2 },
  ]
  await erase({ reason: 'x', also })
  await put('/api/external-listings/1', { contact_full_name: 'zqagain' })
  await put('/api/requests/2', { notes: 'zqagain' })
  expect((await erase({ reason: 'x', also })).body.data.complete).toBe(true)
  expect(await selectAll('select contact_full_name as text from external_listings where id = 1')).toEqual([
    { text: null },
  ])
  expect(await selectAll('select notes as text from requests where id = 2')).toEqual([{ text: null }])
})

describe('an enquiry whose line says that it was erased', () => {
  it('is blanked for the admin token alone', async () => {
    await importRecords([['enquiries', { ...enquiryOf(70), message: 'zqliving' }]])
    const line = { ...enquiryOf(70), is_erased: true }
    const body = JSON.stringify({ entity: 'enquiries', data: line })
    const { data } = (await call('POST', '/admin/import', { body, key: await keyWith('admin:import') })).body
    expect(data.errors).toMatchObject([{ problems: [{ field: 'is_erased' }] }])
    await importReply('enquiries', [line])
    expect(
      await selectAll('select last_name, email, message, is_erased from enquiries where id = 70'),
    ).toEqual([{ last_name: '', email: null, message: '', is_erased: 1 }])
  })

  it('is blanked whatever of it the line leaves out, but not while its contact is on hold', async () => {
    await importRecords([['enquiries', { ...enquiryOf(70), message: 'zqliving', contact_id: OTHER }]])
    const textOf = async () => JSON.stringify(await selectAll('select * from enquiries where id = 70'))
    await post(`/admin/contacts/${OTHER}/hold`, { reason: 'A lawsuit' })
    expect((await importReply('enquiries', [{ id: 70, is_erased: true }])).errors).toMatchObject([
      { message: 'On hold: it is of a person on hold' },
    ])
    expect(await textOf()).toContain('zqliving')
    await remove(`/admin/contacts/${OTHER}/hold`)
    expect(await importReply('enquiries', [{ id: 70, is_erased: true }])).toMatchObject({
      accepted: 1,
      ignored: [],
    })
    expect(await textOf()).not.toMatch(/zq|@/)
  })
})

describe('kept replies', () => {
  const headers = { 'Idempotency-Key': 'kept' }
  const texts = { contact_full_name: 'zqkept', contact_email: 'zqkept@example.com', description: 'zqkept' }
  const body = { created_by: 1, store_id: 1, ...texts }
  const create = () => call('POST', '/api/external-listings', { body, headers })

  it('are cleared, but not those about others of the same id', async () => {
    const { id } = (await create()).body.data
    await erase({ reason: 'x', also: [{ resource: 'external-listings', id }] })
    expect(await everything()).not.toContain('zqkept')
    expect((await create()).body.data).toMatchObject({ id, contact_full_name: null, description: null })
  })

  it('of versions that did not note the record are dropped, and their keys stay used', async () => {
    const { id } = (await create()).body.data
    await execute('update idempotency_keys set resource = null, record_id = null')
    await erase({ reason: 'x', also: [{ resource: 'external-listings', id }] })
    expect(await everything()).not.toContain('zqkept')
    await expectError(create(), 409, 'The reply for this Idempotency-Key is no longer kept')
    expect(await selectAll('select id from external_listings where id > ?', id)).toEqual([])
  })
})

describe('import and export', () => {
  it('drop texts of what was cleared, and name them', async () => {
    const before = await exported()
    await erase({ reason: 'x', also: ALSO })
    const cleared = await exported()
    const { body } = await call('POST', '/admin/import?mode=replace&errors=all', { body: before.join('\n') })
    expect(body.data.errors).toEqual([
      expect.objectContaining({ entity: 'contacts', id: PERSON, message: 'erased' }),
    ])
    const ignored = Object.fromEntries(
      body.data.ignored.map(({ line, fields }: { line: number; fields: string[] }) => {
        const { entity, data } = JSON.parse(before[line - 1] ?? '')
        return [`${entity} ${data.id}`, fields]
      }),
    )
    expect(ignored).toMatchObject({
      'requests 1': ['title', 'notes', 'extra_fields.#'],
      'listings 1': ['notes', 'the service.tenant_contact_id', 'contacts', 'translations'],
      'offers 1': CLEARED['offers 1'],
      'incomes 1': ['title', 'notes'],
    })
    expect(await found()).toEqual([])
    const undated = (lines: string[]) =>
      lines.map((line) => line.replace(/"date_updated":("[^"]*"|null)/g, ''))
    expect(undated(await exported())).toEqual(undated(cleared))
  })

  it('bring back nothing that was cleared while the export was taken', async () => {
    for (const id of [1, 2]) await put(`/api/requests/${id}`, { title: null })
    const before = await exported()
    await erase({ reason: 'x', also: ALSO })
    const after = await exported()
    // An export gives records once more that have changed since it began.
    const changed = after
      .filter((line) => !before.includes(line))
      .map((line) => line.trim().replace(/}$/, ',"mode":"replace"}'))
    const contact = after.find(
      (line) => line.startsWith('{"entity":"contacts"') && /"is_erased":true/.test(line),
    )
    const first = before.map((line) =>
      line.startsWith(`{"entity":"contacts","data":{"id":${PERSON},`) ? contact : line,
    )
    await emptyService()
    const { body } = await call('POST', '/admin/import', { body: [...first, ...changed].join('\n') })
    expect(body.data).toMatchObject({ rejected: 0 })
    expect(await exported()).toEqual(after)
  })

  it('leave what was written since as it is, and bring it into an empty deployment', async () => {
    await erase({ reason: 'x', also: ALSO })
    await put('/api/requests/1', { title: 'New', notes: 'Later' })
    await put('/api/listings/1', { title: 'New', description: 'New', language_id: 1, notes: 'Later' })
    const lines = await exported()
    const listing = {
      id: 1,
      title: 'zqold',
      notes: 'zqold',
      translations: [{ language_id: 1, title: 'zqold' }],
    }
    for (const mode of ['merge', 'replace']) {
      expect(await importReply('requests', [{ id: 1, notes: 'zqold' }], 'merge')).toMatchObject({
        accepted: 1,
        ignored: [{ fields: ['notes'] }],
      })
      expect((await importReply('listings', [listing], 'merge')).ignored).toEqual([
        { line: 1, fields: ['notes', 'title', 'translations'] },
      ])
      await importFile(lines, `mode=${mode}`)
      expect(await exported()).toEqual(lines)
    }
    await emptyService()
    await importFile(lines, 'mode=replace')
    await continueErasures(env, database(env))
    expect(await exported()).toEqual(lines)
  })

  it('come back the same in an empty deployment, where the list is kept, too', async () => {
    const before = await exported()
    await erase({ reason: 'x', also: ALSO })
    const lines = await exported()
    expect(lines.find((line) => line.includes(`"id":${PERSON},"first_name"`))).toContain(
      '"is_deleted":true,"is_erased":true',
    )
    await emptyService()
    await importFile(lines, 'errors=all')
    expect(await exported()).toEqual(lines)
    expect((await importText(before.join('\n'), { errors: 'all' })).errors).toEqual([
      expect.objectContaining({ entity: 'contacts', id: PERSON, message: 'erased' }),
    ])
    await continueErasures(env, database(env))
    // An external listing has no mark, so it comes back with an older file.
    const all = await everything()
    expect(TEXTS.filter((text) => all.includes(text) && !/^zq(external|mail)|^690/.test(text))).toEqual([])
  })

  it('erase nobody by a key that only imports', async () => {
    const key = await keyWith('admin:import')
    const body = JSON.stringify({ entity: 'contacts', data: { id: PERSON, is_erased: true } })
    const { data } = (await call('POST', '/admin/import', { body, key })).body
    expect(data.errors).toMatchObject([
      { message: 'Only ADMIN_TOKEN may import a stored contact as erased: erase the person' },
    ])
    expect((await get(`/api/contacts/${PERSON}`)).status).toBe(200)
  })

  it('erase a living contact whose line says so', async () => {
    expect(await importReply('contacts', [{ id: PERSON, is_erased: true }])).toMatchObject({
      accepted: 1,
      rejected: 0,
    })
    await expectError(get(`/api/contacts/${PERSON}`), 404, 'Contact not found')
    await continueErasures(env, database(env))
    expect((await found()).filter((text) => !/^zq(unlinked|external)|mail$|^690/.test(text))).toEqual([])
  })

  it('list the erased for copies', async () => {
    const records = [...ALSO, { resource: 'contacts', id: OTHER }]
    await erase({ reason: 'x', also: records })
    const erased = await runStatement(database(env), selectErased())
    const moment = { date: expect.any(String), position: expect.any(Number) }
    const also = [...ALSO, { resource: 'requests', id: 1 }].map((one) => ({ ...one, ...moment }))
    expect(erased).toEqual([
      { id: PERSON, ...moment, also: expect.arrayContaining(also) },
      { id: OTHER, ...moment, also: [] },
    ])
  })
})
