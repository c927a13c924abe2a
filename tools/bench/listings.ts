/** Listings in any number, straight into the database: what is measured is the service, not the loading. */

import { type Random, seeded } from '@estia/photo-codec/fixtures/random'
import {
  AVAILABILITIES,
  CATEGORIES,
  LISTING_STATUSES,
  SUBCATEGORIES,
} from '../../src/catalogue/property-enums.ts'

/** The part of D1 that loading needs. */
export interface Loadable {
  prepare(sql: string): { bind(...values: unknown[]): { run(): Promise<unknown> } }
}

/** Rows per statement; their JSON stays below the 2 MB of a parameter. */
const CHUNK = 2000

/** Of a hundred listings this many are for sale, residential, active: the kind that visitors look for. */
const WEIGHTS = { category: [60, 20, 15, 5], availability: [60, 30, 5, 5], status: [5, 5, 60, 10, 15, 5] }

/** Fills an empty database with an agency of `size` listings, of every kind and status. */
export async function loadListings(
  db: Loadable,
  size: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const run = (sql: string, ...values: unknown[]) =>
    db
      .prepare(sql)
      .bind(...values)
      .run()
  await run(`insert into languages (id, code, name) values (1, 'el', 'Ελληνικά')`)
  await run(`insert into stores (id, name) values (1, 'Center')`)
  await run(`insert into users (id, name) values (1, 'One'), (2, 'Two')`)
  await run(`insert into listing_tags (id, name) values (1, 'Hot')`)
  const random = seeded(7)
  for (let first = 1; first <= size; first += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, size - first + 1) }, (_, index) => {
      const category = weighted(random, CATEGORIES, WEIGHTS.category)
      return {
        id: first + index,
        category,
        subcategory: random.pick<string>(SUBCATEGORIES[category]),
        availability: weighted(random, AVAILABILITIES, WEIGHTS.availability),
        status: weighted(random, LISTING_STATUSES, WEIGHTS.status),
        price: random.int(50_000, 950_000),
      }
    })
    const json = JSON.stringify(rows)
    await run(
      `insert into listings (id, store_id, created_by, category, subcategory, availability, status, price, size,
        latitude, longitude, date_created, date_updated, details, extra, features)
      select value->>'id', 1, 1, value->>'category', value->>'subcategory', value->>'availability', value->>'status',
        value->>'price', 80, 37.97, 23.73, '2026-01-01 00:00:00', '2026-01-01 00:00:00', '{"heating_type":"central"}',
        '{"has_keys":true}', '["elevator","storage"]' from json_each(?)`,
      json,
    )
    await run(
      `insert into listing_users (listing_id, user_id, position) select value->>'id', 1, 0 from json_each(?)`,
      json,
    )
    await run(
      `insert into listing_translations (listing_id, language_id, title, description)
      select value->>'id', 1, 'Διαμέρισμα', 'Φωτεινό διαμέρισμα κοντά στο μετρό' from json_each(?)`,
      json,
    )
    onProgress(first + rows.length - 1)
  }
}

/** One of `values`, each as often as its weight in a hundred says. */
export function weighted<T>(random: Random, values: readonly T[], weights: readonly number[]): T {
  return random.pick(values.flatMap((value, index) => Array<T>(weights[index] ?? 0).fill(value)))
}
