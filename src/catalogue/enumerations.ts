/** Every enumeration with the names of its values, in the order of the interface and then of the resources. */
import type { Names } from './enumeration.ts'
import { OFFICE_ENUMERATIONS } from './office-enums.ts'
import { PROPERTY_ENUMERATIONS } from './property-enums.ts'

/** The tables, by the name of the enumeration: that of the field, with its resource where several have one. */
const TABLES = {
  ...PROPERTY_ENUMERATIONS,
  ...OFFICE_ENUMERATIONS,
} as const satisfies Record<string, Readonly<Record<string, Names>>>

/** The names of the enumerations. */
export const ENUMERATION_NAMES = Object.keys(TABLES) as [keyof typeof TABLES, ...(keyof typeof TABLES)[]]

/** The enumerations as the API serves them. */
export const ENUMERATIONS = Object.entries(TABLES).map(([name, table]) => ({
  name,
  values: Object.entries(table).map(([value, [name_el, name_en]]) => ({ value, name_el, name_en })),
}))
