/** What searches cost after every listing of many has changed while cron stood still. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { packPortions } from '../../../../src/resources/listings/search/packing.ts'
import { MAX_FOLLOWED } from '../../../../src/resources/listings/search/portions.ts'
import { releaseIndex } from '../../../../src/resources/listings/search/shared-index.ts'
import { get } from '../../../support/api.ts'
import { counted, execute } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { insertListings } from '../../../support/factories/listing.ts'

const LISTINGS = MAX_FOLLOWED + 1000

beforeAll(async () => {
  await seedAgency()
  await insertListings(LISTINGS, { id: 'value + 1' })
  await packPortions(database(env))
})

const changeAll = (price: number) => execute('update listings set version = version + 1, price = ?', price)

/** Searches by price, and gives how many are found, and how many rows were read. */
async function search(price: number) {
  const { DB, counts } = counted()
  const { status, body } = await get(`/api/listings?price[min]=${price}&sort=price`, { bindings: { DB } })
  return { status, total_results: body.total_results, rows: counts.rowsRead }
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
