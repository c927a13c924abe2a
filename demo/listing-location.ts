import type { Random } from '../fixtures/random.ts'
import type { Decks } from './decks.ts'
import type { ListingPlan } from './listing-plan.ts'

/** The `location` group. */
export function makeLocation(random: Random, decks: Decks, { home, kind }: ListingPlan) {
  const display_address = decks.display_address()
  const street = random.pick(home.streets)
  const numbered = kind.category !== 'land' || random.chance(0.3)
  const address = {
    postal_code: home.postal_code,
    address: numbered ? `${street} ${random.int(1, 160)}` : street,
  }
  const exact = moved(home, random.int(0, 280), random.next() * 2 * Math.PI)
  // Two numbers are skipped, so that this release makes the same agency as those before it.
  random.next()
  random.next()
  const vague = random.next()
  const areas = {
    area_level1: home.region.id,
    ...(vague < 0.02 ? {} : { area_level2: home.municipality.id }),
    ...(vague < 0.05 ? {} : { area_level3: home.place.id }),
  }
  if (vague < 0.05) return { ...areas, latitude: 0, longitude: 0, display_address: 'none' as const }
  return {
    ...areas,
    ...(kind.subcategory === 'island' ? {} : address),
    ...exact,
    display_address,
    ...(display_address === 'fake' && kind.subcategory !== 'island' ? { fake_address_el: street } : {}),
  }
}

const METRES_PER_DEGREE = 111_320

/** The point so many metres away in a direction, to the six decimals that a survey gives. */
function moved(from: { latitude: number; longitude: number }, metres: number, direction: number) {
  const north = (Math.cos(direction) * metres) / METRES_PER_DEGREE
  const east =
    (Math.sin(direction) * metres) / (METRES_PER_DEGREE * Math.cos((from.latitude * Math.PI) / 180))
  return { latitude: sixDecimals(from.latitude + north), longitude: sixDecimals(from.longitude + east) }
}

function sixDecimals(degrees: number): number {
  return Math.round(degrees * 1_000_000) / 1_000_000
}
