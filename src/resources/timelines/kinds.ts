/**
 * The kinds of entries on timelines: where those about a contact, a listing or a request are found. All of it follows from the
 * catalogue (`timeline` of `record-fields.ts`).
 *
 * A source has the entries of some records, its parents: the offers of a contact, its own listings; or simply the contact. All
 * are merged by one queue: it has the newest entry of each parent. The newest of all is taken, and the next of its parent takes
 * its place. Each is found by an index, so that a page reads a few rows for each parent and for each entry.
 *
 * The SQL has no parameters, of which D1 takes only a hundred: it is made of the catalogue, of numbers, and of dates that
 * `cursor.ts` has checked.
 */
import { columnFields, RECORD_FIELDS, type TimelineKind } from '../../catalogue/record-fields.ts'
import { contactLinksOf, RECORD_RESOURCES, type Resource } from '../../catalogue/resources.ts'
import { fragmentOf } from '../../db/statements.ts'
import { TENANT } from '../../db/tables/listings.ts'
import { HAS_VALUES } from '../../db/tables/trail.ts'

/** The resources whose records have timelines. */
export type Subject = 'contacts' | 'listings' | 'requests'

/** Maximum parents of a source: the newest. A person hardly has more, and each costs a few rows. */
export const MAX_PARENTS = 40

/** A kind of entries. */
export interface Kind extends TimelineKind {
  /** Whose records they are; null for the changes of any record. */
  facts: Resource | null
}

/** Where the entries of a timeline are read. */
export interface Reading {
  subject: Subject
  id: number
  /** Whether what concerns owned or rented listings belongs to the timeline of a contact. */
  hasListings: boolean
}

/** The changes of records: entries of the trail with values. */
const CHANGE: Kind = { kind: 'change', facts: null, at: 'date', text: [], data: {}, role: 'other' }

/** All kinds, in the order of entries of the same moment. */
export const KINDS: readonly Kind[] = [
  ...RECORD_RESOURCES.flatMap((facts) =>
    (RECORD_FIELDS.get(facts.table)?.timeline ?? []).map((kind): Kind => ({ ...kind, facts })),
  ),
  CHANGE,
]

/** The rows `entry` of a table that are entries. */
interface Entries {
  table: string
  at: string
  /** The column with their ids. */
  id?: string
  /** Which of them, by the id of their parent. */
  where: (parent: string) => string
}

/** The entries of some records. */
export interface Source {
  entries: Entries
  /** A select of `parent, role`. */
  parents: string
  /** SQL for whether another source has the entry of an id as well. */
  isRepeated?: (id: string) => string
}

/** The position that all entries follow, and the id that all others follow at their moment. */
export const START = { date: '~', id: 0 }
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** SQL for the newest entry of a parent after a position, as `key` makes it; null if there is none. */
export function nextOf(
  { table, at, id = 'id', where }: Entries,
  key: (date: string, id: string) => string,
  parent: string,
  date: string,
  last: string | number,
): string {
  const [moment, entry] = [`entry.${at}`, `entry.${id}`]
  const inOrder = `order by ${moment} desc, ${entry} desc`
  // Those of the same moment, and those before: both by an index, which a comparison of pairs is not.
  const parts =
    last === LAST_ID
      ? [`${moment} <= ${date} ${inOrder}`]
      : [
          ...(last === 0 ? [] : [`${moment} = ${date} and ${entry} < ${last} order by ${entry} desc`]),
          `${moment} < ${date} ${inOrder}`,
        ]
  const found = parts.map(
    (part) =>
      `(select ${key(moment, entry)} from ${table} entry where ${where(parent)} and ${moment} is not null and ${part} limit 1)`,
  )
  return found.length > 1 ? `coalesce(${found.join(', ')})` : (found[0] ?? 'null')
}

/** The listings that a contact owns. */
const ownedBy = (contact: number) => `select listing_id as parent, 'owner' as role from listing_contacts
  where contact_id = ${contact} order by listing_id desc limit ${MAX_PARENTS}`

/** A select of one parent, which the conditions need not name. */
const only = (role: string) => `select 0 as parent, '${role}' as role`

