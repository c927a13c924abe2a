/**
 * What an import makes of lines that are about erased persons: the line of an erased contact is refused, and texts of
 * records that were cleared are dropped, so that they stay as they are. A line with `is_erased: true` is that of an export,
 * and is blank.
 */
import { sql } from 'drizzle-orm'
import { valuesOf } from '../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { isObject } from '../../http/request/object-keys.ts'
import { type EntityReads, type Line, refuseLine } from '../transfer/entity.ts'
import { IMPORTED } from './erase.ts'
import { CONTACTS, type Identifying, type Place, placeOf } from './places.ts'

type Data = Record<string, unknown>

/** Why a line of an erased contact is refused. */
const ERASED = 'erased'

/** What is known of the persons of lines. */
export interface KnownPersons {
  resource: string
  id: number
  /** Why the record must not be erased; null for one on the list of the erased. */
  hold: string | null
  /** Whether an import has added it as erased: what links to it has been written since. */
  is_imported: 0 | 1
}

/** The statement that finds the erased among the records of lines and the contacts that they name. */
export function selectKnownPersons(entity: string, lines: readonly Line[]): Statement<KnownPersons> | null {
  const place = placeOf(entity)
  if (!place) return null
  const ids = lines.flatMap(({ id }) => (typeof id === 'number' ? id : []))
  const persons = lines.flatMap(({ data }) => namedContacts(place, data))
  const { resource, table, linked } = place
  // An import lists no records that link to the contacts that it brings as erased.
  const linkedToImported = linked
    ? sql`union all select ${resource}, id, null, 0 from ${table} where id in (${valuesOf(ids)})
        and (case when exists (select 1 from erasures where reason = ${IMPORTED})
          then id in (${linked(sql`select contact_id from erasures where reason = ${IMPORTED}`)}) end)`
    : sql``
  const linkedToHeld =
    linked && place.mark && place !== CONTACTS
      ? sql`union all select ${resource}, id, 'it is of a person on hold', 0 from ${table}
          where id in (${valuesOf(ids)}) and id in (${linked(sql`select contact_id from contact_holds`)})`
      : sql``
  return sqlStatement(sql`select distinct resource, id, null as hold,
      contact_id in (select contact_id from erasures where reason = ${IMPORTED}) as is_imported from erased_records where
      (resource = ${resource} and id in (${valuesOf(ids)}) and (fields is not null or resource = 'contacts'))
      or (resource = 'contacts' and id in (${valuesOf(persons)}))
    union all select 'contacts', contact_id, reason, 0 from contact_holds
      where ${place === CONTACTS} and contact_id in (${valuesOf(ids)}) ${linkedToHeld} ${linkedToImported}`)
}

/**
 * Refuses lines of erased contacts, and drops from others what was cleared. What is dropped is named with the unknown keys of
 * a line.
 * @param stored the stored records by the ids of lines
 */
export function screenLines(
  { name, present }: EntityReads,
  lines: readonly Line[],
  known: readonly KnownPersons[],
  stored: ReadonlyMap<Line['id'], object>,
): void {
  const place = placeOf(name)
  if (!place) return
  const erased = new Map(
    known.flatMap(({ resource, id, hold, is_imported }) =>
      hold === null ? [[`${resource} ${id}`, is_imported]] : [],
    ),
  )
  const isErased = (id: number) => erased.has(`contacts ${id}`)
  for (const line of lines) {
    const record = stored.get(line.id)
    const isMarked = record !== undefined && 'is_erased' in record && record.is_erased === true
    const saysErased = place.mark !== undefined && line.data.is_erased === true
    const isListed = isMarked || erased.has(`${place.resource} ${line.id}`)
    if (place === CONTACTS && !saysErased && isListed) refuseLine(line, ERASED)
    if (saysErased && (place === CONTACTS || !isMarked)) blank(line, place, known)
    if (place === CONTACTS) continue
    const named = namedContacts(place, line.data).filter(isErased)
    if (!saysErased && !isListed && named.length === 0) continue
    const before = record && present(record)
    for (const id of isObject(before) ? newLinks(place, named, before) : [])
      refuseLine(line, `The contact ${id} was erased`)
    // A new record that an import adds with its contact has what was written since.
    const isCleared = named.some((id) => record !== undefined || !erased.get(`contacts ${id}`))
    // A line that makes a living record an erased one blanks it.
    const kept = saysErased && !isMarked ? undefined : before
    if (saysErased || isListed || isCleared)
      drop(line, place, { isErased, stored: kept, marks: saysErased || isMarked })
  }
}

