/**
 * The database that is searched: places, some with many more listings than others, and listings of every kind at the prices
 * of their kind.
 */
import { type Random, seeded } from '../../fixtures/random.ts'
import { showProgress } from '../../scripts/service/terminal.ts'
import {
  ALL_SUBCATEGORIES,
  AVAILABILITIES,
  type Availability,
  CATEGORIES,
  type Category,
  ENERGY_CLASSES,
  LISTING_STATUSES,
  PROPERTY_CONDITIONS,
  SUBCATEGORIES,
} from '../../src/catalogue/enums.ts'
import { type FeatureGroup, featuresOf } from '../../src/catalogue/features.ts'
import { foldText } from '../../src/db/fold.ts'
import { publicPoint } from '../../src/resources/listings/address/public-point.ts'
import { type BoundStatement, copyKept } from '../bench/kept.ts'

const COUNTS = { stores: 5, subtypes: 3 }
const LEVELS = { regions: 10, municipalities: 300, neighbourhoods: 10 }
const SYLLABLES = 'κα-ka λι-li μα-ma νε-ne ρό-ro πο-po σα-sa τη-ti χώ-cho δρα-dra'.split(' ')

/** Shares in a hundred. */
const SHARES = { category: [70, 15, 12, 3], availability: [60, 32, 3, 5], status: [2, 1, 90, 3, 3, 1] }
/** The middle of prices and sizes, of which some are many times as high. */
const USUAL_PRICE: Record<Availability, number> = { sale: 160_000, rent: 650, auction: 90_000, shortterm: 80 }
const USUAL_SIZE: Record<Category, number> = { residential: 85, commercial: 110, land: 900, other: 30 }
/** The share that hides its price, and the share that hides its point. */
const HIDDEN = 0.18

type TableRow = Record<string, unknown>

interface Place {
  ids: [region: number, municipality: number, neighbourhood: number]
  name: string
  latitude: number
  longitude: number
}

export interface Places {
  /** Rows of `locations`, parents first. */
  rows: TableRow[]
  /** The neighbourhoods of each municipality. */
  municipalities: Place[][]
}

/** The same places every time. */
export function makePlaces(): Places {
  const random = seeded(11)
  const rows: TableRow[] = []
  const add = (id: number, level: number, parent_id: number | null): string => {
    const parts = random.sample(SYLLABLES, random.int(2, 4)).map((part) => part.split('-'))
    const [name_el = '', name_en = ''] = [0, 1].map((language) => {
      const name = parts.map((part) => part[language]).join('')
      return name.charAt(0).toUpperCase() + name.slice(1)
    })
    const search = foldText(`${name_el} ${name_en}`)
    const full = { full_name_el: name_el, full_name_en: name_en }
    rows.push({ id, level, parent_id, name_el, name_en, search, ...full })
    return name_el
  }
  for (let id = 1; id <= LEVELS.regions; id++) add(id, 1, null)
  const municipalities = range(LEVELS.municipalities).map((number) => {
    const [region, id] = [1 + (number % LEVELS.regions), 99 + number]
    const [latitude, longitude] = [35 + random.next() * 6, 20.5 + random.next() * 6]
    add(id, 2, region)
    return range(LEVELS.neighbourhoods).map((part): Place => {
      const own = id * LEVELS.neighbourhoods + part
      return {
        ids: [region, id, own],
        name: add(own, 3, id),
        latitude: latitude + (random.next() - 0.5) * 0.08,
        longitude: longitude + (random.next() - 0.5) * 0.08,
      }
    })
  })
  return { rows, municipalities }
}

/** A listing and what belongs to it. */
export interface NewListing {
  /** Its row, as a draft. */
  row: TableRow
  status: string
  photos: number
  hasPanorama: boolean
  /** By language. */
  titles: string[]
}

