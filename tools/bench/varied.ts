/**
 * An agency whose listings differ in all that is searched: what an index and a feed hold depends on that. There are 3,310
 * places, and listings of every kind.
 */
import { type Random, seeded } from '@estia/photo-codec/fixtures/random'
import { showProgress } from '../../scripts/service/terminal.ts'
import { type FeatureGroup, featuresOf } from '../../src/catalogue/features.ts'
import {
  AVAILABILITIES,
  CATEGORIES,
  ENERGY_CLASSES,
  LISTING_STATUSES,
  PROPERTY_CONDITIONS,
  SUBCATEGORIES,
} from '../../src/catalogue/property-enums.ts'
import { foldText } from '../../src/db/fold.ts'
import { publicPoint } from '../../src/resources/listings/address/public-point.ts'
import { type BoundStatement, copyKept } from './kept.ts'
import { weighted } from './listings.ts'

const [REGIONS, MUNICIPALITIES, NEIGHBOURHOODS, STORES] = [10, 300, 10, 5]
const SYLLABLES = 'κα-ka λι-li μα-ma νε-ne ρό-ro πο-po σα-sa τη-ti χώ-cho δρα-dra'.split(' ')

/** Shares in a hundred. */
const SHARES = { category: [70, 15, 12, 3], availability: [60, 32, 3, 5], status: [2, 1, 90, 3, 3, 1] }

/** Listings per transaction; their JSON stays below the 2 MB of a parameter. */
const CHUNK = 1000
const DESCRIPTION =
  'Φωτεινό ακίνητο κοντά στο μετρό, σε ήσυχο δρόμο με θέα, πρόσφατα ανακαινισμένο και έτοιμο.'

type Row = Record<string, unknown>

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** A folder of its own with a database of `size` listings; the caller removes it. */
export function copyVaried(size: number): Promise<string> {
  return copyKept({
    name: `varied-${size}`,
    sources: [import.meta.filename],
    fill: async ({ run }) => {
      const random = seeded(7)
      await run([
        insert('languages', [{ id: 1, code: 'el', name: 'Ελληνικά' }]),
        insert(
          'stores',
          range(STORES).map((id) => ({ id, name: `Store ${id}` })),
        ),
        insert('users', [{ id: 1, name: 'One' }]),
        insert('locations', makePlaces(random)),
      ])
      for (let done = 0; done < size; done += CHUNK) {
        showProgress(`Loading ${done} of ${size} listings`)
        const ids = range(Math.min(CHUNK, size - done)).map((number) => done + number)
        await run(statementsFor(ids.map((id) => makeListing(random, id))))
      }
    },
  })
}

/** Regions, their municipalities from 100 on, and the neighbourhoods of these from 1,000 on. */
function makePlaces(random: Random): Row[] {
  const place = (id: number, level: number, parent_id: number | null): Row => {
    const parts = random.sample(SYLLABLES, random.int(2, 4)).map((part) => part.split('-'))
    const [name_el = '', name_en = ''] = [0, 1].map((language) =>
      parts.map((part) => part[language]).join(''),
    )
    const names = { name_el, name_en, full_name_el: name_el, full_name_en: name_en }
    return { id, level, parent_id, ...names, search: foldText(`${name_el} ${name_en}`) }
  }
  return [
    ...range(REGIONS).map((id) => place(id, 1, null)),
    ...range(MUNICIPALITIES).map((number) => place(99 + number, 2, 1 + (number % REGIONS))),
    ...range(MUNICIPALITIES * NEIGHBOURHOODS).map((number) =>
      place(999 + number, 3, 100 + ((number - 1) % MUNICIPALITIES)),
    ),
  ]
}

