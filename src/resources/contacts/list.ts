/** The list of contacts: its filters, their conditions, and its pages. */
import { and, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { type Conditions, whereClause, within } from '../../db/conditions.ts'
import { type Page, pageWhere, readPage } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { preparedAround } from '../../db/statements.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { dateTimeRange, listFilters, textFilter } from '../../http/request/filters.ts'
import { type ContactRow, selectContacts } from './queries.ts'
import { matchesSearch } from './search.ts'

export const contactFilters = z
  .object({
    search: textFilter().describe(
      'Part of a name, company, phone number or e-mail; case and accents do not matter',
    ),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe('When it last changed'),
    ...listFilters('date_created', 'date_updated', 'date_converted_to_client'),
  })
  .meta({ id: 'ContactFilters', description: 'Filters of contacts; a contact must meet all of them' })

const selectPage = preparedAround(selectContacts)

type Filters = z.output<typeof contactFilters>

const CONDITIONS = {
  date_created: (range) => within(sql.raw('date_created'), range),
  date_updated: (range) => within(sql.raw('date_updated'), range),
  search: matchesSearch,
} satisfies Conditions<Filters>

/** One page of the contacts that are not deleted, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ContactRow>> {
  const where = and(isNotDeleted, whereClause(CONDITIONS, filters))
  return readPage(db, contacts, pageWhere(contacts, where, filters), selectPage)
}
