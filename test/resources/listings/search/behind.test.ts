/** What searches cost after every listing of many has changed while cron stood still. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { releaseIndex } from '../../../../src/resources/listings/search/engine.ts'
import { packPortions } from '../../../../src/resources/listings/search/packing.ts'
import { MAX_FOLLOWED } from '../../../../src/resources/listings/search/portions.ts'
import { countDatabase } from '../../../../tools/bench/count-database.ts'
import { bearer, send } from '../../../http/send.ts'
import { keyWith } from '../../../support/api.ts'
import { execute } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'

const LISTINGS = MAX_FOLLOWED + 1000

let key = ''

beforeAll(async () => {
  await seedAgency()
  key = await keyWith('*:read')
  await execute(
    `insert into listings (id, store_id, category, availability, status, created_by, date_created, date_updated)
    select key + 1, 1, 'land', 'sale', 'draft', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from json_each(?)`,
    JSON.stringify(Array.from({ length: LISTINGS }, () => 0)),
  )
  await packPortions(database(env))
})

const changeAll = (price: number) => execute('update listings set version = version + 1, price = ?', price)

/** Searches by price, and gives how many are found, and how many rows were read. */
async function search(price: number) {
  const counts = { trips: 0, rowsRead: 0, rowsWritten: 0 }
  const DB = countDatabase(env.DB, counts)
  const path = `/api/listings?price[min]=${price}&sort=price`
  const reply = await send('GET', path, { headers: bearer(key) }, { DB })
  const { total_results } = await reply.json<{ total_results: number }>()
  return { status: reply.status, total_results, rows: counts.rowsRead }
}

/** Rows that a page and its portions are read from, however many listings there are. */
const FEW = 1000

describe('an index that is further behind than it follows', () => {
  it('is loaded from portions that are made anew once for all isolates', async () => {
    for (const isLoaded of [false, true]) {
      const price = isLoaded ? 200 : 100
      await changeAll(price)
      if (!isLoaded) releaseIndex()
      const { rows, ...found } = await search(price)
      expect(found).toEqual({ status: 200, total_results: LISTINGS })
      expect(rows).toBeLessThan(20 * LISTINGS)
      expect((await search(price)).rows).toBeLessThan(FEW)
      releaseIndex()
      expect((await search(price)).rows).toBeLessThan(FEW)
    }
  })

  it('is loaded from portions that one run of cron has made anew', async () => {
    await changeAll(300)
    expect(await packPortions(database(env))).toMatchObject({ left: 0 })
    releaseIndex()
    const { rows, ...found } = await search(300)
    expect(found).toEqual({ status: 200, total_results: LISTINGS })
    expect(rows).toBeLessThan(FEW)
  })
})