/** Clears what a line holds of a person, be it sent or stored. Refuses the line of somebody on hold. */
function blank(line: Line, place: Place, known: readonly KnownPersons[]): void {
  const isOfLine = ({ resource, id }: KnownPersons) => resource === place.resource && id === line.id
  const reason = known.find((one) => one.hold !== null && isOfLine(one))?.hold
  if (reason) {
    refuseLine(line, `On hold: ${reason}`)
    return
  }
  const keys = place.fields.map(({ name }) => name.split('.')[0] ?? name)
  nameDropped(
    line,
    keys.filter((key) => holdsText(line.data[key])),
  )
  const cleared: Data = Object.fromEntries(keys.map((key) => [key, null]))
  line.data = { ...line.data, ...cleared, ...(place === CONTACTS ? { is_deleted: true } : {}) }
}

/** Whether a value is neither absent nor blank. */
function holdsText(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).some(holdsText)
  return value !== undefined && value !== null && !isBlank(value)
}

function nameDropped(line: Line, keys: string[]): void {
  for (const key of keys) if (!line.unknown.includes(key)) line.unknown.push(key)
}

/** What the values of a line are judged by. */
interface Known {
  isErased: (id: number) => boolean
  /** The stored record, or the part of it that a key leads to, as an export has it; undefined without one. */
  stored: unknown
  /** Whether the record is erased itself. */
  marks?: boolean
}

function drop(line: Line, { fields, mark }: Place, known: Known): void {
  const data = structuredClone(line.data)
  const dropped = fields.flatMap((field) =>
    (field.keys ?? [field.name]).filter((key) => dropKey(data, key, field, known)),
  )
  line.data = mark && (known.marks || known.stored === undefined) ? { ...data, is_erased: true } : data
  nameDropped(line, dropped)
}

/**
 * Puts what is stored in the place of a dotted key of a line, in each entry of a list, or null for a new record. Returns
 * whether something else was there.
 */
function dropKey(data: unknown, key: string, field: Identifying, { isErased, stored }: Known): boolean {
  if (Array.isArray(data)) {
    const entries = Array.isArray(stored) ? stored : []
    const storedOf = (entry: unknown) =>
      entries.find((one) => isObject(entry) && isObject(one) && one.id === entry.id)
    return data
      .map((entry) => dropKey(entry, key, field, { isErased, stored: storedOf(entry) }))
      .some(Boolean)
  }
  if (!isObject(data)) return false
  const known = isObject(stored) ? stored : null
  const [first = '', ...rest] = key.split('.')
  // The name of a group may have a space, but no dot.
  const names = first === '#' ? Object.keys(data).filter((name) => /^\d+$/.test(name)) : [first]
  return names
    .filter((name) => Object.hasOwn(data, name))
    .map((name) => {
      const value = data[name]
      if (rest.length > 0) return dropKey(value, rest.join('.'), field, { isErased, stored: known?.[name] })
      if (field.isLink) data[name] = withoutErased(value, known?.[name], isErased)
      // What is blank says nothing of a person: so does the line of a record that was cleared while it was exported.
      else if (isBlank(value)) return false
      else if (known && !Object.hasOwn(known, name)) delete data[name]
      else data[name] = known?.[name] ?? null
      return JSON.stringify(value) !== JSON.stringify(data[name])
    })
    .some(Boolean)
}

/** Links without those to erased contacts, but for links that a record has kept, as somebody on hold shares it. */
function withoutErased(value: unknown, stored: unknown, isErased: (id: number) => boolean): unknown {
  const kept = [stored].flat()
  const isGone = (id: unknown) => isErased(Number(id)) && !kept.includes(id)
  if (Array.isArray(value)) return value.filter((id) => !isGone(id))
  return typeof value === 'number' && isGone(value) ? null : value
}

const isBlank = (value: unknown) =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0)

/** Those of `named` that a stored record does not link to yet, but for links that are dropped. */
function newLinks(place: Place, named: number[], before: Data): number[] {
  if (place.fields.some(({ isLink }) => isLink)) return []
  const linked = new Set(namedContacts(place, before))
  return named.filter((id) => !linked.has(id))
}

/** The ids of contacts that a line names. */
function namedContacts({ links }: Place, data: Data): number[] {
  return links.flatMap((key) => {
    const value = key
      .split('.')
      .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), data)
    return [value].flat().filter((id): id is number => Number.isSafeInteger(id))
  })
}
