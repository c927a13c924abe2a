/**
 * Where a person can be: the records that concern one, how they link to a contact, and which of their fields may identify
 * a person. What is reported of a person, what an erasure clears, and what an import drops are derived from it. A column with
 * texts that is neither here nor in `WITHOUT_PERSONS` fails a test.
 */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { CONSENT_PURPOSES } from '../../catalogue/office-enums.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { external_listings } from '../../db/tables/external-listings.ts'
import { expense_contacts, expenses, income_contacts, incomes } from '../../db/tables/finances.ts'
import { listing_contacts, listing_translations, listings, TENANT } from '../../db/tables/listings.ts'
import { contract_contacts, contracts, offer_contacts, offer_rounds, offers } from '../../db/tables/offers.ts'
import { request_contacts, requests } from '../../db/tables/requests.ts'
import { GENERATED_TITLE } from '../../resources/requests/title.ts'

/** A field that may identify a person. `persons` is a select of the ids of the person's contacts. */
export interface Identifying {
  /** As lines of an import name it, dotted. */
  name: string
  /** Where it is stored. */
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
  /** What stays. */
  kept: string[]
}

const NULL = sql`null`
const EMPTY_TEXT = sql`''`
const EMPTY_LIST = sql`'[]'`
const EMPTY_OBJECT = sql`'{}'`

/** A field with a column of its own. */
function field(column: SQLiteColumn, blank = NULL, name: string = column.name): Identifying {
  return { name, column, holds: () => sql`${column} is not ${blank}`, to: () => blank }
}

const PROPERTY_TEXTS = ['address', 'owner_name', 'listing_code', 'listing_link', 'notes']

