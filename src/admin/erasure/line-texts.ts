/** What becomes of the texts in a line that say something of an erased person: they are cleared, or replaced by what is stored. */
import { isObject } from '../../http/request/object-keys.ts'
import type { Line } from '../transfer/line.ts'
import { CONTACTS, type Identifying, type Place } from './places.ts'

type Data = Record<string, unknown>

/** Clears what a line holds of a person, be it sent or stored. */
export function blankLine(line: Line, place: Place): void {
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
}

/** Drops texts and links from a line of a record that was cleared; one that is not stored, or `isMarked`, is erased itself. */
export function dropTexts(line: Line, { fields, mark }: Place, known: Known, isMarked: boolean): void {
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

/** The ids of contacts that a line, or a record as an export has it, names. */
export function namedContacts({ links }: Place, data: Data): number[] {
  return links.flatMap((key) => {
    const value = key
      .split('.')
      .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), data)
    return [value].flat().filter((id): id is number => Number.isSafeInteger(id))
  })
}