/** The sources of a kind of records. */
function sourcesOf(kind: Kind, facts: Resource, { subject, id, hasListings }: Reading): Source[] {
  const fields = RECORD_FIELDS.get(facts.table)
  if (!fields) return []
  const { at, role, rows, ofOwner } = kind
  const { links, owner } = contactLinksOf(facts)
  const isLive = facts.deletedIf === 'is_deleted' ? 'entry.is_deleted = 0' : 'true'
  const entries = (condition: (parent: string) => string): Entries => ({
    table: facts.table,
    at,
    where: (parent) => `${isLive} and ${condition(parent)}`,
  })
  const rowsOf = (parents: string): Source => ({
    entries: { table: rows ?? '', at, where: (parent) => `entry.${owner} = ${parent}` },
    parents,
  })
  const byColumn = (column: string, role: string): Source =>
    rows
      ? rowsOf(
          `select id as parent, '${role}' as role from ${facts.table} where ${column} = ${id} order by id desc limit ${MAX_PARENTS}`,
        )
      : { entries: entries(() => `entry.${column} = ${id}`), parents: only(role) }
  const columns = columnFields(fields)
  if (subject !== 'contacts') {
    const column = subject === 'listings' ? 'listing_id' : 'request_id'
    const has = columns.some((one) => one.column === column) || fields.valued?.includes(column)
    if (facts.resource === subject) return [byColumn('id', '')]
    return has ? [byColumn(column, '')] : []
  }
  const listed = `select ${owner} as parent, '${role}' as role from ${links} where contact_id = ${id}
    order by 1 desc limit ${MAX_PARENTS}`
  const byList = (): Source => {
    if (rows) return rowsOf(listed)
    if (!kind.hasDatedLinks) return { entries: entries((parent) => `entry.id = ${parent}`), parents: listed }
    const where = () => `entry.contact_id = ${id}`
    return { entries: { table: links, at, id: owner, where }, parents: only(role) }
  }
  const byOwner = (): Source => {
    const owned = ownedBy(id)
    const isAbout = (parent: string) => `entry.listing_id = ${parent} and ${ofOwner}`
    if (!rows) return { entries: entries(isAbout), parents: owned }
    return rowsOf(
      `${newestOf(owned, facts.table, isAbout)} and found not in (select parent from (${listed}))`,
    )
  }
  const others = [
    ...columns
      .filter(({ field }) => field.to === 'contacts')
      // The name says what the contact is: `notary_contact_id`.
      .map(({ column }) => byColumn(column, column.replace(/_?contact_id$/, '') || role)),
    ...(ofOwner && hasListings ? [byOwner()] : []),
  ]
  if (!facts.hasContacts) return others
  // `+`: by the record, which has few contacts.
  const isRepeated = (record: string) =>
    kind.hasDatedLinks
      ? `exists (select 1 from ${links} where ${owner} = ${record} and +contact_id = ${id})`
      : `${record} in (select parent from (${listed}))`
  return [byList(), ...others.map((source) => (rows ? source : { ...source, isRepeated }))]
}

/** A select of the newest records of all `parents`, by a queue of the same kind. */
function newestOf(parents: string, table: string, where: (parent: string) => string): string {
  const next = (parent: string, last: string) => `(select entry.id from ${table} entry
    where ${where(parent)} and entry.id < ${last} order by entry.id desc limit 1)`
  return `select found as parent, role from (with recursive newest(parent, found, role) as (
    select parent, ${next('parents.parent', String(LAST_ID))}, role from (${parents}) parents
    union all
    select parent, ${next('newest.parent', 'newest.found')}, role from newest where found is not null
    order by 2 desc limit ${MAX_PARENTS}) select * from newest) where found is not null`
}

/** The sources of changes: of the record itself, and for a contact of the listings that it owns or rents. */
function changesOf({ subject, id, hasListings }: Reading): Source[] {
  const entries = (resource: string, record: (parent: string) => string): Entries => ({
    table: 'trail',
    at: 'date',
    where: (parent) =>
      `entry.resource = '${resource}' and entry.record_id = ${record(parent)} and ${fragmentOf(HAS_VALUES).text}`,
  })
  const own = { entries: entries(subject, () => `'${id}'`), parents: only('other') }
  if (subject !== 'contacts' || !hasListings) return [own]
  const tenant = fragmentOf(TENANT).text
  const parents = `select * from (${ownedBy(id)}) union all select * from (select id as parent, 'tenant' as role from listings
    where ${tenant} = ${id} and ${tenant} is not null and id not in (select parent from (${ownedBy(id)}))
    order by id desc limit ${MAX_PARENTS})`
  return [own, { entries: entries('listings', (parent) => `cast(${parent} as text)`), parents }]
}

/** Where the entries of a kind are; none if such a timeline has none. */
export function sourcesOfKind(kind: Kind, reading: Reading): Source[] {
  return kind.facts ? sourcesOf(kind, kind.facts, reading) : changesOf(reading)
}
