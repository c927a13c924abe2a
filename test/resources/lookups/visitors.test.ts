import { beforeAll, describe, expect, it } from 'vitest'
import { get, websiteKey } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'

const PUBLIC_STORE = ['id', 'name', 'phone', 'email', 'address', 'url']

let key = ''

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
})

const ids = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id)

describe('a visitor', () => {
  it.each(['/api/languages', '/api/listings/subtypes', '/api/listings/features', '/api/locations'])(
    'reads the same %s as the agency',
    async (path) => {
      const { status, body } = await get(path, { key })
      expect({ status, body }).toEqual({ status: 200, body: (await get(path)).body })
      expect(body.data.length).toBeGreaterThan(1)
    },
  )

  it('reads of stores what is public', async () => {
    const own = (await get('/api/stores')).body.data
    const publicPart = own.map((store: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(store).filter(([name]) => PUBLIC_STORE.includes(name))),
    )
    expect((await get('/api/stores', { key })).body).toEqual({ status: 200, data: publicPart })
    expect(publicPart[0]).toMatchObject({ id: 1, name: expect.any(String) })
  })

  it.each([[[1]], [[2, 1]], [[2]], [[99]]])('reads the stores %j of the key', async (stores) => {
    const limited = await websiteKey({ stores })
    const all = ids((await get('/api/stores')).body)
    expect(ids((await get('/api/stores', { key: limited })).body)).toEqual(
      all.filter((id) => stores.includes(id)),
    )
    expect((await get('/api/locations', { key: limited })).body.data.length).toBeGreaterThan(1)
  })
})
