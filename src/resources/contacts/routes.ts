/** `/api/contacts`: list, read, create, update, delete, and the lookups of contacts. */
import { database } from '../../db/client.ts'
import { readRecord } from '../../db/merge.ts'
import { contact_sources, contact_tags } from '../../db/tables/lookups.ts'
import {
  created,
  createdBody,
  deletedBody,
  item,
  itemBody,
  list,
  listBody,
  lookup,
  lookupBody,
  updated,
  updatedBody,
} from '../../http/envelope.ts'
import { readOptions } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import { customField, findCustomFields } from '../custom-fields/definitions.ts'
import { findNames, named } from '../lookups/names.ts'
import { contact, presentContact } from './present.ts'
import { findPage, selectContact } from './queries.ts'
import * as schema from './schema.ts'
import { createContact, deleteContact, updateContact } from './write.ts'

export const contactRoutes = new Router(
  'Contacts',
  'The people and companies that the agency deals with: owners of listings, buyers, tenants, notaries. Custom fields ' +
    'hold what the agency itself defined; `custom-fields` tells their types. A deleted contact is hidden: it counts ' +
    'as unknown in new records, while those that name it already keep its id.',
)

contactRoutes.get(
  '/api/contacts',
  {
    summary: 'List contacts',
    description: 'Newest first. Deleted contacts are not listed.',
    filters: schema.contactFilters,
    list: true,
    reply: listBody(contact),
  },
  async (c, input) => {
    const filters = await input.filters()
    const { rows, total } = await findPage(database(c.env), filters)
    return list(c, { page: filters.page ?? 1, total }, rows.map(presentContact))
  },
)

contactRoutes.get(
  '/api/contacts/{id}',
  { summary: 'Read a contact', resource: 'Contact', filters: readOptions, reply: itemBody(contact) },
  async (c, input) => {
    const db = database(c.env)
    const record = input.record()
    const row = await readRecord(db, record, selectContact({ id: record.id }))
    await input.filters()
    return item(c, presentContact(row))
  },
)

contactRoutes.post(
  '/api/contacts',
  {
    summary: 'Create a contact',
    description:
      'At least one of first_name, last_name and company_name is required. A value of a custom field must be of the ' +
      'type that the custom-fields lookup tells.',
    body: schema.contactInput,
    reply: createdBody,
  },
  async (c, input) => {
    const id = await createContact(database(c.env), await input.body(), input.call)
    return c.json(created(id))
  },
)

contactRoutes.put(
  '/api/contacts/{id}',
  {
    summary: 'Update a contact',
    description:
      'Only the keys sent change. Null clears; lists are replaced whole; address and custom_fields are merged key by key.',
    resource: 'Contact',
    body: schema.contactUpdate,
    reply: updatedBody,
  },
  async (c, input) => {
    const draft = await input.body()
    const record = input.record()
    await updateContact(database(c.env), record, draft)
    return c.json(updated(record.id))
  },
)

contactRoutes.delete(
  '/api/contacts/{id}',
  {
    summary: 'Delete a contact',
    description: 'The contact is hidden; listings, offers and contracts keep its id.',
    resource: 'Contact',
    reply: deletedBody,
  },
  async (c, input) => {
    const record = input.record()
    await deleteContact(database(c.env), record)
    return c.json({ status: 200, deleted_id: record.id })
  },
)

contactRoutes.get(
  '/api/contacts/sources',
  { summary: 'Contact sources', reply: lookupBody(named) },
  async (c) => lookup(c, await findNames(c.env, contact_sources)),
)

contactRoutes.get('/api/contacts/tags', { summary: 'Contact tags', reply: lookupBody(named) }, async (c) =>
  lookup(c, await findNames(c.env, contact_tags)),
)

contactRoutes.get(
  '/api/contacts/custom-fields',
  { summary: 'Custom fields of contacts', reply: lookupBody(customField) },
  async (c) => lookup(c, await findCustomFields(c.env, 'contacts')),
)
