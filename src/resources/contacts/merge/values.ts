/** What a contact is given by others that are merged into it. */
import { unique } from '../../../fields/values.ts'
import { checkObject, type Draft } from '../../../http/request/check.ts'
import { isObject } from '../../../http/request/object-keys.ts'
import { checkSize } from '../../custom-fields/values.ts'
import { presentContact } from '../present.ts'
import type { ContactRow } from '../queries.ts'
import { checkNames } from '../rules.ts'
import { type ContactInput, contactUpdate } from '../schema.ts'

type Values = Record<string, unknown>

/** Whose value wins, by field. */
type Winners = Readonly<Record<string, number | null | undefined>>

const isEmpty = (value: unknown) => value == null || (typeof value === 'string' && value.trim() === '')

/** Whether `value` says nothing that `other` does not say. */
function isSaidBy(value: unknown, other: unknown): boolean {
  if (!isObject(value) || !isObject(other)) return value === other
  return Object.keys(value).every((key) => isEmpty(value[key]) || value[key] === other[key])
}

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
  return [...value, ...other.filter((one) => !value.some((known) => isSaidBy(one, known)))]
}

/** Fields that are not combined as all others. */
const OWN: Readonly<Record<string, (value: unknown, other: unknown) => unknown>> = {
  notes: (value, other) => unique([value, other].filter((text) => !isEmpty(text))).join('\n'),
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
