import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, expectInvalid, get } from '../../support/api.ts'
import { numbered } from '../../support/factories/named.ts'
import { idsOf } from '../../support/reads.ts'
import { createRequest, FIELDS, readRequest, seedRequests } from './seed.ts'

beforeAll(seedRequests)

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
})

describe('GET /api/requests', () => {
  it('answers the living ones, newest first, in the envelope', async () => {
    await createRequest()
    const { id } = await createRequest({ contacts: [1, 2], users: [2, 3], status: 3 })
    const { status, headers, body } = await get('/api/requests')
    expect(status).toBe(200)
    expect(headers.get('X-Total-Count')).toBe(String(body.total_results))
    expect(body).toMatchObject({ page: 1, total_pages: 1, results_per_page: 50 })
    const ids = idsOf(body)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    expect(body.data[0]).toEqual((await get(`/api/requests/${id}`)).body.data)
    expect((await get('/api/requests?fields=all')).body.data[0]).toEqual(await readRequest(id))
  })
})

describe('lookups of requests', () => {
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
