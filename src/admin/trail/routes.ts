/** `/admin/trail`: who wrote what, who administered what, and which calls were refused. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '../../db/client.ts'
import { type Conditions, whereClause, within } from '../../db/conditions.ts'
import { NEWEST_FIRST, orderedPage, readPage } from '../../db/page.ts'
import { trail } from '../../db/tables/trail.ts'
import { filledText, id, named } from '../../fields/values.ts'
import { personIdOf } from '../../http/caller/auth.ts'
import { Router } from '../../http/endpoint/router.ts'
import { pageBody } from '../../http/reply/envelope.ts'
import { dateTimeRange, idFilter, pageFilters } from '../../http/request/filters.ts'
import { presentEntries, selectEntries, trailEntry } from '../../resources/history/entries.ts'
import { ADMINISTRATION } from '../tag.ts'

const trailFilters = named('TrailFilters', 'Filters of the trail; an entry must meet all of them', {
  actor: filledText()
    .nullish()
    .describe('Id of a key or person, the e-mail address of a person, `token` or `cron`'),
  resource: filledText().nullish().describe('Such as `listings`, `external-listings`, `keys`, `export`'),
  record_id: z
    .union([filledText(), id().transform(String)])
    .nullish()
    .describe('Id of the record, with `resource`'),
  route: filledText().nullish().describe('The path as the documentation has it: `/api/listings/{id}`'),
  status: idFilter().describe('HTTP status; 0: calls that have not ended'),
  date: dateTimeRange().describe('When it happened'),
  ...pageFilters,
})

const ACTORS_WITHOUT_ID = ['token', 'cron'] as const

/** The index on resource and record serves those two; all else is read newest first, by the id. */
const CONDITIONS = {
  actor: (actor) => {
    const [type] = ACTORS_WITHOUT_ID.filter((known) => known === actor)
    if (type) return eq(trail.actor_type, type)
    return eq(trail.actor_id, actor.includes('@') ? personIdOf(actor) : actor)
  },
  resource: (resource) => eq(trail.resource, resource),
  record_id: (record) => eq(trail.record_id, record),
  route: (route) => eq(trail.route, route),
  status: (status) => eq(trail.status, status),
  date: (range) => within(trail.date, range),
} satisfies Conditions<z.output<typeof trailFilters>>

export const trailRoutes = new Router(...ADMINISTRATION)

trailRoutes.get(
  '/admin/trail',
  {
    summary: 'Read the trail',
    scope: 'admin:trail',
    operationId: 'readTrail',
    description:
      'Every write of a record, every call that administers or reads in bulk, and refused calls, newest first. Who called ' +
      'is stored by id; names are those of today.',
    filters: trailFilters,
    list: true,
    reply: pageBody(trailEntry),
  },
  async (c, input) => {
    const filters = input.filters().complete()
    const page = orderedPage(trail, whereClause(CONDITIONS, filters), filters, NEWEST_FIRST)
    const { rows, total } = await readPage(database(c.env), trail, page, selectEntries)
    return { ...filters, total, rows: await presentEntries(c.env, rows) }
  },
)
