import type { Random } from '../fixtures/random.ts'
import { FEATURES, type FeatureGroup } from '../src/catalogue/features.ts'
import type { ListingPlan } from './listing-plan.ts'

/** What has no rooms to heat, light or furnish. */
export const BARE: ReadonlySet<string> = new Set(['parking', 'air'])

/** A few keys of one group that the category can have, each in either vocabulary. */
export function keysOf(random: Random, group: FeatureGroup, plan: ListingPlan, count: number): string[] {
  const bare = BARE.has(plan.kind.subcategory)
  const applicable = FEATURES.filter(
    (feature) =>
      feature.group === group &&
      feature.categories.includes(plan.kind.category) &&
      (BELIEVABLE[feature.key]?.(plan) ?? true) &&
      (!bare || ON_BARE[group].includes(feature.key)),
  )
  return random.sample(applicable, count).map((feature) => (random.chance(0.5) ? feature.input : feature.key))
}

/** What a parking space can have. */
const ON_BARE: Readonly<Record<FeatureGroup, readonly string[]>> = {
  features: [
    'elevator',
    'ev_charger',
    'automatic_gate',
    'disabled_access',
    'alarm',
    'cctv',
    'investment',
    'near_metro',
  ],
  positioning: ['front_facing', 'interior', 'corner'],
  view: [],
  flooring: ['industrial', 'concrete', 'epoxy_resin', 'cement_screed'],
}

type Test = (plan: ListingPlan) => boolean

const nearSea: Test = ({ home }) => home.character === 'coast' || home.character === 'resort'
const inAthens: Test = ({ home }) => home.municipality.name_en === 'Athens'
const outOfTown: Test = ({ home }) => home.character !== 'urban'
const forLeisure: Test = ({ kind }) => kind.category === 'residential' || kind.subcategory === 'hotel'
const onMainland: Test = ({ kind }) => kind.subcategory !== 'island'
const presentable: Test = ({ kind }) =>
  kind.category === 'residential' ||
  ['hotel', 'office', 'store', 'commercial_building'].includes(kind.subcategory)

/** Keys that the category allows but that need a plausible location, age or price. */
const BELIEVABLE: Readonly<Record<string, Test>> = {
  seafront: nearSea,
  sea_view: nearSea,
  acropolis_view: inAthens,
  near_metro: inAthens,
  lake_view: outOfTown,
  river_view: outOfTown,
  forest_view: outOfTown,
  well: outOfTown,
  borehole: outOfTown,
  irrigation: outOfTown,
  olive_grove: outOfTown,
  vineyard: outOfTown,
  private_pool: (plan) => forLeisure(plan) && outOfTown(plan),
  shared_pool: forLeisure,
  tennis_court: (plan) => forLeisure(plan) && outOfTown(plan),
  jacuzzi: forLeisure,
  sauna: forLeisure,
  fireplace: forLeisure,
  roadside: onMainland,
  buildable: onMainland,
  sewer: onMainland,
  luxurious: presentable,
  neoclassical: (plan) => presentable(plan) && plan.year_built !== null && plan.year_built < 1940,
  listed_building: (plan) => presentable(plan) && plan.year_built !== null && plan.year_built < 1960,
  penthouse: ({ kind, floor }) => kind.subcategory === 'apartment' && (floor ?? 0) >= 4,
  golden_visa: ({ availability, price }) => availability === 'sale' && (price ?? 0) >= 250_000,
}
