/**
 * Where a person can be: the records that concern one, how they link to a contact, and which of their fields may identify
 * a person. What is reported of a person, what an erasure clears, and what an import drops are derived from it. Fields of the
 * catalogue with `person: true` and links to contacts, requests and enquiries are found by themselves; the rest is said here.
 * A column with texts of which nothing says whether it may hold something of a person fails a test.
 */
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { externalProperty } from '../../catalogue/offer.ts'
import { CONSENT_PURPOSES } from '../../catalogue/office-enums.ts'
import { columnFields, RECORD_FIELDS, type RecordFields } from '../../catalogue/record-fields.ts'
import { contactLinksOf, RECORD_RESOURCES, type Resource, resourceNamed } from '../../catalogue/resources.ts'
import { ON_HOLD, withMerged } from '../../db/merged-contacts.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { external_listings } from '../../db/tables/external-listings.ts'
import { expenses, incomes } from '../../db/tables/finances.ts'
import { listing_contacts, listing_translations, listings, TENANT } from '../../db/tables/listings.ts'
import { contracts, offer_rounds, offers } from '../../db/tables/offers.ts'
import { requests } from '../../db/tables/requests.ts'
import { PLAIN_RESOURCES } from '../../resources/plain-resources.ts'
import { GENERATED_TITLE } from '../../resources/requests/title.ts'

/** A field that may identify a person. `persons` is a select of the ids of the person's contacts. */
export interface Identifying {
  /** As lines of an import name it, dotted. */
  name: string
  column: SQLiteColumn
  /** SQL over the record: whether it has a value. */
  holds: (persons: SQL) => SQL
  /** What the column becomes; absent if it is one of another table. */
  to?: (persons: SQL) => SQL
  /** The SQL that clears rows of another table, of the records that the select `ids` has. */
  clear?: (ids: SQL, persons: SQL) => SQL
  /** The keys of a line that hold it, if not `name`; `#` stands for the ids of custom fields. */
  keys?: string[]
  /** Set if it holds ids of contacts: a line loses only those of erased ones. */
  isLink?: true
}

/** Records of a resource that may concern a person. */
export interface Place {
  resource: string
  table: SQLiteTable & { id: SQLiteColumn }
  /** A select of the ids of records that link to one of `persons`; absent if none does by id. */
  linked?: (persons: SQL) => SQL
  /** The keys of a line that hold ids of contacts. */
  links: string[]
  fields: Identifying[]
  /** A column that marks the record as erased. */
  mark?: SQLiteColumn
  /** Other columns that an erasure sets, as SQL. */
  sets?: Record<string, SQL>
  /** The values before and after, for the trail, as SQL. */
  changed?: SQL
  /** SQL that clears what is derived from the records; `ids` is a select of one column, `value`. */
  derived?: (ids: SQL) => SQL[]
  kept: readonly string[]
}

const NULL = sql`null`
const EMPTY_TEXT = sql`''`
const EMPTY_LIST = sql`'[]'`
const EMPTY_OBJECT = sql`'{}'`

/** A field with a column of its own. */
function field(column: SQLiteColumn, blank = NULL, name: string = column.name): Identifying {
  return { name, column, holds: () => sql`${column} is not ${blank}`, to: () => blank }
}

/** The texts about a property that is not stored, all in one column. */
function propertyTexts(column: SQLiteColumn): Identifying[] {
  const names = Object.entries(externalProperty).flatMap(([name, one]) => (one.person ? name : []))
  const nulls = names.map((name) => `'$.${name}', null`).join(', ')
  return names.map((name) => ({
    name: `listing.${name}`,
    column,
    holds: () => sql`${column} ->> ${sql.raw(`'${name}'`)} is not null`,
    to: () => sql`json_set(${column}, ${sql.raw(nulls)})`,
  }))
}

/** Rows of another table that hold a text of a listing. */
const translation = (column: SQLiteColumn): Identifying => ({
  name: column.name,
  column,
  holds: () =>
    sql`exists (select 1 from listing_translations where listing_id = listings.id and ${column} is not null)`,
  keys: [column.name, 'translations'],
})

