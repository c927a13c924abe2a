/**
 * The kinds of entries on timelines: where those about a contact, a listing or a request are found. All of it follows from the
 * catalogue (`timeline` of `record-fields.ts`). A source is a select of `date, id, role`, newest first, of at most a page from
 * a position on. It reads no more than that by an index.
 *
 * What is reached through other records, such as the rounds of offers or what concerns owned listings, is merged: of each of
 * these records the newest entry is in a queue, from which the newest is taken and replaced by the next of its record.
 *
 * The SQL has no parameters, of which D1 takes only a hundred: it is made of the catalogue, of numbers, and of dates that
 * `cursor.ts` has checked.
 */
import { columnFields, RECORD_FIELDS, type TimelineKind } from '../../catalogue/record-fields.ts'
import { RECORD_RESOURCES, type Resource } from '../../catalogue/resources.ts'
import { fragmentOf } from '../../db/statements.ts'
import { TENANT } from '../../db/tables/listings.ts'
import { HAS_VALUES } from '../../db/tables/trail.ts'

/** The resources whose records have timelines. */
export type Subject = 'contacts' | 'listings' | 'requests'

/** The records whose entries are merged: those linked last. A person hardly has more, and each costs a few rows. */
const MAX_MERGED = 50

/** A kind of entries. */
export interface Kind extends TimelineKind {
  /** Whose records they are; null for the changes of any record. */
  facts: Resource | null
}

