/** Import and export of contacts: the contact object, whether it was deleted, and what it was merged into. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { address, contact, people, record } from '../../../catalogue/contact.ts'
import { batch } from '../../../db/client.ts'
import { valuesOf } from '../../../db/conditions.ts'
import { withTargets } from '../../../db/merged-contacts.ts'
import { sqlStatement } from '../../../db/statements.ts'
import * as tables from '../../../db/tables/contacts.ts'
import { inputs, toRow } from '../../../fields/derive.ts'
import { id, isDate, isDateTime } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import { presentContact } from '../../../resources/contacts/present.ts'
import { type ContactRow, LINKS, selectContacts } from '../../../resources/contacts/queries.ts'
import {
  type ContactLookups,
  readLookups,
  referencesOf,
  selectFacts,
} from '../../../resources/contacts/references.ts'
import { resolveContact } from '../../../resources/contacts/resolve.ts'
import { checkCreator, checkCustomFields, checkNames } from '../../../resources/contacts/rules.ts'
import { contactInput } from '../../../resources/contacts/schema.ts'
import { unknownContacts } from '../../../resources/custom-fields/values.ts'
import { datesOf, defaultOf, defineEntity, isRestrictedCaller, rowsOf } from '../entity.ts'

const { created_by, ...dates } = inputs(record)

/** The fields of an imported contact: the create body and what the service adds. */
const importedContact = contactInput.partial().extend({
  ...dates,
  date_converted_to_client: z
    .string()
    .refine((value) => isDate(value) || isDateTime(value), 'must be a date, YYYY-MM-DD, or a date-time')
    .nullish()
    .describe('When a lead became a client'),
  is_deleted: z.boolean().nullish().describe('Whether it was deleted'),
  is_erased: z.boolean().nullish().describe('Whether the person was erased: the line is blank'),
  merged_into: id()
    .nullish()
    .describe('The contact that it was merged into: its own line may be above or below'),
})

type Imported = z.output<typeof importedContact>

/** What the rules need of all lines. */
interface Context extends ContactLookups {
  isRestricted: boolean
  /** The stored contacts that lines say they were merged into, and what those were merged into. */
  targets: Map<number, number | null>
}

export const contacts = defineEntity<typeof importedContact, ContactRow, Context>({
  ...rowsOf(tables.contacts, importedContact, selectContacts, LINKS),
  groups: ['address', 'custom_fields'],
  mergesChanges: true,
  present: (row) => ({
    ...presentContact(row, null, true),
    ...(row.is_deleted ? { is_deleted: true } : {}),
    ...(row.is_erased ? { is_erased: true } : {}),
    ...(row.merged_into === null ? {} : { merged_into: row.merged_into }),
  }),
  references: referencesOf,
  refuses: ({ data, mode }, { merged_into, date_updated }, db) => {
    if (merged_into === null || data.merged_into === merged_into) return null
    // An export has a newer line if the merge was undone while it was written.
    const isNewer = mode === 'replace' && String(data.date_updated ?? '') > date_updated
    return isNewer && !isRestrictedCaller(db) ? null : `merged into ${merged_into}`
  },
  dependences: ({ created_by, source_id, merged_into }) => ({
    reads: [
      ...(merged_into == null ? [] : [`contacts ${merged_into}`]),
      ...(created_by == null ? defaultOf('default_user_id', 'users') : []),
      ...(source_id === undefined ? defaultOf('default_contact_source_id') : []),
    ],
  }),
  load: async (db, lines) => {
    const inputs = lines.map(({ values }) => values)
    const named = valuesOf(inputs.flatMap(({ merged_into }) => merged_into ?? []))
    const { targets, ...found } = await batch(db, {
      ...selectFacts(db, inputs, 'any'),
      targets: sqlStatement<Merged>(
        sql`select id, merged_into from contacts where id in (${withTargets(named)})`,
      ),
    })
    return {
      ...readLookups(found),
      isRestricted: isRestrictedCaller(db),
      targets: mergesOf(targets),
    }
  },
  check: (draft, found, { stored, current }, earlier) => {
    if (!(draft.values.is_erased ?? stored?.is_erased)) checkNames(draft, current)
    // It would erase what links to the contact, without the scope for that.
    if (draft.values.is_erased && stored && !stored.is_erased && found.isRestricted)
      draft.refuse('is_erased', 'Only ADMIN_TOKEN may import a stored contact as erased: erase the person')
    const { merged_into } = draft.values
    // Erasing its target would erase it, too.
    if (merged_into != null && stored && stored.merged_into !== merged_into && found.isRestricted)
      draft.refuse('merged_into', 'Only ADMIN_TOKEN may import a stored contact as merged: merge it')
    checkTarget(draft, new Map([...found.targets, ...mergesOf(earlier)]))
    checkCreator(draft, found)
    // Contacts may refer to each other in a circle, so a line may come before the contact that it names.
    checkCustomFields(draft, found, current, 'awaited')
  },
  pendingReferences: ({ custom_fields, merged_into }, { customFields, targets }) => [
    ...unknownContacts('custom_fields', custom_fields ?? {}, customFields),
    ...(merged_into == null || targets.has(merged_into) ? [] : [{ field: 'merged_into', id: merged_into }]),
  ],
  // Source, creator and creation date keep their stored values, in replace mode too, unless the line has others.
  resolve: (values, found, { stored, current }, now) => {
    const { columns, tags, users } = resolveContact(values, found, current)
    const { source_id, date_converted_to_client, is_deleted } = values
    const source = stored ? stored.source_id : found.default_source_id
    const before = { ...EMPTY_ROW, ...current }
    const target = values.merged_into ?? before.merged_into
    return {
      ...before,
      ...(columns as Partial<ContactRow>),
      id: values.id,
      tags: tags ?? before.tags,
      users: users ?? before.users,
      source_id: source_id === undefined ? source : source_id,
      created_by: values.created_by ?? stored?.created_by ?? found.default_user_id ?? 0,
      ...datesOf(values, stored, now),
      ...(date_converted_to_client === undefined ? {} : { date_converted_to_client }),
      is_deleted: target !== null || (is_deleted ?? before.is_deleted),
      is_erased: values.is_erased ?? before.is_erased,
      merged_into: target,
    }
  },
  usesDefinitions: true,
})

type Merged = Pick<Imported, 'id' | 'merged_into'>

const mergesOf = (contacts: Merged[]) =>
  new Map(contacts.map(({ id, merged_into }) => [id, merged_into ?? null] as const))

/** Refuses a target that was merged into the contact itself, or is it. */
function checkTarget(draft: Draft<Imported>, targets: Context['targets']): void {
  const { id, merged_into } = draft.values
  for (let at = merged_into, left = targets.size; at != null && left >= 0; at = targets.get(at), left--)
    if (at === id) draft.refuse('merged_into', `Invalid merged_into: ${merged_into} is merged into ${id}`)
}

const EMPTY_ROW = {
  version: 1,
  ...toRow(contact, {}),
  ...toRow(address, {}),
  ...toRow(people, {}),
  custom_fields: {},
  search: '',
  person_keys: '{}',
  tags: [],
  users: [],
  date_converted_to_client: null,
  is_deleted: false,
  is_erased: false,
  merged_into: null,
}
