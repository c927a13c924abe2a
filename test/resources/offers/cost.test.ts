/** What a round costs among many offers: two round trips, and rows that do not grow with the table. */
import { beforeAll, expect, it } from 'vitest'
import { bearer, send } from '../../http/send.ts'
import { keyWith } from '../../support/api.ts'
import { counting, execute } from '../../support/database.ts'
import { newListing, newOffer } from './deals.ts'
import { seedDeals } from './seed.ts'

const OFFERS = 100_000
let listing = 0
let key = ''

beforeAll(async () => {
  await seedDeals()
  listing = await newListing()
  key = await keyWith('*:read', '*:write')
  // A tenth are of this listing, all decided, as nobody has negotiated the rest.
  for (let from = 0; from < OFFERS; from += 20_000)
    await execute(`with recursive n(i) as (select ${from + 1000} union all select i + 1 from n where i < ${from + 20_999})
      insert into offers (id, status, is_active, store_id, created_by, date_created, date_updated, currency,
        current_listing_price, listing_id)
      select i, iif(i % 2, 'rejected', 'withdrawn'), 0, 1, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 'EUR', 1,
        iif(i % 10 = 0, ${listing}, i % 3 + 1) from n`)
}, 120_000)

it(`a round among ${OFFERS} offers takes two trips and 60 rows`, async () => {
  const id = await newOffer(listing, 100)
  for (const body of [
    { type: 'counter_offer', amount: 120 },
    { type: 'accepted', reject_others: true },
    { type: 'note', notes: 'Keys on Monday' },
  ]) {
    const { DB, rowsRead, batches } = counting()
    const init = { headers: bearer(key), body: JSON.stringify(body) }
    const { status } = await send('POST', `/office/offers/${id}/rounds`, init, { DB })
    expect([status, batches(), Math.max(rowsRead(), 60)]).toEqual([200, 2, 60])
  }
})
