/** Schemas of stores, languages and places. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/agency.ts'
import { outputs } from '../../fields/derive.ts'
import { int } from '../../fields/values.ts'
import { idFilter, textFilter } from '../../http/request/filters.ts'

export const store = z
  .object(outputs(catalogue.store))
  .meta({ id: 'Store', description: 'An office of the agency' })

const PUBLIC_STORE = ['id', 'name', 'phone', 'email', 'address', 'url']

/** The fields of a store that visitors see. */
export const publicStoreFields = Object.fromEntries(
  Object.entries(catalogue.store).filter(([name]) => PUBLIC_STORE.includes(name)),
)

export const publicStore = z
  .object(outputs(publicStoreFields))
  .meta({ id: 'PublicStore', description: 'An office of the agency, as visitors see it' })

export const language = z
  .object(outputs(catalogue.language))
  .meta({ id: 'Language', description: 'A language that listings have texts in' })

export const place = z
  .object(outputs(catalogue.place))
  .meta({ id: 'Place', description: 'A region, municipality, district or neighbourhood' })

export const placeFilters = z
  .object({
    level: int().min(1).max(3).nullish().describe('1 region, 2 municipality or district, 3 neighbourhood'),
    parent_id: idFilter().describe('The place directly above it'),
    search: textFilter().describe('Part of a Greek or English name; case and accents do not matter'),
  })
  .meta({ id: 'PlaceFilters', description: 'Filters of places; a place must meet all of them' })

export type PlaceFilters = z.output<typeof placeFilters>