/** The listing `id`; the next of `random`. */
function makeListing(random: Random, id: number, { municipalities }: Places): NewListing {
  const category = weighted(random, CATEGORIES, SHARES.category)
  const availability = weighted(random, AVAILABILITIES, SHARES.availability)
  const subcategory = often<string>(random, SUBCATEGORIES[category])
  const place = often(random, often(random, municipalities))
  const price = rounded(USUAL_PRICE[availability] * spread(random, 0.6))
  const size = Math.max(8, Math.round(USUAL_SIZE[category] * spread(random, 0.5)))
  const isBuilt = category !== 'land'
  const rooms = Math.max(1, Math.round(size / 32))
  const [area_level1, area_level2, area_level3] = place.ids
  const point = {
    latitude: place.latitude + random.next() * 0.01,
    longitude: place.longitude + random.next() * 0.01,
  }
  const display_address = random.chance(HIDDEN) ? 'fake' : random.chance(0.15) ? 'none' : 'real'
  const keys = (group: FeatureGroup, most: number) => {
    const fitting = featuresOf(group).flatMap((one) => (one.categories.includes(category) ? [one.key] : []))
    const drawn = range(random.int(0, most)).flatMap(() => (fitting.length ? often(random, fitting) : []))
    return JSON.stringify([...new Set(drawn)])
  }
  const row = {
    ...{ id, category, availability, subcategory, price, size, status: 'draft', created_by: 1 },
    store_id: often(random, range(COUNTS.stores)),
    code: `${category.slice(0, 3).toUpperCase()}-${String(id).padStart(7, '0')}`,
    subtype: random.chance(0.6) ? subtypeOf(subcategory, random.int(0, COUNTS.subtypes - 1)) : null,
    price_per_sqm: Math.round((price / size) * 100) / 100,
    floor: isBuilt ? random.int(-1, 7) : null,
    rooms: isBuilt ? rooms : null,
    bathrooms: isBuilt ? Math.max(1, rooms >> 1) : null,
    year_built: isBuilt ? 2026 - Math.floor(90 * random.next() ** 2) : null,
    property_condition: isBuilt ? often(random, PROPERTY_CONDITIONS) : null,
    ...{ status_date: moment(random), date_created: moment(random), date_updated: moment(random) },
    ...{ area_level1, area_level2, area_level3, display_address, ...point },
    postal_code: String(random.int(10_000, 85_999)),
    address_el: `Οδός Ερμού ${random.int(1, 120)}`,
    address_en: 'Odos Ermou',
    fake_address_el: display_address === 'fake' ? 'Οδός Ερμού' : null,
    ...publicPoint({ display_address, ...point }, null),
    details: JSON.stringify({
      wcs: random.int(0, 2),
      ...(isBuilt && random.chance(0.85) ? {} : { land_size: size * random.int(1, 8) }),
    }),
    extra: JSON.stringify({
      has_keys: random.chance(0.5),
      distance_sea: random.int(1, 400) * 50,
      ...(random.chance(HIDDEN) ? { has_hidden_price: true } : {}),
      ...(random.chance(0.1) ? { is_negotiable: true } : {}),
      ...(random.chance(0.7) ? { energy_class: often(random, ENERGY_CLASSES.toReversed()) } : {}),
      ...(random.chance(0.05) ? { video_url: 'https://video.example/1' } : {}),
      ...(random.chance(0.03) ? { virtual_tour_url: 'https://tour.example/1' } : {}),
    }),
    ...{ features: keys('features', 8), positioning: keys('positioning', 2) },
    ...{ view: keys('view', 2), flooring: keys('flooring', 2), matched_version: 1 },
  }
  const titles = [`${subcategory} ${size} τ.μ. ${place.name}`]
  if (random.chance(0.3)) titles.push(`${subcategory} of ${size} m² for ${availability}`)
  return {
    ...{ row, titles, status: weighted(random, LISTING_STATUSES, SHARES.status) },
    photos: random.chance(0.85) ? random.int(1, 3) : 0,
    hasPanorama: random.chance(0.03),
  }
}

/** The ids of the subtypes of a subcategory are neighbours. */
function subtypeOf(subcategory: string, index: number): number {
  const all: string[] = Object.values(SUBCATEGORIES).flat()
  return 1 + all.indexOf(subcategory) * COUNTS.subtypes + index
}

/** A moment of the last two years. */
function moment(random: Random): string {
  const date = new Date(Date.UTC(2024, 10, 1) + random.int(0, 63_000_000) * 1000)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}

/** A factor round 1, of a normal distribution of its logarithm. */
function spread(random: Random, deviation: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return Math.exp(deviation * normal)
}

