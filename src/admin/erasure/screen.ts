/**
 * Screens the lines of an import for erased persons: their lines are refused, and texts of records that were cleared are dropped,
 * so that they stay as they are. A line with `is_erased: true` is that of an export, and is blank. What becomes of a line is
 * decided in `verdict.ts`.
 */
import { getTableName, sql } from 'drizzle-orm'
import { upsertRows } from '../../db/bulk.ts'
import { valuesOf } from '../../db/conditions.ts'
import { WriteStatement } from '../../db/effects.ts'
import { ON_HOLD, reasonOfHold } from '../../db/merged-contacts.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { erased_records, erasures } from '../../db/tables/people.ts'
import { formatDateTime } from '../../fields/values.ts'
import { isObject } from '../../http/request/object-keys.ts'
import type { Entity, Screen, StoredLine } from '../transfer/entity.ts'
import { type Line, refuseLine } from '../transfer/line.ts'
import { openErasures } from './begin.ts'
import { CONTACTS, type Identifying, type Place, placeOf } from './places.ts'
import { CAME_ERASED, IMPORTED_CONTACTS, IMPORTED_REASON, IS_CLEARED, NEXT_POSITION } from './states.ts'
import { verdictOn } from './verdict.ts'

/** What is known of a record that a line is about, or of a contact that it names. */
interface Known {
  resource: string
  id: number
  /** It is on the list of the erased, an import has added it there, or it must not be erased. */
  state: 'erased' | 'imported' | 'held'
  /** Why it is held. */
  reason: string | null
}

const OF_HELD = 'it is of a person on hold'
/** What is named in dependences between lines. */
const PERSONS = ['erased persons']

/** What screens the lines of an entity; none if its records concern no persons. */
export function screenOf(entity: Entity): Screen<Known> | undefined {
  const place = placeOf(entity.name)
  if (!place) return
  return {
    table: getTableName(erased_records),
    dependences: ({ data }) => ({
      reads: PERSONS,
      changes: place.mark && data.is_erased === true ? PERSONS : [],
    }),
    select: (lines) => selectKnown(place, lines),
    judge: (lines, known, stored) => judgeLines(place, entity, lines, known, stored),
    ...(place === CONTACTS ? { store: listImported } : {}),
  }
}

/** The statement that finds the erased and the held among the records of lines and the contacts that they name. */
function selectKnown(place: Place, lines: readonly Line[]): Statement<Known> {
  const ids = valuesOf(lines.flatMap(({ id }) => (typeof id === 'number' ? id : [])))
  const persons = valuesOf(lines.flatMap(({ data }) => namedContacts(place, data)))
  const { resource, table, linked } = place
  // An import lists no records that link to the contacts that it adds as erased.
  const linkedToImported = linked
    ? sql`union all select ${resource}, id, 'erased', null from ${table} where id in (${ids})
        and (case when exists (${IMPORTED_CONTACTS}) then id in (${linked(IMPORTED_CONTACTS)}) end)`
    : sql``
  const linkedToHeld =
    linked && place.mark && place !== CONTACTS
      ? sql`union all select ${resource}, id, 'held', ${OF_HELD} from ${table}
          where id in (${ids}) and id in (${linked(ON_HOLD)})`
      : sql``
  return sqlStatement(sql`select distinct resource, id,
      iif(contact_id in (${IMPORTED_CONTACTS}), 'imported', 'erased') as state, null as reason from erased_records where
      (resource = ${resource} and id in (${ids}) and (${IS_CLEARED} or resource = 'contacts'))
      or (resource = 'contacts' and id in (${persons}))
    union all select 'contacts', id, 'held', ${reasonOfHold(sql`held.id`)} from (${ON_HOLD}) held
      where ${place === CONTACTS} and id in (${ids}) ${linkedToHeld} ${linkedToImported}`)
}

