import type { Random } from '../fixtures/random.ts'
import {
  AVAILABILITIES,
  type Availability,
  CATEGORIES,
  type Category,
  LISTING_STATUSES,
  type ListingStatus,
  type SHORTTERM_UNITS,
} from '../src/catalogue/enums.ts'
import type { Decks } from './decks.ts'
import { LATEST, momentBetween, OPENED } from './moments.ts'
import { NEIGHBOURHOODS, type Neighbourhood } from './places.ts'
import { kindsOf, type PropertyKind } from './property-kinds.ts'

type ShorttermUnit = (typeof SHORTTERM_UNITS)[number]

/** The basic facts of a listing, decided before its groups are generated. */
export interface ListingPlan {
  readonly id: number
  readonly kind: PropertyKind
  readonly availability: Availability
  readonly status: ListingStatus
  readonly home: Neighbourhood
  readonly created: number
  readonly size: number
  readonly price: number | null
  readonly floor: number | null
  readonly year_built: number | null
  readonly property_condition: string | null
  readonly shortterm_unit: ShorttermUnit | null
}

/** What is listed, where, when and for how much, oldest first. */
export function planListings(random: Random, decks: Decks, count: number): ListingPlan[] {
  const kinds = {
    residential: random.deck(weighted('residential')),
    commercial: random.deck(weighted('commercial')),
    land: random.deck(weighted('land')),
    other: random.deck(weighted('other')),
  }
  const homes = random.deck(NEIGHBOURHOODS)
  return mixture(random, count).map(([category, status, availability], index) => {
    const kind = kinds[category]()
    return settle(random, decks, {
      id: index + 1,
      kind,
      status,
      availability,
      home: homeFor(homes, kind),
      created: createdAt(random, index, count),
    })
  })
}

/** What is let for days or weeks. */
const LET_SHORTLY: ReadonlySet<string> = new Set([
  ...['apartment', 'maisonette', 'detached', 'villa', 'loft', 'farmhouse', 'houseboat', 'other_residential'],
  ...['hotel', 'hall', 'office', 'store', 'plot', 'island', 'parking'],
])
const UNUSABLE: ReadonlySet<string | null> = new Set(['under_construction', 'unfinished'])

/** Whether an agency could have it: nobody stays in a warehouse, or rents the right to build on top. */
export function isPlausible({ kind, availability, property_condition }: ListingPlan): boolean {
  if (availability === 'shortterm')
    return LET_SHORTLY.has(kind.subcategory) && !UNUSABLE.has(property_condition)
  return availability !== 'rent' || kind.subcategory !== 'air'
}

/** Plans a listing anew as something of the same category that is plausible. */
export function planAgain(random: Random, decks: Decks, plan: ListingPlan): ListingPlan {
  const kinds = random.deck(weighted(plan.kind.category))
  const homes = random.deck(NEIGHBOURHOODS)
  for (;;) {
    const kind = kinds()
    const again = settle(random, decks, { ...plan, kind, home: homeFor(homes, kind) })
    if (isPlausible(again)) return again
  }
}

type Combination = readonly [Category, ListingStatus, Availability]

/** Every combination once, the rest as an agency's stock is: mostly active, mostly homes, mostly for sale. */
function mixture(random: Random, count: number): Combination[] {
  const every = CATEGORIES.flatMap((category) =>
    LISTING_STATUSES.flatMap((status) =>
      AVAILABILITIES.map((availability): Combination => [category, status, availability]),
    ),
  )
  const usual = Array.from(
    { length: Math.max(0, count - every.length) },
    (): Combination => [
      random.pick(['residential', 'residential', 'residential', 'commercial', 'commercial', 'land', 'other']),
      random.chance(0.85) ? 'active' : random.pick(['draft', 'pending', 'inactive', 'archived']),
      random.pick(['sale', 'sale', 'sale', 'sale', 'rent', 'rent', 'rent', 'shortterm', 'auction']),
    ],
  )
  return random.sample([...every, ...usual], count)
}

