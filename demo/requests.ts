import { type Random, seeded } from '../fixtures/random.ts'
import type { Subcategory } from '../src/catalogue/enums.ts'
import { REQUEST_SOURCES, REQUEST_STATUSES, REQUEST_TAGS, USERS } from './agency.ts'
import type { DemoListing } from './listings.ts'
import { DAY, dateTimeOf, LATEST, momentBetween, OPENED } from './moments.ts'
import { NEIGHBOURHOODS } from './places.ts'
import { kindsOf } from './property-kinds.ts'
import { criteria } from './request-criteria.ts'

type DemoRequest = ReturnType<typeof demoRequest>['request']

/** A request, and the listing that its buyer would be happy with. */
export interface PlannedRequest {
  readonly request: DemoRequest
  readonly target: DemoListing
}

/**
 * Buyer requests, oldest first. Each is built around an active listing, wide enough that others match as well. Every
 * tenth buyer offers too little for any listing, and every fiftieth request is deleted.
 */
export function demoRequests(
  contacts: readonly number[],
  listings: readonly DemoListing[],
  count = 150,
): PlannedRequest[] {
  const random = seeded(6_011)
  const active = listings.filter(({ status, price }) => status === 'active' && price !== null)
  if (active.length === 0 || contacts.length === 0) return []
  const targets = random.deck(active)
  return Array.from({ length: count }, (_, index) => {
    const span = (LATEST - OPENED) / count
    const created = momentBetween(random, OPENED + span * index, OPENED + span * (index + 1))
    return demoRequest(random, { id: index + 1, target: targets(), contacts, created })
  })
}

interface Start {
  readonly id: number
  readonly target: DemoListing
  readonly contacts: readonly number[]
  readonly created: number
}

function demoRequest(random: Random, { id, target, contacts, created }: Start) {
  const { store_id, availability, category } = target
  const agents = USERS.filter((user) => user.store_id === store_id)
  const updated = random.chance(0.5) ? momentBetween(random, created, LATEST) : created
  const isOld = created < LATEST - 400 * DAY
  const request = {
    id,
    availability,
    category,
    contacts: random.sample(contacts, random.chance(0.15) ? 2 : 1),
    locations: locations(random, target),
    users: random.sample(agents, random.int(1, 2)).map((user) => user.id),
    created_by: random.pick(agents).id,
    store_id,
    ...(random.chance(0.2) ? { title: random.pick(TITLES) } : {}),
    ...subcategories(random, target),
    ...limits(random, target, id % 10 === 0 ? 0.6 : 1),
    ...(category === 'land' ? {} : buildingLimits(random, target)),
    rating: random.chance(0.6) ? random.int(1, 5) : null,
    source_id: random.chance(0.9) ? random.pick(REQUEST_SOURCES).id : null,
    status: isOld ? random.pick(REQUEST_STATUSES).id : random.pick([1, 1, 1, 2]),
    tags: random.sample(REQUEST_TAGS, random.int(0, 2)).map((tag) => tag.id),
    notes: random.chance(0.4) ? random.pick(NOTES) : null,
    extra_fields: criteria(random, target, created),
    date_created: dateTimeOf(created),
    date_updated: dateTimeOf(updated),
    ...(id % 50 === 0 ? { is_deleted: true } : {}),
  }
  return { request, target }
}

const TITLES = [
  'Πρώτη κατοικία για νέο ζευγάρι',
  'Αγορά για επένδυση',
  'Μετακόμιση μέσα στο έτος',
  'Looking before the summer',
  'Κοντά στη δουλειά',
]

const NOTES = [
  'Έχει δει ήδη δύο ακίνητα με άλλο γραφείο.',
  'Το δάνειο εγκρίθηκε, περιμένει ακίνητο.',
  'Θέλει ήσυχο δρόμο.',
  'Καλύτερα επικοινωνία με μήνυμα.',
  'Buys from abroad, a video tour comes first.',
]

/** The target's own place, wider or narrower, and now and then a second one. */
function locations(random: Random, { location }: DemoListing): number[] {
  const { area_level1, area_level2, area_level3 } = location
  const [narrow, wide] = [area_level3 ?? area_level2 ?? area_level1, area_level2 ?? area_level1]
  const place = random.pick([narrow, wide, wide, area_level1, area_level1, area_level1])
  const other = random.pick(NEIGHBOURHOODS)
  return random.chance(0.3) && other.place.id !== place ? [place, other.place.id] : [place]
}

/** The target's own subcategory with some of its sisters; none at all means every one. */
function subcategories(random: Random, { category, subcategory, subtype }: DemoListing) {
  if (random.chance(0.45)) return {}
  const sisters = kindsOf(category)
    .map((kind) => kind.subcategory)
    .filter((sister) => sister !== subcategory)
  const chosen: Subcategory[] = [subcategory, ...random.sample(sisters, random.int(0, 2))]
  return { subcategories: chosen, ...(subtype !== null && random.chance(0.1) ? { subtypes: [subtype] } : {}) }
}

/** Limits of price and size around the target; `share` is what the buyer has of the price. */
function limits(random: Random, { price, size }: DemoListing, share: number) {
  const top = (price ?? 0) * share * (1.05 + random.next() * 0.3)
  const limited = random.chance(0.8)
  return {
    price_min: random.chance(0.4) ? tidy((price ?? 0) * share * (0.5 + random.next() * 0.3)) : null,
    price_max: tidy(top),
    ...(random.chance(0.1) ? { price_per_sqm_max: Math.ceil(((price ?? 0) / size) * 1.2) } : {}),
    size_min: limited ? Math.floor(size * (0.7 + random.next() * 0.2)) : null,
    size_max: limited && random.chance(0.5) ? Math.ceil(size * (1.1 + random.next() * 0.5)) : null,
  }
}

function buildingLimits(random: Random, listing: DemoListing) {
  const { rooms = null, floor = null, year_built = null, features } = listing
  const has_elevator = features.some((key) => key === 'elevator' || key === 'has_elevator')
  const allowed = floor !== null && (FLOORS.includes(floor) || floor >= 2)
  return {
    ...(rooms !== null && random.chance(0.6) ? { rooms_min: Math.max(1, rooms - random.int(0, 1)) } : {}),
    ...(rooms !== null && random.chance(0.2) ? { rooms_max: rooms + 2 } : {}),
    ...(allowed && random.chance(0.3) ? { floor_min: floor >= 2 ? floor - 1 : floor } : {}),
    ...(year_built !== null && random.chance(0.3) ? { year_built_min: year_built - random.int(0, 15) } : {}),
    has_elevator: has_elevator && random.chance(0.6),
    ...(has_elevator && random.chance(0.3) ? { elevator_min_floor: 2 } : {}),
  }
}

/** The floors below the second that a request may name. */
const FLOORS: readonly number[] = [-1, -0.5, 0, 0.5, 1, 1.5]

/** To two digits, as people name a budget. */
function tidy(price: number): number {
  const step = 10 ** Math.max(0, String(Math.round(price)).length - 2)
  return Math.max(1, Math.round(price / step)) * step
}
