import type { Random } from '../fixtures/random.ts'
import { SUBCATEGORIES, type Subcategory } from '../src/catalogue/enums.ts'
import { FEATURES, type FeatureGroup } from '../src/catalogue/features.ts'
import type { ListingPlan } from './listing-plan.ts'

/** What has no rooms to heat, light or furnish: `air` is the right to build on top. */
export const BARE: ReadonlySet<string> = new Set(['parking', 'air'])

/** A few keys of one group that the category can have, each in either vocabulary. */
export function keysOf(random: Random, group: FeatureGroup, plan: ListingPlan, count: number): string[] {
  const { subcategory } = plan.kind
  const bare = BARE.has(subcategory)
  const applicable = FEATURES.filter(
    (feature) =>
      feature.group === group &&
      feature.categories.includes(plan.kind.category) &&
      (BELIEVABLE[feature.key]?.(plan) ?? true) &&
      (!bare || ON_BARE[group].includes(feature.key)),
  )
  return random
    .sample(applicable, count)
    .map((feature) => ({ key: feature.key, name: random.chance(0.5) ? feature.input : feature.key }))
    .filter(({ key }) => HAD_BY[group](subcategory, key))
    .map(({ name }) => name)
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

const LODGINGS = [...SUBCATEGORIES.residential, 'hotel'] as const
const HOUSES = ['maisonette', 'detached', 'villa', 'farmhouse'] as const
const BUILDINGS = ['residential_building', 'apartment_complex', 'hotel', 'commercial_building'] as const
const LOFTY = ['apartment', 'loft', 'office', 'hall', 'villa', ...BUILDINGS] as const
const SHOPS = ['store', 'business', 'other_commercial', 'other'] as const
const WORKS = ['warehouse', 'industrial_space', 'craft_space'] as const
const DESKS = ['office', 'commercial_building'] as const
const GROUNDS = [...HOUSES, ...SUBCATEGORIES.land, 'apartment_complex', 'hotel'] as const

/** Which subcategories have what not all of their category have. */
const ONLY_IN: Readonly<Record<string, readonly Subcategory[]>> = {
  elevator: [...LOFTY, 'parking'],
  goods_lift: [...WORKS, 'store', 'commercial_building'],
  loading_ramp: [...WORKS, 'store', 'other_commercial'],
  shop_window: SHOPS,
  kitchen_exhaust: [...SHOPS, 'hotel'],
  structured_cabling: [...DESKS, 'hotel', 'hall', 'store'],
  raised_floor: [...DESKS, 'hall'],
  concierge: ['apartment', 'office', ...BUILDINGS],
  interior_staircase: [...HOUSES, 'loft', 'hotel', 'store', 'commercial_building'],
  mezzanine: ['loft', ...SHOPS, ...WORKS],
  basement: [...HOUSES, ...BUILDINGS, 'store', 'industrial_space'],
  attic: [...HOUSES, 'residential_building'],
  balcony: ['apartment', 'loft', 'office', ...HOUSES, ...BUILDINGS],
  veranda: [...LODGINGS, 'office'],
  roof_terrace: ['apartment', 'loft', 'maisonette', 'villa', ...BUILDINGS],
  garden: [...HOUSES, 'apartment_complex', 'hotel'],
  awnings: [...LODGINGS, ...SHOPS, 'office'],
  barbecue: [...HOUSES, 'apartment_complex', 'houseboat'],
  private_pool: [...HOUSES, 'apartment_complex', 'hotel'],
  shared_pool: ['apartment', 'maisonette', 'apartment_complex', 'hotel'],
  tennis_court: ['villa', 'detached', 'apartment_complex', 'hotel'],
  fireplace: ['apartment', 'loft', 'hotel', ...HOUSES],
  energy_fireplace: ['apartment', 'loft', ...HOUSES],
  underfloor_heating: [...LODGINGS, ...DESKS, 'store'],
  solar_heater: LODGINGS,
  window_screens: LODGINGS,
  satellite_tv: LODGINGS,
  video_intercom: [...LODGINGS, ...DESKS],
  jacuzzi: ['apartment', 'loft', 'hotel', ...HOUSES],
  sauna: ['loft', 'hotel', ...HOUSES],
  gym: ['villa', ...DESKS, 'apartment_complex', 'hotel'],
  furnished: [...LODGINGS, ...DESKS, 'business', 'hall'],
  appliances: [...LODGINGS, 'store', 'business'],
  playroom: [...HOUSES, 'apartment', 'apartment_complex'],
  guest_house: ['detached', 'villa', 'farmhouse'],
  staff_room: ['villa', ...DESKS, ...WORKS, 'store', 'hotel', 'hall'],
  professional_use: ['apartment', 'maisonette', 'detached', 'loft', 'residential_building', ...DESKS],
  medical_use: ['apartment', 'maisonette', 'residential_building', ...DESKS, 'store'],
  tourist_use: [...LODGINGS, ...SUBCATEGORIES.land, 'commercial_building'],
  fenced: [...GROUNDS, ...WORKS],
  well: GROUNDS,
  borehole: GROUNDS,
  irrigation: GROUNDS,
  divisible: ['parcel', 'plot'],
  land_exchange: ['plot'],
  sewer: ['plot'],
  olive_grove: ['parcel', 'island'],
  vineyard: ['parcel', 'island'],
}

const ROUGH: readonly string[] = ['industrial', 'concrete', 'epoxy_resin', 'cement_screed']
const HARD: readonly string[] = [...ROUGH, 'tile', 'ceramic_tile', 'plastic']
const isOneOf = (subcategory: Subcategory, those: readonly Subcategory[]) => those.includes(subcategory)

/** Whether a subcategory has such a thing, applied to what was drawn. */
const HAD_BY: Readonly<Record<FeatureGroup, (subcategory: Subcategory, key: string) => boolean>> = {
  features: (subcategory, key) =>
    subcategory === 'air'
      ? key === 'investment' || key === 'near_metro'
      : ONLY_IN[key] === undefined || isOneOf(subcategory, ONLY_IN[key]),
  positioning: () => true,
  view: (subcategory) => !isOneOf(subcategory, [...WORKS, ...SHOPS, 'hall']),
  flooring: (subcategory, key) => {
    if (subcategory === 'air') return false
    if (isOneOf(subcategory, WORKS)) return HARD.includes(key)
    return subcategory === 'loft' || !isOneOf(subcategory, LODGINGS) || !ROUGH.includes(key)
  },
}
