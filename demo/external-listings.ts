import { type Random, seeded } from '../fixtures/random.ts'
import {
  EXTERNAL_LISTING_SOURCES,
  EXTERNAL_LISTING_STATUSES,
  EXTERNAL_LISTING_TAGS,
  USERS,
} from './agency.ts'
import { contactOf } from './contacts.ts'
import { shuffleDecks } from './decks.ts'
import { BARE } from './listing-keys.ts'
import { isPlausible, type ListingPlan, planAgain, planListings } from './listing-plan.ts'
import { storeFor } from './listings.ts'
import { dateTimeOf, LATEST, momentBetween } from './moments.ts'
import { AVAILABILITY_NAMES } from './property-kinds.ts'

export type DemoExternalListing = ReturnType<typeof demoExternalListing>

/** Listings of others, oldest first: mostly for sale or for rent, as private owners advertise them. */
export function demoExternalListings(count = 80): DemoExternalListing[] {
  const random = seeded(4_007)
  const own = seeded(4_008)
  const plans = planListings(random, shuffleDecks(random), count * 4).filter(
    ({ availability }) => availability === 'sale' || availability === 'rent' || random.chance(0.2),
  )
  return random
    .sample(plans, count)
    .map((plan) => (isPlausible(plan) ? plan : planAgain(own, shuffleDecks(own), plan)))
    .sort((a, b) => a.created - b.created)
    .map((plan, index) => demoExternalListing(random, { ...plan, id: index + 1 }))
}

function demoExternalListing(random: Random, plan: ListingPlan) {
  const { id, kind, availability, price, home } = plan
  const { id: store_id } = storeFor(home)
  const agents = USERS.filter((user) => user.store_id === store_id)
  const known = random.chance(0.75)
  const person = contactOf(random)
  const updated = random.chance(0.6) ? momentBetween(random, plan.created, LATEST) : plan.created
  const size = Math.round(plan.size)
  return {
    id,
    store_id,
    source_id: random.chance(0.9) ? random.pick(EXTERNAL_LISTING_SOURCES).id : null,
    status: random.pick(EXTERNAL_LISTING_STATUSES).id,
    external_url: random.chance(0.85) ? `https://portal.example.com/aggelia/${48_000 + id * 37}` : null,
    availability,
    category: kind.category,
    subcategory: kind.subcategory,
    price,
    size,
    ...(kind.category === 'land' ? {} : building(random, plan)),
    description: random.chance(0.9)
      ? `${kind.name_el} ${size} τ.μ. ${AVAILABILITY_NAMES[availability].el}, ${home.place.name_el}. ${random.pick(REMARKS)}`
      : null,
    location: location(random, plan),
    contact_full_name: known ? `${person.first.el} ${person.last.el}` : null,
    contact_email: known && random.chance(0.4) ? `owner.${id}@example.com` : null,
    contact_phones: known ? `+30 690 000 ${String(9000 + (id % 1000))}` : null,
    created_by: random.pick(agents).id,
    date_created: dateTimeOf(plan.created),
    date_updated: dateTimeOf(updated),
    tags: random.sample(EXTERNAL_LISTING_TAGS, random.int(0, 2)).map((tag) => tag.id),
    users: random.sample(agents, random.int(0, 2)).map((user) => user.id),
    photos: [],
  }
}

const REMARKS = [
  'Από ιδιοκτήτη.',
  'Μεσιτικό γραφείο αναλαμβάνει.',
  'Τιμή συζητήσιμη.',
  'Όχι μεσίτες.',
  'Άμεσα διαθέσιμο, με τίτλους έτοιμους.',
]

function building(random: Random, { kind, size, floor, year_built }: ListingPlan) {
  if (BARE.has(kind.subcategory)) return { floor }
  const rooms = kind.category === 'residential' ? Math.max(1, Math.round((size - 15) / 34)) : null
  return {
    floor,
    levels: size > 180 ? 2 : 1,
    rooms,
    wcs: random.chance(0.3) ? 1 : null,
    bathrooms: Math.max(1, Math.round((rooms ?? 1) / 2)),
    kitchens: kind.category === 'residential' ? 1 : null,
    living_rooms: kind.category === 'residential' && random.chance(0.8) ? 1 : null,
    year_built: random.chance(0.8) ? year_built : null,
  }
}

/** The location as an advertisement gives it: rarely with a street, sometimes with a point. */
function location(random: Random, { home }: ListingPlan) {
  const near = (degrees: number) =>
    Math.round((degrees + (random.next() - 0.5) * 0.006) * 1_000_000) / 1_000_000
  const point = random.chance(0.6)
  return {
    address: random.chance(0.4) ? `${random.pick(home.streets)} ${random.int(1, 140)}` : null,
    area_level1: home.region.id,
    area_level2: home.municipality.id,
    area_level3: random.chance(0.85) ? home.place.id : null,
    latitude: point ? near(home.latitude) : null,
    longitude: point ? near(home.longitude) : null,
  }
}
