/** Writes contacts: what their creation and update are made of (`plain/writes.ts`). */
import { type SQL, sql } from 'drizzle-orm'
import type { Results } from '../../db/client.ts'
import { addLinks, allOf, insertRow } from '../../db/rows.ts'
import type { SqlFragment, Statement } from '../../db/statements.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { enterCreation } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { staysDefined } from '../custom-fields/values.ts'
import { judgeOthers, selectOthers } from '../people/duplicates.ts'
import { keysOf } from '../people/keys.ts'
import type { Reading } from '../plain/writes.ts'
import { type ContactRow, LINKS, selectContact } from './queries.ts'
import { type ContactDefaults, readLookups, selectLookups } from './references.ts'
import { resolveContact } from './resolve.ts'
import { type ContactDraft, validateContact } from './rules.ts'
import type { ContactInput } from './schema.ts'

export const contactWrites = {
  resource: 'contacts' as const,
  table: contacts,
  links: LINKS,
  current: selectContact,
  lookups: (values: Partial<ContactInput>, { db, id, c }: Reading) => ({
    ...selectLookups(values, { db }),
    others: id === null ? selectOthers(c, keysSent(values)) : null,
  }),
  decide(
    draft: ContactDraft,
    {
      others,
      ...results
    }: Results<ReturnType<typeof selectLookups> & { others: Statement<{ id: number }> | null }>,
    current: ContactRow | null,
    { c }: Reading,
  ) {
    const lookups = readLookups(results)
    // At each attempt, as another call may have cleared the other names.
    validateContact(draft, lookups, current)
    const change = resolveContact(draft.complete(), lookups, current)
    const guard = staysDefined(lookups.customFields)
    if (current) return { change, guard }
    const judged = judgeOthers(c, keysSent(draft.values), others)
    return { change, guard: allOf(guard, judged.guard), headers: judged.headers }
  },
  // The creator never changes, so the key is not even validated.
  fixed: ['created_by' as const],
}

/** SQL for the JSON of the keys of a body. */
function keysSent({ emails, phones }: Partial<ContactInput>): SQL {
  const keys = keysOf({
    emails: emails?.map(({ email_address }) => email_address),
    phones: phones?.map(({ number }) => number),
  })
  return sql`${JSON.stringify(keys)}`
}

/** The statements that store a contact that needs no check but `guard`, for a batch that stores more. */
export function insertContact(input: ContactInput, defaults: ContactDefaults, guard: SqlFragment | null) {
  const { columns, ...lists } = resolveContact(input, defaults, null)
  const now = formatDateTime(new Date())
  return {
    row: insertRow(contacts, { ...columns, date_created: now, date_updated: now }, guard),
    links: addLinks(LINKS, contacts, lists),
    trail: enterCreation(contacts),
  }
}
