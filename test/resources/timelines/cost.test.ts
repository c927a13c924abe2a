/** What timelines cost where a contact, a listing and a request are in everything. */
import { beforeAll, describe, expect, it } from 'vitest'
import { plansOf, rowsRead } from '../../db/plans.ts'
import { bearer, sendTo } from '../../http/send.ts'
import { importRecords, keyWith, ORIGIN } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { OFFER, seedDeals } from '../offers/seed.ts'

const HOT = 20_000
let key = ''

const series = (count: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
const moment = "datetime('2020-01-01', '+' || i || ' minutes')"
const dates = `${moment}, ${moment}`

beforeAll(async () => {
  key = await keyWith('*:read')
  await seedDeals()
  await importRecords([
    ...Array.from({ length: 60 }, (_, index): [string, Record<string, unknown>] => [
      'listings',
      { ...minimalListing, id: 100 + index, contacts: [1] },
    ]),
    ...Array.from({ length: 60 }, (_, index): [string, Record<string, unknown>] => [
      'listings',
      { ...minimalListing, id: 200 + index, 'the service': { tenant_contact_id: 1 } },
    ]),
    ['offers', { ...OFFER, rounds: [] }],
    [
      'contracts',
      {
        offer_id: 1,
        store_id: 1,
        status_id: 1,
        currency: 'EUR',
        created_by: 1,
        id: 1,
        listing: OFFER.listing,
      },
    ],
  ])
  const listing = 'case i % 3 when 0 then 1 else 100 + i % 60 end'
  await execute(`insert into activities (id, type, date, text, listing_id, request_id, created_by, date_created, date_updated)
    ${series(HOT)} select i, 'note', ${moment}, 'T', 1, 1, 1, ${dates} from n`)
  await execute(
    `insert into activity_contacts (activity_id, contact_id, position) ${series(HOT)} select i, 1, 0 from n`,
  )
  await execute(`insert into tasks (id, title, user_id, status, done_date, listing_id, request_id, created_by, date_created, date_updated)
    ${series(HOT)} select i, 'T', 1, 'done', ${moment}, 1, 1, 1, ${dates} from n`)
  await execute(
    `insert into task_contacts (task_id, contact_id, position) ${series(HOT)} select i, 1, 0 from n`,
  )
  await execute(`insert into appointments (id, type, status, status_date, starts, ends, store_id, listing_id, request_id,
      feedback_interest, feedback_date, created_by, date_created, date_updated)
    ${series(HOT)} select i, iif(i < ${HOT / 2}, 'viewing', 'meeting'), 'done', ${moment}, ${moment}, datetime(${moment}, '+1 hour'), 1, ${listing}, 1,
      'interested', ${moment}, 1, ${dates} from n`)
  await execute(
    `insert into appointment_contacts (appointment_id, contact_id, position) ${series(HOT)} select i, 1, 0 from n`,
  )
  await execute(`insert into enquiries (id, type, message, status, status_date, consents_to_marketing, contact_id, listing_id, request_id,
      date_created, date_updated, last_name, reference)
    ${series(HOT)} select i, 'information', 'M', 'new', ${moment}, 0, 1, 1, 1, ${dates}, 'X', 'R' || i from n`)
  await execute(`insert into offers (id, status, is_active, request_id, store_id, created_by, date_created, date_updated, currency,
      current_listing_price, loan_percentage, listing_id)
    ${series(2000)} select 10 + i, 'submitted', 1, 1, 1, 1, ${dates}, 'EUR', 1, 0, ${listing} from n`)
  await execute(
    `insert into offer_contacts (offer_id, contact_id, position) ${series(1000)} select 10 + i, 1, 0 from n`,
  )
  await execute(`insert into offer_rounds (id, offer_id, type, amount, created_by, date_created)
    ${series(HOT)} select i, 11 + i % 2000, 'note', 1, 1, ${moment} from n`)
  await execute(`insert into contracts (id, offer_id, request_id, store_id, status_id, created_by, date_created, date_updated, currency,
      loan_percentage, listing_id, notary_contact_id, external_contact, external_listing)
    ${series(5000)} select 10 + i, 1, 1, 1, 1, 1, ${dates}, 'EUR', 0, 1, 1, 0, 0 from n`)
  await execute(
    `insert into contract_contacts (contract_id, contact_id, position) ${series(100)} select 10 + i, 1, 0 from n`,
  )
  await execute(`insert into requests (id, title, store_id, status, availability, category, subcategories, created_by,
      date_created, date_updated)
    ${series(100)} select 100 + i, 'R', 1, 1, 'sale', 'land', '[]', 1, ${dates} from n`)
  await execute(
    `insert into request_contacts (request_id, contact_id, position) ${series(100)} select 100 + i, 1, 0 from n`,
  )
  await execute(`insert into trail (date, actor_type, status, resource, record_id, changed, others)
    ${series(HOT)} select ${moment}, 'cron', 200, iif(i % 3, 'listings', iif(i % 2, 'contacts', 'requests')),
      iif(i % 3, 100 + i % 60 + 100 * (i % 2), 1), '{"price":[1,2]}', '[]' from n`)
}, 120_000)

const read = (path: string) => (DB: D1Database) =>
  sendTo({ DB }, new Request(ORIGIN + path, { headers: bearer(key) })).then((response) => {
    expect(response.status).toBe(200)
    return response
  })

describe('a timeline', () => {
  it.each(['contacts/1', 'listings/1', 'requests/1'])('of %s reads at most 2,000 rows', async (subject) => {
    const path = `/api/${subject}/timeline`
    const deep = '20200110000000-task-10'
    const rows: Record<string, number> = {}
    for (const query of ['limit=30', 'limit=100', `limit=100&before=${deep}`])
      rows[query] = await rowsRead(read(`${path}?${query}`))
    expect(Math.max(...Object.values(rows))).toBeLessThanOrEqual(2000)
  })

  it('scans no table', async () => {
    for (const subject of ['contacts/1', 'listings/1', 'requests/1']) {
      const plans = await plansOf(read(`/api/${subject}/timeline`))
      const steps = plans.flatMap(({ steps }) => steps)
      const tables = steps.filter((step) =>
        /^SCAN (?!\(|CONSTANT|queue|page|parents|newest|found)/.test(step),
      )
      expect(tables.filter((step) => !/^SCAN users|VIRTUAL TABLE|^SCAN settings/.test(step))).toEqual([])
    }
  })
})
