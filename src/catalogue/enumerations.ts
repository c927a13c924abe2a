/** Every enumeration with the names of its values, in the order of the interface and then of the resources. */
import type { Names } from './enumeration.ts'
import * as property from './enums.ts'
import { OFFICE_ENUMERATIONS } from './office-enums.ts'

/** The tables, by the name of the enumeration: that of the field, with its resource where several have one. */
const TABLES = {
  category: property.CATEGORY,
  availability: property.AVAILABILITY,
  subcategory: property.SUBCATEGORY,
  property_condition: property.PROPERTY_CONDITION,
  orientation: property.ORIENTATION,
  shortterm_unit: property.SHORTTERM_UNIT,
  heating_type: property.HEATING_TYPE,
  heating_source: property.HEATING_SOURCE,
  frames: property.FRAME,
  frames_glass: property.FRAME_GLASS,
  construction_type: property.CONSTRUCTION_TYPE,
  garden: property.GARDEN,
  zoning: property.ZONING,
  land_slope: property.LAND_SLOPE,
  access_type: property.ACCESS_TYPE,
  assignment: property.ASSIGNMENT,
  assignment_fee_type: property.ASSIGNMENT_FEE_TYPE,
  listing_status: property.LISTING_STATUS,
  energy_class: property.ENERGY_CLASS,
  land_use: property.LAND_USE,
  planning_status: property.PLANNING_STATUS,
  display_address: property.ADDRESS_DISPLAY,
  precision: property.PRECISION,
  photo_kind: property.PHOTO_KIND,
  ...OFFICE_ENUMERATIONS,
} as const satisfies Record<string, Readonly<Record<string, Names>>>

/** The names of the enumerations. */
export const ENUMERATION_NAMES = Object.keys(TABLES) as [keyof typeof TABLES, ...(keyof typeof TABLES)[]]

/** The enumerations as the API serves them. */
export const ENUMERATIONS = Object.entries(TABLES).map(([name, table]) => ({
  name,
  values: Object.entries(table).map(([value, [name_el, name_en]]) => ({ value, name_el, name_en })),
}))