/** Applies the verdict on each line. What is dropped is named with the unknown keys of a line. */
function judgeLines(
  place: Place,
  { present }: Entity,
  lines: readonly Line[],
  known: readonly Known[],
  stored: ReadonlyMap<Line['id'], object>,
): void {
  const [held, erased] = [true, false].map((isHeld) => {
    const those = known.filter(({ state }) => (state === 'held') === isHeld)
    return new Map(those.map((one) => [`${one.resource} ${one.id}`, one]))
  })
  const stateOf = (id: number) => erased?.get(`contacts ${id}`)?.state
  const isErased = (id: number) => stateOf(id) !== undefined
  for (const line of lines) {
    const record = stored.get(line.id)
    const before = () => record && present(record)
    const isMarked = record !== undefined && 'is_erased' in record && record.is_erased === true
    const name = `${place.resource} ${line.id}`
    const named = namedContacts(place, line.data).filter(isErased)
    const isImported = named.every((id) => stateOf(id) === 'imported')
    const linked = named.length > 0 ? newLinks(place, named, before()) : []
    const saysErased = place.mark !== undefined && line.data.is_erased === true
    const judged = verdictOn({
      of: place === CONTACTS ? 'contact' : 'record',
      erases: saysErased && (place === CONTACTS || !isMarked),
      record: isMarked || erased?.has(name) ? 'erased' : record ? 'living' : 'new',
      isHeld: held?.has(name) ?? false,
      names: named.length === 0 ? 'none' : isImported ? 'imported' : 'erased',
      linksAnew: linked.length > 0,
    })
    if (judged.verdict === 'blank') blankLine(line, place)
    if (judged.verdict === 'drop') dropTexts(line, place, { isErased, stored: before() }, isMarked)
    if (judged.verdict !== 'refuse') continue
    const reasons = {
      erased: 'erased',
      linked: `The contact ${linked.at(-1)} was erased`,
      held: `On hold: ${held?.get(name)?.reason}`,
    }
    refuseLine(line, reasons[judged.because])
  }
}

/** Those of `named` that a stored record does not link to yet, but for links that are dropped. */
function newLinks(place: Place, named: number[], before: Record<string, unknown> | undefined): number[] {
  if (!before || place.fields.some(({ isLink }) => isLink)) return []
  const linked = new Set(namedContacts(place, before))
  return named.filter((id) => !linked.has(id))
}

interface ImportedContact {
  id: number
  is_erased: boolean
  date_created: string
  date_updated: string
}

/**
 * The statements for contacts that an import stores as erased. Cron clears what links to them, but not to those that are
 * new: the lines that name them come after them, and have what was written since. Those were erased when the line says that
 * they changed last: with a later date, a restore would clear what was written since.
 */
function listImported(entries: StoredLine<ImportedContact>[]): Statement[] {
  const now = formatDateTime(new Date())
  const contacts = entries.flatMap(({ row, stored }) => {
    if (!row.is_erased || stored?.is_erased) return []
    const erased = !stored && row.date_updated < now ? row.date_updated : now
    return { id: row.id, isNew: !stored, date: erased > row.date_created ? erased : row.date_created }
  })
  if (contacts.length === 0) return []
  const rows = JSON.stringify(contacts.map(({ id, date, isNew }) => [id, date, Number(isNew)]))
  const insert = sqlStatement(sql`insert into erased_records (resource, id, contact_id, date, position)
    select 'contacts', value ->> 0, value ->> 0, value ->> 1, iif(value ->> 2, null, ${NEXT_POSITION}) from json_each(${rows}) where true on conflict do nothing`)
  const added = contacts.filter(({ isNew }) => isNew)
  return [
    // Later lines of the contacts are refused, in a dry run too.
    new WriteStatement(insert, {
      table: erased_records,
      puts: () =>
        contacts.map(({ id, date }) => ({
          resource: 'contacts',
          id,
          contact_id: id,
          fields: null,
          date,
          position: null,
        })),
    }),
    openErasures(
      contacts.flatMap(({ id, isNew }) => (isNew ? [] : id)),
      IMPORTED_REASON,
    ),
    ...upsertRows(
      erasures,
      added.map(({ id }) => ({
        ...{ contact_id: id, date: now, reason: CAME_ERASED },
        ...{ progress: 'closed' as const, progress_date: now },
      })),
      'contact_id',
    ),
  ]
}

type Data = Record<string, unknown>

/** Clears what a line holds of a person, be it sent or stored. */
function blankLine(line: Line, place: Place): void {
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
interface Judging {
  isErased: (id: number) => boolean
  /** The stored record, or the part of it that a key leads to, as an export has it; undefined without one. */
  stored: unknown
}

/** Drops texts and links from a line of a record that was cleared; one that is not stored, or `isMarked`, is erased itself. */
function dropTexts(line: Line, { fields, mark }: Place, known: Judging, isMarked: boolean): void {
  const data = structuredClone(line.data)
  const dropped = fields.flatMap((field) =>
    (field.keys ?? [field.name]).filter((key) => dropKey(data, key, field, known)),
  )
  line.data = mark && (isMarked || known.stored === undefined) ? { ...data, is_erased: true } : data
  nameDropped(line, dropped)
}

/**
 * Puts what is stored in the place of a dotted key of a line, in each entry of a list, or null for a new record. Returns
 * whether something else was there.
 */
function dropKey(data: unknown, key: string, field: Identifying, { isErased, stored }: Judging): boolean {
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

/** The ids of contacts that a line, or a record as an export has it, names. */
function namedContacts({ links }: Place, data: Data): number[] {
  return links.flatMap((key) => {
    const value = key
      .split('.')
      .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), data)
    return [value].flat().filter((id): id is number => Number.isSafeInteger(id))
  })
}
