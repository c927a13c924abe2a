/** The list of contacts: its filters, and its pages. Deleted contacts are not listed. */
import { isNotDeleted } from '../../db/references.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { contactSearch } from '../people/search.ts'
import { dateTimes, filteredList } from '../plain/filters.ts'
import { selectContacts } from './queries.ts'

export const { filters: contactFilters, findPage } = filteredList('contacts', contacts, {
  filters: {
    search: contactSearch(),
    date_created: dateTimes(contacts.date_created, 'When it was created'),
    date_updated: dateTimes(contacts.date_updated, 'When it last changed'),
  },
  sort: ['date_created', 'date_updated', 'date_converted_to_client'],
  select: selectContacts,
  always: isNotDeleted,
})