/** A draft, with the status that it gets. */
function makeListing(random: Random, id: number): { row: Row; status: string } {
  const category = weighted(random, CATEGORIES, SHARES.category)
  const subcategory = random.pick<string>(SUBCATEGORIES[category])
  const [price, size] = [random.int(50, 950) * 1000, random.int(20, 300)]
  const place = random.int(0, MUNICIPALITIES * NEIGHBOURHOODS - 1)
  const municipality = place % MUNICIPALITIES
  const point = { latitude: 35 + random.next() * 6, longitude: 20.5 + random.next() * 6 }
  const display_address = random.pick(['fake', 'none', 'real', 'real', 'real'] as const)
  const moment = new Date(Date.UTC(2024, 10, 1) + random.int(0, 63_000_000) * 1000).toISOString()
  const date = moment.slice(0, 19).replace('T', ' ')
  const keys = (group: FeatureGroup, most: number) => {
    const fitting = featuresOf(group).flatMap((one) => (one.categories.includes(category) ? [one.key] : []))
    return JSON.stringify(random.sample(fitting, random.int(0, most)))
  }
  const row = {
    ...{ id, category, subcategory, price, size, status: 'draft', created_by: 1, matched_version: 1 },
    availability: weighted(random, AVAILABILITIES, SHARES.availability),
    store_id: random.int(1, STORES),
    code: `${category.slice(0, 3).toUpperCase()}-${String(id).padStart(7, '0')}`,
    price_per_sqm: Math.round((price / size) * 100) / 100,
    ...{ floor: random.int(-1, 7), rooms: random.int(1, 9), bathrooms: random.int(1, 4) },
    ...{ year_built: random.int(1936, 2026), property_condition: random.pick(PROPERTY_CONDITIONS) },
    ...{ status_date: date, date_created: date, date_updated: date },
    ...{ area_level1: 1 + ((municipality + 1) % REGIONS), area_level2: 100 + municipality },
    ...{
      area_level3: 1000 + place,
      display_address,
      ...point,
      ...publicPoint({ display_address, ...point }, null),
    },
    ...{ postal_code: String(random.int(10_000, 85_999)), address_el: `Οδός Ερμού ${random.int(1, 120)}` },
    details: JSON.stringify({ wcs: random.int(0, 2), land_size: size * random.int(1, 8) }),
    extra: JSON.stringify({
      distance_sea: random.int(1, 400) * 50,
      has_hidden_price: random.chance(0.18),
      energy_class: random.pick(ENERGY_CLASSES),
    }),
    ...{ features: keys('features', 8), positioning: keys('positioning', 2) },
    ...{ view: keys('view', 2), flooring: keys('flooring', 2) },
  }
  return { row, status: weighted(random, LISTING_STATUSES, SHARES.status) }
}

/** Listings become visible by a change of their status, as anywhere. */
function statementsFor(made: { row: Row; status: string }[]): BoundStatement[] {
  const rows = made.map(({ row }) => row)
  const photos = rows.flatMap(({ id }) =>
    range(2).map((ordernum) => ({
      ...{ listing_id: id, ordernum, original_image: `https://photos.example/${id}/${ordernum}.jpg` },
    })),
  )
  const texts = rows.map(({ id, subcategory, size }) => ({
    ...{ listing_id: id, language_id: 1, title: `${subcategory} ${size} τ.μ.`, description: DESCRIPTION },
  }))
  return [
    insert('listings', rows),
    insert('listing_photos', photos),
    insert('listing_translations', texts),
    {
      sql: `update listings set status = value ->> 'status', version = version + 1, matched_version = version + 1
        from json_each(?) where listings.id = value ->> 'id' and value ->> 'status' <> 'draft'`,
      params: [JSON.stringify(made.map(({ row, status }) => ({ id: row.id, status })))],
    },
  ]
}

/** A statement that inserts `rows`, all of which have the keys of the first. */
function insert(table: string, rows: readonly Row[]): BoundStatement {
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((name) => `value ->> '${name}'`)
  return {
    sql: `insert into ${table} (${columns}) select ${values} from json_each(?) where true`,
    params: [JSON.stringify(rows)],
  }
}
