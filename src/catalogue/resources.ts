/**
 * The resources whose records can be read one by one: an entry each, from which everything follows that goes over all of
 * them. The change feed and its triggers, scopes, what the trail keeps, what is reported of a person, figures, and tables of
 * the documentation are derived from it. The fields of the records are in `record-fields.ts`, as the console has no use for them.
 */

type Write = 'create' | 'update' | 'delete'

interface Declared {
  /** Its path after `/api/`. */
  resource: string
  /** What one and several are called in Greek. */
  greek: readonly [one: string, many: string]
  /** The writes that it has, under `/api/` or where `door` says. */
  writes: readonly Write[]
  /** The first part of the path of its writes, if that is not `/api/`, which then only reads it. */
  door?: 'office'
  /** The column that every update of a record sets. Absent if any update of the row counts as a change. */
  sets?: 'version' | 'date_updated'
  /** SQL for when a row counts as deleted; it begins with a column. */
  deletedIf?: 'is_deleted' | "status = 'deleted'"
  /** A table whose `name` is part of the records, and the column of the records that refers to it. */
  shows?: { table: string; column: string }
  /** The service itself makes records. Their ids can change, and are negative in between, as the new one may not be free yet. */
  renumbered?: true
  /** The column by which its records are counted (`db/record-counts.ts`). */
  status?: string
  /** Its statuses are a lookup, which the agency itself makes. */
  hasOwnStatuses?: true
  /** It has `/history`: for as long as the record is there, or until the trail is purged. */
  history?: 'kept' | 'purged'
  /** Set if records can be merged into others: `merged_into` says which, and they count as deleted. */
  merges?: true
  /** Set if it has a list of contacts, in the table `<one>_contacts`. */
  hasContacts?: true
  /** What is reported of a person, and what an erasure leaves of the records. */
  person?: { doc: string; kept: readonly string[] }
}

export interface Resource extends Declared {
  /** What a record is called, as in `Offer not found`. */
  one: string
  /** What several are called in a sentence. */
  many: string
  /** Its table, and the entity of the import. */
  table: string
}

const DEAL = ['amounts', 'dates', 'status', 'contacts']

