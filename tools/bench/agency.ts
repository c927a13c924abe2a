/** The demand beside the listings, straight into the database: places, contacts and requests. */
import type { Loadable } from './listings.ts'

/** Contacts, beside enough listings. */
const MAX_CONTACTS = 10_000

/** Requests at most, and the neighbourhoods that they and the listings are spread over, in a tenth as many municipalities. */
const [MAX_REQUESTS, PLACES] = [500, 100]

const MOMENT = `'2026-01-01 00:00:00'`

/** Rows `1 … n` as `n` in SQL, for statements that make many records of one. */
const numbers = (count: number) =>
  `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count}) select n from counted)`

/** Fills a database in which there are `listings` listings; they get a place in one of the neighbourhoods. */
export async function loadAgency(db: Loadable, listings: number): Promise<void> {
  const contacts = Math.min(MAX_CONTACTS, listings)
  const requests = Math.min(MAX_REQUESTS, listings)
  for (const sql of [...placeStatements(PLACES), ...requestStatements(contacts, requests, PLACES)])
    await db.prepare(sql).bind().run()
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

const requestStatements = (contacts: number, requests: number, places: number) => [
  `insert into request_statuses (id, name) values (1, 'Open')`,
  `insert into contacts (id, first_name, last_name, created_by, date_created, date_updated, search)
    select n, 'Άννα', 'Επαφή ' || n, 1, ${MOMENT}, ${MOMENT}, 'αννα επαφη ' || n from ${numbers(contacts)}`,
  `insert into requests (id, title, store_id, status, availability, category, subcategories, price_max, created_by,
      date_created, date_updated)
    select n, 'Request', 1, 1, 'sale', 'residential', '["apartment"]', 100000 + 1000 * (n % 500), 1, ${MOMENT}, ${MOMENT}
    from ${numbers(requests)}`,
  `insert into request_locations (request_id, location_id, position)
    select id, case id % 4 when 0 then 11 + (id / 4 % ${places / 10}) else ${places} + 1 + (id % ${places}) end, 0
    from requests`,
  `insert into request_contacts (request_id, contact_id, position)
    select id, 1 + (id % ${contacts}), 0 from requests`,
  `insert into request_users (request_id, user_id, position) select id, 1, 0 from requests`,
]
