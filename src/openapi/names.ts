/** Names of enumerations in the document. A list of values that is listed here becomes a named schema. */
import * as enums from '../catalogue/enums.ts'
import { FEATURE_GROUPS, type FeatureGroup, inputKeys, outputKeys } from '../catalogue/features.ts'
import * as office from '../catalogue/office-enums.ts'
import type { Enumeration } from './schemas.ts'

const namedEnumerations = (values: readonly string[], description: string): Enumeration => ({
  values,
  description,
})

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

/** The feature keys of each group: those in replies, and those that bodies accept. */
const keys = FEATURE_GROUPS.flatMap((group): [string, Enumeration][] => {
  const [name, what] = GROUP_NAMES[group]
  const accepted = namedEnumerations(
    inputKeys(group),
    `Key of a ${what}, as in responses or in the create body`,
  )
  const shown = namedEnumerations(outputKeys(group), `Key of a ${what}, as in responses`)
  const same = shown.values.length === accepted.values.length
  return same
    ? [[name, accepted]]
    : [
        [name, shown],
        [`${name}Input`, accepted],
      ]
})

export const ENUMERATIONS: Record<string, Enumeration> = {
  Category: namedEnumerations(enums.CATEGORIES, 'Kind of property'),
  Subcategory: namedEnumerations(
    enums.ALL_SUBCATEGORIES,
    `Finer kind of property, by category. ${subcategories}`,
  ),
  Availability: namedEnumerations(enums.AVAILABILITIES, 'How a property is offered'),
  ListingStatus: namedEnumerations(enums.LISTING_STATUSES, 'Status of a listing'),
  PropertyCondition: namedEnumerations(enums.PROPERTY_CONDITIONS, 'State of a building'),
  Orientation: namedEnumerations(enums.ORIENTATIONS, 'Compass orientation; `ew` is open to both sides'),
  ShorttermUnit: namedEnumerations(enums.SHORTTERM_UNITS, 'Period that a short-term price is for'),
  HeatingType: namedEnumerations(enums.HEATING_TYPES, 'Whether the heating is shared'),
  HeatingSource: namedEnumerations(enums.HEATING_SOURCES, 'Source of heating'),
  FrameMaterial: namedEnumerations(enums.FRAMES, 'Material of window frames'),
  Glazing: namedEnumerations(enums.FRAMES_GLASS, 'Panes of a window'),
  ConstructionType: namedEnumerations(enums.CONSTRUCTION_TYPES, 'Material of a building'),
  GardenType: namedEnumerations(enums.GARDENS, 'Whether a garden is shared, or on the roof'),
  Zoning: namedEnumerations(enums.ZONINGS, 'Zone of the urban plan'),
  LandSlope: namedEnumerations(enums.LAND_SLOPES, 'Slope of land'),
  AccessType: namedEnumerations(enums.ACCESS_TYPES, 'How land is reached'),
  Assignment: namedEnumerations(enums.ASSIGNMENTS, 'How an owner assigned a listing to the agency'),
  AssignmentFeeType: namedEnumerations(
    enums.ASSIGNMENT_FEE_TYPES,
    'Whether a fee is an amount or a percentage',
  ),
  LandUse: namedEnumerations(enums.LAND_USES, 'Permitted use of land'),
  EnergyClass: namedEnumerations(enums.ENERGY_CLASSES, 'Energy class; `ap` is A+, `app` A++, `bp` B+'),
  PlanningStatus: namedEnumerations(enums.PLANNING_STATUSES, 'Inside or outside the urban plan'),
  AddressDisplay: namedEnumerations(
    enums.ADDRESS_DISPLAYS,
    'How much of an address is public. real: all of it; fake: the street without its number, and a circle ' +
      'around a point nearby; none: nothing',
  ),
  OfferStatus: namedEnumerations(office.OFFER_STATUSES, 'State of a negotiation'),
  OfferRoundType: namedEnumerations(office.ROUND_TYPES, 'A step of a negotiation'),
  IncomeCategory: namedEnumerations(office.INCOME_CATEGORIES, 'How an income was earned'),
  CommissionSide: namedEnumerations(
    office.COMMISSION_SIDES,
    'The side whose payment a commission is a share of',
  ),
  PaymentStatus: namedEnumerations(
    office.PAYMENT_STATUSES,
    'Whether the payment of an income or expense is confirmed',
  ),
  CustomFieldType: namedEnumerations(
    office.CUSTOM_FIELD_TYPES,
    'Type of the values of a custom field. text, address, phone: up to 255 characters; textarea: up to 2500; wysiwyg: ' +
      'HTML; number, formatted_number, currency: a number; select: the id of an option; checkbox: a boolean; file, image, ' +
      'url: an http or https URL; date and datetime: as everywhere; user, contact: an id. Types that end in _multi take ' +
      'an array of at most 100, all others a single value',
  ),
  FeatureGroup: namedEnumerations(FEATURE_GROUPS, 'The group of a feature key'),
  ...Object.fromEntries(keys),
}
