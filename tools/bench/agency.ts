/** The rest of an agency in numbers, straight into the database: places, contacts, requests, offers, money, articles. */
import { foldText } from '../../src/db/fold.ts'
import type { Loadable } from './listings.ts'

/** Records of each kind, beside enough listings. */
const MAX_LISTINGS = {
  contacts: 10_000,
  external_listings: 10_000,
  offers: 5_000,
  contracts: 2_000,
  knowledge_base_articles: 10_000,
  incomes: 10_000,
  expenses: 10_000,
}

/** Requests, and the neighbourhoods that they and the listings are spread over; there are a tenth as many municipalities. */
export interface Demand {
  requests: number
  places: number
}

export const USUAL_DEMAND: Demand = { requests: 500, places: 100 }

const MOMENT = `'2026-01-01 00:00:00'`

/** Rows `1 … n` as `n` in SQL, for statements that make many records of one. */
const numbers = (count: number) =>
  `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count}) select n from counted)`

export type AgencyCounts = typeof MAX_LISTINGS & Pick<Demand, 'requests'>

/** How many records of each kind there are beside `listings` listings: of none more than of those. */
export function countsBeside(listings: number, { requests } = USUAL_DEMAND): AgencyCounts {
  const counts = Object.entries({ ...MAX_LISTINGS, requests }).map(([name, most]) => [
    name,
    Math.min(most, listings),
  ])
  return Object.fromEntries(counts) as AgencyCounts
}

/** Fills a database in which there are `listings` listings; they get a place in one of the neighbourhoods. */
export async function loadAgency(db: Loadable, listings: number, demand: Demand): Promise<void> {
  const run = (sql: string, ...values: unknown[]) =>
    db
      .prepare(sql)
      .bind(...values)
      .run()
  const counts = countsBeside(listings, demand)
  for (const statement of [...placeStatements(demand.places), ...statements(counts, demand.places)])
    await run(statement)
  // Titles are folded as the service folds them.
  const titles = Array.from({ length: counts.knowledge_base_articles }, (_, index) => {
    const title = `Οδηγός ${index + 1}: ${index % 100 === 0 ? 'Συμβόλαια' : 'Αναθέσεις'}`
    return [index + 1, title, foldText(title)]
  })
  await run(
    `insert into knowledge_base_articles (id, title, title_search, category_id, content, created_by, date_created)
    select value ->> 0, value ->> 1, value ->> 2, 1, 'Κείμενο', 1, ${MOMENT} from json_each(?)`,
    JSON.stringify(titles),
  )
}

/** A region, its municipalities from 11 on and their neighbourhoods from `places` + 1 on. */
const placeStatements = (places: number) => [
  `insert into locations (id, level, parent_id, name_el, name_en, full_name_el, full_name_en, search)
    values (1, 1, null, 'Αττική', 'Attica', 'Αττική', 'Attica', 'αττικη')`,
  `insert into locations (id, level, parent_id, name_el, name_en, full_name_el, full_name_en, search)
    select 10 + n, 2, 1, 'Δήμος', 'Municipality', 'Δήμος', 'Municipality', 'δημοσ' from ${numbers(places / 10)}`,
  `insert into locations (id, level, parent_id, name_el, name_en, full_name_el, full_name_en, search)
    select ${places} + n, 3, 11 + (n % ${places / 10}), 'Γειτονιά', 'Place', 'Γειτονιά', 'Place', 'γειτονια'
    from ${numbers(places)}`,
  `update listings set area_level1 = 1, area_level2 = 11 + (id % ${places / 10}),
    area_level3 = ${places} + 1 + (id % ${places}),
    version = version + 1, matched_version = version + 1, rooms = 1 + (id % 5), size = 40 + (id % 160), year_built = 1960 + (id % 60), floor = id % 7`,
]

const statements = (counts: AgencyCounts, places: number) => [
  `insert into request_statuses (id, name) values (1, 'Open')`,
  `insert into contract_statuses (id, name, is_completed, is_cancelled, bg_color, text_color)
    values (1, 'Draft', 0, 0, '#fff', '#000')`,
  `insert into expense_categories (id, name) values (1, 'Partners')`,
  `insert into knowledge_base_categories (id, name, icon, color) values (1, 'Guides', 'book', '#fff')`,
  `insert into contacts (id, first_name, last_name, created_by, date_created, date_updated, search)
    select n, 'Άννα', 'Επαφή ' || n, 1, ${MOMENT}, ${MOMENT}, 'αννα επαφη ' || n from ${numbers(counts.contacts)}`,
  `insert into external_listings (id, store_id, created_by, category, availability, price, size, date_created, date_updated)
    select n, 1, 1, 'residential', 'sale', 1000 * n, n % 300, ${MOMENT}, ${MOMENT}
    from ${numbers(counts.external_listings)}`,
  `insert into requests (id, title, store_id, status, availability, category, subcategories, price_max, created_by,
      date_created, date_updated)
    select n, 'Request', 1, 1, 'sale', 'residential', '["apartment"]', 100000 + 1000 * (n % 500), 1, ${MOMENT}, ${MOMENT}
    from ${numbers(counts.requests)}`,
  `insert into request_locations (request_id, location_id, position)
    select id, case id % 4 when 0 then 11 + (id / 4 % ${places / 10}) else ${places} + 1 + (id % ${places}) end, 0
    from requests`,
  `insert into request_contacts (request_id, contact_id, position)
    select id, 1 + (id % ${counts.contacts}), 0 from requests`,
  `insert into request_users (request_id, user_id, position) select id, 1, 0 from requests`,
  `insert into offers (id, status, is_active, store_id, created_by, date_created, date_updated, currency,
      current_listing_price, listing_id)
    select n, 'submitted', 1, 1, 1, ${MOMENT}, ${MOMENT}, 'EUR', 100000, n from ${numbers(counts.offers)}`,
  `insert into offer_contacts (offer_id, contact_id, position) select id, id, 0 from offers`,
  `insert into offer_rounds (offer_id, type, amount, created_by, date_created)
    select id, 'offer_submitted', 90000, 1, ${MOMENT} from offers`,
  `insert into contracts (id, offer_id, store_id, status_id, created_by, date_created, date_updated, currency,
      listing_id, external_listing)
    select n, n, 1, 1, 1, ${MOMENT}, ${MOMENT}, 'EUR', n, 0 from ${numbers(counts.contracts)}`,
  `insert into incomes (id, category, total_cents, date, status, created_by, date_created)
    select n, 'valuation', 100 * n, '2026-01-01', 'pending', 1, ${MOMENT} from ${numbers(counts.incomes)}`,
  `insert into expenses (id, category_id, amount_cents, date, status, created_by, date_created)
    select n, 1, 100 * n, '2026-01-01', 'pending', 1, ${MOMENT} from ${numbers(counts.expenses)}`,
]