/** A price as people name it: two digits, and noughts. */
function rounded(price: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(price)) - 1)
  return Math.max(1, Math.round(price / unit)) * unit
}

/** One of `values`: the second half as often as the first, the third a third as often. */
function often<T>(random: Random, values: readonly T[]): T {
  const at = Math.floor((values.length + 1) ** random.next()) - 1
  return values[at] ?? random.pick(values)
}

/** One of `values`, each as often as its share in a hundred says. */
function weighted<T>(random: Random, values: readonly T[], shares: readonly number[]): T {
  let left = random.int(1, 100)
  const at = shares.findIndex((share) => {
    left -= share
    return left <= 0
  })
  return values[at] ?? random.pick(values)
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Listings per transaction; their JSON stays below the 2 MB of a parameter. */
const CHUNK = 1000
const DESCRIPTION =
  'Φωτεινό ακίνητο κοντά στο μετρό, σε ήσυχο δρόμο με θέα, πρόσφατα ανακαινισμένο και έτοιμο.'

/** Makes the next listings of every database, whose ids begin at 1. */
export function listingMaker(places: Places): (count: number) => NewListing[] {
  const random = seeded(7)
  let id = 0
  return (count) => range(count).map(() => makeListing(random, ++id, places))
}

/** A folder of its own with a database of `size` listings; the caller removes it. */
export function copySearched(size: number): Promise<string> {
  return copyKept({
    name: `search-${size}`,
    sources: [import.meta.filename],
    fill: async ({ run }) => {
      const places = makePlaces()
      const nextListings = listingMaker(places)
      await run(agencyRows(places))
      for (let done = 0; done < size; done += CHUNK) {
        showProgress(`Loading ${done} of ${size} listings`)
        await run(statementsFor(nextListings(Math.min(CHUNK, size - done))))
      }
    },
  })
}

function agencyRows({ rows }: Places): BoundStatement[] {
  const named = (name: string, count: number) => range(count).map((id) => ({ id, name: `${name} ${id}` }))
  const subtypes = ALL_SUBCATEGORIES.flatMap((subcategory) =>
    range(COUNTS.subtypes).map((number) => {
      return { id: subtypeOf(subcategory, number - 1), subcategory, translations: '[]' }
    }),
  )
  return [
    insert(
      'languages',
      ['el', 'en'].map((code, index) => ({ id: index + 1, code, name: code })),
    ),
    insert('stores', named('Store', COUNTS.stores)),
    insert('users', named('User', 1)),
    insert('listing_subtypes', subtypes),
    insert('locations', rows),
  ]
}

/** Listings become visible by a change of their status, as anywhere. */
function statementsFor(made: NewListing[]): BoundStatement[] {
  const insertOf = (table: string, rows: (listing: NewListing) => TableRow[]) => {
    const all = made.flatMap((one) => rows(one).map((row) => ({ listing_id: one.row.id, ...row })))
    return all.length > 0 ? [insert(table, all)] : []
  }
  const picture = ({ row }: NewListing, number: number) => `https://photos.example/${row.id}/${number}.jpg`
  const statuses = made.map(({ row, status }) => ({ id: row.id, status }))
  return [
    insert(
      'listings',
      made.map(({ row }) => row),
    ),
    ...insertOf('listing_photos', (one) =>
      range(one.photos).map((ordernum) => ({ ordernum, original_image: picture(one, ordernum) })),
    ),
    ...insertOf('listing_panoramas', (one) =>
      one.hasPanorama ? [{ ordernum: 1, image: picture(one, 0) }] : [],
    ),
    ...insertOf('listing_translations', ({ titles }) =>
      titles.map((title, index) => ({ language_id: index + 1, title, description: DESCRIPTION })),
    ),
    {
      sql: `update listings set status = value ->> 'status', version = version + 1, matched_version = version + 1
        from json_each(?) where listings.id = value ->> 'id' and value ->> 'status' <> 'draft'`,
      params: [JSON.stringify(statuses)],
    },
  ]
}

/** A statement that inserts `rows`, all of which have the keys of the first. */
function insert(table: string, rows: readonly TableRow[]): BoundStatement {
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((name) => `value ->> '${name}'`)
  return {
    sql: `insert into ${table} (${columns}) select ${values} from json_each(?) where true`,
    params: [JSON.stringify(rows)],
  }
}