/** A select of the records of a resource that have one of `persons` in their list of contacts. */
function linkedBy(facts: Pick<Resource, 'one'>, persons: SQL): SQL {
  const { links, owner } = contactLinksOf(facts)
  return sql`select ${sql.identifier(owner)} from ${sql.identifier(links)} where contact_id in (${persons})`
}

const REQUESTS = resourceNamed('requests')

/** Selects of the person's records, by the table that fields refer to. */
const OWNED = new Map<string, (persons: SQL) => SQL>([
  ['contacts', (persons) => persons],
  ['requests', (persons) => linkedBy(REQUESTS, persons)],
  [
    'enquiries',
    (persons) => sql`select id from enquiries where contact_id in (${persons})
      union select id from enquiries where request_id in (${linkedBy(REQUESTS, persons)})`,
  ],
])

/** What a resource adds to what follows from its fields. */
interface Additions extends Partial<Pick<Place, 'mark' | 'sets' | 'changed' | 'derived' | 'linked'>> {
  /** What columns become, if not null or the value that means "none". */
  blanks?: Record<string, SQL>
  fields?: Identifying[]
  /** Further keys of a line that hold ids of contacts. */
  links?: string[]
  /** A select of further records that link to one of `persons`. */
  alsoLinked?: (persons: SQL) => SQL
}

/** The place of a resource: its texts of a person, and its links to contacts, requests and enquiries, by the catalogue. */
function place(table: Place['table'], additions: Additions = {}): Place {
  const name = getTableName(table)
  const facts = RECORD_RESOURCES.find((one) => one.table === name)
  const known = RECORD_FIELDS.get(name)
  if (!facts?.person || !known) throw new Error(`${name} says nothing of persons`)
  const { resource, hasContacts } = facts
  const { blanks = {}, fields = [], links = [], alsoLinked, sets, ...rest } = additions
  const references = columnFields(known).flatMap(({ column, name, field: { to } }) => {
    const idsOf = to && OWNED.get(to)
    return idsOf ? [{ column, name, to, idsOf }] : []
  })
  // Indexes of what can be deleted begin with that.
  const isAny = 'is_deleted' in table ? sql`is_deleted in (0, 1) and ` : sql``
  const linked = (persons: SQL) => {
    const selects = [
      ...(hasContacts ? [linkedBy(facts, persons)] : []),
      ...references.map(
        ({ column, idsOf }) =>
          sql`select id from ${table} where ${isAny}${sql.identifier(column)} in (${idsOf(persons)})`,
      ),
      ...(alsoLinked ? [alsoLinked(persons)] : []),
    ]
    return sql.join(selects, sql` union `)
  }
  const toContacts = references.filter(({ to }) => to === 'contacts')
  return {
    resource,
    table,
    kept: facts.person.kept,
    links: [...(hasContacts ? ['contacts'] : []), ...toContacts.map(({ name }) => name), ...links],
    fields: [...personalFields(table, known, blanks), ...fields],
    ...(hasContacts || references.length > 0 ? { linked } : {}),
    sets: {
      ...('search' in table && { search: EMPTY_TEXT }),
      ...('person_keys' in table && { person_keys: EMPTY_OBJECT }),
      ...sets,
    },
    ...rest,
  }
}

/** The fields of the catalogue that may hold something of a person. */
function personalFields(table: SQLiteTable, known: RecordFields, blanks: Record<string, SQL>): Identifying[] {
  const columns = getTableColumns(table)
  return columnFields(known).flatMap(({ column: key, name, field: { person, none, required } }) => {
    const column = columns[key]
    if (!person || !column) return []
    const blank = Array.isArray(none) ? EMPTY_LIST : required || none === '' ? EMPTY_TEXT : NULL
    return field(column, blanks[name] ?? blank, name)
  })
}

/** Consents in the trail keep their values, but not where they come from. */
const CONSENT_SOURCES = CONSENT_PURPOSES.flatMap((_, index) =>
  [0, 1].map((side) => `'$.consents[${side}][${index}].source', null`),
).join(', ')

