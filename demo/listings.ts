import { type Random, seeded } from '../fixtures/random.ts'
import { LISTING_SOURCES, LISTING_SUBTYPES, LISTING_TAGS, STORES, USERS } from './agency.ts'
import { type Decks, shuffleDecks } from './decks.ts'
import { makeDetails, makeExtra } from './listing-groups.ts'
import { BARE, keysOf } from './listing-keys.ts'
import { makeLocation } from './listing-location.ts'
import { isPlausible, type ListingPlan, planAgain, planListings } from './listing-plan.ts'
import { translations } from './listing-texts.ts'
import { DAY, dateTimeOf, LATEST, momentBetween } from './moments.ts'
import type { Neighbourhood } from './places.ts'
import type { PropertyKind } from './property-kinds.ts'

export type DemoListing = ReturnType<typeof demoListing>

/**
 * Listings, oldest first. With 96 or more, every combination of category, status and availability occurs.
 * `contacts` are the ids to take owners and tenants from.
 */
export function demoListings(contacts: readonly number[], count = 300): DemoListing[] {
  // A seed with which 300 listings use every subcategory, enumerated value and key of the catalogue.
  const random = seeded(2_003)
  const decks = shuffleDecks(random)
  return planListings(random, decks, count).map((plan) => {
    const listing = demoListing(random, decks, plan, contacts)
    return isPlausible(plan) ? listing : listedAgain(plan, contacts)
  })
}

/** Another listing in the place of an implausible one, from random values of its own: the others stay as they are. */
function listedAgain(plan: ListingPlan, contacts: readonly number[]): DemoListing {
  const random = seeded(5_000 + plan.id)
  const decks = shuffleDecks(random)
  return demoListing(random, decks, planAgain(random, decks, plan), contacts)
}

const CODE_PREFIX = { residential: 'RES', commercial: 'COM', land: 'LAN', other: 'OTH' } as const

function demoListing(random: Random, decks: Decks, plan: ListingPlan, contacts: readonly number[]) {
  const { id, kind, status, home } = plan
  const draft = status === 'draft'
  const store = storeFor(home)
  const agents = USERS.filter((user) => user.store_id === store.id)
  const creator = random.pick(agents)
  const statusChanged = draft
    ? null
    : momentBetween(random, plan.created, Math.min(plan.created + 200 * DAY, LATEST))
  const updated = momentBetween(random, statusChanged ?? plan.created, LATEST)
  const rooms = roomsOf(plan)
  const features = keysOf(random, 'features', plan, random.int(2, kind.category === 'land' ? 6 : 11))
  const owners = random.sample(contacts, random.int(random.chance(0.2) ? 0 : 1, 2))
  const tenants = contacts.filter((contact) => !owners.includes(contact))
  const view =
    !BARE.has(kind.subcategory) && random.chance(0.6) ? keysOf(random, 'view', plan, random.int(1, 2)) : []
  return {
    id,
    code: draft ? null : `${CODE_PREFIX[kind.category]}-${String(id).padStart(5, '0')}`,
    store_id: store.id,
    category: kind.category,
    subcategory: kind.subcategory,
    subtype: subtypeOf(random, kind),
    availability: plan.availability,
    price: plan.price,
    size: plan.size,
    ...(kind.category === 'land' ? {} : buildingCore(random, plan, rooms)),
    status,
    status_date: statusChanged === null ? null : dateTimeOf(statusChanged),
    source_id: random.chance(0.85) ? random.pick(LISTING_SOURCES).id : null,
    created_by: creator.id,
    date_created: dateTimeOf(plan.created),
    date_updated: dateTimeOf(updated),
    notes: random.chance(0.35) ? random.pick(NOTES) : null,
    users: random.sample(agents, random.int(1, 2)).map((user) => user.id),
    contacts: owners,
    tags: random.sample(LISTING_TAGS, random.int(0, 3)).map((tag) => tag.id),
    features,
    positioning: random.chance(0.8) ? keysOf(random, 'positioning', plan, random.int(1, 2)) : [],
    view,
    flooring: kind.category === 'land' ? [] : keysOf(random, 'flooring', plan, random.int(1, 2)),
    location: makeLocation(random, decks, plan),
    details: makeDetails(random, decks, plan),
    'the service': makeExtra(random, decks, plan, tenants),
    translations: translations(random, plan, { rooms, features, view }),
    ...((levelsOf(plan) ?? 1) > 1 ? { floor_configuration: floors(plan) } : {}),
  }
}

const NOTES = [
  'Τα κλειδιά βρίσκονται στο γραφείο.',
  'Ο ιδιοκτήτης συζητά μικρή μείωση της τιμής.',
  'Εκκρεμεί το ηλεκτρονικό πιστοποιητικό ταυτότητας κτιρίου.',
  'Υπόδειξη μόνο απόγευμα, να προηγηθεί τηλεφώνημα.',
  'Owner lives abroad; contact by e-mail.',
  'Έγινε αυτοψία, οι μετρήσεις συμφωνούν με την κάτοψη.',
]

function buildingCore(random: Random, plan: ListingPlan, rooms: number | null) {
  const small = BARE.has(plan.kind.subcategory)
  const unbuilt = plan.kind.subcategory === 'air'
  return {
    floor: plan.floor,
    levels: levelsOf(plan),
    rooms,
    bathrooms: small ? null : Math.max(1, Math.min(6, Math.round((rooms ?? plan.size / 150) / 2))),
    year_built: random.chance(0.95) && !unbuilt ? plan.year_built : null,
    property_condition: unbuilt ? null : plan.property_condition,
  }
}

function roomsOf({ kind, size }: ListingPlan): number | null {
  if (kind.subcategory === 'hotel') return Math.max(8, Math.round(size / 42))
  if (kind.subcategory === 'loft') return size > 120 ? 2 : 1
  if (kind.category === 'residential') return Math.max(1, Math.min(24, Math.round((size - 15) / 34)))
  return kind.subcategory === 'office' ? Math.max(1, Math.round(size / 28)) : null
}

function levelsOf({ kind, size }: ListingPlan): number | null {
  if (kind.category === 'land' || BARE.has(kind.subcategory)) return null
  if (['maisonette', 'villa', 'hotel', 'commercial_building'].includes(kind.subcategory))
    return size > 250 ? 3 : 2
  return ['residential_building', 'apartment_complex'].includes(kind.subcategory) ? 4 : 1
}

function floors(plan: ListingPlan) {
  const levels = levelsOf(plan) ?? 1
  const size = Math.round(plan.size / levels)
  return Array.from({ length: levels }, (_, floor) => ({ floor, size }))
}

function subtypeOf(random: Random, kind: PropertyKind): number | null {
  const subtypes = LISTING_SUBTYPES.filter((subtype) => subtype.subcategory === kind.subcategory)
  return subtypes.length === 0 || random.chance(0.25) ? null : random.pick(subtypes).id
}

/** The store that serves a place. */
export function storeFor(home: Neighbourhood) {
  const responsible = STORES.find((store) =>
    store.municipalities.some((name) => name === home.municipality.name_en),
  )
  return responsible ?? STORES[0]
}
