/** What a contact is given by others that are merged into it. */
import { SHARE } from '../../../catalogue/contact.ts'
import { unique } from '../../../fields/values.ts'
import { checkObject, type Draft } from '../../../http/request/check.ts'
import { isObject } from '../../../http/request/object-keys.ts'
import { checkSize } from '../../custom-fields/values.ts'
import { isSameKey, keysOf } from '../../people/keys.ts'
import { presentContact } from '../present.ts'
import type { ContactRow } from '../queries.ts'
import { checkNames } from '../rules.ts'
import { type ContactInput, contactUpdate } from '../schema.ts'

type Values = Record<string, unknown>

/** Whose value wins, by field. */
type Winners = Readonly<Record<string, number | null | undefined>>

const isEmpty = (value: unknown) => value == null || (typeof value === 'string' && value.trim() === '')

/** Whether two groups of values can be of one thing. */
function fits(value: Values, other: Values): boolean {
  return Object.keys(value).every(
    (key) => isEmpty(value[key]) || isEmpty(other[key]) || value[key] === other[key],
  )
}

const fill = (value: Values, other: Values): Values =>
  Object.fromEntries(
    unique([...Object.keys(value), ...Object.keys(other)]).map((key) => [
      key,
      combine(value[key], other[key]),
    ]),
  )

/** An empty value is filled, lists are united. */
function combine(value: unknown, other: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(other)) return isEmpty(value) ? other : value
  const united = [...value]
  const known = value.map(keyed)
  for (const one of other) {
    const entry = keyed(one)
    // Longer lists of entries are refused anyway.
    const isTooLong = isObject(one) && united.length > SHARE.max
    const found = isTooLong ? -1 : known.findIndex((each) => isOneThing(entry, each))
    const at = found < 0 ? united.length : found
    united[at] = found >= 0 && isObject(one) ? fill(united[at] as Values, one) : one
    known[at] = keyed(united[at])
  }
  return united
}

/** What telephones and addresses in entries of lists are in `keysOf`. */
const FOUND_BY: Readonly<Record<string, 'phones' | 'emails'>> = {
  ...{ number: 'phones', mobile: 'phones' },
  ...{ email_address: 'emails', email: 'emails' },
}

/** An entry of a list with the keys of its telephones and addresses, however they are written. */
function keyed(entry: unknown): unknown {
  if (!isObject(entry)) return entry
  const pairs = Object.entries(entry).map(([name, text]) => {
    const kind = FOUND_BY[name]
    const keys = kind ? keysOf({ [kind]: [text as string | null] }) : []
    return [name, keys.length > 0 ? keys : text] as const
  })
  return Object.fromEntries(pairs)
}

/** Whether `other` is the same, with no fewer digits. */
const isSame = (value: unknown, other: unknown): boolean =>
  Array.isArray(value) && Array.isArray(other)
    ? value.every((key) => other.some((one) => isSameKey(key, one) && one.length >= key.length))
    : value === other

/** Whether `known` says all of `entry`, or can be completed as they have a telephone or address in common. Types do not count. */
function isOneThing(entry: unknown, known: unknown): boolean {
  if (!isObject(entry) || !isObject(known)) return entry === known
  const said = Object.keys(entry).filter((name) => name !== 'type' && !isEmpty(entry[name]))
  const isCommon = (name: string) => isSame(entry[name], known[name])
  const isOfOne = said.some((name) => name in FOUND_BY && isCommon(name))
  return said.every((name) => isCommon(name) || (isOfOne && isEmpty(known[name])))
}

const linesOf = (text: unknown) => (isEmpty(text) ? [] : String(text).split('\n'))

/** The lines that notes do not have yet are appended. */
function appendNotes(value: unknown, other: unknown): unknown {
  const known = new Set(linesOf(value).map((line) => line.trim()))
  const more = linesOf(other).filter((line) => isEmpty(line) || !known.has(line.trim()))
  return more.every(isEmpty) ? value : [...linesOf(value), ...more].join('\n')
}

/** Fields that are not combined as all others. */
const OWN: Readonly<Record<string, (value: unknown, other: unknown) => unknown>> = {
  notes: appendNotes,
  // The latest of each purpose stays; of two of the same date, the one further down.
  consents: (value, other) => [other, value].flat(),
  // Half of another address would make one that does not exist.
  address: (value, other) =>
    fits(value as Values, other as Values) ? fill(value as Values, other as Values) : value,
  custom_fields: (value, other) => fill(value as Values, other as Values),
}

/** What changes of `current`, in a checked draft. */
export function mergedValues(
  current: ContactRow,
  others: readonly ContactRow[],
  winners: Winners,
): Draft<ContactInput> {
  const bodyOf = (row: ContactRow): Values => presentContact(row, null, true)
  const before = bodyOf(current)
  const bodies = others.map((row) => [row.id, bodyOf(row)] as const)
  const changes = Object.keys(contactUpdate.shape).flatMap((key) => {
    const winner = winners[key]
    const merge = winner == null ? (OWN[key] ?? combine) : (value: unknown) => value
    const [, first = before] = bodies.find(([id]) => id === winner) ?? []
    const value = bodies.reduce((merged, [, body]) => merge(merged, body[key]), first[key])
    return JSON.stringify(value) === JSON.stringify(before[key]) ? [] : [[key, value] as const]
  })
  const draft = checkObject(contactUpdate, Object.fromEntries(changes))
  checkNames(draft, current)
  checkSize(draft, 'custom_fields', current.custom_fields, draft.values.custom_fields ?? {})
  return draft
}