export const CONTACTS = place(contacts, {
  linked: withMerged,
  links: ['merged_into'],
  mark: contacts.is_erased,
  sets: {
    is_deleted: sql`1`,
    version: sql`case when contacts.id not in (${ON_HOLD}) then version + 1 end`,
  },
  fields: [field(contacts.custom_fields, EMPTY_OBJECT), field(contacts.contact_details, EMPTY_LIST)],
  changed: sql`json_remove(json_object('is_deleted', json('[false,true]'), 'consents', json_array(json(consents), json('[]'))),
    iif(is_deleted, '$.is_deleted', '$.none'), iif(consents = '[]', '$.consents', '$.none'))`,
  derived: (ids) => [
    sql`update trail set changed = json_replace(changed, ${sql.raw(CONSENT_SOURCES)}) where resource = 'contacts'
      and record_id in (select cast(value as text) from (${ids})) and changed -> 'consents' is not null`,
  ],
})

/** Resources that add to what follows from their fields, or are not plain. */
const DECLARED: readonly Place[] = [
  CONTACTS,
  place(requests, {
    blanks: { title: GENERATED_TITLE },
    fields: [{ ...field(requests.custom_fields, EMPTY_OBJECT), keys: ['extra_fields.#'] }],
  }),
  place(enquiries, {
    mark: enquiries.is_erased,
    sets: { search: sql`lower(reference)` },
    // The network of the sender. Later entries have those of the agency.
    derived: (ids) => [
      sql`update trail set address = null where resource = 'enquiries' and changed is null
        and record_id in (select cast(value as text) from (${ids}))`,
    ],
  }),
  place(listings, {
    alsoLinked: (persons) => sql`select id from listings where ${TENANT} in (${persons})`,
    links: ['the service.tenant_contact_id', 'extra.tenant_contact_id'],
    fields: [
      field(listings.notes),
      {
        name: 'the service.tenant_contact_id',
        column: listings.extra,
        holds: (persons) => sql`${TENANT} in (${persons})`,
        to: (persons) =>
          sql`iif(${TENANT} in (${persons}), json_remove(extra, '$.tenant_contact_id'), extra)`,
        keys: ['the service.tenant_contact_id', 'extra.tenant_contact_id'],
        isLink: true,
      },
      {
        name: 'contacts',
        column: listing_contacts.contact_id,
        holds: (persons) =>
          sql`exists (select 1 from listing_contacts where listing_id = listings.id and contact_id in (${persons}))`,
        clear: (ids, persons) =>
          sql`delete from listing_contacts where listing_id in (${ids}) and contact_id in (${persons})`,
        isLink: true,
      },
      {
        ...translation(listing_translations.title),
        clear: (ids) => sql`delete from listing_translations where listing_id in (${ids})`,
      },
      translation(listing_translations.description),
    ],
    derived: (ids) => [
      sql`delete from listing_documents where listing_id in (${ids})`,
      // The words of titles. Cron makes the portions anew.
      sql`delete from index_portions where id in (
        select id from (${ids}) join index_portions on value between first_id and last_id)`,
      // Those of a version before.
      sql`delete from search_portions`,
      sql`delete from search_portion_data`,
    ],
  }),
  place(external_listings),
  place(offers, {
    fields: [
      ...propertyTexts(offers.external_property),
      {
        name: 'rounds.notes',
        column: offer_rounds.notes,
        holds: () =>
          sql`exists (select 1 from offer_rounds where offer_id = offers.id and offer_rounds.notes is not null)`,
        clear: (ids) => sql`update offer_rounds set notes = null where offer_id in (${ids})`,
      },
    ],
  }),
  place(contracts, { fields: propertyTexts(contracts.external_property) }),
  place(incomes),
  place(expenses),
]

const isDeclared = (name: string) => DECLARED.some(({ table }) => getTableName(table) === name)

/** All places, the contacts first. */
export const PLACES: readonly Place[] = [
  ...DECLARED,
  ...PLAIN_RESOURCES.flatMap(({ resource, table }) =>
    resourceNamed(resource).person && !isDeclared(getTableName(table)) ? place(table) : [],
  ),
]

/** The resources with records that no id links to a person, but that may be erased with them. */
export const UNLINKED = ['contacts', 'requests', 'enquiries', 'external-listings'] as const

/** The place of a resource, or of the entity of an import. */
export function placeOf(name: string): Place | undefined {
  return PLACES.find(({ resource, table }) => resource === name || getTableName(table) === name)
}
