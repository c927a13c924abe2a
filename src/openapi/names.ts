/** Names of enumerations in the document. A list of values that is listed here becomes a named schema. */
import { FEATURE_GROUPS, type FeatureGroup, inputKeys, outputKeys } from '../catalogue/features.ts'
import * as office from '../catalogue/office-enums.ts'
import * as enums from '../catalogue/property-enums.ts'
import type { Enumeration } from './schemas.ts'

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
  const [accepted, shown] = [inputKeys(group), outputKeys(group)]
  const inBodies: Enumeration = [accepted, `Key of a ${what}, as in responses or in the create body`]
  if (shown.length === accepted.length) return [[name, inBodies]]
  return [
    [name, [shown, `Key of a ${what}, as in responses`]],
    [`${name}Input`, inBodies],
  ]
})

export const ENUMERATIONS: Record<string, Enumeration> = {
  Category: [enums.CATEGORIES, 'Kind of property'],
  Subcategory: [enums.ALL_SUBCATEGORIES, `Finer kind of property, by category. ${subcategories}`],
  Availability: [enums.AVAILABILITIES, 'How a property is offered'],
  ListingStatus: [enums.LISTING_STATUSES, 'Status of a listing'],
  PropertyCondition: [enums.PROPERTY_CONDITIONS, 'State of a building'],
  Orientation: [enums.ORIENTATIONS, 'Compass orientation; `ew` is open to both sides'],
  ShorttermUnit: [enums.SHORTTERM_UNITS, 'Period that a short-term price is for'],
  HeatingType: [enums.HEATING_TYPES, 'Whether the heating is shared'],
  HeatingSource: [enums.HEATING_SOURCES, 'Source of heating'],
  FrameMaterial: [enums.FRAMES, 'Material of window frames'],
  Glazing: [enums.FRAMES_GLASS, 'Panes of a window'],
  ConstructionType: [enums.CONSTRUCTION_TYPES, 'Material of a building'],
  GardenType: [enums.GARDENS, 'Whether a garden is shared, or on the roof'],
  Zoning: [enums.ZONINGS, 'Zone of the urban plan'],
  LandSlope: [enums.LAND_SLOPES, 'Slope of land'],
  AccessType: [enums.ACCESS_TYPES, 'How land is reached'],
  Assignment: [enums.ASSIGNMENTS, 'How an owner assigned a listing to the agency'],
  AssignmentFeeType: [enums.ASSIGNMENT_FEE_TYPES, 'Whether a fee is an amount or a percentage'],
  LandUse: [enums.LAND_USES, 'Permitted use of land'],
  EnergyClass: [enums.ENERGY_CLASSES, 'Energy class; `ap` is A+, `app` A++, `bp` B+'],
  PlanningStatus: [enums.PLANNING_STATUSES, 'Inside or outside the urban plan'],
  AddressDisplay: [
    enums.ADDRESS_DISPLAYS,
    'How much of an address is public. real: all of it; fake: the street without its number, and a circle ' +
      'around a point nearby; none: nothing',
  ],
  OfferStatus: [office.OFFER_STATUSES, 'State of a negotiation'],
  OfferRoundType: [office.ROUND_TYPES, 'A step of a negotiation'],
  IncomeCategory: [office.INCOME_CATEGORIES, 'How an income was earned'],
  CommissionSide: [office.COMMISSION_SIDES, 'The side whose payment a commission is a share of'],
  PaymentStatus: [office.PAYMENT_STATUSES, 'Whether the payment of an income or expense is confirmed'],
  CustomFieldType: [
    office.CUSTOM_FIELD_TYPES,
    'Type of the values of a custom field. text, address, phone: up to 255 characters; textarea: up to 2500; wysiwyg: ' +
      'HTML; number, formatted_number, currency: a number; select: the id of an option; checkbox: a boolean; file, image, ' +
      'url: an http or https URL; date and datetime: as everywhere; user, contact: an id. Types that end in _multi take ' +
      'an array of at most 100, all others a single value',
  ],
  FeatureGroup: [FEATURE_GROUPS, 'The group of a feature key'],
  ...Object.fromEntries(keys),
}
