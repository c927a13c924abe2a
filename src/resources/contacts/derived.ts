/** The search text of contacts that other code has written. */
import { sql } from 'drizzle-orm'
import { jsonParts } from '../../db/bulk.ts'
import { runStatement } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import type { Derived } from '../../db/derived.ts'
import { select, textStatement } from '../../db/statements.ts'
import { contacts } from '../../db/tables/contacts.ts'
import form from './form.json' with { type: 'json' }
import { searchText } from './search.ts'

const { id, version, first_name, last_name, company_name, phones, emails } = contacts

/** Writes only the search text: nothing that clients see has changed. */
const STORE = `update contacts set search = made.value ->> 2 from json_each(?) made
  where contacts.id = made.value ->> 0 and version = made.value ->> 1 and search <> made.value ->> 2`

export const CONTACT_SEARCH: Derived = {
  name: 'contacts.search',
  form,
  resource: 'contacts',
  derive: async (db, ids) => {
    const fields = { id, version, first_name, last_name, company_name, phones, emails }
    const rows = await runStatement(db, select(fields, sql`from ${contacts} where ${isOneOf(id, ids)}`))
    const { parts } = jsonParts(rows.map((row) => [row.id, row.version, searchText(row)]))
    return parts.map((part) => textStatement(STORE, [part]))
  },
}
