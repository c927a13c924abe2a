/** Deep pages of listings: by kind, code and dates alone, which are SQL on the first pages. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { countDatabase } from '../../../tools/bench/count-database.ts'
import { bearer, send } from '../../http/send.ts'
import { keyWith } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'

const COUNT = 3000
const LAST = 5 * COUNT

beforeAll(async () => {
  await seedAgency()
  await execute(
    `insert into listings (id, store_id, created_by, category, availability, date_created, date_updated)
    select 5 * value, 1, 1, iif(value % 7, 'residential', 'land'), iif(value % 3, 'sale', 'rent'),
      '2026-01-01 00:00:00', '2026-01-01 00:00:00' from json_each(?)`,
    JSON.stringify(Array.from({ length: COUNT }, (_, index) => index + 1)),
  )
})

describe('a list of several kinds', () => {
  it.each([1, 2, 19, 20, 21, 22, 60, 61, 2 ** 53 - 1])('has its page %i, and reads little', async (page) => {
    const key = await keyWith('*:read')
    const read = async () => {
      const counts = { trips: 0, rowsRead: 0, rowsWritten: 0 }
      const path = `/api/listings?category=residential&category=land&page=${page}`
      const DB = countDatabase(env.DB, counts)
      const reply = await send('GET', path, { headers: bearer(key) }, { DB })
      return { reply, counts }
    }
    const { reply } = await read()
    const body: { total_results: number; data: { id: number }[] } = await reply.json()
    const expected = Array.from({ length: 50 }, (_, index) => LAST - 5 * ((page - 1) * 50 + index))
    expect([reply.status, body.total_results]).toEqual([200, COUNT])
    expect(body.data.map(({ id }) => id)).toEqual(expected.filter((id) => id > 0))
    const { counts } = await read()
    expect(counts).toMatchObject({ trips: 1 })
    expect(counts.rowsRead).toBeLessThan(page > 20 ? 500 : 20_000)
  })
})
