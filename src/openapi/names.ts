/** Names of the enumerations in the document. A list of values that stands here is a schema of its own there. */
import * as enums from '../catalogue/enums.ts'
import { acceptedKeys, FEATURE_GROUPS, type FeatureGroup, shownKeys } from '../catalogue/features.ts'
import type { Enumeration } from './schemas.ts'

const named = (values: readonly string[], description: string): Enumeration => ({ values, description })

/** `residential: apartment, maisonette, …` for every category. */
const subcategories = Object.entries(enums.SUBCATEGORIES)
  .map(([category, values]) => `${category}: ${values.join(', ')}`)
  .join('; ')

const GROUP_NAMES: Record<FeatureGroup, [name: string, what: string]> = {
  features: ['FeatureKey', 'feature'],
  positioning: ['PositioningKey', 'positioning'],
  view: ['ViewKey', 'view'],
  flooring: ['FlooringKey', 'flooring'],
}

/** The feature keys of each group, as answers have them and as bodies may have them. */
const keys = FEATURE_GROUPS.flatMap((group): [string, Enumeration][] => {
  const [name, what] = GROUP_NAMES[group]
  const accepted = named(
    acceptedKeys(group),
    `Key of a ${what}, in the form of answers or of the create body`,
  )
  const shown = named(shownKeys(group), `Key of a ${what}, in the form of answers`)
  const same = shown.values.length === accepted.values.length
  return same
    ? [[name, accepted]]
    : [
        [name, shown],
        [`${name}Input`, accepted],
      ]
})

export const ENUMERATIONS: Record<string, Enumeration> = {
  Category: named(enums.CATEGORIES, 'Kind of property'),
  Subcategory: named(enums.ALL_SUBCATEGORIES, `Finer kind of property, by category. ${subcategories}`),
  Availability: named(enums.AVAILABILITIES, 'How a property is offered'),
  ListingStatus: named(enums.LISTING_STATUSES, 'Where a listing stands'),
  PropertyCondition: named(enums.PROPERTY_CONDITIONS, 'State of a building'),
  Orientation: named(enums.ORIENTATIONS, 'Compass orientation; `ew` is open to both sides'),
  ShorttermUnit: named(enums.SHORTTERM_UNITS, 'Period that a short-term price is for'),
  HeatingType: named(enums.HEATING_TYPES, 'Whose heating it is'),
  HeatingSource: named(enums.HEATING_SOURCES, 'What heats'),
  FrameMaterial: named(enums.FRAMES, 'Material of window frames'),
  Glazing: named(enums.FRAMES_GLASS, 'Panes of a window'),
  ConstructionType: named(enums.CONSTRUCTION_TYPES, 'Material of a building'),
  GardenType: named(enums.GARDENS, 'Whose garden it is, or where'),
  Zoning: named(enums.ZONINGS, 'Zone of the urban plan'),
  LandSlope: named(enums.LAND_SLOPES, 'Slope of land'),
  AccessType: named(enums.ACCESS_TYPES, 'How land is reached'),
  Assignment: named(enums.ASSIGNMENTS, 'How an owner assigned a listing to the agency'),
  AssignmentFeeType: named(enums.ASSIGNMENT_FEE_TYPES, 'Whether a fee is an amount or a percentage'),
  LandUse: named(enums.LAND_USES, 'Permitted use of land'),
  EnergyClass: named(enums.ENERGY_CLASSES, 'Energy class; `ap` is A+, `app` A++, `bp` B+'),
  PlanningStatus: named(enums.PLANNING_STATUSES, 'Inside or outside the urban plan'),
  AddressDisplay: named(
    enums.ADDRESS_DISPLAYS,
    'What the public may see of an address. real: all of it; fake: the street without its number, and a circle ' +
      'around a point nearby; none: nothing',
  ),
  OfferStatus: named(enums.OFFER_STATUSES, 'How far a negotiation is'),
  OfferRoundType: named(enums.ROUND_TYPES, 'A step of a negotiation'),
  IncomeCategory: named(enums.INCOME_CATEGORIES, 'What an income was earned with'),
  CommissionSide: named(enums.COMMISSION_SIDES, 'Whose payment a commission is a share of'),
  PaymentStatus: named(enums.PAYMENT_STATUSES, 'Whether an income or expense is certain'),
  CustomFieldType: named(
    enums.CUSTOM_FIELD_TYPES,
    'What the values of a custom field are. text, address, phone: up to 255 characters; textarea: up to 2500; wysiwyg: ' +
      'HTML; number, formatted_number, currency: a number; select: the id of an option; checkbox: a boolean; file, image, ' +
      'url: an http or https URL; date and datetime: as everywhere; user, contact: an id. Types that end in _multi take ' +
      'an array of at most 100, all others a single value',
  ),
  FeatureGroup: named(FEATURE_GROUPS, 'The list of a listing that a key belongs in'),
  ...Object.fromEntries(keys),
}
