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

/** The records whose entries are merged: the newest. A person hardly has more, and each costs a few rows. */
const MAX_MERGED = 25

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

/** The last position, which all entries precede, and the id that all others precede at their moment. */
export const START = { date: '~', id: 0 }
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** SQL for what comes after a position: of the same moment, and before. Both by an index, which a comparison of pairs is not. */
function parts(at: string, id: string, date: string | number, last: string | number): string[] {
  const inOrder = `order by ${at} desc, ${id} desc`
  if (last === LAST_ID) return [`${at} <= ${date} ${inOrder}`]
  const before = `${at} < ${date} ${inOrder}`
  return last === 0 ? [before] : [`${at} = ${date} and ${id} < ${last} order by ${id} desc`, before]
}

/** Those entries that meet `link`, in the order of an index that begins with what it names. */
function linkedBy(
  link: string,
  { table, at, where }: Entries,
  role: string,
  { after, limit }: Page,
): string[] {
  return parts(at, 'id', literal(after.date), after.id).map(
    (part) =>
      `select ${at} as date, id, '${role}' as role from ${table} where ${where} and ${link} and ${part} limit ${limit}`,
  )
}

/** The entries of the records that `parents` selects as `parent, role`, merged. `belongs` makes SQL for whose an `entry` is. */
function merged(
  queue: string,
  parents: string,
  { table, at, where }: Entries,
  belongs: (parent: string) => string,
  { after, limit }: Page,
): string {
  // Date and id as one text, which sorts as both do: an index has them, and no row is read for them.
  const key = `printf('${at === 'id' ? '%015d' : '%s'}/%015d', entry.${at}, entry.id)`
  const next = (parent: string, date: string | number, id: string | number) => {
    const found = parts(`entry.${at}`, 'entry.id', date, id).map(
      (part) =>
        `(select ${key} from ${table} entry where ${where} and ${belongs(parent)} and ${part} limit 1)`,
    )
    return `coalesce(${[...found, 'null'].join(', ')})`
  }
  const [date, id] = [
    `substr(${queue}.found, 1, instr(${queue}.found, '/') - 1)`,
    `cast(substr(${queue}.found, instr(${queue}.found, '/') + 1) as integer)`,
  ]
  return `select date, id, role from (with recursive ${queue}(parent, found, role) as (
    select parent, ${next('parents.parent', literal(after.date), after.id)}, role from (${parents}) parents
    union all
    select ${queue}.parent, ${next(`${queue}.parent`, date, id)}, ${queue}.role from ${queue}
      where ${queue}.found is not null
    order by 2 desc limit ${limit}) select ${date} as date, ${id} as id, role from ${queue} where found is not null)`
}

/** The listings that a contact owns. */
const ownedBy = (contact: number) => `select listing_id as parent, 'owner' as role from listing_contacts
  where contact_id = ${contact} order by listing_id desc limit ${MAX_MERGED}`

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
function byColumn(source: Source, column: string, role: string): string[] {
  const { kind, facts, records, reading } = source
  const link = `${column} = ${reading.id}`
  if (!kind.rows) return linkedBy(link, records, role, reading)
  const parents = `select id as parent, '${role}' as role from ${facts.table} where ${link} order by id desc limit ${MAX_MERGED}`
  return [rowsOf(source, `by_${column}`, parents)]
}

/** The records with the contact in their list. */
const listedBy = ({
  kind,
  facts,
  reading,
}: Source) => `select ${linkNames(facts).owner} as parent, '${kind.role}' as role
  from ${linkNames(facts).links} where contact_id = ${reading.id} order by 1 desc limit ${MAX_MERGED}`

/** Entries of these. */
function byList(source: Source): string {
  const { kind, facts, records, reading } = source
  const { at, role, hasDatedLinks } = kind
  const { id, after, limit } = reading
  if (!hasDatedLinks)
    return merged('by_list', listedBy(source), records, (parent) => `entry.id = ${parent}`, reading)
  const { links, owner } = linkNames(facts)
  const position = `${at} is not null and (${at}, ${owner}) < (${literal(after.date)}, ${after.id})`
  return `select ${at} as date, ${owner} as id, '${role}' as role from ${links}
    where contact_id = ${id} and ${position} order by ${at} desc, ${owner} desc limit ${limit}`
}

/** Entries of records about the listings that the contact owns. */
function byOwner({ kind, records, reading }: Source, page: Page, at = kind.at): string {
  const where = `${records.where} and ${kind.ofOwner}`
  const isAbout = (parent: string) => `entry.listing_id = ${parent}`
  return merged('of_owned', ownedBy(reading.id), { ...records, at, where }, isAbout, page)
}

/** Rows of the newest records in the contact's list, or about the listings that it owns. */
function rowsOfContact(source: Source): string {
  const newest = { after: { date: LAST_ID, id: 0 }, limit: MAX_MERGED }
  const parents = [
    `select * from (${listedBy(source)})`,
    ...(source.reading.hasListings
      ? [`select id as parent, role from (${byOwner(source, newest, 'id')})`]
      : []),
  ]
  return rowsOf(source, 'rows_of', parents.join(' union all '))
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
    if (facts.resource === reading.subject) return byColumn(source, 'id', '')
    return has ? byColumn(source, column, '') : []
  }
  if (kind.rows) return [rowsOfContact(source)]
  return [
    ...(facts.hasContacts ? [byList(source)] : []),
    ...columns
      .filter(({ field }) => field.to === 'contacts')
      // The name says what the contact is: `notary_contact_id`.
      .flatMap(({ column }) => byColumn(source, column, column.replace(/_?contact_id$/, '') || kind.role)),
    ...(kind.ofOwner && reading.hasListings ? [byOwner(source, reading)] : []),
  ]
}

/** The changes of the record itself, and for a contact those of the listings that it owns or rents. */
function changesOf(reading: Reading): string[] {
  const { subject, id, hasListings } = reading
  const entries = { table: 'trail', at: 'date', where: fragmentOf(HAS_VALUES).text }
  const own = linkedBy(`resource = '${subject}' and record_id = '${id}'`, entries, 'other', reading)
  if (subject !== 'contacts' || !hasListings) return own
  const tenant = fragmentOf(TENANT).text
  const parents = `select * from (${ownedBy(id)}) union all select * from (select id as parent, 'tenant' as role from listings
    where ${tenant} = ${id} and ${tenant} is not null limit ${MAX_MERGED})`
  const isOf = (parent: string) => `entry.resource = 'listings' and entry.record_id = cast(${parent} as text)`
  return [...own, merged('changes_of', parents, entries, isOf, reading)]
}

/** The entries of a kind, each once, newest first; undefined if such a timeline has none. */
export function entriesOf(kind: Kind, reading: Reading): string | undefined {
  const sources = kind.facts ? sourcesOf(kind, kind.facts, reading) : changesOf(reading)
  // Of rows, one record may be reached in two ways.
  if (sources.length < 2 && !kind.rows) return sources[0]
  if (sources.length === 0) return undefined
  const all = sources.map((source) => `select * from (${source})`).join(' union all ')
  // Of what a contact is in one entry, the first counts: buyer, notary, other, owner, tenant, visitor.
  return `select date, id, min(role) as role from (${all}) group by date, id
    order by date desc, id desc limit ${reading.limit}`
}
