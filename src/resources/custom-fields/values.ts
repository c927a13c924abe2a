/**
 * Values of the fields that the agency defined itself, keyed by the field's id.
 *
 *     const { facts } = await batch(db, { facts: selectFacts('contacts', [body.custom_fields]), … })
 *     const sent = checkValues(draft, 'custom_fields', body.custom_fields, readFacts(facts))
 *     const stored = mergeValues(current.custom_fields, sent)
 *
 * Null, an empty text and an empty array clear a field. Texts are stored as sent, HTML too.
 */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { CustomFieldResource } from '../../catalogue/custom-field.ts'
import type { CustomFieldType } from '../../catalogue/enums.ts'
import { isOneOf } from '../../db/conditions.ts'
import { DEFINITIONS, definitionsUnchanged } from '../../db/definitions.ts'
import { isNotDeleted } from '../../db/references.ts'
import { type SqlFragment, type Statement, sqlStatement } from '../../db/statements.ts'
import { date, dateTime, id, ids, jsonBytes, LONG_TEXT, list, SHORT_TEXT, text } from '../../fields/values.ts'

/** Values by field id; null clears one. */
export type CustomValues = Record<string, unknown>

/** Values by field id as they come in; each is checked against its definition later. */
export const customValues = () =>
  z
    .record(z.string(), z.unknown())
    .refine((sent) => Object.keys(sent).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} entries`)

interface Definition {
  type: CustomFieldType
  /** Ids to choose from, of select types. */
  options: number[]
}

/** What the database knows about the fields that bodies name, and about the ids that may be their values. */
export interface CustomFieldFacts {
  definitions: Map<string, Definition>
  users: Set<number>
  /** Contacts; only living ones unless deleted ones were asked for, too. */
  contacts: Set<number>
  /** The version of the definitions. */
  version: number
}

interface FactsRow {
  version: number
  definitions: string
  users: string
  contacts: string
}

/** Longest URL, in characters. */
const MAX_URL = 2000
/** Longest list of a `_multi` value. */
const MAX_ENTRIES = 100
/** Most fields of one record. */
const MAX_FIELDS = 1000
/** Most bytes of all values of one record as JSON: they share its row. */
const MAX_BYTES = 500_000

/**
 * The statement, for one batch, whose answer `readFacts` understands. Which values are ids only the definitions
 * tell, and those are read by this same statement: so every integer is looked up as if it were one.
 * @param contacts which contacts may be named: import takes deleted ones, which the export of a living agency names
 */
export function selectFieldFacts(
  resource: CustomFieldResource,
  sent: (CustomValues | null | undefined)[],
  contacts: 'living' | 'any' = 'living',
): Statement<FactsRow> {
  // More and longer ones are refused whatever the database knows, and D1 takes a parameter of 2 MB at most.
  const entries = sent.flatMap((entry) => Object.entries(entry ?? {}).slice(0, MAX_FIELDS))
  const values = entries.map(([, value]) => [value].flat()).filter((list) => list.length <= MAX_ENTRIES)
  const fields = entries.flatMap(([key]) => (isFieldId(key) ? [Number(key)] : []))
  const integers = values.flat().filter((value): value is number => Number.isSafeInteger(value))
  const isNamed = isOneOf(sql`id`, integers)
  return sqlStatement<FactsRow>(sql`select
    ${sql.raw(DEFINITIONS)} as version,
    (select json_group_array(json_object('id', id, 'type', type, 'options',
        json((select json_group_array(value ->> 'id') from json_each(coalesce(options, '[]'))))))
      from custom_fields
      where resource = ${resource} and ${isOneOf(sql`id`, fields)}) as definitions,
    (select json_group_array(id) from users where ${isNamed}) as users,
    (select json_group_array(id) from contacts
      where ${isNamed}${contacts === 'living' ? sql` and ${isNotDeleted}` : sql``}) as contacts`)
}

/** The answer of `selectFacts`. */
export function readFieldFacts([row]: FactsRow[]): CustomFieldFacts {
  const definitions = JSON.parse(row?.definitions ?? '[]') as {
    id: number
    type: CustomFieldType
    options: number[]
  }[]
  return {
    version: row?.version ?? 0,
    definitions: new Map(definitions.map(({ id, type, options }) => [String(id), { type, options }])),
    users: new Set<number>(JSON.parse(row?.users ?? '[]')),
    contacts: new Set<number>(JSON.parse(row?.contacts ?? '[]')),
  }
}

/**
 * The values that fit their definitions, null where one is cleared; the others are noted in `draft`.
 * @param field name of the body's key that holds the values, for the messages
 * @param contacts `awaited` leaves unknown contacts to `unknownContacts`: an import may name some further down
 */
export function checkCustomValues(
  draft: { refuse: (field: string, message: string) => void },
  field: string,
  sent: CustomValues,
  facts: CustomFieldFacts,
  contacts: 'checked' | 'awaited' = 'checked',
): CustomValues {
  const values: CustomValues = {}
  const entries = Object.entries(sent)
  if (entries.length > MAX_FIELDS) {
    draft.refuse(field, `Invalid ${field}: must have at most ${MAX_FIELDS} entries`)
    return values
  }
  for (const [key, value] of entries) {
    const definition = facts.definitions.get(key)
    const name = `${field}.${key}`
    if (!definition) {
      draft.refuse(field, `Unknown ${field} ${key}`)
    } else if (isCleared(value)) {
      values[key] = null
    } else {
      const { schema, must } = KINDS[definition.type](definition.options)
      const result = schema.safeParse(value)
      if (result.success) values[key] = result.data
      else draft.refuse(name, `Invalid ${name}: must be ${must}`)
      const known = knownIds(definition.type, facts, contacts)
      const asked: unknown[] = result.success && known ? [result.data].flat() : []
      for (const id of asked) if (!known?.has(Number(id))) draft.refuse(name, `Unknown ${name} ${id}`)
    }
  }
  checkSize(draft, field, {}, values)
  return values
}

/** What is true while the definitions of `facts` are as they were; null where there are none. */
export function staysDefined({ definitions, version }: CustomFieldFacts): SqlFragment | null {
  return definitions.size > 0 ? definitionsUnchanged(version) : null
}

/** Notes in `draft` when the values are too many or too long once `sent` is merged into `current`. */
export function checkSize(
  draft: { refuse: (field: string, message: string) => void },
  field: string,
  current: CustomValues,
  sent: CustomValues,
): void {
  const merged = mergeCustomValues(current, sent)
  if (Object.keys(merged).length > MAX_FIELDS) {
    draft.refuse(field, `Invalid ${field}: must have at most ${MAX_FIELDS} entries`)
  } else if (jsonBytes(merged) > MAX_BYTES) {
    draft.refuse(field, `Invalid ${field}: must be at most ${MAX_BYTES} bytes in all`)
  }
}

/** The contacts that checked `values` name although there are no such ones, with the names of their fields. */
export function unknownContacts(
  field: string,
  values: CustomValues,
  facts: CustomFieldFacts,
): { field: string; id: number }[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const type = facts.definitions.get(key)?.type
    if (value === null || (type !== 'contact' && type !== 'contact_multi')) return []
    const unknown = [value].flat().filter((id) => !facts.contacts.has(Number(id)))
    return unknown.map((id) => ({ field: `${field}.${key}`, id: Number(id) }))
  })
}

/** `current` with the keys of `sent` over it; null clears one, null for `sent` clears all. */
export function mergeCustomValues(
  current: CustomValues | undefined,
  sent: CustomValues | null,
): CustomValues {
  const merged = sent === null ? {} : { ...current, ...sent }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

/** What a value must be: its schema, and the same in words. */
interface Kind {
  schema: z.ZodType
  must: string
}

const kind = (schema: z.ZodType, must: string) => (): Kind => ({ schema, must })

const textOf = (max: number) => kind(text(max), `text of at most ${max} characters`)

const url = text(MAX_URL).refine((value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value))

const numeric = kind(z.number(), 'a number')
const link = kind(url, `an http or https URL of at most ${MAX_URL} characters`)
const links = kind(
  list(url, { max: MAX_ENTRIES }),
  `an array of at most ${MAX_ENTRIES} http or https URLs of at most ${MAX_URL} characters`,
)
const person = kind(id(), 'an id')
const people = kind(ids({ max: MAX_ENTRIES }), `an array of at most ${MAX_ENTRIES} ids`)

const KINDS: Record<CustomFieldType, (options: number[]) => Kind> = {
  text: textOf(SHORT_TEXT),
  textarea: textOf(2500),
  wysiwyg: textOf(LONG_TEXT),
  number: numeric,
  formatted_number: numeric,
  currency: numeric,
  select: (options) => ({
    schema: id().refine((value) => options.includes(value)),
    must: `one of ${options.join(', ')}`,
  }),
  select_multi: (options) => ({
    schema: ids().refine((values) => values.every((value) => options.includes(value))),
    must: `an array of any of ${options.join(', ')}`,
  }),
  checkbox: kind(z.boolean(), 'true or false'),
  file: link,
  image: link,
  url: link,
  file_multi: links,
  image_multi: links,
  address: textOf(SHORT_TEXT),
  date: kind(date(), 'a date, YYYY-MM-DD'),
  datetime: kind(dateTime(), 'a date-time, YYYY-MM-DD HH:MM:SS'),
  user: person,
  user_multi: people,
  contact: person,
  contact_multi: people,
  phone: textOf(SHORT_TEXT),
}

/** The ids that a value of `type` may name; null when it names none, or any. */
function knownIds(
  type: CustomFieldType,
  facts: CustomFieldFacts,
  contacts: 'checked' | 'awaited',
): Set<number> | null {
  if (type === 'user' || type === 'user_multi') return facts.users
  if (type === 'contact' || type === 'contact_multi') return contacts === 'checked' ? facts.contacts : null
  return null
}

function isCleared(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function isFieldId(key: string): boolean {
  return /^[1-9]\d{0,14}$/.test(key)
}
