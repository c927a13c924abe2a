/**
 * Serves the agency's stores, users, languages, places and points of interest, which other resources refer to by id.
 */
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import * as catalogue from '../../catalogue/agency.ts'
import { database } from '../../db/client.ts'
import { type Conditions, whereClause } from '../../db/conditions.ts'
import { foldText } from '../../db/fold.ts'
import { languages, locations, special_locations, stores, users } from '../../db/tables/agency.ts'
import { outputs, present } from '../../fields/derive.ts'
import { int } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import { lookupBody, replyWithLookup } from '../../http/reply/envelope.ts'
import { idFilter, textFilter } from '../../http/request/filters.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { serveTable } from './names.ts'

export const agencyRoutes = new Router(
  'Agency',
  'Stores, users, languages, places and points of interest, which other resources refer to by id. Read-only: they are ' +
    'imported. Places form a tree of three levels: regions, municipalities or districts, and neighbourhoods.',
)

agencyRoutes.get(
  '/api/stores',
  {
    summary: 'Stores',
    reply: lookupBody(
<<<<<<< HEAD
      z.object(outputs(catalogue.store)).meta({ id: 'Store', description: 'An office of the agency' }),
=======
      z
        .object({
          id: z.int().describe('Id that `store_id` refers to'),
          name: z.string().describe('Its name'),
          watermark_url: z
            .string()
            .nullable()
            .describe('Watermark that is laid over its photos; null if it has none'),
        })
        .meta({ id: 'Store', description: 'An office of the agency' }),
>>>>>>> s17-j2
    ),
  },
  async (c) => {
    const rows = await database(c.env).select().from(stores).orderBy(stores.id)
    const url = publicUrlBuilder(c)
    return replyWithLookup(
      c,
      rows.map((row) => ({
        ...present(catalogue.store, row),
        watermark_url: row.watermark && url(row.watermark),
      })),
    )
  },
)

serveTable(agencyRoutes, '/api/users', {
  summary: 'Users',
  table: users,
  entry: z
<<<<<<< HEAD
    .object(outputs(catalogue.user))
    .meta({ id: 'User', description: 'Somebody who works for the agency' }),
=======
    .object({
      id: z.int().describe('Id that `users`, `created_by` and `partner_id` refer to'),
      name: z.string().describe('Full name'),
      email: z.string().nullable().describe('E-mail address'),
      store_id: z.int().nullable().describe('Store'),
    })
    .meta({ id: 'User', description: 'An employee of the agency' }),
>>>>>>> s17-j2
})

serveTable(agencyRoutes, '/api/languages', {
  summary: 'Languages',
  table: languages,
  entry: z
<<<<<<< HEAD
    .object(outputs(catalogue.language))
=======
    .object({
      id: z.int().describe('Id that `language_id` refers to'),
      code: z.string().describe('Its code: `el`, `en`'),
      name: z.string().describe('Its name'),
    })
>>>>>>> s17-j2
    .meta({ id: 'Language', description: 'A language that listings have texts in' }),
})

const placeFilters = z
  .object({
    level: int().min(1).max(3).nullish().describe('1 region, 2 municipality or district, 3 neighbourhood'),
    parent_id: idFilter().describe('The place directly above it'),
    search: textFilter().describe('Part of a Greek or English name; case and accents do not matter'),
  })
  .meta({ id: 'PlaceFilters', description: 'Filters of places; a place must meet all of them' })

const PLACE_CONDITIONS = {
  level: (level) => eq(locations.level, level),
  parent_id: (id) => eq(locations.parent_id, id),
  // `instr` accepts text of any length, and `%` and `_` literally. LIKE on D1 does not.
  search: (search) => sql`instr(${locations.search}, ${foldText(search)}) > 0`,
} satisfies Conditions<z.output<typeof placeFilters>>

agencyRoutes.get(
  '/api/locations',
  {
    summary: 'Places',
    description:
      'Regions (level 1), municipalities or districts (2), and neighbourhoods (3). All in one reply, without pages. ' +
      'Filters work as for any list.',
    filters: placeFilters,
    list: true,
    reply: lookupBody(
      z
<<<<<<< HEAD
        .object(outputs(catalogue.place))
=======
        .object({
          id: z.int().describe('Id that `area_level1` to `area_level3` and `locations` refer to'),
          level: z.int().describe('1 region, 2 municipality or district, 3 neighbourhood'),
          parent_id: z.int().nullable().describe('The place directly above it; null for a region'),
          name_el: z.string().describe('Name in Greek'),
          name_en: z.string().describe('Name in English'),
          full_name_el: z.string().describe('Name in Greek with the places that contain it'),
          full_name_en: z.string().describe('Name in English with the places that contain it'),
        })
>>>>>>> s17-j2
        .meta({ id: 'Place', description: 'A region, municipality, district or neighbourhood' }),
    ),
  },
  async (c, input) => {
    const filters = input.filters().complete()
    const rows = await database(c.env)
      .select()
      .from(locations)
      .where(whereClause(PLACE_CONDITIONS, filters))
      .orderBy(locations.id)
    return replyWithLookup(
      c,
      rows.map((row) => present(catalogue.place, row)),
    )
  },
)

serveTable(agencyRoutes, '/api/special-locations', {
  summary: 'Points of interest',
  table: special_locations,
  entry: z
<<<<<<< HEAD
    .object(outputs(catalogue.specialLocation))
    .meta({ id: 'SpecialLocation', description: 'A point that buyers ask to live near' }),
=======
    .object({
      id: z.int().describe('Id that `special_locations` of a request refers to'),
      name: z.string().describe('Its name'),
      latitude: z.number().describe('Degrees'),
      longitude: z.number().describe('Degrees'),
    })
    .meta({ id: 'SpecialLocation', description: 'A point that buyers may want to be near' }),
>>>>>>> s17-j2
})
