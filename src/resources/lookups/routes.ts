/**
 * Serves the agency's stores, users, languages, places and points of interest, which other resources refer to by id.
 */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import * as catalogue from '../../catalogue/agency.ts'
import { ENUMERATION_NAMES, ENUMERATIONS } from '../../catalogue/enumerations.ts'
import { EXTRA_SCOPES, WEBSITE_SCOPES } from '../../catalogue/scopes.ts'
import { database, runStatement } from '../../db/client.ts'
import { readRecord } from '../../db/merge.ts'
import { selectRows } from '../../db/statements.ts'
import { languages, locations, special_locations, stores, users } from '../../db/tables/agency.ts'
import { outputs, present } from '../../fields/derive.ts'
import { named } from '../../fields/values.ts'
import type { App } from '../../http/context.ts'
import { Router } from '../../http/endpoint/router.ts'
import { lookupBody, recordBody } from '../../http/reply/envelope.ts'
import { readOptions } from '../../http/request/filters.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { serveTable } from './names.ts'
import { language, place, placeFilters, store, wherePlace } from './schema.ts'
import { serveAgencyToVisitors } from './visitors.ts'

const PATH = '/api/enumerations'

const enumeration = named('Enumeration', 'A closed set of values with their names', {
  name: z.enum(ENUMERATION_NAMES).describe('That of the field, with its resource where several have one'),
  values: z
    .array(
      named('NamedValue', 'A value of an enumeration, and what people call it', {
        value: z.string().describe('As in bodies, filters and replies'),
        name_el: z.string().describe('In Greek'),
        name_en: z.string().describe('In English'),
      }),
    )
    .describe('In the order in which a form offers them'),
})

/** Adds the endpoint, which every key may call. */
function serveEnumerations(router: Router): void {
  const reply = lookupBody(enumeration)
  router.get(
    PATH,
    {
      summary: 'Names of values',
      description:
        'Every enumeration of the API with the names of its values. Any key may call it. `subcategory` has those of all ' +
        'categories, in the order of the categories. Features, positioning, view and flooring are in ' +
        '`/api/listings/features`. What the agency defines itself has lookups: sources, tags, statuses of requests.',
      scope: null,
      reply,
    },
    () => ENUMERATIONS,
  )
  const [first, ...others] = [...WEBSITE_SCOPES, ...EXTRA_SCOPES]
  if (first === undefined) throw new Error('Website keys have no scope')
  router.forVisitors([first, ...others], () => null).get(PATH, { reply }, () => ENUMERATIONS)
}

export const agencyRoutes = new Router(
  'Agency',
  'Stores, users, languages, places and points of interest, which other resources refer to by id. Read-only: they are ' +
    'imported. Places form a tree of three levels: regions, municipalities or districts, and neighbourhoods.',
)

agencyRoutes.get(
  '/api/stores',
  {
    summary: 'Stores',
    reply: lookupBody(store),
  },
  async (c) => {
    const rows = await runStatement(database(c.env), selectRows(stores, sql`order by id`))
    return rows.map((row) => presentStore(c, row))
  },
)

agencyRoutes.get(
  '/api/stores/{id}',
  { summary: 'Read a store', resource: 'Store', filters: readOptions, reply: recordBody(store) },
  async (c, input) => {
    const record = input.record()
    input.filters().complete()
    const row = await readRecord(database(c.env), record, selectRows(stores, sql`where id = ${record.id}`))
    return presentStore(c, row)
  },
)

const user = named('User', 'Somebody who works for the agency', outputs(catalogue.user))

agencyRoutes.get(
  '/api/users',
  { summary: 'Users', filters: readOptions, reply: lookupBody(user) },
  async (c, input) => {
    const { fields } = input.filters().complete()
    const rows = await runStatement(database(c.env), selectRows(users, sql`order by id`))
    return rows.map((row) => present(catalogue.user, row, fields === 'all'))
  },
)

agencyRoutes.get(
  '/api/users/{id}',
  { summary: 'Read a user', resource: 'User', filters: readOptions, reply: recordBody(user) },
  async (c, input) => {
    const record = input.record()
    const { fields } = input.filters().complete()
    const row = await readRecord(database(c.env), record, selectRows(users, sql`where id = ${record.id}`))
    return present(catalogue.user, row, fields === 'all')
  },
)

serveTable(agencyRoutes, '/api/languages', {
  summary: 'Languages',
  table: languages,
  entry: language,
})

agencyRoutes.get(
  '/api/locations',
  {
    summary: 'Places',
    description:
      'Regions (level 1), municipalities or districts (2), and neighbourhoods (3). All in one reply, without pages. ' +
      'Filters work as for any list.',
    filters: placeFilters,
    list: true,
    reply: lookupBody(place),
  },
  async (c, input) => {
    const filters = input.filters().complete()
    const where = wherePlace(filters)
    const rows = await runStatement(database(c.env), selectRows(locations, sql`${where} order by id`))
    return rows.map((row) => present(catalogue.place, row))
  },
)

serveTable(agencyRoutes, '/api/special-locations', {
  summary: 'Points of interest',
  table: special_locations,
  entry: named('SpecialLocation', 'A point that buyers ask to live near', outputs(catalogue.specialLocation)),
})

function presentStore(c: Context<App>, row: typeof stores.$inferSelect) {
  const watermark_url = row.watermark && publicUrlBuilder(c)(row.watermark)
  return { ...present(catalogue.store, row), watermark_url }
}

serveEnumerations(agencyRoutes)
serveAgencyToVisitors(agencyRoutes)