/** Each kind in proportion to its weight, at least once, in a deck of about twenty-five. */
function weighted(category: Category): PropertyKind[] {
  return kindsOf(category).flatMap((kind) =>
    Array<PropertyKind>(Math.max(1, Math.round(kind.weight / 4))).fill(kind),
  )
}

function homeFor(homes: () => Neighbourhood, kind: PropertyKind): Neighbourhood {
  let home = homes()
  while (!kind.where.includes(home.character)) home = homes()
  return home
}

function createdAt(random: Random, index: number, count: number): number {
  const span = (LATEST - OPENED) / count
  return momentBetween(random, OPENED + span * index, OPENED + span * (index + 1))
}

type Start = Pick<ListingPlan, 'id' | 'kind' | 'status' | 'availability' | 'home' | 'created'>

function settle(random: Random, decks: Decks, start: Start): ListingPlan {
  const { kind, home, availability } = start
  const [smallest, largest] = kind.size
  // The squared random number makes small sizes more likely.
  const size = tidy(smallest + (largest - smallest) * random.next() ** 2, largest > 1_000 ? 10 : 1)
  const land = kind.category === 'land'
  const property_condition = land ? null : decks.condition()
  const shortterm_unit = availability === 'shortterm' ? decks.shortterm_unit() : null
  const value = size * home.price_per_sqm * kind.factor * conditionFactor(property_condition)
  const asking = askingPrice(value * (0.85 + random.next() * 0.3), start, shortterm_unit)
  const unbuilt = property_condition === 'under_construction'
  return {
    ...start,
    size,
    price: random.chance(0.97) ? asking : null,
    floor: land ? null : floorOf(random, kind),
    year_built: land || unbuilt ? null : yearBuilt(random, property_condition, start.created),
    property_condition,
    shortterm_unit,
  }
}

function conditionFactor(condition: string | null): number {
  if (condition === 'new' || condition === 'under_construction') return 1.3
  if (condition === 'renovated') return 1.15
  if (condition === 'needs_renovation' || condition === 'unfinished') return 0.65
  return condition === 'average' ? 0.85 : 1
}

/** Asking price of a property worth `value`: once, or for each period. */
function askingPrice(value: number, { kind, availability }: Start, unit: ShorttermUnit | null): number {
  if (availability === 'sale') return tidy(value, value > 1_000_000 ? 10_000 : value > 100_000 ? 5_000 : 500)
  if (availability === 'auction') return tidy(value * 0.62, 500)
  const monthly = (value * (kind.category === 'land' ? LAND_RETURN : BUILDING_RETURN)) / 12
  if (availability === 'rent') return Math.max(40, tidy(monthly, monthly > 1_500 ? 50 : 10))
  const nightly = Math.max(5, tidy(monthly / 9, 5))
  return nightly * NIGHTS_PAID[unit ?? 'per_day']
}

/** Rent of a year as a share of the value: land without a building earns little. */
const BUILDING_RETURN = 0.05
const LAND_RETURN = 0.015

/** Price of each period in nights: the longer the period, the cheaper the night. */
const NIGHTS_PAID = { per_day: 1, per_week: 6, per_month: 20, per_season: 70, per_year: 130 } as const

function tidy(value: number, step: number): number {
  return Math.max(step, Math.round(value / step) * step)
}

function floorOf(random: Random, kind: PropertyKind): number {
  if (kind.subcategory === 'parking') return random.pick([-2, -1, -1, 0])
  if (kind.subcategory === 'air') return random.int(3, 6)
  if (kind.subcategory === 'apartment') return random.pick([-0.5, 0, 0.5, 1, 1, 2, 2, 3, 3, 4, 5, 6])
  if (kind.subcategory === 'office') return random.pick([-1, 0, 1, 1.5, 2, 3, 4, 7])
  return 0
}

function yearBuilt(random: Random, condition: string | null, listed: number): number {
  if (condition === 'new') return new Date(listed).getUTCFullYear() - random.int(0, 3)
  if (condition === 'unfinished') return random.int(2006, 2012)
  return random.pick([
    random.int(1928, 1959),
    random.int(1960, 1979),
    random.int(1975, 2009),
    random.int(2000, 2020),
  ])
}
