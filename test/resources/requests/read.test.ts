import { beforeAll, describe, expect, it } from 'vitest'
import { get } from '../../support/api.ts'
import { numbered } from '../../support/factories/named.ts'
import { FIELDS, seedRequests } from './seed.ts'

beforeAll(seedRequests)

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
