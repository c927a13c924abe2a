/** What visitors see is filled anew after a migration: by cron, in portions, without another date. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { fillPublicListings } from '../../../../src/resources/listings/public/fill.ts'
import { packPortions } from '../../../../src/resources/listings/search/packing.ts'
import { MAX_AGE } from '../../../../src/resources/listings/search/shared-index.ts'
import { query, websiteKey } from '../../../support/api.ts'
import { counted, execute, failBefore, selectAll, selectFirst } from '../../../support/database.ts'
import { seedListings } from '../search/by-hand.ts'

const fill = (portions: number, size: number) => fillPublicListings(database(env), { portions, size })
const ROWS = 'select * from public_listings order by id'
const MARK = "select form from derivations where name = 'public_listings'"

beforeAll(seedListings)

it('fills what is missing or other, goes on where it was cut off, and lets searches follow', async () => {
  const key = await websiteKey()
  const total = async () => (await query('/api/listings', { price: { min: 1 } }, { key })).body.total_results
  await fill(1000, 1000)
  await packPortions(database(env))
  const [before, found] = [await selectAll(ROWS), await total()]
  expect(before.length).toBeGreaterThan(50)
  const [mark] = await selectAll(MARK)
  await execute(
    "update public_listings set date_updated = '2020-01-01 00:00:00', price = 7, shown = '{}' where id % 2",
  )
  await execute('delete from public_listings where id % 3 = 0')
  // What another rule let visitors see; the last one is above all that they may.
  const hidden = "select id from listings where status <> 'active'"
  await execute(`insert into public_listings select hidden.id, store_id, price, price_per_sqm, has_photos, latitude, longitude,
    date_updated, shown, photo_sizes, pictures_deferred from public_listings, (${hidden} union select 5000) hidden
    where public_listings.id = (select min(id) from public_listings)`)
  // Visitors go by the old values until all are filled.
  expect(await fill(1, 10)).toEqual({ isFilled: true })
  expect(await selectAll(ROWS)).not.toEqual(before)
  await execute("delete from derivations where name = 'public_listings'")
  expect(await fill(2, 10)).toEqual({ isFilled: false })
  expect(await selectAll(MARK)).toEqual([{ form: '' }])
  expect(await fill(100, 10)).toEqual({ isFilled: true })
  const withoutDate = (rows: Record<string, unknown>[]) => rows.map(({ date_updated: _, ...row }) => row)
  const after = await selectAll(ROWS)
  expect(withoutDate(after)).toEqual(withoutDate(before))
  for (const [index, { id, date_updated }] of after.entries())
    expect([id, date_updated]).toEqual([
      id,
      Number(id) % 2 && Number(id) % 3 ? '2020-01-01 00:00:00' : before[index]?.date_updated,
    ])
  expect(await selectAll(MARK)).not.toEqual([mark])
  expect(await selectAll('select first_id from index_portions')).toEqual([])
  expect([MAX_AGE.visitors, await total()]).toEqual([0, found])
})

it('leaves no portion that was read before all were filled', async () => {
  await execute("delete from derivations where name = 'public_listings'")
  await execute('delete from index_portions')
  const DB = failBefore(/insert into index_portion_data/, () => fill(1000, 1000))
  await packPortions(database({ DB }))
  expect(await selectAll(MARK)).not.toEqual([{ form: '' }])
  expect(await selectAll('select first_id from index_portions')).toEqual([])
  expect((await packPortions(database(env)))?.packed).toBe(1)
})

it('reads no listing once all are filled, also where the first run met an empty table', async () => {
  await execute("update derivations set cursor = 0 where name = 'public_listings'")
  const { DB, counts } = counted()
  expect(await fillPublicListings(database({ DB }))).toEqual({ isFilled: true })
  // One of them reads which listings have failed.
  expect(counts.trips).toBe(2)
  expect(counts.rowsRead).toBeLessThan(10)
})

it('is left to the code whose triggers the database has', async () => {
  await fill(1000, 1000)
  const before = await selectAll(ROWS)
  const name = 'public_listings_update'
  const { sql } =
    (await selectFirst<{ sql: string }>('select sql from sqlite_master where name = ?', name)) ?? {}
  // As after a migration, while the version before it still runs.
  await execute(`drop trigger ${name}`)
  await execute(String(sql).replace('date_updated,', 'date_listed, date_updated,'))
  await execute("delete from derivations where name = 'public_listings'")
  await execute("update public_listings set shown = '{}'")
  expect(await fill(100, 10)).toEqual({ isFilled: false })
  expect(await selectAll(MARK)).toEqual([])
  await execute(`drop trigger ${name}`)
  await execute(String(sql).replaceAll('\n', '\n  '))
  expect(await fill(100, 10)).toEqual({ isFilled: true })
  expect(await selectAll(ROWS)).toEqual(before)
})
