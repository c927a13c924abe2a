/** What visitors of a website read of the agency: its stores, languages and places. */
import { sql } from 'drizzle-orm'
import { PUBLIC_LISTINGS } from '../../catalogue/scopes.ts'
import { database, runStatement } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { select, selectRows } from '../../db/statements.ts'
import { languages, locations, stores } from '../../db/tables/agency.ts'
import { present } from '../../fields/derive.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { lookupBody } from '../../http/reply/envelope.ts'
import type { Rights } from '../../http/reply/visitor-cache.ts'
import {
  language,
  type PlaceFilters,
  place,
  placeFilters,
  publicStore,
  publicStoreFields,
  wherePlace,
} from './schema.ts'

/** Reads what visitors may see. Columns are named one by one, so that a new column is not public by itself. */
const openAgency = (env: Pick<Env, 'DB'>, access: Rights) => {
  const db = database(env)
  return {
    stores: async () => {
      const where = access.stores ? sql`where ${isOneOf(stores.id, access.stores)}` : sql``
      const rows = await runStatement(db, selectRows(stores, sql`${where} order by id`))
      return rows.map((row) => present(publicStoreFields, row))
    },
    languages: () => {
      const { id, code, name } = languages
      return runStatement(db, select({ id, code, name }, sql`from ${languages} order by id`))
    },
    places: (filters: PlaceFilters) => {
      const { id, level, parent_id, name_el, name_en, full_name_el, full_name_en } = locations
      const fields = { id, level, parent_id, name_el, name_en, full_name_el, full_name_en }
      return runStatement(db, select(fields, sql`from ${locations} ${wherePlace(filters)} order by id`))
    },
  }
}

/** Adds the endpoints for visitors. */
export function serveAgencyToVisitors(router: Router): void {
  const visitors = router.forVisitors([PUBLIC_LISTINGS], openAgency)
  visitors.get('/api/stores', { reply: lookupBody(publicStore) }, ({ readers }) => readers.stores())
  visitors.get('/api/languages', { reply: lookupBody(language) }, ({ readers }) => readers.languages())
  visitors.get('/api/locations', { filters: placeFilters, reply: lookupBody(place) }, (visit) =>
    visit.readers.places(visit.filters().complete()),
  )
}