/** The texts about a property that is not stored, all in one column. */
function propertyTexts(column: SQLiteColumn): Identifying[] {
  const nulls = PROPERTY_TEXTS.map((key) => `'$.${key}', null`).join(', ')
  return PROPERTY_TEXTS.map((key) => ({
    name: `listing.${key}`,
    column,
    holds: () => sql`${column} ->> ${sql.raw(`'${key}'`)} is not null`,
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

/** SQL for the ids in a link table of `persons`. */
const linkedBy = (links: SQLiteTable, owner: SQLiteColumn, contact: SQLiteColumn, persons: SQL) =>
  sql`select ${owner} from ${links} where ${contact} in (${persons})`

const requestsOf = (persons: SQL) =>
  linkedBy(request_contacts, request_contacts.request_id, request_contacts.contact_id, persons)

/** Consents in the trail keep their values, but not where they come from. */
const CONSENT_SOURCES = CONSENT_PURPOSES.flatMap((_, index) =>
  [0, 1].map((side) => `'$.consents[${side}][${index}].source', null`),
).join(', ')

export const CONTACTS: Place = {
  resource: 'contacts',
  table: contacts,
  linked: (persons) => persons,
  links: [],
  mark: contacts.is_erased,
  sets: {
    is_deleted: sql`1`,
    search: EMPTY_TEXT,
    version: sql`case when contacts.id not in (select contact_id from contact_holds) then version + 1 end`,
  },
  fields: [
    field(contacts.first_name, EMPTY_TEXT),
    field(contacts.last_name, EMPTY_TEXT),
    field(contacts.company_name),
    field(contacts.phones, EMPTY_LIST),
    field(contacts.emails, EMPTY_LIST),
    field(contacts.notes, EMPTY_TEXT),
    field(contacts.consents, EMPTY_LIST),
    field(contacts.address_area, NULL, 'address.area'),
    field(contacts.address_street, NULL, 'address.street'),
    field(contacts.address_postal_code, NULL, 'address.postal_code'),
    field(contacts.custom_fields, EMPTY_OBJECT),
    field(contacts.contact_details, EMPTY_LIST),
  ],
  changed: sql`json_remove(json_object('is_deleted', json('[false,true]'), 'consents', json_array(json(consents), json('[]'))),
    iif(is_deleted, '$.is_deleted', '$.none'), iif(consents = '[]', '$.consents', '$.none'))`,
  derived: (ids) => [
    sql`update trail set changed = json_replace(changed, ${sql.raw(CONSENT_SOURCES)}) where resource = 'contacts'
      and record_id in (select cast(value as text) from (${ids})) and changed -> 'consents' is not null`,
  ],
  kept: ['dates', 'created_by', 'source_id', 'is_lead', 'is_company', 'tags', 'users'],
}

/** Incomes or expenses: their texts may name the contacts that they link to. */
function finance(
  resource: string,
  table: typeof incomes | typeof expenses,
  linked: NonNullable<Place['linked']>,
): Place {
  return {
    resource,
    table,
    linked,
    links: ['contacts'],
    fields: [field(table.title), field(table.notes)],
    kept: ['amounts', 'dates', 'status', 'contacts'],
  }
}

/** All places, the contacts first. */
export const PLACES: readonly Place[] = [
  CONTACTS,
  {
    resource: 'requests',
    table: requests,
    linked: requestsOf,
    links: ['contacts'],
    fields: [
      field(requests.title, GENERATED_TITLE),
      field(requests.notes),
      { ...field(requests.custom_fields, EMPTY_OBJECT), keys: ['extra_fields.#'] },
    ],
    kept: ['dates', 'criteria', 'rating', 'status', 'contacts', 'users', 'tags'],
  },
  {
    resource: 'enquiries',
    table: enquiries,
    linked: (persons) => sql`select id from enquiries where contact_id in (${persons})
      union select id from enquiries where request_id in (${requestsOf(persons)})`,
    links: ['contact_id'],
    mark: enquiries.is_erased,
    sets: { search: sql`lower(reference)` },
    fields: [
      field(enquiries.first_name),
      field(enquiries.last_name, EMPTY_TEXT),
      field(enquiries.email),
      field(enquiries.phone),
      field(enquiries.message, EMPTY_TEXT),
      field(enquiries.page_url),
      field(enquiries.notes),
    ],
    // The network of the sender. Later entries have those of the agency.
    derived: (ids) => [
      sql`update trail set address = null where resource = 'enquiries' and changed is null
        and record_id in (select cast(value as text) from (${ids}))`,
    ],
    kept: ['reference', 'type', 'listing_id', 'dates', 'search', 'amount', 'consent', 'status', 'users'],
  },
  {
    resource: 'listings',
    table: listings,
    linked: (persons) => sql`
      ${linkedBy(listing_contacts, listing_contacts.listing_id, listing_contacts.contact_id, persons)}
      union select id from listings where ${TENANT} in (${persons})`,
    links: ['contacts', 'the service.tenant_contact_id', 'extra.tenant_contact_id'],
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
    kept: ['the property', 'prices', 'dates', 'status', 'address', 'pictures'],
  },
  {
    resource: 'external-listings',
    table: external_listings,
    links: [],
    fields: [
      field(external_listings.contact_full_name),
      field(external_listings.contact_email),
      field(external_listings.contact_phones),
      field(external_listings.description),
      field(external_listings.external_url),
    ],
    kept: ['the property', 'price', 'dates', 'status', 'address', 'photos'],
  },
  {
    resource: 'offers',
    table: offers,
    linked: (
      persons,
    ) => sql`${linkedBy(offer_contacts, offer_contacts.offer_id, offer_contacts.contact_id, persons)}
      union select id from offers where request_id in (${requestsOf(persons)})`,
    links: ['contacts'],
    fields: [
      field(offers.notes),
      ...propertyTexts(offers.external_property),
      {
        name: 'rounds.notes',
        column: offer_rounds.notes,
        holds: () =>
          sql`exists (select 1 from offer_rounds where offer_id = offers.id and offer_rounds.notes is not null)`,
        clear: (ids) => sql`update offer_rounds set notes = null where offer_id in (${ids})`,
      },
    ],
    kept: ['amounts', 'dates', 'status', 'contacts'],
  },
  {
    resource: 'contracts',
    table: contracts,
    linked: (persons) => sql`
      ${linkedBy(contract_contacts, contract_contacts.contract_id, contract_contacts.contact_id, persons)}
      union select id from contracts where notary_contact_id in (${persons})
      union select id from contracts where request_id in (${requestsOf(persons)})`,
    links: ['contacts', 'notary_contact_id'],
    fields: [field(contracts.notes), ...propertyTexts(contracts.external_property)],
    kept: ['amounts', 'dates', 'status', 'contacts', 'notary_contact_id'],
  },
  finance('incomes', incomes, (persons) =>
    linkedBy(income_contacts, income_contacts.income_id, income_contacts.contact_id, persons),
  ),
  finance('expenses', expenses, (persons) =>
    linkedBy(expense_contacts, expense_contacts.expense_id, expense_contacts.contact_id, persons),
  ),
]

/** The resources whose records may be erased with a person although no id links them. */
export const ALSO = ['contacts', 'requests', 'enquiries', 'external-listings'] as const

/** The place of a resource, or of the entity of an import. */
export function placeOf(name: string): Place | undefined {
  return PLACES.find(({ resource, table }) => resource === name || getTableName(table) === name)
}