const DECLARED = [
  {
    resource: 'contacts',
    greek: ['Επαφή', 'Επαφές'],
    writes: ['create', 'update', 'delete'],
    sets: 'version',
    deletedIf: 'is_deleted',
    merges: true,
    history: 'purged',
    person: {
      doc: 'The contact itself; blank once the person is erased',
      kept: ['dates', 'created_by', 'source_id', 'is_lead', 'is_company', 'tags', 'users'],
    },
  },
  {
    resource: 'listings',
    greek: ['Ακίνητο', 'Ακίνητα'],
    writes: ['create', 'update'],
    sets: 'version',
    deletedIf: "status = 'deleted'",
    history: 'kept',
    hasContacts: true,
    person: {
      doc: 'Listings whose contact or tenant the person is',
      kept: ['the property', 'prices', 'dates', 'status', 'address', 'pictures'],
    },
  },
  {
    resource: 'external-listings',
    greek: ['Εξωτερικό ακίνητο', 'Εξωτερικά ακίνητα'],
    writes: ['create', 'update', 'delete'],
    sets: 'date_updated',
    deletedIf: 'is_deleted',
    status: 'status',
    hasOwnStatuses: true,
    history: 'kept',
    person: {
      doc: 'External listings that were erased with the person',
      kept: ['the property', 'price', 'dates', 'status', 'address', 'photos'],
    },
  },
  {
    resource: 'requests',
    greek: ['Ζήτηση', 'Ζητήσεις'],
    writes: ['create', 'update', 'delete'],
    // Not `version`: a moved point of interest raises it without changing what is shown.
    sets: 'date_updated',
    deletedIf: 'is_deleted',
    status: 'status',
    hasOwnStatuses: true,
    history: 'purged',
    hasContacts: true,
    person: {
      doc: 'What the person looks for',
      kept: ['dates', 'criteria', 'rating', 'status', 'contacts', 'users', 'tags'],
    },
  },
  {
    resource: 'enquiries',
    greek: ['Ερώτημα', 'Ερωτήματα'],
    writes: ['create', 'update'],
    sets: 'version',
    status: 'status',
    history: 'purged',
    person: {
      doc: 'Enquiries that were converted to the contact',
      kept: ['reference', 'type', 'listing_id', 'dates', 'search', 'amount', 'consent', 'status', 'users'],
    },
  },
  {
    resource: 'offers',
    greek: ['Προσφορά', 'Προσφορές'],
    writes: ['create', 'update'],
    door: 'office',
    sets: 'date_updated',
    status: 'status',
    history: 'kept',
    hasContacts: true,
    person: { doc: 'Offers of the contact or its requests', kept: DEAL },
  },
  {
    resource: 'contracts',
    greek: ['Συμβόλαιο', 'Συμβόλαια'],
    writes: ['create', 'update'],
    door: 'office',
    sets: 'date_updated',
    status: 'status_id',
    hasOwnStatuses: true,
    history: 'kept',
    hasContacts: true,
    person: {
      doc: 'Contracts of the contact or its requests, also as the notary',
      kept: [...DEAL, 'notary_contact_id'],
    },
  },
  {
    resource: 'incomes',
    greek: ['Έσοδο', 'Έσοδα'],
    writes: ['create', 'update', 'delete'],
    door: 'office',
    sets: 'date_updated',
    deletedIf: 'is_deleted',
    status: 'status',
    history: 'purged',
    hasContacts: true,
    person: { doc: 'Incomes from the contact', kept: DEAL },
  },
  {
    resource: 'expenses',
    greek: ['Έξοδο', 'Έξοδα'],
    writes: ['create', 'update', 'delete'],
    door: 'office',
    sets: 'date_updated',
    deletedIf: 'is_deleted',
    shows: { table: 'expense_categories', column: 'category_id' },
    renumbered: true,
    status: 'status',
    history: 'purged',
    hasContacts: true,
    person: { doc: 'Expenses for the contact', kept: DEAL },
  },
  {
    resource: 'appointments',
    greek: ['Ραντεβού', 'Ραντεβού'],
    writes: ['create', 'update', 'delete'],
    sets: 'date_updated',
    deletedIf: 'is_deleted',
    status: 'status',
    history: 'purged',
    hasContacts: true,
    person: {
      doc: 'Appointments with the contact',
      kept: [
        'type',
        'dates',
        'status',
        'store_id',
        'listing_id',
        'contacts',
        'users',
        'confirmations',
        'feedback.interest',
        'feedback.price',
      ],
    },
  },
  {
    resource: 'activities',
    greek: ['Ενέργεια', 'Ενέργειες'],
    writes: ['create', 'update', 'delete'],
    sets: 'date_updated',
    deletedIf: 'is_deleted',
    status: 'type',
    history: 'purged',
    hasContacts: true,
    person: {
      doc: 'What was said to and by the contact',
      kept: ['type', 'direction', 'dates', 'minutes', 'users', 'author', 'links'],
    },
  },
  {
    resource: 'tasks',
    greek: ['Εργασία', 'Εργασίες'],
    writes: ['create', 'update', 'delete'],
    sets: 'date_updated',
    deletedIf: 'is_deleted',
    status: 'status',
    history: 'purged',
    hasContacts: true,
    person: { doc: 'What is to be done for the contact', kept: ['dates', 'status', 'user_id', 'links'] },
  },
  {
    resource: 'knowledge-base/categories',
    greek: ['Κατηγορία άρθρων', 'Κατηγορίες άρθρων'],
    writes: ['create', 'update', 'delete'],
    door: 'office',
    sets: 'version',
  },
  {
    resource: 'knowledge-base/articles',
    greek: ['Άρθρο', 'Άρθρα'],
    writes: ['create', 'update', 'delete'],
    door: 'office',
    sets: 'date_updated',
    shows: { table: 'knowledge_base_categories', column: 'category_id' },
  },
] as const satisfies readonly Declared[]

export type ResourceName = (typeof DECLARED)[number]['resource']

type Underlined<Name extends string, Mark extends string> = Name extends `${infer Start}${Mark}${infer End}`
  ? `${Start}_${Underlined<End, Mark>}`
  : Name

export type RecordTable = Underlined<Underlined<ResourceName, '-'>, '/'>

/** Ordered so that records come after those that they refer to, but for articles. */
export const RECORD_RESOURCES: readonly Resource[] = DECLARED.map((declared: Declared) => {
  const { resource } = declared
  const many = (resource.split('/').at(-1) ?? resource).replaceAll('-', ' ')
  const one = many.replace(/ies$/, 'ys').slice(0, -1)
  return {
    ...declared,
    one: one.charAt(0).toUpperCase() + one.slice(1),
    many,
    table: resource.replace(/[-/]/g, '_'),
  }
})

/** Whether a table has records. */
export function isRecordTable(name: string): boolean {
  return RECORD_RESOURCES.some(({ table }) => table === name)
}

/** What there is to know of a resource. */
export function resourceNamed(name: ResourceName): Resource {
  const found = RECORD_RESOURCES.find(({ resource }) => resource === name)
  if (!found) throw new Error(`There is no ${name}`)
  return found
}

/** The path of its writes. */
export function writePathOf({ resource, door }: Pick<Resource, 'resource' | 'door'>): `/${string}` {
  return `/${door ?? 'api'}/${resource}`
}

/** `an offer`, `a contact`. */
export function oneOf({ one }: Resource): string {
  return `${/^[AEIOU]/.test(one) ? 'an' : 'a'} ${one.toLowerCase()}`
}

/** The table that links records of a resource to contacts, and its column with the id of the record. */
export function contactLinksOf({ one }: Pick<Resource, 'one'>): { links: string; owner: string } {
  const noun = one.toLowerCase()
  return { links: `${noun}_contacts`, owner: `${noun}_id` }
}
