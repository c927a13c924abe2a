import { beforeAll, describe, expect, it } from 'vitest'
import {
  expectError,
  expectInvalid,
  expectProblems,
  get,
  keyWith,
  post,
  put,
  remove,
} from '../../support/api.ts'
import { failBefore, selectAll, selectFirst, whileBroken } from '../../support/database.ts'
import { emptyService } from '../../support/storage.ts'
import { createEnquiry, FULL, readEnquiry, seedEnquiries } from './seed.ts'

beforeAll(seedEnquiries)

const convert = (id: number, body: unknown = {}, options = {}) =>
  post(`/api/enquiries/${id}/convert`, body, options)

const counts = async () => [
  await selectFirst('select count(*) as n from contacts'),
  await selectFirst('select count(*) as n from requests'),
  await selectAll('select * from changes order by cursor'),
]

/** What a request needs beside what the enquiry has. */
const REQUEST = { users: [2], created_by: 1, store_id: 1 }

describe('POST /api/enquiries/{id}/convert', () => {
  it('makes a contact of the sender', async () => {
    const id = await createEnquiry({ ...FULL, search: null })
    await put(`/api/enquiries/${id}`, { users: [3, 2] })
    const { status, headers, body } = await convert(id)
    const made = { status: 200, contact_id: expect.any(Number), request_id: null }
    expect([status, body]).toEqual([200, made])
    const { data } = (await get(`/api/contacts/${body.contact_id}`)).body
    expect(data).toMatchObject({
      first_name: 'Άννα',
      last_name: 'Ρήγα',
      is_lead: true,
      phones: [{ type: '', number: '+30 690 000 0001', notes: '' }],
      emails: [{ type: '', email_address: 'anna@example.com', notes: '' }],
      created_by: 1,
      users: [3, 2],
    })
    const read = await get(`/api/enquiries/${id}`)
    expect(read.body.data).toMatchObject({ status: 'open', contact_id: body.contact_id, request_id: null })
    expect(headers.get('ETag')).toBe(read.headers.get('ETag'))
    expect((await get('/api/contacts?search=ρηγα')).body.data.map(({ id }: { id: number }) => id)).toContain(
      body.contact_id,
    )
  })

  it('makes a request of what is sought, with matches, in the feed', async () => {
    await post('/api/listings/1/status', { to: 'active' })
    await put('/api/listings/1', {
      location: { area_level1: 1, area_level2: 11 },
      price: 200_000,
      rooms: 3,
      subcategory: 'apartment',
      features: ['has_elevator'],
    })
    const id = await createEnquiry({
      ...FULL,
      search: { ...FULL.search, extra_fields: { features: ['has_elevator'] } },
    })
    const { cursor } = (await get('/api/changes?limit=1000')).body.data.at(-1)
    const { body } = await convert(id, {
      create_request: { ...REQUEST, price_max: 250_000, extra_fields: { property_condition: null } },
    })
    expect(body).toEqual({ status: 200, contact_id: expect.any(Number), request_id: expect.any(Number) })
    const request = (await get(`/api/requests/${body.request_id}?fields=all`)).body.data
    expect(request).toMatchObject({
      availability: 'sale',
      category: 'residential',
      subcategories: ['apartment'],
      price_max: 250_000,
      rooms_min: 2,
      extra_fields: { features: ['has_elevator'] },
    })
    const stored = await selectAll(
      `select contact_id, position from request_contacts where request_id = ${body.request_id}`,
    )
    expect(stored).toEqual([{ contact_id: body.contact_id, position: 0 }])
    const matches = (await get(`/api/requests/${body.request_id}/matches`)).body.data
    expect(matches).toContainEqual(expect.objectContaining({ listing_id: 1, score: 100 }))
    const changes = (await get(`/api/changes?after=${cursor}&limit=1000`)).body.data
    expect(changes.map(({ resource, id }: { resource: string; id: number }) => `${resource} ${id}`)).toEqual(
      expect.arrayContaining([
        `enquiries ${id}`,
        `contacts ${body.contact_id}`,
        `requests ${body.request_id}`,
        `matches ${body.request_id}`,
      ]),
    )
  })

  it('takes an existing contact, and the agents of the enquiry', async () => {
    const id = await createEnquiry(FULL)
    await put(`/api/enquiries/${id}`, { users: [3] })
    const before = await selectFirst('select count(*) as n from contacts')
    const { users, ...request } = REQUEST
    const { body } = await convert(id, { contact_id: 2, create_request: request })
    expect(body.contact_id).toBe(2)
    expect(await selectFirst('select count(*) as n from contacts')).toEqual(before)
    expect(
      await selectAll(`select contact_id from request_contacts where request_id = ${body.request_id}`),
    ).toEqual([{ contact_id: 2 }])
    expect(
      await selectAll(`select user_id from request_users where request_id = ${body.request_id}`),
    ).toEqual([{ user_id: 3 }])
  })

  it('gives the same ids a second time, and when called many times at once', async () => {
    const id = await createEnquiry(FULL)
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => convert(id, { create_request: REQUEST })),
    )
    const [first] = replies
    for (const { status, body } of replies) expect([status, body]).toEqual([200, first?.body])
    const before = await counts()
    expect((await convert(id, { contact_id: 1 })).body).toEqual(first?.body)
    expect((await convert(id, { create_request: { ...REQUEST, store_id: 99 } })).body).toEqual(first?.body)
    expect(await counts()).toEqual(before)
    expect(
      await selectFirst(`select count(*) as n from requests where id >= ${first?.body.request_id}`),
    ).toEqual({ n: 1 })
  })

  it.each<[unknown, string]>([
    [{ contact_id: 99 }, 'Unknown contact_id 99'],
    [{ create_request: {} }, 'Missing create_request.users'],
    [
      { create_request: { ...REQUEST, price_min: 400_000 } },
      'Invalid create_request.price_min: must not be above price_max',
    ],
    [
      { create_request: { ...REQUEST, subcategories: ['office'] } },
      'Invalid create_request.subcategories: must be any of apartment, maisonette, detached, villa, loft, ' +
        'residential_building, apartment_complex, farmhouse, houseboat, other_residential',
    ],
  ])('%j → 400, and nothing is made', async (body, message) => {
    const id = await createEnquiry(FULL)
    const before = [await counts(), await readEnquiry(id)]
    await expectInvalid(convert(id, body), message)
    expect([await counts(), await readEnquiry(id)]).toEqual(before)
  })

  it('does not take a contact that is deleted meanwhile', async () => {
    const [{ body }, id] = [await post('/api/contacts', { last_name: 'Gone' }), await createEnquiry()]
    const DB = failBefore(/^update enquiries /, () => remove(`/api/contacts/${body.created_id}`))
    const reply = convert(id, { contact_id: body.created_id }, { bindings: { DB } })
    await expectError(reply, 400, `Unknown contact_id ${body.created_id}`)
    expect((await readEnquiry(id)).contact_id).toBeNull()
  })

  it('needs the scopes of what it makes', async () => {
    const id = await createEnquiry(FULL)
    const needs = async (scopes: string[], body: unknown, missing: string | null) => {
      const reply = convert(id, body, { key: await keyWith(...scopes) })
      if (missing) await expectError(reply, 403, `This API key lacks the scope ${missing}`)
      else expect((await reply).status).toBe(200)
    }
    await needs(['enquiries:read', 'contacts:write'], {}, 'enquiries:write')
    await needs(['enquiries:write'], {}, 'contacts:write')
    await needs(['enquiries:write', 'contacts:write'], { create_request: REQUEST }, 'requests:write')
    await needs(['enquiries:write'], { contact_id: 1 }, null)
  })

  it('makes all or nothing when the database fails', async () => {
    const id = await createEnquiry(FULL)
    const before = [await counts(), await readEnquiry(id)]
    const send = () => convert(id, { create_request: REQUEST })
    expect((await whileBroken('insert on request_contacts', send)).status).toBe(500)
    expect([await counts(), await readEnquiry(id)]).toEqual(before)
    expect((await send()).status).toBe(200)
  })

  it('needs a user for a new contact', async () => {
    await emptyService()
    const id = await createEnquiry()
    const message = 'Missing contact_id: there is no user who could create a contact'
    await expectProblems('POST', `/api/enquiries/${id}/convert`, {}, [message])
    await expectProblems('POST', `/api/enquiries/${id}/convert`, { contact_id: 1 }, ['Unknown contact_id 1'])
  })
})
