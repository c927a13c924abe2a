import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'

/** Their ids, 13 digits each, are more than the 2 MB that a value of D1 may have. */
const COUNT = 170_000
const FIRST = 2 ** 40 - COUNT

beforeAll(async () => {
  await seedAgency()
  // Entering each in the feed of changes would take longer than all the rest.
  const results = await selectAll<{ name: string }>(
    `select name from sqlite_master where type = 'trigger' and tbl_name = 'listings' and name not like 'listing_counts%'`,
  )
  for (const { name } of results) await env.DB.exec(`drop trigger ${name}`)
  await execute(`insert into listings (id, store_id, created_by, category, availability, date_created, date_updated)
    with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${COUNT - 1})
    select ${FIRST} + n, 1, 1, iif(n % 10000 = 0, 'land', 'residential'), 'sale', '2026-01-01 00:00:00', '2026-01-01 00:00:00'
    from counted`)
}, 60_000)

describe('a list of several kinds', { timeout: 60_000 }, () => {
  it.each([1, 2, 1999, 2000, 2001, 2002, 3400, 3401, 2 ** 53 - 1])('has its page %i', async (page) => {
    const { status, body } = await query('/api/listings', { category: ['residential', 'land'], page })
    const last = FIRST + COUNT - 1 - (page - 1) * 50
    const expected = Array.from({ length: 50 }, (_, index) => last - index).filter((id) => id >= FIRST)
    expect([status, body.total_results]).toEqual([200, COUNT])
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(expected)
  })
})
