/** Import and export of contacts: the contact object, and whether it was deleted. */
import { asc, gt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import * as tables from '../../db/tables/contacts.ts'
import { formatDateTime } from '../../fields/values.ts'
import { type ContactRow, selectContacts } from '../../resources/contacts/queries.ts'
import {
  checkCreator,
  checkCustomFields,
  checkNames,
  type Found,
  readFound,
  referencesOf,
  resolveContact,
  selectFound,
} from '../../resources/contacts/rules.ts'
import { importedContact, presentContact } from '../../resources/contacts/schema.ts'
import { type Entity, entity } from '../entity.ts'

type Imported = z.output<typeof importedContact>

interface Context {
  found: Found
  stored: Map<number, ContactRow>
}

const contacts = entity<typeof importedContact, Context>({
  name: 'contacts',
  schema: importedContact,
  references: referencesOf,
  load: async (db, values) => {
    const ids = values.map(({ id }) => id ?? 0)
    const [rows, ...answers] = await batch(db, [
      selectContacts(db).where(sql`contacts.id in (select value from json_each(${JSON.stringify(ids)}))`),
      ...selectFound(db, values, []),
    ])
    return { found: readFound(...answers), stored: new Map(rows.map((row) => [row.id, row])) }
  },
  check: (draft, { found, stored }) => {
    checkNames(draft, null)
    checkCreator(draft, found, stored.get(draft.values.id ?? 0) ?? null)
    // Contacts may name each other in a circle, so no order of lines has each named contact first.
    checkCustomFields(draft, found, 'unchecked')
  },
  store: (db, lines, { found, stored }) => storeContacts(db, lines, found, stored),
  page: async (db, after, limit) => {
    const rows = await selectContacts(db)
      .where(gt(tables.contacts.id, after))
      .orderBy(asc(tables.contacts.id))
      .limit(limit)
    return rows.map((row) => ({ ...presentContact(row), ...(row.is_deleted ? { is_deleted: true } : {}) }))
  },
})

export const contactEntities: Entity[] = [contacts]

function storeContacts(db: Database, lines: Imported[], found: Found, stored: Map<number, ContactRow>) {
  return [
    upsertRows(
      db,
      tables.contacts,
      lines.map((line) => columnsOf(line, found, stored.get(line.id))),
    ),
    ...replaceLinkRows(db, tables.contact_tag_links, ['contact_id', 'tag_id'], lines, (line) => line.tags),
    ...replaceLinkRows(db, tables.contact_users, ['contact_id', 'user_id'], lines, (line) => line.users),
  ]
}

/**
 * Every column of a contact's row, in one order for all lines. Of what a line leaves open, the source, the creator
 * and the dates keep their stored values, so that the same file twice changes nothing.
 */
function columnsOf(line: Imported, found: Found, stored: ContactRow | undefined) {
  const created = line.date_created ?? stored?.date_created ?? formatDateTime(new Date())
  const source = stored ? stored.source_id : found.default_source_id
  const { columns } = resolveContact(line, found, null)
  return {
    ...EMPTY_ROW,
    ...columns,
    id: line.id,
    version: (stored?.version ?? 0) + 1,
    source_id: line.source_id === undefined ? source : line.source_id,
    created_by: line.created_by ?? stored?.created_by ?? found.default_user_id ?? 0,
    date_created: created,
    date_updated: line.date_updated ?? stored?.date_updated ?? created,
    date_converted_to_client: line.date_converted_to_client ?? null,
    is_deleted: line.is_deleted ?? false,
  }
}

const EMPTY_ROW = {
  first_name: '',
  last_name: '',
  is_lead: false,
  is_company: false,
  company_name: null,
  phones: [],
  emails: [],
  notes: '',
  address_area: null,
  address_street: null,
  address_postal_code: null,
  custom_fields: {},
  contact_details: [],
}
