/** `…/{id}/history`: the entries of the trail about one record. */
import { sql } from 'drizzle-orm'
import { oneOf, type ResourceName, resourceNamed } from '../../catalogue/resources.ts'
import { batch, database } from '../../db/client.ts'
import { boundsOf } from '../../db/page.ts'
import { sqlStatement } from '../../db/statements.ts'
import { trail } from '../../db/tables/trail.ts'
import { named } from '../../fields/values.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { notFound } from '../../http/errors.ts'
import { pageBody, replyWithPage } from '../../http/reply/envelope.ts'
import { pageFilters } from '../../http/request/filters.ts'
import { historyEntry, presentHistory, selectEntries } from './entries.ts'

const historyFilters = named('HistoryFilters', 'The page of the history of a record', pageFilters)

/** Adds the history of the records of a resource to `router`. */
export function serveHistory(router: Router, name: ResourceName): void {
  const facts = resourceNamed(name)
  const { one: resource, table } = facts
  router.get(
    `/api/${name}/{id}/history`,
    {
      summary: `Read the history of ${oneOf(facts)}`,
      description:
        'Who wrote it, when, and what changed, newest first; also of a record that is deleted. Prices, statuses and the ' +
        'like are shown with their values before and after, other fields by name alone. Names of keys and users are those ' +
        'of today.',
      resource,
      part: true,
      filters: historyFilters,
      list: true,
      reply: pageBody(historyEntry),
    },
    async (c, input) => {
      const id = input.id()
      const filters = input.filters().complete()
      const { limit, offset } = boundsOf(filters)
      // Calls about the record that did not write it have no list.
      const ofRecord = sql`where ${trail.resource} = ${name} and ${trail.record_id} = ${String(id)}
        and ${trail.others} is not null`
      const { rows, totals, known } = await batch(database(c.env), {
        rows: selectEntries(sql`${ofRecord} order by ${trail.id} desc limit ${limit} offset ${offset}`),
        totals: sqlStatement<{ total: number }>(sql`select count(*) as total from ${trail} ${ofRecord}`),
        known: sqlStatement(sql`select 1 from ${sql.identifier(table)} where id = ${id}`),
      })
      const total = totals[0]?.total ?? 0
      // An enquiry that was removed for good still has its history for a while.
      if (known.length === 0 && total === 0) throw notFound(resource)
      return replyWithPage(c, { ...filters, total }, await presentHistory(c.env, rows))
    },
  )
}
