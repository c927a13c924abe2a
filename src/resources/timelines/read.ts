/** Reads a page of a timeline, in one round trip. */
import { z } from 'zod'
import { contactLinksOf, resourceNamed } from '../../catalogue/resources.ts'
import { batch, type Database } from '../../db/client.ts'
import { selectTarget } from '../../db/record-versions.ts'
import { type Statement, textStatement } from '../../db/statements.ts'
import { dateTime, named } from '../../fields/values.ts'
import { ACTOR_TYPES } from '../../http/caller/provenance.ts'
import { notFound } from '../../http/errors.ts'
import { type Actors, actorsOf, selectAddresses } from '../history/entries.ts'
import { KINDS, type Kind, LAST_ID, nextOf, type Reading, START, sourcesOfKind } from './kinds.ts'

// Positions on a timeline: of an entry, its date, its kind and its id. They hold while others write, as they name no page.

export interface Cursor {
  date: string
  kind: string
  id: number
}

const CURSOR = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-([a-z_]{1,20})-(\d{1,15})$/

/** The text of a position. */
export function formatCursor({ date, kind, id }: Cursor): string {
  return `${date.replace(/\D/g, '')}-${kind}-${id}`
}

/** Parses the text of a position; null if it is none. */
export function parseCursor(text: string, kinds: readonly string[]): Cursor | null {
  const [, year, month, day, hour, minute, second, kind = '', id] = CURSOR.exec(text) ?? []
  if (!kinds.includes(kind)) return null
  return { date: `${year}-${month}-${day} ${hour}:${minute}:${second}`, kind, id: Number(id) }
}

/** Where the entries of the kind with index `k` go on after a position: of one moment, kinds are in their order. */
function positionOf(cursor: Cursor | null, k: number, kinds: readonly string[]) {
  if (!cursor) return START
  const at = kinds.indexOf(cursor.kind)
  return { date: cursor.date, id: k < at ? 0 : k === at ? cursor.id : LAST_ID }
}

/** Maximum length of the text of an entry, in characters. */
const MAX_TEXT = 200
/** Terms of a compound select that D1 takes. */
const MAX_TERMS = 5

export const KIND_NAMES = KINDS.map(({ kind }) => kind)

export const entry = named('TimelineEntry', 'Something that happened', {
  kind: z.enum(KIND_NAMES).describe('What it is'),
  date: dateTime().describe('Its moment'),
  resource: z.string().describe('Path after `/api/` of the record that it belongs to'),
  id: z.int().describe('Id of that record'),
  role: z
    .enum(['buyer', 'notary', 'other', 'owner', 'tenant', 'visitor'])
    .nullable()
    .describe('What the contact is in it; null on the timeline of anything else'),
  actor: named('TimelineActor', 'Who did it', {
    type: z.enum(['user', ...ACTOR_TYPES]).describe('A `user` of the agency, or who called'),
    id: z.union([z.int(), z.string()]).nullable().describe('Of the user, the key or the person'),
    name: z.string().nullable().describe('The name that it has now'),
  })
    .nullable()
    .describe('Who did it; null if that is not known, or a visitor of the website'),
  text: z.string().nullable().describe(`The beginning of its text: at most ${MAX_TEXT} characters`),
  data: z.record(z.string(), z.unknown()).describe('The facts of its kind'),
})

type Entry = z.output<typeof entry>

/** An entry as it is read. */
interface Row {
  k: number
  date: string
  id: number
  role: string
  /** JSON of what is shown of it. */
  detail: string
}

/** What is read of a record. */
type Detail = Pick<Entry, 'resource' | 'id' | 'actor' | 'text' | 'data'> & { is_owner: number | null }

/** A page, and the position after it; null if it is the last. */
export interface TimelinePage {
  rows: Row[]
  addresses: string[]
  next: Cursor | null
}

/** What a page is of. */
interface Asked extends Reading {
  /** Those that the caller may read. */
  kinds: readonly Kind[]
  before: Cursor | null
  /** Maximum entries. */
  limit: number
}

/** Reads a page. Throws 404. */
export async function readTimeline(db: Database, asked: Asked, exists: Statement): Promise<TimelinePage> {
  const { limit, kinds } = asked
  const found = await batch(db, {
    exists,
    target: selectTarget({ resource: asked.subject, id: asked.id }),
    rows: selectPage({ ...asked, limit: limit + 1 }),
    addresses: kinds.some(({ facts }) => !facts) ? selectAddresses() : null,
  })
  if (found.exists.length === 0) throw notFound(resourceNamed(asked.subject).one, found.target?.[0]?.id)
  const all = found.rows ?? []
  const rows = all.slice(0, limit)
  const last = rows.at(-1)
  const next =
    last && all.length > limit ? { date: last.date, kind: KINDS[last.k]?.kind ?? '', id: last.id } : null
  return { rows, next, addresses: (found.addresses ?? []).map(({ address }) => address) }
}

/** The sources that may have one entry: a contact is in the list of a record, and is its notary or owns its listing. */
const MAX_REACHED = 2

/** Places of the parts of a key: 19 characters of the date, 2 for the kind, 15 of the id. Keys sort like a timeline. */
const keyOf = (k: number) => (date: string, id: string) => `printf('%s/${99 - k}/%015d', ${date}, ${id})`
const DATE = 'substr(queue.found, 1, 19)'
const ID = 'cast(substr(queue.found, 24) as integer)'

