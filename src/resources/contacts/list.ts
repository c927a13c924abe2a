/** The list of contacts: its filters, their conditions, and its pages. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { within } from '../../db/conditions.ts'
import { pageReader } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
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

/** One page of the contacts that are not deleted, and their total; one round trip. */
export const findPage = pageReader<z.output<typeof contactFilters>, ContactRow>(
  contacts,
  {
    date_created: (range) => within(sql.raw('date_created'), range),
    date_updated: (range) => within(sql.raw('date_updated'), range),
    search: matchesSearch,
  },
  selectContacts,
  isNotDeleted,
)
