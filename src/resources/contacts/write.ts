/** Writes contacts: what their creation and update are made of (`plain/writes.ts`). */
import type { Results } from '../../db/client.ts'
import { addLinks, insertRow } from '../../db/rows.ts'
import { contact_tag_links, contact_users, contacts } from '../../db/tables/contacts.ts'
import { enterCreation } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { staysDefined } from '../custom-fields/values.ts'
import { type ContactRow, selectContact } from './queries.ts'
import { type ContactDefaults, readLookups, selectLookups } from './references.ts'
import { resolveContact } from './resolve.ts'
import { type ContactDraft, validateContact } from './rules.ts'
import type { ContactInput } from './schema.ts'

const LINKS = {
  tags: contact_tag_links,
  users: contact_users,
}

/** How contacts are created and updated. */
export const contactWrites = {
  resource: 'contacts' as const,
  table: contacts,
  links: LINKS,
  current: selectContact,
  lookups: selectLookups,
  decide(
    draft: ContactDraft,
    results: Results<ReturnType<typeof selectLookups>>,
    current: ContactRow | null,
  ) {
    const lookups = readLookups(results)
    // At each attempt, as another call may have cleared the other names.
    validateContact(draft, lookups, current)
    return {
      change: resolveContact(draft.complete(), lookups, current),
      guard: staysDefined(lookups.customFields),
    }
  },
  // The creator never changes, so the key is not even validated.
  fixed: ['created_by' as const],
}

/** The statements that store a contact that needs no check, for a batch that stores more. */
export function insertContact(input: ContactInput, defaults: ContactDefaults) {
  const { columns, ...lists } = resolveContact(input, defaults, null)
  const now = formatDateTime(new Date())
  return {
    row: insertRow(contacts, { ...columns, date_created: now, date_updated: now }),
    links: addLinks(LINKS, contacts, lists),
    trail: enterCreation(contacts),
  }
}
