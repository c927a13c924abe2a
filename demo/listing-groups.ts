import type { Random } from '../fixtures/random.ts'
import type { ASSIGNMENTS } from '../src/catalogue/enums.ts'
import type { Decks } from './decks.ts'
import { BARE } from './listing-keys.ts'
import type { ListingPlan } from './listing-plan.ts'
import { DAY, dateOf, LATEST } from './moments.ts'

/** The `details` group: a building's, or a plot's. */
export function makeDetails(random: Random, decks: Decks, plan: ListingPlan) {
  const assignment = random.chance(0.7) ? decks.assignment() : undefined
  return {
    ...(assignment === undefined ? {} : assigned(random, decks, plan, assignment)),
    ...(plan.kind.category === 'land'
      ? plotDetails(random, decks, plan)
      : buildingDetails(random, decks, plan)),
  }
}

function assigned(random: Random, decks: Decks, plan: ListingPlan, assignment: (typeof ASSIGNMENTS)[number]) {
  if (assignment === 'none') return { assignment }
  const assignment_fee_type = decks.assignment_fee_type()
  return {
    assignment,
    assignment_fee_type,
    assignment_fee:
      assignment_fee_type === 'percent' ? random.pick([1, 1.5, 2, 2.5]) : random.int(5, 60) * 100,
    assignment_expires: dateOf(plan.created + random.int(180, 720) * DAY),
  }
}

function plotDetails(random: Random, decks: Decks, plan: ListingPlan) {
  const inside = plan.kind.subcategory === 'plot'
  return {
    zoning: decks.zoning(),
    land_use: decks.land_use(),
    land_size: plan.size,
    coverage_ratio: inside ? random.pick([30, 40, 50, 60, 70]) : random.pick([10, 20]),
    build_ratio: inside ? random.pick([0.4, 0.6, 0.8, 1.2, 2.4]) : random.pick([0.05, 0.1, 0.2]),
    max_height: random.pick([7.5, 8.5, 11, 14, 17.5]),
  }
}

function buildingDetails(random: Random, decks: Decks, plan: ListingPlan) {
  const { kind, size, floor, year_built } = plan
  const home = kind.category === 'residential'
  const heated = kind.category !== 'other' && random.chance(0.85)
  const heating_type = heated ? decks.heating_type() : undefined
  const garage = random.int(0, 2)
  const sheltered = random.int(0, 1)
  const unsheltered = random.int(0, 2)
  const details = {
    ...(BARE.has(kind.subcategory) ? {} : { wcs: random.int(0, size > 120 ? 2 : 1) }),
    ...(home
      ? {
          living_rooms: size > 200 ? 2 : 1,
          kitchens: size > 300 ? 2 : 1,
          master_bedrooms: size > 100 ? random.int(0, 2) : 0,
        }
      : {}),
    total_building_floors: Math.max(1, Math.ceil(floor ?? 0)) + random.int(0, 3),
    ...(year_built !== null && year_built < 2005 && random.chance(0.4)
      ? { year_renovated: random.int(2010, 2025) }
      : {}),
    ...(plan.property_condition === 'under_construction' ? { completion_year: random.int(2026, 2028) } : {}),
    ...(!BARE.has(kind.subcategory) && random.chance(0.4)
      ? {
          parking_garage: garage,
          parking_open_sheltered: sheltered,
          parking_open_unsheltered: unsheltered,
          parking_total: garage + sheltered + unsheltered,
        }
      : {}),
    ...(heating_type === undefined ? {} : { heating_type }),
    ...(heating_type === undefined || heating_type === 'none'
      ? {}
      : { heating_source: decks.heating_source() }),
    ...(!BARE.has(kind.subcategory) && random.chance(0.8)
      ? { frames: decks.frames(), frames_glass: decks.frames_glass(), thermal_break: random.chance(0.5) }
      : {}),
    construction_type: decks.construction_type(),
    ...(home && size > 90 && random.chance(0.5) ? { garden: decks.garden() } : {}),
    ...(GROUNDED.has(kind.subcategory)
      ? { land_size: Math.round(size * (1.2 + random.next() * 3)), zoning: decks.zoning() }
      : {}),
  }
  return kind.subcategory === 'air' ? { total_building_floors: details.total_building_floors } : details
}

/** Properties that include their plot. */
const GROUNDED: ReadonlySet<string> = new Set([
  'detached',
  'villa',
  'farmhouse',
  'residential_building',
  'apartment_complex',
  'hotel',
  'commercial_building',
  'industrial_space',
])