/** Where the entries of a timeline are read. */
export interface Reading {
  subject: Subject
  id: number
  /** The position after which entries are read. */
  after: { date: string; id: number }
  /** Maximum entries. */
  limit: number
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

/** The rows of a table that are entries. */
interface Entries {
  table: string
  at: string
  /** Which of them. */
  where: string
}

type Page = Pick<Reading, 'limit'> & { after: { date: string | number; id: number } }

const literal = (value: string | number) => (typeof value === 'number' ? value : `'${value}'`)

/** SQL for what comes after a position: of the same moment, and before. Both by an index, which a comparison of pairs is not. */
const parts = (at: string, id: string, date: string | number, last: string | number) => [
  `${at} = ${date} and ${id} < ${last} order by ${id} desc`,
  `${at} < ${date} order by ${at} desc, ${id} desc`,
]

/** Those entries that meet `link`, in the order of an index that begins with what it names. */
function linkedBy(link: string, { table, at, where }: Entries, role: string, { after, limit }: Page): string {
  return parts(at, 'id', literal(after.date), after.id)
    .map(
      (part) => `select * from (select ${at} as date, id, '${role}' as role from ${table}
      where ${where} and ${link} and ${part} limit ${limit})`,
    )
    .join(' union all ')
}

/** The entries of the records that `parents` selects as `parent, role`, merged. `belongs` makes SQL for whose an `entry` is. */
function merged(
  queue: string,
  parents: string,
  { table, at, where }: Entries,
  belongs: (parent: string) => string,
  { after, limit }: Page,
): string {
  const next = (parent: string, date: string | number, id: string | number) => {
    const found = parts(`entry.${at}`, 'entry.id', date, id).map(
      (part) =>
        `(select entry.id from ${table} entry where ${where} and ${belongs(parent)} and ${part} limit 1)`,
    )
    return `entry.id = coalesce(${found.join(', ')})`
  }
  return `select date, id, role from (with recursive ${queue}(parent, date, id, role) as (
    select * from (select parents.parent, entry.${at}, entry.id, parents.role from (${parents}) parents
      cross join ${table} entry on ${next('parents.parent', literal(after.date), after.id)})
    union all
    select ${queue}.parent, entry.${at}, entry.id, ${queue}.role from ${queue}
      cross join ${table} entry on ${next(`${queue}.parent`, `${queue}.date`, `${queue}.id`)}
    order by 2 desc, 3 desc limit ${limit}) select * from ${queue})`
}

/** The listings that a contact owns. */
const ownedBy = (contact: number) => `select listing_id as parent, 'owner' as role from listing_contacts
  where contact_id = ${contact} order by rowid desc limit ${MAX_MERGED}`

/** What the sources of a kind have in common. */
interface Source {
  kind: Kind
  facts: Resource
  records: Entries
  reading: Reading
}

/** The names of tables and columns that link records of a resource. */
export function linkNames({ one }: Pick<Resource, 'one'>): { links: string; owner: string } {
  const noun = one.toLowerCase()
  return { links: `${noun}_contacts`, owner: `${noun}_id` }
}

/** The rows of the records that `parents` selects. */
function rowsOf({ kind, facts, reading }: Source, queue: string, parents: string): string {
  const rows = { table: kind.rows ?? '', at: kind.at, where: 'true' }
  return merged(queue, parents, rows, (parent) => `entry.${linkNames(facts).owner} = ${parent}`, reading)
}

/** Entries of records with a column that names the subject. */
function byColumn(source: Source, column: string, role: string): string {
  const { kind, facts, records, reading } = source
  const link = `${column} = ${reading.id}`
  if (!kind.rows) return linkedBy(link, records, role, reading)
  const parents = `select id as parent, '${role}' as role from ${facts.table} where ${link} order by id desc limit ${MAX_MERGED}`
  return rowsOf(source, `by_${column}`, parents)
}

/** Entries of records with the contact in their list. */
function byList(source: Source): string {
  const { kind, facts, records, reading } = source
  const { at, role, rows, hasDatedLinks } = kind
  const { id, after, limit } = reading
  const { links, owner } = linkNames(facts)
  if (hasDatedLinks) {
    const position = `${at} is not null and (${at}, ${owner}) < (${literal(after.date)}, ${after.id})`
    return `select ${at} as date, ${owner} as id, '${role}' as role from ${links}
      where contact_id = ${id} and ${position} order by ${at} desc, ${owner} desc limit ${limit}`
  }
  const parents = `select ${owner} as parent, '${role}' as role from ${links} where contact_id = ${id}
    order by rowid desc limit ${MAX_MERGED}`
  if (rows) return rowsOf(source, 'by_list', parents)
  return merged('by_list', parents, records, (parent) => `entry.id = ${parent}`, reading)
}

/** Entries of records about the listings that the contact owns. */
function byOwner(source: Source): string {
  const { kind, records, reading } = source
  const { id } = reading
  const isAbout = (parent: string) => `entry.listing_id = ${parent}`
  const where = `${records.where} and ${kind.ofOwner}`
  if (!kind.rows) return merged('of_owned', ownedBy(id), { ...records, where }, isAbout, reading)
  // The newest of the records, and then their rows.
  const newest = { after: { date: Number.MAX_SAFE_INTEGER, id: 0 }, limit: MAX_MERGED }
  const found = merged('of_owned', ownedBy(id), { ...records, where, at: 'id' }, isAbout, newest)
  return rowsOf(source, 'rows_of_owned', `select id as parent, role from (${found})`)
}

/** The sources of a kind of records. */
function sourcesOf(kind: Kind, facts: Resource, reading: Reading): string[] {
  const fields = RECORD_FIELDS.get(facts.table)
  if (!fields) return []
  const where = facts.deletedIf === 'is_deleted' ? 'is_deleted = 0' : 'true'
  const source = { kind, facts, reading, records: { table: facts.table, at: kind.at, where } }
  const columns = columnFields(fields)
  if (reading.subject !== 'contacts') {
    const column = reading.subject === 'listings' ? 'listing_id' : 'request_id'
    const has = columns.some((one) => one.column === column) || fields.valued?.includes(column)
    if (facts.resource === reading.subject) return [byColumn(source, 'id', '')]
    return has ? [byColumn(source, column, '')] : []
  }
  return [
    ...(facts.hasContacts ? [byList(source)] : []),
    ...columns
      .filter(({ field }) => field.to === 'contacts')
      // The name says what the contact is: `notary_contact_id`.
      .map(({ column }) => byColumn(source, column, column.replace(/_?contact_id$/, '') || kind.role)),
    ...(kind.ofOwner && reading.hasListings ? [byOwner(source)] : []),
  ]
}

/** The changes of the record itself, and for a contact those of the listings that it owns or rents. */
function changesOf(reading: Reading): string {
  const { subject, id, hasListings } = reading
  const tenant = fragmentOf(TENANT).text
  const listing = (parent: string) => `'listings' as resource, cast(${parent} as text) as record`
  const parents = [
    `select '${subject}' as resource, '${id}' as record, 'other' as role`,
    ...(subject === 'contacts' && hasListings
      ? [
          `select ${listing('parent')}, role from (${ownedBy(id)})`,
          `select ${listing('id')}, 'tenant' as role from (select id from listings where ${tenant} = ${id} and ${tenant} is not null
            limit ${MAX_MERGED})`,
        ]
      : []),
  ].map((select) => `select resource || ' ' || record as parent, role from (${select})`)
  const part = (parent: string, from: string) => `substr(${parent}, ${from})`
  const isOf = (parent: string) => `entry.resource = ${part(parent, `1, instr(${parent}, ' ') - 1`)}
    and entry.record_id = ${part(parent, `instr(${parent}, ' ') + 1`)}`
  const entries = { table: 'trail', at: 'date', where: fragmentOf(HAS_VALUES).text }
  return merged('changes_of', parents.join(' union all '), entries, isOf, reading)
}

/** The entries of a kind, each once, newest first; undefined if such a timeline has none. */
export function entriesOf(kind: Kind, reading: Reading): string | undefined {
  const sources = kind.facts ? sourcesOf(kind, kind.facts, reading) : [changesOf(reading)]
  if (sources.length === 0) return undefined
  const all = sources.map((source) => `select * from (${source})`).join(' union all ')
  // Of what a contact is in one entry, the first counts: buyer, notary, other, owner, tenant, visitor.
  return `select date, id, min(role) as role from (${all}) group by date, id
    order by date desc, id desc limit ${reading.limit}`
}
