/** `/api/contacts`: list, read, create, update, delete, and the lookups of contacts. */
import { isNotDeleted } from '../../db/references.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { Router } from '../../http/endpoint/router.ts'
import { serveCustomFields } from '../custom-fields/definitions.ts'
import { serveLookups } from '../lookups/names.ts'
import { DUPLICATES, serveDuplicates } from '../people/duplicates.ts'
import { contactSearch } from '../people/search.ts'
import { dateTimes, filteredList } from '../plain/filters.ts'
import { serveDeletion, serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { serveTimeline } from '../timelines/serve.ts'
import { serveMerges } from './merge/serve.ts'
import { contact, presentContact } from './present.ts'
import { selectContact, selectContacts } from './queries.ts'
import * as schema from './schema.ts'
import { contactWrites } from './write.ts'

const { filters: contactFilters, findPage } = filteredList('contacts', contacts, {
  filters: {
    search: contactSearch(),
    date_created: dateTimes(contacts.date_created, 'When it was created'),
    date_updated: dateTimes(contacts.date_updated, 'When it last changed'),
  },
  sort: ['date_created', 'date_updated', 'date_converted_to_client'],
  select: selectContacts,
  always: isNotDeleted,
})

export const contactRoutes = new Router(
  'Contacts',
  'The people and companies that the agency deals with: owners of listings, buyers, tenants, notaries. Custom fields ' +
    'are defined by the agency; `custom-fields` lists them with their types. A deleted contact is hidden. New records ' +
    'cannot refer to it, while existing ones keep its id.',
)

serveRecords(contactRoutes, {
  resource: 'contacts',
  list: {
    description: 'Newest first unless `sort` is set. Deleted contacts are not listed.',
    filters: contactFilters,
    record: contact,
  },
  read: { record: contact },
  findPage,
  select: selectContact,
  present: presentContact,
})

serveTimeline(contactRoutes, 'contacts')
serveDuplicates(contactRoutes)
serveWrites(contactRoutes, {
  ...contactWrites,
  create: {
    description:
      'At least one of first_name, last_name and company_name is required. The value of a custom field must have the ' +
      'type in the custom-fields lookup.',
    body: schema.contactInput,
    ...DUPLICATES,
  },
  update: {
    description:
      'Only the keys sent change. Null clears a key; lists are replaced completely; address and custom_fields are merged key by key.',
    body: schema.contactUpdate,
  },
})

serveDeletion(contactRoutes, {
  resource: 'contacts',
  table: contacts,
  description: 'The contact is hidden; listings, offers and contracts keep its id.',
})

serveMerges(contactRoutes)

serveLookups(contactRoutes, 'contacts')
serveCustomFields(contactRoutes, 'contacts', 'Custom fields of contacts')