/** The extra group: distances, terms, and what only some availabilities have. */
export function makeExtra(random: Random, decks: Decks, plan: ListingPlan, tenants: readonly number[]) {
  const { id, kind, home, availability, price } = plan
  const land = kind.category === 'land'
  const sea = SEA[home.character]
  return {
    ...(sea === undefined || random.chance(0.3) ? {} : { distance_sea: random.int(...sea) * 10 }),
    ...(random.chance(0.4) ? { distance_airport: random.int(30, 450) * 100 } : {}),
    ...(random.chance(0.5) ? { distance_city: random.int(1, 120) * 100 } : {}),
    ...(random.chance(0.6) ? { distance_market: random.int(5, 150) * 10 } : {}),
    orientation: decks.orientation(),
    ...(random.chance(0.12) ? { video_url: `https://video.example.com/watch/estia-${id}` } : {}),
    ...(random.chance(0.08) ? { virtual_tour_url: `https://tours.example.com/estia-${id}` } : {}),
    ...(random.chance(0.06)
      ? { project_unit_name: `${random.pick(['A', 'B', 'Γ'])}${random.int(1, 12)}` }
      : {}),
    ...(random.chance(0.3) ? { rating: random.int(1, 5) } : {}),
    ...(random.chance(0.5) ? { available_from: dateOf(plan.created + random.int(0, 120) * DAY) } : {}),
    has_keys: random.chance(0.35),
    has_hidden_price: random.chance(0.06),
    is_negotiable: random.chance(0.45),
    ...(price === null || random.chance(0.7) ? {} : { min_price: Math.round(price * 0.93) }),
    ...(land ? plotExtra(random, decks, plan) : buildingExtra(random, decks, plan)),
    ...saleExtra(random, plan, tenants),
    ...(availability === 'auction' ? auctionExtra(random, plan) : {}),
    ...(availability === 'shortterm'
      ? {
          shortterm_unit: plan.shortterm_unit,
          shortterm_min_stay: random.int(1, 5),
          shortterm_max_guests: land ? 0 : guests(random, kind),
        }
      : {}),
  }
}

/** How many sleep there. */
function guests(random: Random, { category, subcategory }: ListingPlan['kind']): number {
  const most = random.int(2, 10)
  return category === 'residential' || subcategory === 'hotel' ? most : 0
}

const SEA: Readonly<Partial<Record<string, [number, number]>>> = {
  coast: [3, 120],
  resort: [3, 150],
  suburb: [150, 1_500],
  urban: [250, 900],
  rural: [100, 900],
}

function plotExtra(random: Random, decks: Decks, { kind, size, home }: ListingPlan) {
  return {
    frontage_length: Math.round(Math.sqrt(size) * (5 + random.next() * 6)) / 10,
    land_slope: decks.land_slope(),
    access_type:
      kind.subcategory === 'island' ? 'sea' : home.character === 'urban' ? 'road' : decks.access_type(),
    planning_status: decks.planning_status(),
  }
}

function buildingExtra(random: Random, decks: Decks, { kind, size }: ListingPlan) {
  const home = kind.category === 'residential'
  return {
    ...(BARE.has(kind.subcategory) ? {} : { energy_class: decks.energy_class() }),
    ...(random.chance(0.4) ? { monthly_maintenance: Math.round(size * 0.6) + 10 } : {}),
    ...(home && random.chance(0.6) ? { balcony_size: random.int(4, 45) } : {}),
    ...(home && random.chance(0.3) ? { storage_size: random.int(2, 18) + 0.5 } : {}),
    ...(home && size > 120 && random.chance(0.3) ? { garden_size: random.int(20, 400) } : {}),
    ...(home && random.chance(0.1) ? { rooftop_size: random.int(20, 90) } : {}),
    ...(kind.subcategory === 'store' ? { shop_window_length: random.int(20, 140) / 10 } : {}),
  }
}

function saleExtra(random: Random, plan: ListingPlan, tenants: readonly number[]) {
  const rentable = plan.kind.category !== 'land' && plan.availability === 'sale'
  if (!rentable || tenants.length === 0 || random.chance(0.8)) return { is_rented: false }
  return {
    is_rented: true,
    tenant_contact_id: random.pick(tenants),
    lease_expiry_date: dateOf(LATEST + random.int(30, 1_000) * DAY),
    yield: random.int(30, 75) / 10,
  }
}

function auctionExtra(random: Random, { id, created }: ListingPlan) {
  const auction_code = `AU-${random.int(2024, 2026)}-${String(id).padStart(6, '0')}`
  return {
    auction_code,
    auction_url: `https://auctions.example.com/${auction_code}`,
    auction_date: dateOf(created + random.int(45, 300) * DAY),
  }
}
