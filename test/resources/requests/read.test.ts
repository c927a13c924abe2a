import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, expectError, expectInvalid, get, keyWith, query } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { numbered } from '../../support/factories/named.ts'
import { found, idsOf } from '../../support/reads.ts'
import { backdate, createRequest, FIELDS, readRequest, seedRequests } from './seed.ts'

beforeAll(seedRequests)

const idsFound = (filters: Record<string, unknown>) => found('/api/requests', filters)

describe('GET /api/requests/{id}', () => {
  it('answers the request; fields=all adds what the standard form leaves out', async () => {
    const created = await createRequest({ notes: 'Notes', subtypes: [1], rating: 2 })
    await expectData(get(`/api/requests/${created.id}`), created)
    expect((await get(`/api/requests/${created.id}?fields=all`)).body.data).toEqual({
      ...created,
      title: 'Residential for sale: Athens',
      subtypes: [1],
      notes: 'Notes',
      rating: 2,
      elevator_min_floor: null,
    })
    await expectInvalid(get(`/api/requests/${created.id}?fields=some`), 'Invalid fields: must be one of all')
  })

  it.each(['0', '-1', '999999', '1.5', 'abc', '99999999999999999999'])('%s → 404', async (id) => {
    for (const path of [
      `/api/requests/${id}`,
      `/api/requests/${id}?fields=some`,
      `/api/requests/${id}/matches?page=x`,
    ]) {
      await expectError(get(path), 404, 'Request not found')
    }
  })

  it('needs the scope requests:read', async () => {
    const { id } = await createRequest()
    const key = await keyWith('listings:read')
    for (const path of ['/api/requests', `/api/requests/${id}`, `/api/requests/${id}/matches`]) {
      expect((await get(path, { key })).status).toBe(403)
      expect((await get(path, { key: null })).status).toBe(401)
    }
  })
})

describe('GET /api/requests', () => {
  let first: number
  let second: number

  beforeAll(async () => {
    const old = await createRequest()
    first = (await createRequest({ store_id: 2, status: 3, contacts: [2], users: [3], category: 'land' })).id
    second = (await createRequest({ availability: 'auction', contacts: [1, 2], users: [2, 3], status: 3 })).id
    await backdate(old.id, '2001-01-01 00:00:00')
    await backdate(first, '2010-05-01 00:00:00')
    await backdate(second, '2010-05-02 23:59:59')
  })

  it('answers the living ones, newest first, in the envelope', async () => {
    const { status, headers, body } = await get('/api/requests')
    expect(status).toBe(200)
    expect(headers.get('X-Total-Count')).toBe(String(body.total_results))
    expect(body).toMatchObject({ page: 1, total_pages: 1, results_per_page: 50 })
    const ids = idsOf(body)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    expect(body.data[0]).toEqual((await get(`/api/requests/${second}`)).body.data)
    expect((await get('/api/requests?fields=all')).body.data[0]).toEqual(await readRequest(second))
  })

  it('filters by every filter, alone and together', async () => {
    expect(await idsFound({ status: 3 })).toEqual([second, first])
    expect(await idsFound({ store_id: 2 })).toEqual([first])
    expect(await idsFound({ contact_id: 2 })).toEqual([second, first])
    expect(await idsFound({ user_id: 3 })).toEqual([second, first])
    expect(await idsFound({ user_id: 2 })).toEqual([second])
    expect(await idsFound({ availability: 'auction' })).toEqual([second])
    expect(await idsFound({ category: 'land' })).toEqual([first])
    expect(await idsFound({ category: 'land', availability: 'auction' })).toEqual([])
    expect(await idsFound({ status: 3, contact_id: 1, user_id: 2, store_id: 1 })).toEqual([second])
    for (const name of ['status', 'store_id', 'contact_id', 'user_id']) {
      expect(await idsFound({ [name]: 999_999 })).toEqual([])
      expect(await idsFound({ [name]: 0 })).toEqual([])
    }
    expect((await get('/api/requests?status=3&user_id=2')).body.total_results).toBe(1)
  })

  it('filters by dates, both ends included', async () => {
    for (const name of ['date_created', 'date_updated']) {
      expect(await idsFound({ [name]: { min: '2010-05-01', max: '2010-05-02' } })).toEqual([second, first])
      expect(await idsFound({ [name]: { min: '2010-05-01 00:00:01', max: '2010-05-02' } })).toEqual([second])
      expect(await idsFound({ [name]: { min: '2010-01-01', max: '2010-05-01' } })).toEqual([first])
    }
  })

  it.each<[Record<string, unknown>, string]>([
    [{ availability: 'lease' }, 'Invalid availability: must be one of sale, rent, auction, shortterm'],
    [{ availability: ['sale'] }, 'Invalid availability: must be one of sale, rent, auction, shortterm'],
    [{ category: 'castle' }, 'Invalid category: must be one of residential, commercial, land, other'],
    [{ status: 'new' }, 'Invalid status: must be an integer'],
    [{ store_id: '1' }, 'Invalid store_id: must be an integer'],
    [{ contact_id: 1.5 }, 'Invalid contact_id: must be an integer'],
    [{ user_id: [1] }, 'Invalid user_id: must be an integer'],
    [{ date_created: {} }, 'Invalid date_created: must have min, max or both'],
    [{ date_updated: '2020-01-01' }, 'Invalid date_updated: must be an object'],
    [{ page: 0 }, 'Invalid page: must be at least 1'],
  ])('%j → 400', (filters, message) => expectInvalid(query('/api/requests', filters), message))

  it('finds every filter in an index', async () => {
    const conditions = [
      'is_deleted = 0',
      'is_deleted = 0 and status = 1',
      'is_deleted = 0 and store_id = 1',
      `is_deleted = 0 and category = 'land' and availability = 'sale'`,
      `is_deleted = 0 and availability = 'sale'`,
      `is_deleted = 0 and date_created >= '2020'`,
      'id in (select request_id from request_contacts where contact_id = 1)',
      'id in (select request_id from request_users where user_id = 1)',
    ]
    for (const condition of conditions) {
      const results = await selectAll(
        `explain query plan select id from requests where ${condition} order by id desc limit 50`,
      )
      const plan = results.map((row) => String(row.detail))
      expect(
        plan.filter((detail) => /^SCAN (requests|request_)/.test(detail)),
        condition,
      ).toEqual([])
    }
  })
})

describe('lookups of requests', () => {
  it.each([
    ['statuses', ['Status 1', 'Status 2', 'Status 3']],
    ['sources', ['Source 1', 'Source 2']],
    ['tags', ['Tag 1', 'Tag 2', 'Tag 3']],
  ])('%s', (path, names) => expectData(get(`/api/requests/${path}`), numbered(...names)))

  it('custom-fields', async () => {
    const { body } = await get('/api/requests/custom-fields')
    expect(body.data.map(({ id, type }: { id: number; type: string }) => [type, id])).toEqual(
      Object.entries(FIELDS),
    )
    expect(body.data[1]).toEqual({
      id: FIELDS.select,
      name: 'select',
      type: 'select',
      options: numbered('Option 1', 'Option 2'),
    })
  })
})
