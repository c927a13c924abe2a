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
      z.object(outputs(catalogue.store)).meta({ id: 'Store', description: 'An office of the agency' }),
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
    .object(outputs(catalogue.user))
    .meta({ id: 'User', description: 'Somebody who works for the agency' }),
})

serveTable(agencyRoutes, '/api/languages', {
  summary: 'Languages',
  table: languages,
  entry: z
    .object(outputs(catalogue.language))
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
        .object(outputs(catalogue.place))
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
    .object(outputs(catalogue.specialLocation))
    .meta({ id: 'SpecialLocation', description: 'A point that buyers ask to live near' }),
})