/** The statement that merges the entries of all sources, and reads those of the page; null if there is no source. */
function selectPage({ kinds, before, limit, ...reading }: Asked): Statement<Row> | null {
  const sources = kinds.flatMap((kind) =>
    sourcesOfKind(kind, reading).map((source) => ({ ...source, kind, k: KINDS.indexOf(kind) })),
  )
  if (sources.length === 0) return null
  const seeds = sources.map(({ entries, parents, k }, index) => {
    const { date, id } = positionOf(before, k, KIND_NAMES)
    const first = nextOf(entries, keyOf(k), 'parents.parent', `'${date}'`, id)
    return `select ${index} as s, parent, ${first} as found, role from (${parents}) parents`
  })
  const steps = sources.map(
    ({ entries, k }, index) => `when ${index} then ${nextOf(entries, keyOf(k), 'queue.parent', DATE, ID)}`,
  )
  const repeated = sources.flatMap(({ isRepeated }, index) =>
    isRepeated ? [`when ${index} then ${isRepeated(ID)}`] : [],
  )
  const details = [...new Set(sources.map(({ kind }) => kind))].map(
    (kind) => `when ${KINDS.indexOf(kind)} then (${detailOf(kind, reading)})`,
  )
  // Rows come in the order in which they are taken from the queue, and no more are taken than there is room for.
  return textStatement(`select k, date, id, role, case k ${details.join(' ')} end as detail from (
      with recursive queue(s, parent, found, role) as (
        select * from (${unionOf(seeds)})
        union all
        select s, parent, case s ${steps.join(' ')} end, role from queue where found is not null
        order by 3 desc limit ${MAX_REACHED * limit})
      select 99 - substr(found, 21, 2) as k, ${DATE} as date, ${ID} as id, role from queue
        where found is not null and not case s when -1 then true ${repeated.join(' ')} else false end limit ${limit}) page`)
}

/** All rows of selects, of which there may be more than D1 takes terms. */
function unionOf(selects: readonly string[]): string {
  const groups = Array.from({ length: Math.ceil(selects.length / MAX_TERMS) }, (_, index) =>
    selects.slice(index * MAX_TERMS, (index + 1) * MAX_TERMS).join(' union all '),
  )
  return groups.map((group) => `select * from (${group})`).join(' union all ')
}

/** SQL for what is shown of the entry `page.id`, as JSON. */
function detailOf(kind: Kind, { subject, id, hasListings }: Reading): string {
  const { facts, rows } = kind
  if (!facts)
    return `select json_object('resource', resource, 'id', cast(record_id as integer), 'actor_type', actor_type,
      'actor_id', actor_id, 'data', json_object('changed', json(changed))) from trail where trail.id = page.id`
  const { owner } = contactLinksOf(facts)
  const column = (text: string) => (text.includes('.') ? text : `entry.${text}`)
  const data = Object.entries(kind.data).map(([name, text]) => `'${name}', ${column(text)}`)
  const text = kind.text.map((name) => `ifnull(entry.${name}, '')`).join(' || char(10) || ')
  const user =
    kind.by === null
      ? 'null'
      : `(select json_object('type', 'user', 'id', users.id, 'name', users.name) from users
        where users.id = entry.${kind.by ?? 'created_by'})`
  const actor = kind.author
    ? `iif(entry.${kind.author} is null, ${user}, json_object('type', 'key', 'id', null, 'name', entry.${kind.author}))`
    : user
  // `+`: by the listing, which has few contacts, while a contact may own many.
  const isOwner =
    subject === 'contacts' && kind.role === 'visitor' && hasListings
      ? `exists (select 1 from listing_contacts where +contact_id = ${id} and listing_id = entry.listing_id)`
      : 'null'
  return `select json_object('resource', '${facts.resource}', 'id', ${rows ? `entry.${owner}` : 'entry.id'},
      'actor', json(${actor}), 'text', nullif(substr(trim(${text}, char(10)), 1, ${MAX_TEXT}), ''),
      'data', json_object(${data.join(', ')}), 'is_owner', ${isOwner})
    from ${rows ?? facts.table} entry ${rows ? `join ${facts.table} record on record.id = entry.${owner}` : ''}
    where entry.id = page.id`
}

/** The JSON of a page. */
export async function presentTimeline(
  env: Env,
  { subject }: Pick<Reading, 'subject'>,
  { rows, addresses }: TimelinePage,
): Promise<Entry[]> {
  const details = rows.map(({ detail }): Detail & Actors => JSON.parse(detail))
  const actors = await actorsOf(env, details, addresses)
  return rows.flatMap(({ k, date, role }, index): Entry[] => {
    const [kind, detail] = [KINDS[k], details[index]]
    if (!kind || !detail) return []
    const { resource, id, text = null, data, is_owner } = detail
    const actor = kind.facts ? detail.actor : (actors[index] ?? null)
    const known = is_owner ? 'owner' : (role as Entry['role'])
    return [
      { kind: kind.kind, date, resource, id, role: subject === 'contacts' ? known : null, actor, text, data },
    ]
  })
}
