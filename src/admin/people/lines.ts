/**
 * What an import makes of lines that are about erased persons: the line of an erased contact is refused, and texts of
 * records that were cleared are dropped. A line with `is_erased: true` is that of an export, and is blank.
 */
import { sql } from 'drizzle-orm'
import { valuesOf } from '../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { isObject } from '../../http/request/object-keys.ts'
import { type Line, refuseLine } from '../transfer/entity.ts'
import { CONTACTS, type Identifying, type Place, placeOf } from './places.ts'

type Data = Record<string, unknown>

/** Why a line of an erased contact is refused. */
const ERASED = 'erased'

/** What is known of the persons of lines. */
export interface KnownPersons {
  resource: string
  id: number
  /** Why the contact must not be erased; null for a record on the list of the erased. */
  hold: string | null
}

/** The statement that finds the erased among the records of lines and the contacts that they name. */
export function selectKnownPersons(entity: string, lines: readonly Line[]): Statement<KnownPersons> | null {
  const place = placeOf(entity)
  if (!place) return null
  const ids = lines.flatMap(({ id }) => (typeof id === 'number' ? id : []))
  const persons = lines.flatMap(({ data }) => namedContacts(place, data))
  return sqlStatement(sql`select distinct resource, id, null as hold from erased_records where
      (resource = ${place.resource} and id in (${valuesOf(ids)}))
      or (resource = 'contacts' and id in (${valuesOf(persons)}))
    union all select 'contacts', contact_id, reason from contact_holds
      where ${place === CONTACTS} and contact_id in (${valuesOf(ids)})`)
}

/**
 * Refuses lines of erased contacts, and drops from others what was cleared. What is dropped is named with the unknown keys of
 * a line.
 * @param stored the stored records by the ids of lines
 */
export function screenLines(
  entity: string,
  lines: readonly Line[],
  known: readonly KnownPersons[],
  stored: ReadonlyMap<Line['id'], object>,
): void {
  const place = placeOf(entity)
  if (!place) return
  const erased = new Set(
    known.flatMap(({ resource, id, hold }) => (hold === null ? `${resource} ${id}` : [])),
  )
  const isErased = (id: number) => erased.has(`contacts ${id}`)
  for (const line of lines) {
    const record = stored.get(line.id)
    const isMarked = record !== undefined && 'is_erased' in record && record.is_erased === true
    const saysErased = line.data.is_erased === true
    const isListed = isMarked || erased.has(`${place.resource} ${line.id}`)
    if (place === CONTACTS) screenContact(line, isListed, known)
    else if (saysErased || isListed || namedContacts(place, line.data).some(isErased))
      drop(line, place, isErased)
  }
}

function screenContact(line: Line, isListed: boolean, known: readonly KnownPersons[]): void {
  if (line.data.is_erased !== true) {
    if (isListed) refuseLine(line, ERASED)
    return
  }
  const reason = known.find(({ id, hold }) => id === line.id && hold !== null)?.hold
  if (reason) refuseLine(line, `On hold: ${reason}`)
  else line.data = { ...line.data, ...blankContact(), is_deleted: true }
}

/** The keys of a line that hold something of a person, cleared. */
function blankContact(): Data {
  return Object.fromEntries(CONTACTS.fields.map(({ name }) => [name.split('.')[0], null]))
}

function drop(line: Line, { fields, mark }: Place, isErased: (id: number) => boolean): void {
  const data = structuredClone(line.data)
  const dropped = fields.flatMap((field) =>
    (field.keys ?? [field.name]).filter((key) => dropKey(data, key, field, isErased)),
  )
  line.data = mark ? { ...data, is_erased: true } : data
  for (const key of dropped) if (!line.unknown.includes(key)) line.unknown.push(key)
}

/** Clears a dotted key of a line, in each entry of a list. Returns whether there was something. */
function dropKey(data: unknown, key: string, field: Identifying, isErased: (id: number) => boolean): boolean {
  if (Array.isArray(data)) return data.map((entry) => dropKey(entry, key, field, isErased)).some(Boolean)
  if (!isObject(data)) return false
  const [first = '', ...rest] = key.split('.')
  // The name of a group may have a space, but no dot.
  const names = first === '#' ? Object.keys(data).filter((name) => /^\d+$/.test(name)) : [first]
  return names
    .filter((name) => Object.hasOwn(data, name))
    .map((name) => {
      const value = data[name]
      if (rest.length > 0) return dropKey(value, rest.join('.'), field, isErased)
      data[name] = field.isLink ? withoutErased(value, isErased) : null
      return JSON.stringify(value) !== JSON.stringify(data[name]) && !isBlank(value)
    })
    .some(Boolean)
}

function withoutErased(value: unknown, isErased: (id: number) => boolean): unknown {
  if (Array.isArray(value)) return value.filter((id) => !isErased(Number(id)))
  return typeof value === 'number' && isErased(value) ? null : value
}

const isBlank = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

/** The ids of contacts that a line names. */
function namedContacts({ links }: Place, data: Data): number[] {
  return links.flatMap((key) => {
    const value = key
      .split('.')
      .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), data)
    return [value].flat().filter((id): id is number => Number.isSafeInteger(id))
  })
}
